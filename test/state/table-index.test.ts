import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, insertRow, liveRows, removeRow, reserveRows, rowOf } from '../../src/state/containers/table.ts';

test('an index is at most half full; it grows by four while it is small, by two from then on', () => {
  const slotsFor = (rows: number): number => {
    const table = createTable(1);
    reserveRows(table, rows);
    return table.slots.length / 2;
  };
  assert.deepEqual([1, 8, 9, 32, 10_000, 60_000].map(slotsFor), [16, 16, 64, 64, 65_536, 131_072]);
  const table = createTable(1);
  for (let row = 0; row < 1_000; row++) {
    insertRow(table, row, 0, 0, 0);
    assert.ok(2 * table.size <= table.slots.length / 2);
  }
});

test('rows that come in the order of identities come in the order of the index', () => {
  const table = createTable(1);
  for (let row = 0; row < 3_000; row++) insertRow(table, 2 ** 24 + row * 1_400_000, row, 1, 2);
  const rows = [...table.slots].filter((_, at) => at % 2 === 1).filter((row) => row > 0);
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => a - b),
  );
  assert.equal(rows.length, 3_000);
});

test('keys of slices are spread over the index: probes are short', () => {
  const table = createTable(1);
  for (let slice = 0; slice < 20; slice++)
    for (let tier = 0; tier < 4; tier++)
      for (let pane = 0; pane < 400; pane++) rowOf(table, slice, tier, 297_000_000 + pane, 0);
  // Slots in use one after the other: a probe goes through such a run.
  let [longest, run] = [0, 0];
  for (let at = 1; at < table.slots.length; at += 2) {
    run = table.slots[at] === 0 ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  assert.ok(longest < 100, `${longest} slots in use one after the other`);
});

test('an index that has room stays as it is', () => {
  const table = createTable(1);
  const { slots } = table;
  reserveRows(table, 8);
  for (let row = 0; row < 8; row++) rowOf(table, row, 0, 0, 0);
  assert.equal(table.slots, slots);
  reserveRows(table, 1);
  assert.notEqual(table.slots, slots);
});

test('a row is taken out of the index by its keys: of many rows as quickly as of few', () => {
  const table = createTable(1);
  // Each of the words is needed to find a place. To look for rows one by one would take a minute.
  for (let row = 0; row < 200_000; row++) insertRow(table, row % 7, row % 3, row, row % 5);
  for (const row of liveRows(table)) removeRow(table, row);
  assert.equal(table.size, 0);
  assert.ok(table.slots.every((row, at) => at % 2 === 0 || row === 0));
});
