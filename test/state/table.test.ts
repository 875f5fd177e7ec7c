import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chunkOf,
  clearChanges,
  createTable,
  findRow,
  insertRow,
  isLive,
  keyColumns,
  keyOf,
  liveRows,
  markRow,
  removeRow,
  rowOf,
  type Table,
  valuesAt,
} from '../../src/state/containers/table.ts';
import { runs } from '../support/soak.ts';

type Keys = readonly [number, number, number, number];
type Step = readonly [action: 'add' | 'remove' | 'save', keys: Keys];

const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, -(2 ** 40)));
const keys: fc.Arbitrary<Keys> = fc.tuple(key, fc.constantFrom(0, 1), fc.constantFrom(0, 7), fc.constantFrom(0, -1));
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.constantFrom('add', 'add', 'add', 'remove', 'remove', 'save'), keys),
  { maxLength: 200, size: 'max' },
);

/** Two value columns: how often a key was added to, and its sum of the step numbers. */
function add(table: Table, [a, b, c, d]: Keys, number: number): void {
  const row = rowOf(table, a, b, c, d);
  const chunk = chunkOf(table, row);
  const at = valuesAt(table, row);
  chunk[at]! += 1;
  chunk[at + 1]! += number;
  markRow(table, row);
}

function contents(table: Table): Map<string, number[]> {
  return new Map(
    liveRows(table).map((row) => {
      const at = valuesAt(table, row);
      const cells = [...chunkOf(table, row).subarray(at - keyColumns, at + table.values)];
      return [cells.slice(0, keyColumns).join(), cells.slice(keyColumns)];
    }),
  );
}

test('a table holds what a Map holds, and what changed since a checkpoint is the difference', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const table = createTable(2);
      const model = new Map<string, number[]>();
      let saved = new Map<string, number[]>();
      list.forEach(([action, of], number) => {
        const name = of.join();
        if (action === 'add') {
          add(table, of, number);
          const [count, sum] = model.get(name) ?? [0, 0];
          model.set(name, [count! + 1, sum! + number]);
        } else if (action === 'remove') {
          const row = findRow(table, ...of);
          assert.equal(row >= 0, model.delete(name));
          if (row >= 0) removeRow(table, row);
        } else {
          clearChanges(table);
          saved = new Map(model);
        }
      });
      const held = contents(table);
      assert.deepEqual(sorted(held), sorted(model));
      assert.equal(table.size, model.size);
      assert.deepEqual(sorted(changed(table, saved, held)), sorted(model));
    }),
    { numRuns: runs(60) },
  );
});

/** The contents at the checkpoint, with removed keys taken out and changed rows put in: what a delta does. */
function changed(table: Table, saved: Map<string, number[]>, held: Map<string, number[]>): Map<string, number[]> {
  const result = new Map(saved);
  const { removedKeys, rows } = table.changes;
  assert.equal(new Set(rows).size, rows.length, 'a row is marked once');
  for (let i = 0; i < removedKeys.length; i += keyColumns) result.delete(removedKeys.slice(i, i + keyColumns).join());
  for (const row of rows) {
    if (!isLive(table, row)) continue;
    const at = valuesAt(table, row);
    const name = [...chunkOf(table, row).subarray(at - keyColumns, at)].join();
    result.set(name, held.get(name)!);
  }
  return result;
}

function sorted(map: Map<string, number[]>): [string, number[]][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

test('rows are found after growth and after every other one is taken out of its probe run', () => {
  const table = createTable(1);
  const count = 20_000;
  for (let i = 0; i < count; i++) chunkOf(table, insertRow(table, i, 0, 0, 0))[valuesAt(table, i)] = i;
  for (let i = 0; i < count; i += 2) removeRow(table, findRow(table, i, 0, 0, 0));
  assert.equal(table.size, count / 2);
  for (let i = 0; i < count; i++) {
    const row = findRow(table, i, 0, 0, 0);
    if (i % 2 === 0) assert.equal(row, -1);
    else assert.equal(chunkOf(table, row)[valuesAt(table, row)], i);
  }
  assert.equal(table.changes.rows.length, count);
  for (const row of liveRows(table)) markRow(table, row);
  assert.equal(table.changes.rows.length, count, 'a row is marked once');
  const used = table.slots.filter((row, at) => at % 2 === 1 && row !== 0).length;
  assert.equal(used, table.size, 'a removed row leaves no tombstone');
});

test('keys that an index cannot tell apart are told apart one by one', () => {
  // Identities are spread by their first word alone, of which the lowest 32 bits count.
  const first: Keys = [2 ** 32, 0, 0, 0];
  const others: readonly Keys[] = [
    [2 ** 33, 0, 0, 0],
    [2 ** 32, 1, 0, 0],
    [2 ** 32, 0, 1, 0],
    [2 ** 32, 0, 0, 1],
  ];
  for (const other of others) {
    const table = createTable(1);
    const row = rowOf(table, ...first);
    assert.equal(findRow(table, ...other), -1, other.join());
    const next = rowOf(table, ...other);
    assert.notEqual(next, row, other.join());
    for (const [keys, of] of [
      [first, row],
      [other, next],
    ] as const) {
      assert.deepEqual([findRow(table, ...keys), rowOf(table, ...keys)], [of, of]);
      assert.deepEqual(
        [0, 1, 2, 3].map((at) => keyOf(table, of, at)),
        keys,
      );
    }
  }
});
