import { readFileSync } from 'node:fs';
import type { Random } from '../sim/prng.ts';
import { documentOf, spanOf } from './otlp.ts';
import { type NativeEvent, writers } from './provider-forms.ts';

/* Records of each form that are damaged in ways which repeat: their like comes again with other ids, times and texts. */

type Value = Record<string, unknown>;

interface RecordedAnswer {
  readonly format: string;
  readonly request?: Value;
  readonly response: unknown;
}

const recorded = readFileSync('test/fixtures/inputs/recorded-answers.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedAnswer)
  .filter(({ response }) => typeof response === 'object');

const calls = [{ name: 'f', arguments: { id: 'a', text: 'b', n: [1] } }, { name: 'g' }];
const tools = ['f', { name: 'g', parameters: { type: 'object' } }];
const native: readonly NativeEvent[] = [
  { label: 'direct', output: 'hello', agent: 'a' },
  { tool_calls: calls, tools, success: true },
  { tool_calls: [], output: { id: 'x', list: [{ id: 'y', text: 'z' }] } },
  { error: 'broke', model: 'm' },
];
/** Whatever may stand anywhere. */
const odd: readonly unknown[] = [
  ...[null, '', 'x', 0, -1, 1.5, true, [], {}, [null], [[]], { length: 3 }, '\ud800', '{"a":', 1e300, 'call "quoted"'],
  ...[
    { id: 'i', text: 't' },
    [{ id: 'i', text: 't', content: 'c' }],
    '{"id":"i"}',
    [{ type: 'text', text: 't' }],
    'ai',
  ],
];

/** Answers of a form as they should be; `assay` and `mapping` read native events, `otlp` documents of spans, `auto` all. */
export function answersOf(format: string): readonly Value[] {
  if (format === 'auto') return [...Object.keys(writers), 'assay', 'otlp'].flatMap(answersOf);
  if (format === 'otlp') {
    const ended = native.map((event) => ({ ts: 1_777_593_600_123, ...event }));
    const spans = ended.flatMap((event, at) => [true, false].map((structured) => spanOf(event, at, structured)));
    return [...spans.map((span) => documentOf([span])), documentOf(spans)] as unknown as readonly Value[];
  }
  const write = writers[format];
  if (write === undefined) return native;
  const own = recorded.filter((answer) => answer.format === format).map(({ response }) => response);
  return [write(calls, 'hello'), write(undefined, 'x'), write([calls[0]!], undefined), ...own] as Value[];
}

/** Gives records whose contents repeat: each is one of a few templates, which are `renewed` after so many, with another identity, time, name or text here and there. */
export function mutatedRecords(format: string, response: boolean, random: Random, renewed = 400): () => Value {
  const answers = answersOf(format);
  let templates: readonly Value[] = [];
  let left = 0;
  return () => {
    if (left-- === 0) {
      left = renewed - 1;
      templates = Array.from({ length: 40 }, () => templateOf(random.pick(answers), response, random));
    }
    const record = structuredClone(random.pick(templates));
    if (random.chance(0.9)) record['example_id'] = `e${random.int(50)}`;
    for (const name of ['event_id', 'ts', 'run', 'model', 'agent'])
      if (random.chance(0.15)) record[name] = random.pick(given[name]!);
    for (let at = random.int(4); at > 0; at--) changeText(record, random);
    return record;
  };
}

const given: Readonly<Record<string, readonly unknown[]>> = {
  event_id: ['v1', 'v2', 7, '', null],
  ts: [1_777_593_600, 1_777_593_600_123, '2026-05-01T00:00:00Z', '1777593600', 5, null, 1.5],
  run: [0, 3, '4', -1, null],
  model: ['m1', 'm2', '', '__other__', 3],
  agent: ['a1', 'a2', null],
};

function templateOf(answer: Value, response: boolean, random: Random): Value {
  const record: Value = { example_id: 'e', ...structuredClone(response ? { answer } : answer) };
  if (random.chance(0.3)) record['metadata'] = { run: 1, team: 'x', model: 'of metadata', tags: { team: 't' } };
  if (random.chance(0.2)) record['request'] = { model: 'asked', tools: structuredClone(tools) };
  if (random.chance(0.2)) record['tags'] = { team: random.pick(['a', 'b']), n: 1 };
  if (random.chance(0.2)) record['label'] = random.pick(['direct', 'nonsense', 3]);
  for (let at = random.pick([0, 0, 1, 1, 2, 3]); at > 0; at--) mutate(record, random);
  return record;
}

/** Replaces, removes, doubles, renames or adds something somewhere. */
function mutate(record: Value, random: Random): void {
  const places = placesIn(record);
  if (places.length === 0) return;
  const [container, key] = random.pick(places);
  const how = random.int(6);
  if (how === 0) delete container[key];
  else if (how === 1) container[key] = [container[key], structuredClone(container[key])];
  else if (how === 2) container[random.pick(names)] = container[key];
  else if (how === 3 && isContainer(container[key]))
    container[key][random.pick(names)] = structuredClone(random.pick(odd));
  else container[key] = structuredClone(random.pick(odd));
}

/** Keys that one form or another looks at. */
const names = [
  ...[
    'id',
    'text',
    'content',
    'type',
    'name',
    'arguments',
    'args',
    'input',
    'function',
    'tool_calls',
    'message',
    'data',
  ],
  ...[
    'choices',
    'output',
    'candidates',
    'stop_reason',
    'finish_reason',
    'created',
    'object',
    'lc',
    'kwargs',
    'thought',
  ],
  ...[
    'function_call',
    'functionCall',
    'toolUse',
    'custom',
    'toolUseId',
    'call_id',
    'refusal',
    'tools',
    'label',
    'model',
  ],
];
const volatile: ReadonlySet<string> = new Set([
  ...[
    'id',
    'call_id',
    'toolUseId',
    'text',
    'content',
    'created',
    'created_at',
    'createTime',
    'responseId',
    'requestId',
  ],
  ...['model', 'model_name', 'modelVersion', 'arguments', 'name', 'stringValue', 'traceId', 'spanId'],
]);

/** Another text where ids, texts and names are. */
function changeText(record: Value, random: Random): void {
  const places = placesIn(record).filter(([container, key]) => volatile.has(key) && !isContainer(container[key]));
  if (places.length === 0) return;
  const [container, key] = random.pick(places);
  const text = container[key];
  const inner = typeof text === 'string' && /^[[{]/.test(text) && random.chance(0.8) ? parsed(text) : undefined;
  if (isContainer(inner)) {
    changeText(inner, random);
    container[key] = JSON.stringify(inner);
  } else container[key] = random.pick(['u', 'v', 'w"', '', 1_777_593_600, '{"id":"u"}']);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function placesIn(record: Value): [container: Value, key: string][] {
  const places: [Value, string][] = [];
  const collect = (inner: unknown): void => {
    if (!isContainer(inner)) return;
    for (const key of Object.keys(inner)) {
      places.push([inner, key]);
      collect(inner[key]);
    }
  };
  collect(record);
  return places;
}

function isContainer(value: unknown): value is Value {
  return typeof value === 'object' && value !== null;
}
