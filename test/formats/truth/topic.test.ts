import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTruthRecord, truthReader, type TruthRecord } from '../../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import { readTopicTruth, truthOfRow } from '../../../src/formats/truth/topic.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

test('a row of the topic says what the same record says in a file', () => {
  const records = [
    { label: 'tool_call', tools: ['f', { name: 'g' }, { name: 'h', parameters: null }], expected_tool_calls: [] },
    {
      tools: [
        { type: 'function', function: { parameters: { type: 'object' } } },
        { type: 'function', function: 1 },
      ],
    },
    { expected_tool_calls: [{ name: 'f', arguments: '{"x": 1, "__proto__": [1e999, 1]}' }, { name: '' }] },
    { reference: { 'a.b': [null, { '': 'é\u2028' }] } },
    { reference: '\ud800' },
    { label: null, tools: null, expected_tool_calls: null, reference: null },
    { reference: false, more: 'is ignored' },
  ];
  for (const record of records) {
    const text = JSON.stringify({ example_id: 'a', ...record });
    const read = readTopicTruth(bytes('a'), bytes(text));
    assert.ok('exampleId' in read && read.row !== undefined, text);
    const table = truthFromRecords([readTruthRecord(text) as TruthRecord]);
    assert.deepEqual(truthOfRow(read.row.text), table.read(0), text);
    assert.deepEqual([read.row.label, read.row.toolCount], [table.label(0), table.toolCount(0)]);
  }
});

test('equal rows have equal texts, however they are written', () => {
  const textOf = (value: string): string => {
    const read = readTopicTruth(bytes('a'), bytes(value));
    return 'exampleId' in read ? read.row!.text : assert.fail(read.problem);
  };
  const plain = textOf('{"example_id":"a","label":"direct","expected_tool_calls":[{"name":"f","arguments":{"x":1}}]}');
  for (const other of [
    '{"label": "direct", "expected_tool_calls": [{"arguments": "{\\"x\\": 1.0}", "name": "f", "id": "1"}], "tools": null}',
    '{"example_id":null,"label":"direct","extra":1,"expected_tool_calls":[{"name":"f","arguments":{"x":1}}]}',
  ])
    assert.equal(textOf(other), plain);
});

test('what is no truth is refused, in words', () => {
  const cases: readonly (readonly [Buffer | null, Buffer | null, RegExp])[] = [
    [null, bytes('{}'), /the key is no UTF-8/],
    [Buffer.from([0xff]), bytes('{}'), /the key is no UTF-8/],
    [bytes('\0\0\0\0\u0001e'), bytes('{}'), /the key begins with a byte 0, so it is framed/],
    [bytes('\0\0\0\0\u0001e'), null, /the key begins with a byte 0, so it is framed/],
    [bytes('a'), Buffer.from([0x22, 0xff, 0x22]), /"a": is no UTF-8/],
    [bytes('a'), bytes('{'), /"a": not JSON/],
    [bytes('a'), bytes('[]'), /"a": is an array of 0; write one JSON object/],
    [bytes('a'), bytes('{"example_id":"b"}'), /its key is "a", its example_id "b"/],
    [bytes('a'), bytes('{"label":"maybe"}'), /"a": label: must be one of/],
    [bytes(''), bytes('{}'), /example_id: must be a text/],
    [
      bytes('a'),
      bytes('{"expected_tool_calls":[{"name":"f"},{"name":"g"}]}'),
      /"a": expected_tool_calls: holds 2 calls, /,
    ],
    [bytes('a'), bytes(`{"reference":[${'1,'.repeat(30)}1]}`), /"a": holds more JSON values than limits\.values/],
    [
      bytes('a'),
      bytes(`{"expected_tool_calls":[{"name":"f","arguments":"{\\"a\\":[${'1,'.repeat(30)}1]}"}]}`),
      /"a": holds more JSON values than limits\.values/,
    ],
  ];
  for (const [key, value, expected] of cases) {
    const read = readTopicTruth(key, value, truthReader({ limits: { calls: 1, values: 20 } }));
    assert.ok('problem' in read, String(value));
    assert.match(read.problem, expected);
  }
});

test('null deletes', () => {
  assert.deepEqual(readTopicTruth(bytes('é'), null), { exampleId: 'é', row: undefined });
});
