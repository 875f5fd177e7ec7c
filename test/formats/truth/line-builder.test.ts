import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthLineBuilder } from '../../../src/formats/truth/line-builder.ts';
import { readTruthRecord, type TruthRecord } from '../../../src/formats/truth/record.ts';
import { truthOfRecord } from '../../../src/formats/truth/topic.ts';

const lines = [
  { example_id: 'a', label: 'direct' },
  { example_id: 'b', tools: ['f', { name: 'g', parameters: { type: 'object' } }], expected_tool_calls: [] },
  { example_id: 'c', expected_tool_calls: [{ name: 'f', arguments: { n: 1 }, accept: { n: { tolerance: 1 } } }] },
  { example_id: 'd', reference: { a: [null] }, alternatives: [[{ name: 'f', arguments: {} }]], forbidden: ['h'] },
];

test('lines are the records as they were written, without what is not recorded', () => {
  const builder = truthLineBuilder();
  const records = lines.map((line) => readTruthRecord(JSON.stringify(line)) as TruthRecord);
  for (const record of records) builder.add(record);
  const written = Buffer.from(builder.finish()).toString();
  assert.equal(builder.rows, 4);
  assert.deepEqual(
    written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    lines,
  );
  const again = written
    .trimEnd()
    .split('\n')
    .map((line) => readTruthRecord(line) as TruthRecord);
  assert.deepEqual(again.map(truthOfRecord), records.map(truthOfRecord));
});

test('all records are written, however many pieces they take', () => {
  const builder = truthLineBuilder();
  const record = readTruthRecord('{"example_id":"a","label":"direct"}') as TruthRecord;
  for (let row = 0; row < 10_000; row++) builder.add(record);
  assert.equal(Buffer.from(builder.finish()).toString().split('\n').length, 10_001);
});
