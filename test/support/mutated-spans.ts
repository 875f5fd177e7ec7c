import type { Random } from '../sim/prng.ts';
import {
  anyValue,
  type Attribute,
  attribute,
  documentOf,
  type JsonDocument,
  type JsonLog,
  type JsonSpan,
  type LogDocument,
  logDocumentOf,
} from './otlp.ts';

/* Documents of spans, of which some are odd: every value is one that both encodings can hold. */

const texts = ['', 'u', 'hé "quoted"', 'tab\tand\nline', '\u0001', '모델 😀', 'a longer text without escapes'];
const parts: readonly ((random: Random) => object)[] = [
  (random) => ({ type: 'text', content: random.pick(texts) }),
  (random) => ({
    type: 'tool_call',
    id: `c${random.int(99)}`,
    name: random.pick(['f', 'g']),
    arguments: { id: random.int(2) },
  }),
  () => ({ type: 'tool_call', name: 'f', arguments: '{"a":1}' }),
  () => ({ type: 'refusal' }),
  () => ({ type: 'reasoning', content: 'hm' }),
];
const wholeMessages: readonly unknown[] = [
  [],
  {},
  null,
  [null],
  'no JSON',
  [[]],
  [{ role: 'assistant', content: 'x' }],
  [{ parts: [] }, { parts: [] }],
];

const often = [undefined, undefined, undefined, undefined];

type Values = Record<string, unknown>;

/** Texts behind JSON in one attribute. */
const behind = [' \n', 'x', ']', ',"t":[]'];

/** Changes that make a span odd. */
const oddities: readonly ((values: Values, random: Random) => Partial<JsonSpan> | undefined)[] = [
  (values) => void Object.assign(values, { 'gen_ai.completion.0.content': 'x', 'gen_ai.output.messages': undefined }),
  (values, random) =>
    void (values['gen_ai.operation.name'] = random.pick([
      'execute_tool',
      'invoke_agent',
      'generate_content',
      undefined,
      3,
      'c\u00e4',
    ])),
  (values, random) => void (values['gen_ai.output.messages'] = random.pick(wholeMessages)),
  (values, random) =>
    void (values['gen_ai.tool.definitions'] = random.pick([null, 'f', '[]', 'null', ['f'], '["f",{"name":"g"}]'])),
  (values, random) => void (values['assay.example_id'] = random.pick([undefined, 7, '', 'x'.repeat(600), null])),
  (values, random) => void (values['assay.run'] = random.pick(['4', -1, 1.5, 2 ** 40, true, 268_435_455, 268_435_456])),
  (values, random) => void (values['assay.label'] = random.pick(['nonsense', 3, true, '', null])),
  (values, random) =>
    void (values['gen_ai.response.model'] = random.pick(['', '__other__', 'm'.repeat(300), 5, undefined, null])),
  (values, random) => void (values['team'] = random.pick([1, false, ['x'], 'tä"m', undefined])),
  () => ({ events: [{ name: 'gen_ai.choice', attributes: [attribute('message', { content: 'x' })] }] }),
  () => ({ events: [{ name: 'exception', attributes: [attribute('other', 'x')] }] }),
  (values) => void Object.assign(values, { 'gen_ai.output.messages': [{ parts: [] }, { parts: [] }], 'assay.run': 1 }),
  (values, random) => {
    const text = `${JSON.stringify(values['gen_ai.output.messages'])}${random.pick(behind)}`;
    values['gen_ai.output.messages'] = text;
    return undefined;
  },
  (_, random) => ({
    status: random.pick([{}, { code: 1, message: 'ok' }, { code: 2 }, { code: 2, message: 'bröke' }]),
  }),
  (_, random) => ({
    endTimeUnixNano: random.pick(['0', '5', '1777593600123456789', '18446744073709551615', '1777593600']),
  }),
  (_, random) => ({ traceId: random.pick(['', '5B8EFFF798038103D269B633813FC60C', '5b']) }),
];

/** Kinds of spans in other dialects, and what each may hold. */
const kinds: readonly Values[] = [
  { 'openinference.span.kind': 'TOOL', 'tool.name': 'f', 'output.value': '{"isError":true}' },
  { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.id': 7, 'ai.toolCall.result': ['x', null] },
  { 'traceloop.span.kind': 'tool', 'traceloop.entity.output': '{"output":{"type":"tool","content":1},"kwargs":{}}' },
  { 'mlflow.spanType': '"TOOL"', 'mlflow.spanOutputs': '[[' },
  { 'langfuse.observation.type': 'agent', 'langfuse.observation.input': '[{"role":"tool"}, 3, null]' },
  { 'langsmith.span.kind': ['odd'], 'gen_ai.prompt': '{"messages":[{"role":"tool","content":{}}]}' },
  { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': { a: 1 } },
  {
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 3,
    'llm.output_messages.0.message.contents.1.message_content.text': 'x',
  },
  { 'gen_ai.input.messages': [[], 'x', { role: 'tool', parts: [{ type: 'tool_call_response', id: 5 }] }] },
  { 'gen_ai.conversation.id': 's' },
];

function partsOf(random: Random): object[] {
  const all = [random.pick(parts)(random)];
  return random.chance(0.2) ? [...all, random.pick(parts)(random)] : all;
}

/** A span of a call of a model; every third is odd, and some are of other things. */
function spanOf(random: Random): JsonSpan {
  if (random.chance(0.05))
    return {
      traceId: '5b',
      spanId: '1c',
      parentSpanId: '1d',
      name: 'GET',
      attributes: [attribute('http.method', 'GET')],
    };
  const values: Values = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'asked',
    'gen_ai.response.model': random.pick(['m1', 'm2']),
    'gen_ai.usage.input_tokens': random.int(1_000),
    'gen_ai.output.messages': [{ role: 'assistant', parts: partsOf(random), finish_reason: 'stop' }],
    'gen_ai.agent.name': random.pick(['a', undefined]),
    'gen_ai.tool.definitions': random.pick([undefined, '["f"]']),
    'assay.example_id': `e${random.int(9)}`,
    'assay.run': random.pick([undefined, random.int(3)]),
    'assay.label': random.pick([...often, 'direct']),
    'assay.success': random.pick([...often, true, 'false']),
    'error.type': random.pick([...often, 'timeout']),
    team: random.pick([undefined, 't1', 't2']),
    at: random.pick([undefined, '2026-05-01T00:00:00Z', '1777593600']),
  };
  if (random.chance(0.2)) Object.assign(values, random.pick(kinds));
  if (random.chance(0.1)) values['gen_ai.operation.name'] = undefined;
  const more = random.chance(0.35) ? random.pick(oddities)(values, random) : undefined;
  const messages = values['gen_ai.output.messages'];
  if (typeof messages === 'object' && random.chance(0.9)) values['gen_ai.output.messages'] = JSON.stringify(messages);
  return {
    traceId: random
      .int(2 ** 31)
      .toString(16)
      .padStart(32, '0'),
    spanId: random
      .int(2 ** 31)
      .toString(16)
      .padStart(16, '0'),
    parentSpanId: random.pick(['', 'EEE19b7ec3c1b174']),
    name: 'chat asked',
    kind: random.int(6),
    startTimeUnixNano: '1777593609999999999',
    endTimeUnixNano: `17775936${random.between(10, 99)}123999999`,
    attributes: attributesOf(values, random),
    ...more,
  };
}

/** In any order; now and then one twice. */
function attributesOf(values: Values, random: Random): Attribute[] {
  const all = Object.entries(values).filter(([, value]) => value !== undefined);
  const listed = random.chance(0.2) ? random.shuffled(all) : all;
  const given = listed.map(([key, value]) => attribute(key, value));
  return given.length > 0 && random.chance(0.1) ? [...given, random.pick(given)] : given;
}

const resources: readonly Values[] = [
  { 'service.name': 'a service' },
  {},
  { 'service.name': 'another', 'assay.run': 2, team: 'of resource', 'assay.label': 'direct' },
  { 'service.name': ['odd'] },
];

/** A document of one or two resources, with one to three spans each. */
export function spanDocument(random: Random): JsonDocument {
  const one = (): JsonDocument['resourceSpans'][number] => {
    const spans = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => spanOf(random));
    const { resource, scopeSpans } = documentOf(spans, attributesOf(random.pick(resources), random)).resourceSpans[0]!;
    // In a document of JSON it may follow its spans.
    return random.chance(0.1) ? { scopeSpans, resource: resource! } : { resource: resource!, scopeSpans };
  };
  return { resourceSpans: [one(), ...(random.chance(0.2) ? [one()] : [])] };
}

const bodies: readonly unknown[] = [
  { index: 0, message: { content: 'x', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{' } }] } },
  { index: 1, message: 'x' },
  { id: 'c', content: ['x', null] },
  { id: { a: 1 }, content: 7 },
  '{"index":0,"message":{"content":"x"}}',
  ['odd'],
  undefined,
];
const eventsOfLogs = ['gen_ai.choice', 'gen_ai.tool.message', 'gen_ai.client.inference.operation.details', '', 'other'];

/** A document of log records, of which many hold messages of spans. */
export function logDocument(random: Random): LogDocument {
  const logs = Array.from({ length: random.pick([1, 2, 4]) }, (): JsonLog => {
    const { name: _, attributes = [], traceId = '', spanId = '', endTimeUnixNano = '' } = spanOf(random);
    const named = random.chance(0.3) ? [attribute('event.name', random.pick(eventsOfLogs))] : [];
    const times = random.chance(0.8) ? { timeUnixNano: endTimeUnixNano } : { observedTimeUnixNano: endTimeUnixNano };
    return {
      ...times,
      ...(random.chance(0.9) && { traceId, spanId }),
      severityNumber: random.int(20),
      eventName: random.pick(eventsOfLogs),
      body: anyValue(random.pick(bodies)),
      attributes: [...attributes, ...named],
    };
  });
  return logDocumentOf(logs, attributesOf(random.pick(resources), random));
}
