import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTruthRecord, type TruthRecord } from '../../../src/formats/truth/record.ts';

const none = { label: null, tools: null, expected_tool_calls: null, reference: null };

/** Fields besides the id, and what they are read as. */
const good: readonly (readonly [fields: string, record: Partial<TruthRecord>])[] = [
  ['', {}],
  ['"label":null,"tools":null,"expected_tool_calls":null,"reference":null', {}],
  ['"label":"direct","extra":{"a":1}', { label: 'direct' }],
  ['"tools":[]', { tools: [] }],
  ['"tools":["f",""]', { tools: [tool('f'), tool('')] }],
  ['"tools":[{"name":"f"}]', { tools: [tool('f')] }],
  ['"tools":[{"name":"f","parameters":null,"description":5}]', { tools: [tool('f', null)] }],
  ['"tools":[{"name":"f","parameters":{"type":"object"}}]', { tools: [tool('f', { type: 'object' })] }],
  ['"tools":[{"name":"f","parameters":7}]', { tools: [tool('f', 7)] }],
  ['"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]', { tools: [tool('f', {})] }],
  ['"tools":[{"function":{"name":"f"},"name":"g"}]', { tools: [tool('f')] }],
  ['"tools":[{"type":"function","function":{}}]', { tools: [tool(undefined)] }],
  ['"tools":[{"type":"function","function":null}]', { tools: [tool(undefined, null)] }],
  ['"expected_tool_calls":[]', { expected_tool_calls: [] }],
  ['"expected_tool_calls":[{"name":"f"}]', { expected_tool_calls: [{ name: 'f', arguments: {} }] }],
  ['"expected_tool_calls":[{"name":"","arguments":null}]', { expected_tool_calls: [{ name: '', arguments: {} }] }],
  [
    '"expected_tool_calls":[{"name":"f","arguments":{"a":[1]},"id":1}]',
    { expected_tool_calls: [{ name: 'f', arguments: { a: [1] } }] },
  ],
  [
    '"expected_tool_calls":[{"name":"f","arguments":"{\\"a\\":1}"}]',
    { expected_tool_calls: [{ name: 'f', arguments: '{"a":1}' }] },
  ],
  ['"expected_tool_calls":[{"name":"f","arguments":""}]', { expected_tool_calls: [{ name: 'f', arguments: {} }] }],
  ['"reference":"text"', { reference: 'text' }],
  ['"reference":false', { reference: false }],
  ['"reference":{"a":null}', { reference: { a: null } }],
  ['"label":"bad","label":"tool_call"', { label: 'tool_call' }],
];

function tool(name: string | undefined, parameters?: unknown): { name: string | undefined; parameters: never } {
  return { name, parameters: parameters as never };
}

for (const [fields, record] of good) {
  test(`a record with ${fields || 'an id only'}`, () => {
    const line = `{"example_id":"e"${fields && `,${fields}`}}`;
    assert.deepEqual(readTruthRecord(line), { example_id: 'e', ...none, ...record });
  });
}

const bad: readonly (readonly [line: string, problem: RegExp])[] = [
  ['{"example_id":"e"', /^not JSON \(.*\); write one JSON object a line$/],
  ['\ufeff{"example_id":"e"}', /^not JSON/],
  ['[]', /^is an array of 0; write/],
  ['null', /^is null; write/],
  [
    '{}',
    /^example_id: must be a text of 1 to 512 .*, is undefined; say where it lies: --truth-field example_id=\/KEY \(/,
  ],
  [
    '{"task":"q1","expected_tool_calls":[]}',
    /is undefined; say where it lies: --truth-field example_id=\/task \(configuration: truth\.fields\)$/,
  ],
  ['{"example_id":null}', /^example_id: .*, is null; say where it lies: /],
  ['{"example_id":""}', /^example_id: .*, is ""$/],
  ['{"example_id":7}', /^example_id: .*, is 7$/],
  ['{"example_id":"\\ud800"}', /^example_id: /],
  [JSON.stringify({ example_id: 'x'.repeat(513) }), /^example_id: .*…$/],
  ['{"example_id":"e","label":"Direct"}', /^label: must be one of direct, .*, is "Direct"$/],
  ['{"example_id":"e","label":""}', /^label: /],
  ['{"example_id":"e","label":1}', /^label: /],
  ['{"example_id":"e","tools":"f"}', /^tools: must be an array or null, is "f"$/],
  ['{"example_id":"e","tools":["f",5]}', /^tools\[1\]: must be a name or an object .*, is 5$/],
  ['{"example_id":"e","tools":[null]}', /^tools\[0\]: /],
  ['{"example_id":"e","tools":[{}]}', /^tools\[0\]\.name: must be a text, is undefined$/],
  ['{"example_id":"e","tools":[{"name":5}]}', /^tools\[0\]\.name: must be a text, is 5$/],
  ['{"example_id":"e","tools":["\\udc00"]}', /^tools\[0\]: must have no lone surrogates/],
  ['{"example_id":"e","expected_tool_calls":{}}', /^expected_tool_calls: must be an array or null, is an object$/],
  ['{"example_id":"e","expected_tool_calls":["f"]}', /^expected_tool_calls\[0\]: must be an object/],
  ['{"example_id":"e","expected_tool_calls":[{}]}', /^expected_tool_calls\[0\]\.name: /],
  [
    '{"example_id":"e","expected_tool_calls":[{"name":"f"},{"name":"f","arguments":[1]}]}',
    /^expected_tool_calls\[1\]\.arguments: .*, is an array of 1$/,
  ],
  [
    '{"example_id":"e","expected_tool_calls":[{"name":"f","arguments":"[1]"}]}',
    /^expected_tool_calls\[0\]\.arguments: .*, is "\[1\]"$/,
  ],
];
for (const [line, problem] of bad) {
  test(`a line that is refused: ${line.slice(0, 80)}`, () => {
    const read = readTruthRecord(line);
    assert.ok('problem' in read);
    assert.match(read.problem, problem);
  });
}
