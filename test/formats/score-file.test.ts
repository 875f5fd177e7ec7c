import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { arrowFileOf } from '../../src/formats/arrow/file.ts';
import { rowColumns } from '../../src/formats/arrow/row-columns.ts';
import { arrowSchema } from '../../src/formats/arrow/schema.ts';
import type { ScoreRow } from '../../src/formats/snapshot/score-row.ts';
import { scoreColumnsOf, scoreFile } from '../../src/formats/snapshot/scores.ts';
import { declarations } from '../../src/scoring/families.ts';
import { prng } from '../sim/prng.ts';
import { scoredRows } from '../support/scored-rows.ts';
import { seed } from '../support/seed.ts';

/** Written row by row. */
function plainFile(rows: readonly ScoreRow[]): Uint8Array {
  const columns = scoreColumnsOf(declarations);
  const schema = arrowSchema(columns);
  const built = rowColumns(columns, schema);
  for (const row of rows) built.add(row);
  return Buffer.concat(arrowFileOf(schema, built.finish()));
}

function textOf(bytes: Uint8Array): string[] {
  const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
  return tableFromIPC(bytes)
    .toArray()
    .map((row) => JSON.stringify(row, text));
}

test(`files written in turn are those of their rows: seed ${seed}`, () => {
  const random = prng(seed);
  const rows = scoredRows(random, 9_000);
  const files = Array.from({ length: 3 }, () => ({
    scores: scoreFile(),
    rows: [] as ScoreRow[],
    pieces: [] as Uint8Array[],
  }));
  for (const row of rows) {
    const file = random.pick(files);
    file.scores.add(row);
    file.rows.push(row);
    if (random.chance(0.002)) file.pieces.push(...file.scores.take());
  }
  for (const { scores, rows, pieces } of files) {
    const bytes = Buffer.concat([...pieces, ...scores.finish()]);
    assert.deepEqual(textOf(bytes), textOf(plainFile(rows)));
  }
});

test('large rows are cut into batches by their bytes', () => {
  const scores = scoreFile();
  const names = { event_id: null, example_id: 'e', model: 'm', agent: 'a', run: null, scored: true, steps: 1 };
  const source = { file: 'f', line: 1 };
  const row = { ...names, ts: 0, source, tags: {}, expected_tools: ['x'.repeat(8 * 2 ** 20)] };
  for (let rows = 0; rows < 6; rows++) scores.add(row);
  const lengths = tableFromIPC(scores.finish()).batches.map(({ numRows }) => numRows);
  assert.deepEqual(lengths, [4, 2]);
});
