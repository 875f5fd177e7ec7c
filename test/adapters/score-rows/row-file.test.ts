import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowFile } from '../../../src/adapters/score-rows/row-file.ts';
import { joinedScores, scoreFile } from '../../../src/formats/snapshot/scores.ts';
import { prng } from '../../sim/prng.ts';
import { scoredRows } from '../../support/scored-rows.ts';

const metadata = { 'assay.group': 'g' };
const rows = scoredRows(prng(1), 300);

/** A segment of so many rows, in memory of its own or among others. */
function segment(count: number, isAlone = true): Uint8Array {
  const file = scoreFile();
  for (const row of rows.slice(0, count)) file.add(row);
  const bytes = Buffer.concat(file.finish());
  return isAlone ? new Uint8Array(bytes) : Buffer.concat([Buffer.alloc(8), bytes]).subarray(8);
}

test('a large file of Arrow is made in a thread, to the byte as it is made at once', async () => {
  const large = segment(300);
  const files = [segment(1, false), ...Array.from({ length: Math.ceil(9e6 / large.length) }, () => segment(300))];
  const expected = Buffer.concat(joinedScores(files, metadata));
  const bytes = await rowFile('arrow', files, metadata, true);
  assert.ok(expected.equals(bytes), 'another file');
  assert.deepEqual(
    files.map(({ length }) => length > 0),
    files.map((_, at) => at === 0),
    'the memory of segments is given to the thread where it is theirs alone',
  );
});

test('a small one is made at once: its segments stay', async () => {
  const files = [segment(10), segment(20)];
  const bytes = await rowFile('arrow', files, metadata, false);
  assert.ok(Buffer.concat(joinedScores(files, metadata)).equals(bytes));
});
