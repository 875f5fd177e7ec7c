import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyFamily, CellKind } from '../../src/scoring/family.ts';
import { groupCounts } from '../../src/scoring/stability/counts.ts';
import { namesIn, textOf } from '../../src/state/blame-set.ts';
import { codeOf, createDictionary } from '../../src/state/containers/dictionary.ts';
import { readSum } from '../../src/state/containers/exact-sum.ts';
import {
  chunkOf,
  createTable,
  keyOf,
  liveRows,
  rowOf,
  type Table,
  valuesAt,
} from '../../src/state/containers/table.ts';
import { carriedCells, reshapedBlames, reshapedBreakdowns, reshapedPanes } from '../../src/state/reshape-rows.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { finish, type Steps } from '../../src/state/steps.ts';
import { blaming } from '../support/blames.ts';

const family = (name: string, cells: readonly CellKind[], breakdowns: readonly number[], unit = 'event'): AnyFamily =>
  ({ name, cells, breakdowns, unit }) as unknown as AnyFamily;
const [a, b, c, d] = [
  family('a', ['count', 'sum', 'count'], [1, 3]),
  family('b', ['count'], [2]),
  family('c', ['count'], [], 'judgement'),
  family('d', ['sum'], [2]),
];
/** a: count 1, sum 2, count 4; b: 5; c: 6; judgements 7, 8, 9; runs from 10 on. */
const before = layoutOf([a, b, c], true);
/** d: sum 1; c: 3; a: count 4, sum 5, count 7; judgements 8, 9, 10; runs from 11 on. */
const after = layoutOf([d, c, a], true);
const always = (): boolean => true;
const ofA = [
  [1, 4],
  [4, 7],
];
const ofC = [[6, 3]];
const ofJudged = [
  [7, 8],
  [8, 9],
  [9, 10],
];
const ofRuns = groupCounts.map((_, at) => [10 + at, 11 + at]);

test('the cells of what goes on are carried to where they lie now', () => {
  const cells = carriedCells(before, after, always, true);
  assert.deepEqual(cells.counts, [[0, 0], ...ofA, ...ofC, ...ofJudged, ...ofRuns]);
  assert.deepEqual(cells.sums, [[2, 5]]);
  assert.deepEqual([...cells.breakdowns], [{ number: 1, columns: 1 }, { number: 2, columns: 3 }, undefined]);
});

test('what begins anew, or is in one of the layouts alone, is not carried', () => {
  const countsOf = (...of: Parameters<typeof carriedCells>) => carriedCells(...of).counts;
  const withoutA = carriedCells(before, after, ({ name }) => name !== 'a', false);
  assert.deepEqual(withoutA.counts, [[0, 0], ...ofC, ...ofJudged]);
  assert.deepEqual([withoutA.sums, [...withoutA.breakdowns]], [[], [undefined, undefined, undefined]]);
  assert.deepEqual(
    countsOf(before, after, ({ name }) => name !== 'c', false),
    [[0, 0], ...ofA, ofJudged[0]],
    'of judgements that begin anew their number alone',
  );
  const judges = layoutOf([c, { ...c, name: 'e' }]);
  assert.deepEqual(
    countsOf(judges, judges, ({ name }) => name !== 'e', false),
    [
      [0, 0],
      [1, 1],
      [3, 3],
    ],
    'where one family of judgements begins anew too',
  );
  const plain = layoutOf([a]);
  const same = [
    [1, 1],
    [4, 4],
  ];
  assert.deepEqual(countsOf(before, plain, always, false), [[0, 0], ...same]);
  assert.deepEqual(countsOf(plain, before, always, false), [[0, 0], ...same]);
});

/** Rows as keys and values, in order. */
function rowsOf(table: Table): number[][] {
  return liveRows(table)
    .map((row) => [...chunkOf(table, row).subarray(valuesAt(table, row) - 4, valuesAt(table, row) + table.values)])
    .sort((left, right) => {
      const at = left.findIndex((value, index) => value !== right[index]);
      return left[at]! - right[at]!;
    });
}

function tableOf(values: number, rows: readonly (readonly number[])[]): Table {
  const table = createTable(values);
  // What was restored need not lie in the first rows.
  for (const [k0, k1, k2, k3, ...cells] of [[99, 9, 9, 9], ...rows] as [number, number, number, number][])
    chunkOf(table, rowOf(table, k0, k1, k2, k3)).set(cells, valuesAt(table, rowOf(table, k0, k1, k2, k3)));
  return table;
}

const textOfBlaming = (slot: number, tools: readonly string[]): string => textOf(blaming(slot, tools).names);
const noPlace = (): [] => [];
const halfOf = (slice: number): number => Math.floor(slice / 2);

test('a row of panes is added to each that it is part of, with others that become the same', () => {
  const cells = {
    counts: [
      [0, 0],
      [1, 3],
    ] as const,
    sums: [[2, 1]] as const,
    breakdowns: [],
  };
  const table = tableOf(4, [
    [0, 1, 10, 0, 1, 2, 3, 2 ** 52],
    [1, 1, 11, 0, 10, 20, 4, 2 ** 52],
    [2, 1, 10, 0, 100, 200, 8, 0],
  ]);
  const places = (tier: number, pane: number): (readonly [number, number])[] =>
    pane === 9
      ? []
      : [
          [tier + 1, Math.floor(pane / 2)],
          [tier + 2, pane],
        ];
  const made = finish(reshapedPanes(table, 4, cells, halfOf, places));
  const told = liveRows(made).map((row) => {
    const [chunk, at] = [chunkOf(made, row), valuesAt(made, row)];
    const keys = [0, 1, 2, 3].map((key) => keyOf(made, row, key));
    return [keys.join(), chunk[at], readSum(chunk, at + 1), chunk[at + 3]];
  });
  assert.deepEqual(told.sort(), [
    ['0,2,5,0', 11, 8, 22],
    ['0,3,10,0', 1, 3.5, 2],
    ['0,3,11,0', 10, 4.5, 20],
    ['1,2,5,0', 100, 8, 200],
    ['1,3,10,0', 100, 8, 200],
  ]);
  assert.equal(made.values, 4);
});

test('rows of breakdowns go on with their columns; histograms, which lie behind them, where they go on', () => {
  const layouts = { before, after };
  const cells = carriedCells(before, after, always, true);
  const table = tableOf(3, [
    [0, 0, 7, 8, 1, 0, 0],
    [1, 0, 7, 8, 2, 0, 0],
    [2, 1, 7, 9, 3, 4, 5],
    [0, 2, 7, 8, 6, 6, 0],
    [4, 3, 1, 0, 9, 0, 0],
    [4, 5, 1, 0, 8, 0, 0],
  ]);
  const families = [
    [0, 1, 7, 8, 3, 0, 0],
    [1, 2, 7, 9, 3, 4, 5],
  ];
  const reshaped = (runsGoOn: boolean): number[][] =>
    rowsOf(finish(reshapedBreakdowns(table, layouts, cells, halfOf, runsGoOn)));
  assert.deepEqual(reshaped(false), families);
  const histograms = [
    [2, 3, 1, 0, 9, 0, 0],
    [2, 5, 1, 0, 8, 0, 0],
    [49, 9, 9, 9, 0, 0, 0],
  ];
  assert.deepEqual(reshaped(true), [...families, ...histograms]);
  const fewer = { before: layoutOf([a, b]), after: layoutOf([b]) };
  const moved = finish(
    reshapedBreakdowns(table, fewer, carriedCells(fewer.before, fewer.after, always, false), halfOf, true),
  );
  assert.deepEqual(rowsOf(moved), [
    [0, 0, 7, 8, 6, 6],
    [2, 1, 1, 0, 9, 0],
    [2, 3, 1, 0, 8, 0],
    [49, 7, 9, 9, 0, 0],
  ]);
});

test('what is blamed goes on by the cells that do, in panes that are kept; sets that become one are one', () => {
  const sets = createDictionary();
  const codes = [
    textOfBlaming(1, ['x']),
    textOfBlaming(5, ['x']),
    textOfBlaming(4, ['x', 'y']),
    textOfBlaming(6, ['x']),
  ].map((text) => codeOf(sets, text));
  const cells = {
    counts: [
      [1, 2],
      [6, 2],
      [4, 3],
    ] as const,
    sums: [],
    breakdowns: [],
  };
  const table = tableOf(1, [
    [0, 0, 10, codes[0]!, 1],
    [1, 0, 11, codes[3]!, 10],
    [0, 0, 10, codes[1]!, 100],
    [3, 1, 10, codes[2]!, 1_000],
    [3, 1, 4, codes[2]!, 10_000],
    [3, 1, 6, codes[2]!, 100_000],
  ]);
  const places = (tier: number, pane: number): (readonly [number, number])[] => [[tier, Math.floor(pane / 2)]];
  const made = finish(reshapedBlames(table, sets, cells, halfOf, places, [Number.NEGATIVE_INFINITY, 3]));
  assert.deepEqual(rowsOf(made.table), [
    [0, 0, 5, 0, 11],
    [1, 1, 3, 1, 100_000],
    [1, 1, 5, 1, 1_000],
  ]);
  assert.deepEqual(made.sets.list.map(namesIn), [
    [{ kind: 'tool', tool: 'x', argument: '', slots: [2] }],
    [
      { kind: 'tool', tool: 'x', argument: '', slots: [3] },
      { kind: 'tool', tool: 'y', argument: '', slots: [3] },
    ],
  ]);
});

test('many rows are many steps', () => {
  const many = tableOf(
    1,
    Array.from({ length: 3_000 }, (_, at) => [at, 0, 0, 0, 1]),
  );
  const sets = createDictionary();
  codeOf(sets, textOfBlaming(0, ['x']));
  const cells = { counts: [[0, 0]] as const, sums: [], breakdowns: [{ number: 0, columns: 1 }] };
  const stepsOf = (steps: Steps<unknown>): number => {
    let count = 0;
    while (!steps.next().done) count++;
    return count;
  };
  assert.deepEqual(
    [
      reshapedPanes(many, 1, cells, halfOf, noPlace),
      reshapedBreakdowns(many, { before, after }, cells, halfOf, false),
      reshapedBlames(many, sets, cells, halfOf, noPlace, []),
    ].map(stepsOf),
    [2, 2, 2],
  );
});
