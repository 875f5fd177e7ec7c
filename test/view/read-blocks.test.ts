import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import type { AnyFamily, TallyReader } from '../../src/scoring/family.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { histogramLabels, type StabilityReader } from '../../src/scoring/stability/histograms.ts';
import { kindOf, noKinds } from '../../src/state/breakdowns.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import type { Settings } from '../../src/state/settings.ts';
import { groupsOf } from '../../src/view/fold-groups.ts';
import { addColumns, type Entries, type MergedSlices, type SliceCells } from '../../src/view/merge-slices.ts';
import { readBlocks, runsOf } from '../../src/view/read-blocks.ts';
import { viewConfig } from '../support/viewed-traffic.ts';

/** A family that reports its one count of all scored, and its entries; its block is null where it counted none. */
function family(name: string, breakdowns: readonly number[]): AnyFamily {
  const metrics = { share: { kind: 'rate', title: '', help: '', of: (sums: { n: number }) => [sums.n, 100] } };
  const made = {
    ...{ name, metrics, breakdowns, unit: 'event', cells: ['count'] },
    sums: (from: TallyReader) => {
      read.set(
        name,
        breakdowns.map((_, breakdown) => from.entries(breakdown)),
      );
      return { n: from.count(0) };
    },
    isEmpty: ({ n }: { n: number }) => n === 0,
  };
  return made as unknown as AnyFamily;
}

/** By family: what it read of its breakdowns. */
const read = new Map<string, ReturnType<TallyReader['entries']>[]>();

const base = settingsOf(viewConfig(), undefined);
const runsFamily = {
  ...base.stability!,
  metrics: {
    shapes: { kind: 'count', title: '', help: '', of: (sums: unknown) => (sums as Map<number, number>).size },
  },
  sums: (from: StabilityReader) => {
    told.runs = from;
    return from.counts(2, 2);
  },
  isEmpty: () => false,
} as unknown as NonNullable<Settings['stability']>;
const told: { runs?: StabilityReader } = {};

const layout = layoutOf([family('mine', [2]), family('trajectory', [1, 1]), family('decision', [])]);
const settings = { ...base, layout, stability: runsFamily };
const rate = rateWith(z95);

function slice(...added: (readonly [number: number, key: string, subkey: string, ...columns: number[]])[]): SliceCells {
  const entries: Entries = new Map();
  for (const [number, key, subkey, ...columns] of added)
    addColumns(entries, number, key, subkey, Float64Array.from(columns), 0, columns.length);
  return { values: ['m'], rows: [], entries, totals: Float64Array.of(1, 10, 100) };
}

const kinds = noKinds();
for (const [histogram, key] of [
  [2 * histogramLabels + 2, 7],
  [2 * histogramLabels + 3, 7],
  [2 * histogramLabels + 2, 9],
] as const)
  kindOf(kinds, histogram, key);
const cells: MergedSlices = {
  slices: [
    slice([0, 'b', '', 1, 2], [0, 'a', 'y', 3, 4], [1, 'of another', '', 9]),
    slice([0, 'a', 'x', 5, 6], [0, 'b', '', 10, 20], [2, 'last', '', 8]),
    slice(),
  ],
  kinds,
};
const [group] = groupsOf(cells.slices, settings, []);
/** Scored predictions, then a count for each family. */
const row = Float64Array.of(6, 30, 0, 40);
const everything = { rate, withBreakdowns: true, isAll: true };

const runs = runsOf(group!, kinds);

const blocksOf = (options: Partial<typeof everything>, of: Settings = settings, parts = group!) =>
  readBlocks(cells, parts, { row, runs }, of, { ...everything, ...options });

test('each family reads its own cells; blocks come in the order of every report, those of no report last', () => {
  const blocks = blocksOf({ isAll: false });
  assert.deepEqual(Object.keys(blocks), ['decision', 'trajectory', 'mine']);
  assert.deepEqual(blocks, {
    decision: { share: { ...rate(40, 100) } },
    trajectory: null,
    mine: { share: { ...rate(30, 100) } },
  });
});

test('rates of all events have the bounds that may be looked at all the time, those of windows have not', () => {
  const has = (isAll: boolean) => 'lower_always' in (blocksOf({ isAll })['mine'] as { share: object }).share;
  assert.deepEqual([has(true), has(false)], [true, false]);
});

test('entries are the sums of the slices by name, of all events and where they are asked for', () => {
  blocksOf({});
  assert.deepEqual(read.get('mine'), [
    [
      { key: 'a', subkey: 'x', columns: [5, 6] },
      { key: 'a', subkey: 'y', columns: [3, 4] },
      { key: 'b', subkey: '', columns: [11, 22] },
    ],
  ]);
  const [second, third] = [['of another', 9] as const, ['last', 8] as const].map(([key, n]) => [
    { key, subkey: '', columns: [n] },
  ]);
  assert.deepEqual(read.get('trajectory'), [second, third]);
  for (const options of [{ isAll: false }, { withBreakdowns: false }]) {
    blocksOf(options);
    assert.deepEqual(read.get('trajectory'), [undefined, undefined]);
  }
});

test('a group without entries reads none', () => {
  blocksOf({}, settings, groupsOf([slice()], settings, [])[0]!);
  assert.deepEqual(read.get('mine'), [[]]);
});

test('runs are counted by kind over the slices, and read by histogram and gold label', () => {
  assert.deepEqual([...runs], [3, 30, 300]);
  assert.deepEqual(Object.keys(blocksOf({})), ['decision', 'stability', 'trajectory', 'mine']);
  assert.deepEqual(blocksOf({})['stability'], { shapes: 2 });
  assert.deepEqual(
    [told.runs!.counts(2, 2), told.runs!.counts(2, 3), told.runs!.counts(0, 2)],
    [
      new Map([
        [7, 3],
        [9, 300],
      ]),
      new Map([[7, 30]]),
      new Map(),
    ],
  );
  assert.equal('stability' in blocksOf({ isAll: false }), false, 'in a window');
  assert.equal('stability' in blocksOf({}, { ...settings, stability: undefined }), false, 'switched off');
});
