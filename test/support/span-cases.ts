import type { RecordOptions } from '../../src/formats/otlp/reading.ts';
import { attribute, type JsonSpan } from './otlp.ts';

/* Spans, and what each says as a native event (docs/reference/inputs.md, "OpenTelemetry"). */

export const messages = [
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: 'hm' },
      { type: 'text', content: 'so' },
      { type: 'tool_call', id: 'c', name: 'f', arguments: { a: [1, 'x', null, 1.5, true, {}] } },
      { type: 'server_tool_call', name: 's' },
    ],
    finish_reason: 'tool_call',
  },
];
export const call = messages[0]!.parts[2];
export const said = { output: 'so', tool_calls: [call] };
export const traceId = '5b8efff798038103d269b633813fc60c';
export const spanId = 'eee19b7ec3c1b174';
export const chat = attribute('gen_ai.operation.name', 'chat');
export const id = attribute('assay.example_id', 'e');

export const options: RecordOptions = {
  format: 'otlp',
  response: undefined,
  request: undefined,
  fields: {},
  depth: 64,
  runs: 'span',
};

export function span(attributes: Readonly<Record<string, unknown>>, more: JsonSpan = {}): JsonSpan {
  return {
    attributes: [chat, id, ...Object.entries(attributes).map(([key, value]) => attribute(key, value))],
    ...more,
  };
}

export const outputs = { 'gen_ai.output.messages': JSON.stringify(messages) };

export const table: readonly (readonly [string, JsonSpan, object])[] = [
  ['messages as text', span(outputs), said],
  ['messages as a structure', span({ 'gen_ai.output.messages': messages }), said],
  [
    'messages of an event',
    span(
      {},
      { events: [{ name: 'gen_ai.client.inference.operation.details', attributes: span(outputs).attributes! }] },
    ),
    said,
  ],
  [
    'gen_ai.choice with its content as text',
    span(
      {},
      {
        events: [
          { name: 'gen_ai.user.message', attributes: [] },
          {
            name: 'gen_ai.choice',
            attributes: [
              attribute(
                'gen_ai.event.content',
                JSON.stringify({
                  index: 0,
                  finish_reason: 'tool_calls',
                  message: { content: 'so', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
                }),
              ),
            ],
          },
        ],
      },
    ),
    { output: 'so', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
  ],
  [
    'gen_ai.choice with its content as attributes',
    span({}, { events: [{ name: 'gen_ai.choice', attributes: [attribute('message', { content: 'so' })] }] }),
    { output: 'so' },
  ],
  [
    'indexed attributes, in the order of their numbers',
    span({
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'so',
      'gen_ai.completion.0.tool_calls.10.name': 'g',
      'gen_ai.completion.0.tool_calls.2.id': 'c',
      'gen_ai.completion.0.tool_calls.2.name': 'f',
      'gen_ai.completion.0.tool_calls.2.arguments': '{"a":1}',
    }),
    { output: 'so', tool_calls: [{ id: 'c', name: 'f', arguments: '{"a":1}' }, { name: 'g' }] },
  ],
  [
    'model, agent, tools',
    span({
      ...outputs,
      'gen_ai.request.model': 'asked',
      'gen_ai.response.model': 'm',
      'gen_ai.agent.name': 'helper',
      'gen_ai.tool.definitions': '[{"type":"function","name":"f","parameters":{}}]',
    }),
    { ...said, model: 'm', agent: 'helper', tools: [{ type: 'function', name: 'f', parameters: {} }] },
  ],
  ['the model that was asked for', span({ ...outputs, 'gen_ai.request.model': 'asked' }), { ...said, model: 'asked' }],
  [
    'ids and the end, cut to milliseconds',
    span(outputs, { traceId, spanId, endTimeUnixNano: '1777593600123999999' }),
    { ...said, event_id: `${traceId}-${spanId}`, ts: 1_777_593_600_123 },
  ],
  ['a failure', span({ ...outputs, 'error.type': 'timeout' }), { ...said, error: 'timeout' }],
  ['the status ERROR', span(outputs, { status: { code: 2 } }), { ...said, error: 'the span has status ERROR' }],
  ['a message of it', span(outputs, { status: { code: 2, message: 'broke' } }), { ...said, error: 'broke' }],
  ['the status OK', span(outputs, { status: { code: 1, message: 'fine' } }), said],
  [
    'a filter',
    span({ 'gen_ai.output.messages': '[{"role":"assistant","parts":[],"finish_reason":"content_filter"}]' }),
    { refused: true },
  ],
  [
    'a refusal',
    span({ 'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"refusal","content":"no"}]}]' }),
    { refused: true },
  ],
  [
    'attributes of our own',
    span({ ...outputs, 'assay.run': 3, 'assay.label': 'tool_call', 'assay.success': true }),
    { ...said, run: 3, label: 'tool_call', success: true },
  ],
];
