import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnyFamily, Tally } from '../../src/scoring/family.ts';
import { addSum, readSum, unitsOf, wholeOf } from '../../src/state/containers/exact-sum.ts';
import {
  addDelta,
  applyDelta,
  clearDelta,
  createDeltaWriter,
  deltaCopies,
  type RowDelta,
  tallyAndCopy,
} from '../../src/state/row-delta.ts';
import { cellReader, scoredSlot } from '../../src/state/row-layout.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';

/** Slots: 0 events; of the first family 1, 2 and 3 (a sum), 4; of the second 5 and 6 (a sum), 7 and 8 (a sum). */
const layout = madeUpLayout(
  [
    ['count', 'sum', 'count'],
    [1, 2],
  ],
  [['sum', 'sum'], []],
  [[], [3]],
);
const counts = [[0, 2], []];
const sums = [[1], [0, 1]];

/** What an outcome adds: to a count, to a sum, or to a breakdown. */
type Addition =
  | { readonly kind: 'count' | 'sum'; readonly family: number; readonly cell: number; readonly amount: number }
  | { readonly kind: 'entry'; readonly family: number; readonly breakdown: number; readonly amount: number };

const amounts = fc.constantFrom(0.1, 0.9, 1 / 3, 1, 2);
const additions: fc.Arbitrary<readonly Addition[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('count' as const),
      family: fc.constant(0),
      cell: fc.constantFrom(0, 2),
      amount: fc.nat(9),
    }),
    fc
      .tuple(fc.constantFrom(...sums.flatMap((cells, family) => cells.map((cell) => ({ family, cell })))), amounts)
      .map(([place, amount]) => ({ kind: 'sum' as const, ...place, amount })),
    fc
      .tuple(fc.constantFrom({ family: 0, breakdown: 1 }, { family: 2, breakdown: 0 }), fc.nat(9))
      .map(([place, amount]) => ({ kind: 'entry' as const, ...place, amount })),
  ),
  // More than a row has slots.
  { maxLength: 40, size: 'max' },
);

function tally(into: Tally, addition: Addition): void {
  const { amount } = addition;
  if (addition.kind === 'entry') into.entry(addition.breakdown, 'key', 'subkey', 0, amount);
  else into[addition.kind](addition.cell, amount);
}

/** The row after each of the lists was one event. */
function expectedRow(events: readonly (readonly Addition[])[]): number[][] {
  const cells = layout.slots.map((slots) => slots.map(() => new Float64Array(2)));
  for (const one of events.flat()) {
    if (one.kind === 'count') cells[one.family]![one.cell]![0]! += one.amount;
    if (one.kind === 'sum') addSum(cells[one.family]![one.cell]!, 0, wholeOf(one.amount), unitsOf(one.amount));
  }
  return cells.map((own) => own.map((cell) => readSum(cell, 0)));
}

function readRow(row: Float64Array): number[][] {
  return layout.slots.map((slots, family) => {
    const reader = cellReader(layout, family, row);
    return slots.map((_, cell) => (counts[family]?.includes(cell) ? reader.count(cell) : reader.sum(cell)));
  });
}

function entriesOf({ breakdowns }: RowDelta): object[] {
  return breakdowns.map((entry) => ({ ...entry }));
}

function expectedEntries(list: readonly Addition[]): object[] {
  return list.flatMap((one) =>
    one.kind === 'entry'
      ? [
          {
            breakdown: layout.firstBreakdown[one.family]! + one.breakdown,
            key: 'key',
            subkey: 'subkey',
            column: 0,
            amount: one.amount,
            rows: undefined,
          },
        ]
      : [],
  );
}

test('what an outcome adds is added to a row, as is one event; the cells around stay', () => {
  fc.assert(
    fc.property(fc.array(additions, { maxLength: 4 }), (events) => {
      const { delta, tallies } = createDeltaWriter(layout);
      const cells = new Float64Array(layout.width + 2);
      for (const list of events) {
        clearDelta(delta);
        for (const one of list) tally(tallies[one.family]!, one);
        assert.deepEqual(entriesOf(delta), expectedEntries(list));
        applyDelta(delta, cells, 1);
      }
      assert.deepEqual(readRow(cells.subarray(1)), expectedRow(events));
      assert.deepEqual([cells[0], cells[1], cells.at(-1)], [0, events.length, 0]);
    }),
    { numRuns: 200 },
  );
});

test('a copy of what one outcome added can be added again: with others, into a delta too short for it', () => {
  fc.assert(
    fc.property(additions, additions, additions, (before, list, after) => {
      const { delta, tallies } = createDeltaWriter(layout);
      for (const one of before) tally(tallies[one.family]!, one);
      // Families write through their own tally: one that writes for all stands for them.
      const family = {
        tally: (outcome: readonly Addition[]) => {
          for (const one of outcome) tally(tallies[one.family]!, one);
        },
      } as unknown as AnyFamily;
      const copy = tallyAndCopy(delta, family, tallies[0]!, list);
      for (const one of after) tally(tallies[one.family]!, one);
      const again = createDeltaWriter(layout);
      for (const one of after) tally(again.tallies[one.family]!, one);
      addDelta(again.delta, copy);
      addDelta(again.delta, copy);
      assert.deepEqual(entriesOf(copy), expectedEntries(list));
      assert.deepEqual(entriesOf(again.delta), expectedEntries([...after, ...list, ...list]));
      const [whole, twice] = [new Float64Array(layout.width), new Float64Array(layout.width)];
      applyDelta(delta, whole, 0);
      applyDelta(again.delta, twice, 0);
      assert.deepEqual(readRow(whole), expectedRow([before, list, after]));
      assert.deepEqual(readRow(twice), expectedRow([after, list, list]));
      assert.deepEqual([whole[scoredSlot], twice[scoredSlot]], [1, 1], 'an outcome is no prediction');
    }),
    { numRuns: 200 },
  );
});

test('copies of what events added stay when the writer goes on; they take no more than they hold', () => {
  fc.assert(
    fc.property(fc.array(additions, { maxLength: 6 }), (events) => {
      const { delta, tallies } = createDeltaWriter(layout);
      const { copyOf } = deltaCopies();
      const copies = events.map((list, number) => {
        clearDelta(delta);
        delta.scored = number % 2;
        for (const one of list) tally(tallies[one.family]!, one);
        return copyOf(delta);
      });
      copies.forEach((copy, number) => {
        const row = new Float64Array(layout.width);
        applyDelta(copy, row, 0);
        assert.deepEqual([row[scoredSlot], readRow(row)], [number % 2, expectedRow([events[number]!])]);
        assert.deepEqual(entriesOf(copy), expectedEntries(events[number]!));
        const { slots, amounts, sumSlots, wholes, units } = copy;
        assert.deepEqual([slots.length, amounts.length], [copy.counts, copy.counts]);
        assert.deepEqual([sumSlots.length, wholes.length, units.length], [copy.sums, copy.sums, copy.sums]);
      });
    }),
    { numRuns: 100 },
  );
});

test('copies share what is equal, numbers and entries each by themselves', () => {
  const { delta, tallies } = createDeltaWriter(layout);
  const { copyOf } = deltaCopies();
  const copy = (scored: number, count: number, sum: number, ...names: [key: string, subkey: string][]): RowDelta => {
    clearDelta(delta);
    delta.scored = scored;
    if (count > 0) tallies[0]!.count(2, count);
    if (sum > 0) tallies[0]!.sum(1, sum);
    for (const [key, subkey] of names) tallies[2]!.entry(0, key, subkey, 1, 1);
    return copyOf(delta);
  };
  const first = copy(1, 2, 0.5, ['a', 'b']);
  // What a longer one left behind in the writer is no part of the next.
  for (let times = 0; times < 3; times++) {
    tallies[0]!.count(0, 7);
    tallies[1]!.sum(0, 7);
  }
  copyOf(delta);
  assert.equal(copy(1, 2, 0.5).slots, first.slots);
  for (const [scored, count, sum] of [
    [0, 2, 0.5],
    [1, 3, 0.5],
    [1, 2, 0.25],
    [1, 0, 0],
  ] as const) {
    const other = copy(scored, count, sum, ['a', 'b']);
    assert.notEqual(other.slots, first.slots);
    assert.equal(other.breakdowns[0], first.breakdowns[0]);
  }
  const named = copy(1, 2, 0.5, ['a b', 'c'], ['a', 'b c'], ['a', 'b']);
  assert.equal(named.slots, first.slots);
  assert.deepEqual(
    named.breakdowns.map(({ key, subkey }) => [key, subkey]),
    [
      ['a b', 'c'],
      ['a', 'b c'],
      ['a', 'b'],
    ],
  );
  assert.equal(named.breakdowns[2], first.breakdowns[0]);
});

test('beyond 65 536 different ones, copies share nothing more', () => {
  const writer = createDeltaWriter(layout);
  const { copyOf } = deltaCopies();
  const copy = (amount: number): RowDelta => {
    clearDelta(writer.delta);
    writer.tallies[0]!.count(0, amount);
    return copyOf(writer.delta);
  };
  const most = 65_536;
  for (let amount = 1; amount < most; amount++) copy(amount);
  assert.equal(copy(most).slots, copy(most).slots);
  assert.notEqual(copy(most + 1).slots, copy(most + 1).slots);
});

test('what is blamed: once an event and cell, up to 16 names of 200 characters, in copies too', () => {
  const { delta, tallies } = createDeltaWriter(layout);
  const { copyOf } = deltaCopies();
  const told = ({ blames }: RowDelta): string[] =>
    blames.names.map(({ slots, kind, tool, argument }) => `${slots.join()} ${kind} ${tool} ${argument}`);
  const [first] = tallies;
  for (let times = 0; times < 2; times++) {
    first!.blame(0, 'tool', 'a');
    first!.blame(2, 'tool', 'a');
    first!.blame(0, 'extra_tool', 'a');
    first!.blame(0, 'argument', 'a', 'b');
  }
  const expected = ['1,4 tool a ', '1 extra_tool a ', '1 argument a b'];
  assert.deepEqual(told(delta), expected);
  const copy = copyOf(delta);
  const family = { tally: () => first!.blame(2, 'tool', 'late') } as unknown as AnyFamily;
  const added = tallyAndCopy(delta, family, first!, undefined);
  assert.deepEqual([told(added), told(delta)], [['4 tool late '], [...expected, '4 tool late ']]);
  clearDelta(delta);
  assert.deepEqual([told(delta), told(copy)], [[], expected]);
  addDelta(delta, copy);
  assert.equal(copyOf(delta).blames, copy.blames, 'events that blame the same share what they blame');
  addDelta(delta, added);
  assert.deepEqual(told(delta), [...expected, ...told(added)]);
  assert.notEqual(copyOf(delta).blames, copy.blames);
  clearDelta(delta);
  for (let name = 0; name < 20; name++) first!.blame(0, 'tool', `${name}`);
  first!.blame(2, 'tool', 'x'.repeat(300), 'y'.repeat(300));
  assert.deepEqual([delta.blames.names.length, delta.blames.names[15]!.tool], [17, '15']);
  assert.deepEqual(told(delta).at(-1), `4 tool ${'x'.repeat(200)} ${'y'.repeat(200)}`);
});
