import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthReader, type TruthRecord } from '../../../src/formats/truth/record.ts';

const args = { city: 'Oslo' };

/** Expected calls in every form that events have them in. */
const forms: Readonly<Record<string, object>> = {
  native: { name: 'f', arguments: args },
  'native, text': { name: 'f', arguments: '{"city":"Oslo"}' },
  OpenAI: { type: 'function', id: 'c', function: { name: 'f', arguments: '{"city":"Oslo"}' } },
  LangChain: { name: 'f', args, id: 'c', type: 'tool_call' },
  DeepEval: { name: 'f', input_parameters: args, output: 'sunny' },
  Anthropic: { type: 'tool_use', id: 'c', name: 'f', input: args },
  Gemini: { functionCall: { name: 'f', args } },
  'Gemini, snake case': { function_call: { name: 'f', args } },
  Bedrock: { toolUse: { toolUseId: 'c', name: 'f', input: args } },
  'Vercel AI SDK': { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: args },
  'Vercel AI SDK 4': { toolCallId: 'c', toolName: 'f', args },
  'Cohere v1': { name: 'f', parameters: args },
  'pydantic-ai': { part_kind: 'tool-call', tool_name: 'f', args: '{"city":"Oslo"}' },
  Responses: { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"city":"Oslo"}' },
  MCP: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'f', arguments: args } },
};

for (const [form, call] of Object.entries(forms)) {
  test(`expected calls and alternatives of ${form}`, () => {
    const accept = { city: { ignore: true } };
    const record = read({ expected_tool_calls: [call, { ...call, accept }], alternatives: [[call]] });
    const [first, second] = record.expected_tool_calls!.map(parsed);
    assert.deepEqual(first, { name: 'f', arguments: args });
    assert.deepEqual(second, { name: 'f', arguments: args, accept });
    assert.deepEqual(
      record.alternatives!.map((list) => list.map(parsed)),
      [[{ name: 'f', arguments: args }]],
    );
  });
}

test('a call of a custom tool, and one that is named by its type', () => {
  const custom = { type: 'custom', custom: { name: 'shell', input: 'ls' } };
  const own = { type: 'computer_call', call_id: 'c', action: { type: 'click', x: 1 } };
  assert.deepEqual(read({ expected_tool_calls: [custom, own] }).expected_tool_calls, [
    { name: 'shell', arguments: { input: 'ls' } },
    { name: 'computer', arguments: { type: 'click', x: 1 } },
  ]);
});

test('tools of every form', () => {
  const parameters = { type: 'object' };
  const tools = [{ name: 'a', input_schema: parameters }, { functionDeclarations: [{ name: 'b', parameters }] }];
  const { tools: found } = read({ tools: [...tools, { toolSpec: { name: 'c', inputSchema: { json: parameters } } }] });
  assert.deepEqual(
    found,
    ['a', 'b', 'c'].map((name) => ({ name, parameters })),
  );
});

const call = { name: 'f', arguments: args };

/** Records with a key that nothing reads, and the part of the refusal that says what to do. */
const refused: readonly (readonly [record: object, remedy: string])[] = [
  [{ expectedToolCalls: [call] }, '--truth-field expected_tool_calls=/expectedToolCalls '],
  [{ expected_tool_call: [call] }, '--truth-field expected_tool_calls=/expected_tool_call '],
  [{ label: 'tool_call', tool_calls: [call] }, '--truth-field expected_tool_calls=/tool_calls '],
  [{ expected_tools: [forms['DeepEval']] }, '--truth-field expected_tool_calls=/expected_tools '],
  [{ reference_tool_calls: [forms['LangChain']] }, '--truth-field expected_tool_calls=/reference_tool_calls '],
  [{ calls: JSON.stringify([call]) }, '--truth-field expected_tool_calls=/calls '],
  [{ gold: { label: 'x', calls: [call] } }, '--truth-field expected_tool_calls=/gold/calls '],
  [{ 'gold call': call }, "--truth-field 'expected_tool_calls=/gold call' "],
  [
    { reference_messages: [{ role: 'assistant', tool_calls: [forms['OpenAI']] }] },
    '=/reference_messages/0/tool_calls ',
  ],
  [{ expected_tool_calls: [call], gold_calls: [call] }, '--truth-field expected_tool_calls=/gold_calls '],
  [
    { tool: 'f', args },
    'with --truth-field expected_tool_calls.name=/tool --truth-field expected_tool_calls.arguments=/args ',
  ],
  [{ Label: 'direct' }, '--truth-field label=/Label '],
  [{ refrence: 1 }, '--truth-field reference=/refrence '],
  [
    { expected_tool: 'f', expected_args: args },
    '--truth-field expected_tool_calls.name=/expected_tool --truth-field expected_tool_calls.arguments=/expected_args ',
  ],
  [
    { example_id: undefined, id: 'e', toolName: 'f' },
    'example_id=/id --truth-field expected_tool_calls.name=/toolName ',
  ],
  [{ example_id: undefined, case_id: 7, label: 'direct' }, '--truth-field example_id=/case_id '],
  [{ expected_tool_calls: [{ name: 'f', argument: args }] }, 'expected_tool_calls[0].argument: nothing reads it'],
  [{ expected_tool_calls: [{ name: 'f', params: args }] }, 'expected_tool_calls[0].params: nothing reads it'],
  [{ expected_tool_calls: [{ ...call, acept: {} }] }, 'write it as accept'],
  [{ expected_tool_calls: [call, { fn: 'f', arguments: args }] }, 'expected_tool_calls[1].fn: nothing reads it'],
  [{ alternatives: [[call], [{ name: 'f', inputs: args }]] }, 'alternatives[1][0].inputs: nothing reads it'],
];
for (const [record, remedy] of refused) {
  test(`a truth record with an unread key is refused: ${JSON.stringify(record).slice(0, 80)}`, () => {
    const found = truthReader().read(JSON.stringify({ example_id: 'e', ...record }));
    assert.ok('problem' in found && found.problem.includes(remedy), JSON.stringify(found));
  });
}

test('other keys that nothing reads are listed; those of the conversation and without a value too', () => {
  const reader = truthReader();
  const messages = [{ role: 'assistant', tool_calls: [call] }];
  const record = { example_id: 'e', label: 'direct', messages, difficulty: 3, tool_calls: [], Label: null };
  assert.ok(!('problem' in reader.read(JSON.stringify(record))));
  assert.ok(!('problem' in reader.read(JSON.stringify({ example_id: 'f', expected_tool_calls: [{ ...call, n: 1 }] }))));
  assert.deepEqual([...reader.unread], ['messages', 'difficulty', 'tool_calls', 'expected_tool_calls[].n']);
});

const places = {
  example_id: ['/case/id', '/id'],
  'expected_tool_calls.name': '/tool',
  'expected_tool_calls.arguments': '/args',
};
/** Rows of one call in columns of its own. */
const rows: readonly (readonly [row: object, calls: object[], id?: string])[] = [
  [{ id: 7, tool: 'f', args: '{"city":"Oslo"}' }, [call], '7'],
  [{ case: '{"id":"c"}', id: 7, tool: 'f', args }, [call], 'c'],
  [{ id: 'e', tool: 'f' }, [{ name: 'f', arguments: {} }]],
  [{ id: 'e', tool: '', args: '' }, []],
  [{ id: 'e' }, []],
];
for (const [row, calls, id = 'e'] of rows) {
  test(`a call from two columns: ${JSON.stringify(row)}`, () => {
    const found = truthReader({ fields: places }).read(JSON.stringify(row)) as TruthRecord;
    assert.deepEqual([found.example_id, found.label, found.expected_tool_calls], [id, null, calls]);
  });
}

test('a name without a place of arguments accepts any', () => {
  const reader = truthReader({ fields: { 'expected_tool_calls.name': '/tool' } });
  const found = reader.read('{"example_id":"e","tool":"f"}') as TruthRecord;
  assert.deepEqual(found.expected_tool_calls, [{ name: 'f', arguments: {}, accept: { '*': { ignore: true } } }]);
});

test('a place that holds nothing in any record is known', () => {
  const reader = truthReader({ fields: { label: '/gold', tools: '/nowhere' } });
  reader.read('{"example_id":"e","gold":"direct"}');
  assert.equal(reader.missing(), 'tools');
});

function read(fields: object): TruthRecord {
  const record = truthReader().read(JSON.stringify({ example_id: 'e', ...fields }));
  assert.ok(!('problem' in record), JSON.stringify(record));
  return record;
}

function parsed({ arguments: given, ...rest }: { readonly arguments: object | string }): object {
  return { ...rest, arguments: typeof given === 'string' ? (JSON.parse(given) as object) : given };
}
