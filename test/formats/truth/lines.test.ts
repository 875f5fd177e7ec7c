import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthBuilder } from '../../../src/formats/truth/builder.ts';
import { type TruthLines, truthLines } from '../../../src/formats/truth/lines.ts';
import { lineRecords } from '../../../src/adapters/files/line-records.ts';
import { decodeUtf8 } from '../../../src/formats/bytes/utf8.ts';

test('lines are read, blank ones and a byte order mark skipped, bad and repeated ones told', async () => {
  const builder = truthBuilder();
  const problems: string[] = [];
  const lines = truthLines(builder, (file, line, problem) => problems.push(`${file}:${line}: ${problem}`));
  const bytes = Buffer.concat([
    Buffer.from('\ufeff{"example_id":"a"}\r\n\n  \nx\n{"example_id":"b"}\n{"example_id":"a"}\n'),
    Buffer.of(0xff, 0x0a),
  ]);
  await addFile(lines, 'one', bytes);
  await addFile(lines, 'two', Buffer.from('{"example_id":"c"}\n{"example_id":"b","label":1}\n{"example_id":"b"}'));
  assert.equal(builder.rows, 3);
  assert.deepEqual(
    problems.map((problem) => problem.replace(/\(.*\)/, '()')),
    [
      'one:4: not JSON (); write one JSON object a line',
      'one:6: example_id: "a" is already at one, line 1; keep one of the two',
      'one:7: is no UTF-8; write it as UTF-8 text',
      'two:2: label: must be one of direct, tool_call, request_for_info, cannot_answer, or null, is 1',
      'two:3: example_id: "b" is already at one, line 5; keep one of the two',
    ],
  );
});

test('lines that come one by one are those of a whole file', async () => {
  const builder = truthBuilder();
  const problems: string[] = [];
  const lines = truthLines(builder, (file, line, problem) => problems.push(`${file}:${line}: ${problem}`));
  await addFile(lines, 'one', Buffer.from('{"example_id":"a"}\n'));
  const add = lines.openFile('two');
  add(3, '{"example_id":"b"}');
  add(7, '{"example_id":"a"}');
  lines.openFile('three')(1, '{"example_id":"b"}');
  assert.equal(builder.rows, 2);
  assert.deepEqual(problems, [
    'two:7: example_id: "a" is already at one, line 1; keep one of the two',
    'three:1: example_id: "b" is already at two, line 3; keep one of the two',
  ]);
});

test('an empty file has no lines', async () => {
  const builder = truthBuilder();
  await addFile(
    truthLines(builder, () => assert.fail()),
    'one',
    Buffer.alloc(0),
  );
  assert.equal(builder.rows, 0);
});

async function addFile(lines: TruthLines, name: string, content: Buffer): Promise<void> {
  const add = lines.openFile(name);
  const chunks = (async function* () {
    yield content;
  })();
  for await (const records of lineRecords(chunks, 1_000))
    for (const { bytes, start, end, offset } of records) add(offset, decodeUtf8(bytes, start, end));
}
