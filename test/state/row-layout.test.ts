import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnyFamily } from '../../src/scoring/family.ts';
import { addSum, readSum, unitsOf, wholeOf } from '../../src/state/containers/exact-sum.ts';
import { addRow, cellReader, isEmptyRow, type Layout, layoutOf, subtractRow } from '../../src/state/row-layout.ts';
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
/** One family of predictions, one of judgements. */
const judgedLayout = layoutOf([
  { unit: 'prediction', cells: ['count'], breakdowns: [] },
  { unit: 'judgement', cells: ['sum'], breakdowns: [] },
] as unknown as AnyFamily[]);

test('a layout gives counts a slot and sums two, after that of the events; breakdowns are numbered through', () => {
  const { families: _, ...shape } = layout;
  assert.deepEqual(shape, {
    judged: undefined,
    runs: undefined,
    width: 9,
    slots: [[1, 2, 4], [5, 7], []],
    sums: [2, 5, 7],
    counts: [0, 1, 4],
    countSpans: [0, 2, 4, 5],
    firstBreakdown: [0, 2, 2],
    breakdownCount: 3,
    breakdownColumns: 3,
  });
  assert.equal(madeUpLayout([['count'], []]).breakdownColumns, 1, 'a table has a column');
});

test('where a family is of judgements, three more counts follow the cells', () => {
  const { judged, width, counts } = judgedLayout;
  assert.deepEqual(
    { judged, width, counts },
    {
      judged: { judgements: 4, traffic: 5, right: 6 },
      width: 7,
      counts: [0, 1, 4, 5, 6],
    },
  );
  const row = Float64Array.of(0, 0, 0, 0, 3, 20, 15);
  assert.deepEqual(cellReader(judgedLayout, 1, row).traffic, { n: 20, right: 15 });
  assert.equal(cellReader(layout, 0, new Float64Array(layout.width)).traffic, undefined);
});

test('where groups of runs are collected, four more counts follow', () => {
  const { runs, width, counts } = layoutOf(layout.families, true);
  const expected = { complete: 9, stable: 10, stableCorrect: 11, modeCorrect: 12 };
  assert.deepEqual({ runs, width, counts }, { runs: expected, width: 13, counts: [0, 1, 4, 9, 10, 11, 12] });
});

test('a row is empty where nothing was scored and nothing judged', () => {
  const empty = (of: Layout, scored: number, judgements: number): boolean => {
    const row = new Float64Array(of.width).fill(1);
    row[0] = scored;
    if (of.judged !== undefined) row[of.judged.judgements] = judgements;
    return isEmptyRow(of, row);
  };
  assert.deepEqual([empty(layout, 0, 0), empty(layout, 2, 0)], [true, false]);
  assert.deepEqual(
    [empty(judgedLayout, 0, 0), empty(judgedLayout, 2, 0), empty(judgedLayout, 0, 2), empty(judgedLayout, 2, 2)],
    [true, false, false, false],
  );
});

test('rows are added cell by cell and taken away again, exactly, wherever they lie; the cells around stay', () => {
  const value = fc.constantFrom(0, 1, 2, 0.1, 0.9, 1 / 3);
  const rows = fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.nat(6), (list, from) => {
      const place = from % list.length;
      const into = new Float64Array(layout.width + 3).fill(7, 0, 2).fill(7, layout.width + 2);
      const others = list.map((values) => Float64Array.from([9, ...rowOf([values]), 9]));
      for (const other of others) addRow(layout, into, 2, other, 1);
      assert.deepEqual(readRow(into.subarray(2)), readRow(rowOf(list)));
      subtractRow(layout, into, 2, others[place]!, 1);
      const left = list.toSpliced(place, 1);
      assert.deepEqual(readRow(into.subarray(2)), readRow(rowOf(left)));
      assert.deepEqual([into[0], into[1], into.at(-1)], [7, 7, 7]);
    }),
  );
});

/** The row of events that add these values: to the count of events and the two counts as whole numbers, to the sums as they are. */
function rowOf(events: readonly (readonly number[])[]): Float64Array {
  const row = new Float64Array(layout.width);
  for (const values of events) {
    row[0]! += 1;
    [1, 4].forEach((slot, at) => void (row[slot]! += Math.ceil(values[at]!)));
    layout.sums.forEach((slot, at) => void addSum(row, slot, wholeOf(values[2 + at]!), unitsOf(values[2 + at]!)));
  }
  return row;
}

function readRow(row: Float64Array): number[] {
  return [...layout.counts.map((slot) => row[slot]!), ...layout.sums.map((slot) => readSum(row, slot))];
}
