import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedRows, gathered } from '../../../src/formats/checkpoint/key-order.ts';
import { finish } from '../../../src/state/steps.ts';
import {
  chunkOf,
  clearChanges,
  createTable,
  insertRow,
  markRow,
  removeRow,
  valuesAt,
} from '../../../src/state/containers/table.ts';

const words = fc.array(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 3 })));

test('words are gathered by their eleven highest bits, those of equal ones stay in their order', () => {
  fc.assert(
    fc.property(words, (given) => {
      const expected = given.map((_, at) => at).sort((a, b) => (given[a]! >>> 21) - (given[b]! >>> 21) || a - b);
      assert.deepEqual([...gathered(Float64Array.from(given))], expected);
    }),
  );
});

test('changed rows are those that were marked and are still there, gathered by their first key', () => {
  const table = createTable(1);
  const [first, middle, last, gone, saved] = [2 ** 31, 2 ** 30, 5, 2 ** 29, 7].map((key) =>
    insertRow(table, key, 1, 2, 3),
  ) as [number, number, number, number, number];
  clearChanges(table);
  for (const row of [first, gone, middle, last, first]) markRow(table, row);
  removeRow(table, gone);
  const keyOf = (row: number): number => chunkOf(table, row)[valuesAt(table, row) - 4]!;
  const keys = [...finish(changedRows(table))].map(keyOf);
  assert.deepEqual(keys, [5, 2 ** 30, 2 ** 31]);
  assert.ok(!keys.includes(keyOf(saved)));
});
