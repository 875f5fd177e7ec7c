import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clearChanges, keyOf } from '../../src/state/containers/table.ts';
import { column, runLayout, sliceOfHome } from '../../src/state/run-groups/layout.ts';
import { harness, observe, type RunEvent, totalsOf } from '../scoring/stability/harness.ts';

const forms = ['closed', 'rolling'] as const;
const base: RunEvent = {
  example: 'a',
  model: 'x',
  agent: 'x',
  slice: 0,
  gold: 1,
  label: 1,
  run: 0,
  verdict: 1,
  tsMs: 0,
};

/** A row that lies between two others, and what puts runs into it as a group does. */
function rowOfRuns(form: (typeof forms)[number], k: number) {
  const layout = runLayout(form, k);
  const at = 3;
  const cells = new Float64Array(at + layout.values + 3);
  cells.fill(-7, 0, at);
  cells.fill(-7, at + layout.values);
  const receive = (run: number, home: number, code: number): number => {
    const held = cells[at + column.held]!;
    const slot = layout.slotFor(cells, at, run);
    layout.receive(cells, at, slot, run, home, code);
    if (cells[at + column.held] === held) cells[at + column.ignored]! += 1;
    return slot;
  };
  const isAlone = (): boolean =>
    [...cells.subarray(0, at), ...cells.subarray(at + layout.values)].every((x) => x === -7);
  return { layout, at, cells, receive, isAlone };
}

/** By definition: what was received first of each index, in their order, as far as the form holds it. */
function heldOf<Run extends { readonly run: number }>(form: string, k: number, received: readonly Run[]): Run[] {
  const firsts = received.filter(({ run }, at) => received.findIndex((other) => other.run === run) === at);
  const ascending = firsts.sort((a, b) => a.run - b.run);
  return form === 'closed' ? ascending.filter(({ run }) => run < k) : ascending.slice(-k);
}

test('a row holds the runs of its form in their order, its home is that of the lowest; both go on where slices move', () => {
  const run = fc.record({ run: fc.nat(12), home: fc.nat(40), code: fc.integer({ min: 1, max: 15 }) });
  fc.assert(
    fc.property(
      fc.constantFrom(...forms),
      fc.constantFrom(1, 2, 3, 8, 9, 10),
      fc.array(run, { minLength: 1, maxLength: 40, size: 'max' }),
      (form, k, received) => {
        const { layout, at, cells, receive, isAlone } = rowOfRuns(form, k);
        received.forEach((one, index) => {
          const before = heldOf(form, k, received.slice(0, index));
          const slot = receive(one.run, one.home, one.code);
          const held = heldOf(form, k, received.slice(0, index + 1));
          assert.equal(slot >= 0, held.includes(one) && !before.includes(one));
          assert.equal(cells[at + column.held], held.length);
          const lowest = held[0] ?? received.slice(0, index + 1).reduce((a, b) => (b.run < a.run ? b : a));
          assert.equal(layout.home(cells, at), lowest.home);
          if (held.length === k)
            assert.deepEqual(
              held.map((_, i) => layout.code(cells, at, i)),
              held.map(({ code }) => code),
            );
        });
        layout.move(cells, at, (slice) => 100 - slice);
        const held = heldOf(form, k, received);
        const { home } = held[0] ?? received.reduce((a, b) => (b.run < a.run ? b : a));
        assert.equal(layout.home(cells, at), 4 * (100 - Math.floor(home / 4)) + (home % 4));
        if (held.length === k)
          assert.deepEqual(
            held.map((_, i) => layout.code(cells, at, i)),
            held.map(({ code }) => code),
          );
        assert.equal(sliceOfHome(home), Math.floor(home / 4));
        assert.ok(isAlone(), 'rows beside it are not written to');
      },
    ),
  );
});

/** Rows lie in checkpoints. */
test('a row of closed runs has eight of them in a double, one that rolls two doubles for each; three columns come first', () => {
  const valuesOf = (form: (typeof forms)[number]) => [1, 8, 9, 16, 17].map((k) => runLayout(form, k).values);
  assert.deepEqual(valuesOf('closed'), [6, 6, 7, 7, 8]);
  assert.deepEqual(valuesOf('rolling'), [5, 19, 21, 35, 37]);
});

test('where groups roll, each run that is held keeps its home, also where slices move', () => {
  const { layout, at, cells, receive } = rowOfRuns('rolling', 2);
  for (const [run, slice] of [
    [1, 5],
    [2, 6],
  ] as const)
    receive(run, 4 * slice + 3, 9);
  layout.move(cells, at, (slice) => 10 * slice);
  assert.equal(layout.home(cells, at), 4 * 50 + 3);
  receive(3, 0, 1);
  assert.equal(layout.home(cells, at), 4 * 60 + 3, 'that of the second, which is the lowest now');
});

test('a group that makes room at the limit is counted, one that is known is not', () => {
  const of = harness({ groupsMax: 2 });
  for (const example of ['a', 'b', 'a', 'b']) observe(of, { ...base, example });
  assert.equal(of.groups.limitHits.stability_groups, 0);
  for (const example of ['c', 'c', 'd']) observe(of, { ...base, example });
  assert.equal(of.groups.limitHits.stability_groups, 2);
  assert.equal(of.groups.table.size, 2);
});

test('a group is as old as its last run, also before the beginning of time', () => {
  const of = harness({ groupsMax: 2 });
  for (const [example, tsMs] of [
    ['a', -5],
    ['b', -9],
    ['c', -1],
  ] as const)
    observe(of, { ...base, example, tsMs });
  for (const [example, tsMs] of [
    ['a', -5],
    ['c', -1],
  ] as const)
    observe(of, { ...base, example, run: 1, tsMs });
  assert.equal(totalsOf(of).get('0/1/0/2'), 1, 'b was the oldest, and the others are there');
});

test('what a run does not change of a group is not written', () => {
  const of = harness({ k: 2, form: 'rolling' });
  for (const run of [0, 1]) observe(of, { ...base, run });
  const { table } = of.histograms;
  clearChanges(table);
  observe(of, { ...base, run: 2 });
  assert.deepEqual(
    table.changes.rows.map((row) => keyOf(table, row, 2)),
    [1],
    'the run that was displaced is ignored, and all else is as it was',
  );
  const moved = harness({ k: 3 });
  observe(moved, { ...base, run: 1, slice: 1 });
  observe(moved, { ...base, run: 0, slice: 2 });
  assert.deepEqual([...totalsOf(moved)].sort(), [
    ['1/1/0/0', 0],
    ['2/1/0/0', 1],
  ]);
});
