import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormatName } from '../../../src/formats/inputs/forms.ts';
import { inputReading } from '../../../src/formats/inputs/input.ts';
import { codesOf, eventOf, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';

/* What each form of docs/reference/inputs.md, "Records", gives as a native event. `auto` gives the same. */

const id = { metadata: { example_id: 'e' } };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const used = { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } };
const functionCall = { functionCall: { name: 'f', args: { a: 1 } } };
const chat = (message: object, more: object = {}): object => ({ ...id, choices: [{ message, ...more }] });
const message = (...content: object[]): object => ({ type: 'message', content });

const table: readonly (readonly [FormatName, string, object, object])[] = [
  [
    'openai.chat',
    'calls',
    { ...chat({ content: null, tool_calls: [call] }), id: 'r', model: 'm', created: 1_777_593_600 },
    { event_id: 'r', model: 'm', ts: 1_777_593_600_000, tool_calls: [call] },
  ],
  ['openai.chat', 'text', chat({ content: 'hello', tool_calls: null }), { output: 'hello' }],
  [
    'openai.chat',
    'parts',
    chat({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
    { output: 'ab' },
  ],
  ['openai.chat', 'no calls', chat({ content: 'x', tool_calls: [] }), { output: 'x' }],
  [
    'openai.chat',
    'the older call',
    chat({ content: null, function_call: { name: 'f', arguments: '{}' } }),
    { tool_calls: [{ name: 'f', arguments: '{}' }] },
  ],
  ['openai.chat', 'a refusal', chat({ content: null, refusal: 'no' }), { refused: true }],
  [
    'openai.chat',
    'a filter',
    chat({ content: '' }, { finish_reason: 'content_filter' }),
    { output: '', refused: true },
  ],
  [
    'openai.responses',
    'calls',
    {
      ...id,
      id: 'r',
      object: 'response',
      created_at: 1_777_593_600,
      output: [
        { type: 'reasoning' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'custom_tool_call', name: 'g', input: 'x' },
        { type: 'mcp_call', name: 'h', arguments: '{}' },
      ],
    },
    {
      event_id: 'r',
      ts: 1_777_593_600_000,
      tool_calls: [
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'custom_tool_call', name: 'g', input: 'x' },
        { type: 'mcp_call', name: 'h', arguments: '{}' },
      ],
    },
  ],
  [
    'openai.responses',
    'text',
    { ...id, output: [message({ type: 'output_text', text: 'a' }, { type: 'output_text', text: 'b' })] },
    { output: 'ab' },
  ],
  [
    'openai.responses',
    'a refusal',
    { ...id, output: [message({ type: 'refusal', refusal: 'no' })] },
    { refused: true },
  ],
  [
    'openai.responses',
    'a failure',
    { ...id, object: 'response', status: 'failed', error: { message: 'broke' }, output: [] },
    { error: 'broke' },
  ],
  [
    'anthropic.messages',
    'calls',
    {
      ...id,
      id: 'r',
      model: 'm',
      stop_reason: 'tool_use',
      content: [{ type: 'text', text: 'so' }, { type: 'server_tool_use', name: 's', input: {} }, used],
    },
    { event_id: 'r', model: 'm', output: 'so', tool_calls: [used] },
  ],
  ['anthropic.messages', 'a refusal', { ...id, stop_reason: 'refusal', content: [] }, { refused: true }],
  [
    'gemini',
    'calls',
    {
      ...id,
      responseId: 'r',
      modelVersion: 'm',
      createTime: '2026-05-01T00:00:00Z',
      candidates: [{ content: { parts: [{ text: 'hm', thought: true }, { text: 'so' }, functionCall] } }],
    },
    { event_id: 'r', model: 'm', ts: '2026-05-01T00:00:00Z', output: 'so', tool_calls: [functionCall] },
  ],
  ['gemini', 'safety', { ...id, candidates: [{ finishReason: 'SAFETY' }] }, { refused: true }],
  [
    'gemini',
    'a call that is malformed',
    { ...id, candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] },
    { error: 'MALFORMED_FUNCTION_CALL' },
  ],
  [
    'bedrock.converse',
    'calls',
    {
      ...id,
      output: { message: { content: [{ text: 'so' }, { toolUse: used }] } },
      ResponseMetadata: { RequestId: 'r' },
    },
    { event_id: 'r', output: 'so', tool_calls: [{ toolUse: used }] },
  ],
  [
    'bedrock.converse',
    'a guardrail',
    { ...id, output: { message: { content: [] } }, stopReason: 'guardrail_intervened' },
    { refused: true },
  ],
  [
    'cohere.chat',
    'calls',
    { ...id, id: 'r', finish_reason: 'TOOL_CALL', message: { tool_calls: [call] } },
    { event_id: 'r', tool_calls: [call] },
  ],
  [
    'cohere.chat',
    'text',
    { ...id, finish_reason: 'COMPLETE', message: { content: [{ type: 'text', text: 'so' }] } },
    { output: 'so' },
  ],
  [
    'langchain',
    'calls',
    {
      ...id,
      id: 'r',
      type: 'ai',
      content: '',
      tool_calls: [{ name: 'f', args: {} }],
      invalid_tool_calls: [{ name: 'g', args: '{' }],
      response_metadata: { model_name: 'm' },
    },
    {
      event_id: 'r',
      model: 'm',
      output: '',
      tool_calls: [
        { name: 'f', args: {} },
        { name: 'g', args: '{' },
      ],
    },
  ],
  [
    'langchain',
    'serialized',
    {
      ...id,
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'messages', 'AIMessage'],
      kwargs: { content: 'so', response_metadata: { model: 'm' } },
    },
    { output: 'so', model: 'm' },
  ],
  [
    'mapping',
    'fields of the same names',
    { example_id: 'e', metadata: { run: '3', label: 'direct' }, output: { a: 1 }, success: 'true' },
    { run: 3, label: 'direct', output: { a: 1 }, success: true },
  ],
];

for (const [format, what, record, expected] of table)
  for (const named of format === 'mapping' ? [format] : [format, 'auto' as const])
    test(`${named}, ${format}: ${what}`, () => {
      const input = inputReading({ format: named, response: undefined, request: undefined, fields: {} })!;
      const { found } = input(record, recordOf(''));
      const words = format === 'mapping' ? {} : { words: true };
      assert.deepEqual(JSON.parse(JSON.stringify(found)), [{ event: { example_id: 'e', ...words, ...expected } }]);
      assert.deepEqual(codesOf(readInput(record, { format: named }).events), ['']);
    });

const two = { id: 'r', choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }], example_id: 'e' };

test('choices are events, their index is their run and part of their identity', () => {
  const { events, skipped } = readInput(two, { format: 'openai.chat' });
  const found = events.map((_, at) => eventOf(events, at));
  assert.deepEqual(
    found.map(({ run, element, eventId }) => [run, element, eventId]),
    [
      [0, 0, 'r#0'],
      [1, 1, 'r#1'],
    ],
  );
  assert.deepEqual(skipped, []);
});

test('where the run is given the first choice is read, and the others are counted', () => {
  const { events, skipped } = readInput({ ...two, run: 7 }, { format: 'openai.chat' });
  const { run, element, eventId } = eventOf(events);
  assert.deepEqual([events.length, run, element, eventId], [1, 7, -1, 'r#0']);
  assert.deepEqual(skipped, [{ kind: 'choices_ignored', number: 1 }]);
});

test('an array holds records of a form, numbered by their events', () => {
  const { events } = readInput([two, { choices: [] }, two], { format: 'openai.chat' });
  assert.deepEqual(codesOf(events), ['', '', 'schema', '', '']);
  assert.deepEqual(
    events.map(({ element }) => element),
    [0, 1, 2, 3, 4],
  );
  assert.equal(rejectedOf(events, 2).text, '{"choices":[]}');
});

test('auto leaves a native event as it is', () => {
  const event = {
    example_id: 'e',
    output: [{ type: 'x' }],
    tool_calls: [{ name: 'f' }],
    choices: 1,
    ts: 1_777_593_600_000,
  };
  const input = inputReading({ format: 'auto', response: undefined, request: undefined, fields: {} })!;
  const [found] = input(event, recordOf('')).found;
  assert.ok(found && 'event' in found && found.event === event);
});

const refusals: readonly (readonly [string, unknown, string, RegExp])[] = [
  [
    'another form',
    { example_id: 'e', content: [] },
    'schema',
    /has no choices\[\]\.message, so it is not of format openai\.chat/,
  ],
  [
    'a piece of a stream',
    { object: 'chat.completion.chunk', choices: [{ delta: {} }] },
    'schema',
    /stream of server-sent events/,
  ],
  [
    'a choice that is none',
    { example_id: 'e', choices: [{ message: {} }, 1] },
    ',schema',
    /choice 1 is not choices\[\]\.message/,
  ],
  ['no id', { choices: [{ message: {} }] }, 'no_example_id', /at none of \/example_id, \/metadata\/example_id/],
  ['calls that are no list', { example_id: 'e', choices: [{ message: { tool_calls: 1 } }] }, 'schema', /tool_calls/],
  ['no object', 3, 'schema', /must be a JSON object/],
  ['an empty array', [], 'schema', /empty array/],
];
for (const [what, record, codes, detail] of refusals)
  test(`openai.chat refuses ${what}`, () => {
    const { events } = readInput(record, { format: 'openai.chat' });
    assert.equal(codesOf(events).join(), codes);
    assert.match(rejectedOf(events, events.length - 1).detail, detail);
  });

test('the model of the request counts where the answer has an empty one; its tools may be one object, in either case of names', () => {
  const declared = [{ name: 'f', parameters: {} }];
  const answer = { example_id: 'e', response: { ...chat({ content: 'x' }), model: '' } };
  for (const tools of [
    { functionDeclarations: declared },
    [{ function_declarations: declared }],
    { f: { inputSchema: {} } },
  ]) {
    const { events } = readInput(
      { ...answer, request: { model: 'asked', tools } },
      { response: '/response', request: '/request' },
    );
    const { model, prediction } = eventOf(events);
    assert.deepEqual([model, prediction.tools], ['asked', declared]);
  }
});
