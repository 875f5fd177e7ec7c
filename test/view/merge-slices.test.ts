import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { addBreakdowns, addToHistogram } from '../../src/state/breakdowns.ts';
import { evictionTimeOf } from '../../src/state/event-time.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { type MergedSlices, mergeSlices } from '../../src/view/merge-slices.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { minuteMs, startMs, viewConfig } from '../support/viewed-traffic.ts';

/** One count, and two breakdowns of one and two columns. */
const settings = {
  ...settingsOf(viewConfig(['1m', '10m']), undefined),
  layout: madeUpLayout([['count'], [1, 2]]),
};

/** So many cases of a model at some minutes. */
type Event = readonly [model: string, minute: number, count: number];

function partitionOf(events: readonly Event[], more: (state: PartitionState) => void = () => {}): PartitionState {
  const state = emptyPartition(settings);
  const { addition, tallies } = createAdditionWriter(settings.layout);
  let greatestMs = startMs;
  for (const [model, minute, count] of events) {
    const tsMs = startMs + minute * minuteMs;
    greatestMs = Math.max(greatestMs, tsMs);
    evictPanes(state.sums, evictionTimeOf(greatestMs));
    clearAddition(addition, 1);
    tallies[0]!.count(0, count);
    tallies[0]!.entry(0, 'key', '', 0, count);
    tallies[0]!.entry(1, model, `${minute}`, 1, 1);
    const slice = sliceCode(state.slices, [model]);
    tallyEvent(state.sums, addition.row, slice, tsMs, greatestMs);
    addBreakdowns(state.breakdowns, addition.entries, slice);
  }
  more(state);
  return state;
}

const nothing = new Float64Array(2);

/** By model: scored events and cases, since the beginning and of each window. */
function rowsOf({ slices }: MergedSlices) {
  return Object.fromEntries(
    slices.map(({ values, rows }) => [values[0], Array.from(rows, (row = nothing) => [...row])]),
  );
}

const one = partitionOf([
  ['a', 0, 1],
  ['b', 5, 10],
  ['a', 9, 100],
]);
const other = partitionOf([
  ['c', 0, 7],
  ['a', 9, 1_000],
]);
const asOfMs = startMs + 9 * minuteMs;

test('a slice has what all partitions remember of it, since the beginning and in each window', () => {
  const rows = rowsOf(mergeSlices([one, other], settings, asOfMs, false));
  assert.deepEqual(Object.keys(rows), ['a', 'b', 'c']);
  assert.deepEqual(rows['a'], [
    [3, 1_101],
    [2, 1_100],
    [3, 1_101],
  ]);
  assert.deepEqual(rows['b'], [
    [1, 10],
    [0, 0],
    [1, 10],
  ]);
  const later = rowsOf(mergeSlices([other], settings, asOfMs + 5 * minuteMs, false));
  assert.deepEqual(later['c'], [
    [1, 7],
    [0, 0],
    [0, 0],
  ]);
});

test('without a T there are no windows; a slice of which nothing was scored has no row', () => {
  const empty = partitionOf([], (state) => sliceCode(state.slices, ['never']));
  assert.deepEqual(rowsOf(mergeSlices([one, empty], settings, undefined, false)), {
    a: [[2, 101]],
    b: [[1, 10]],
    never: [],
  });
});

test('entries of breakdowns are added up by slice, key and subkey, where they are asked for', () => {
  const entriesOf = (withBreakdowns: boolean, model: string) => {
    const { slices } = mergeSlices([one, other], settings, asOfMs, withBreakdowns);
    const { entries } = slices.find(({ values }) => values[0] === model)!;
    return [...entries].flatMap(([number, keys]) =>
      [...keys].flatMap(([key, subkeys]) =>
        [...subkeys].map(([subkey, columns]) => [number, key, subkey, ...columns].join(' ')),
      ),
    );
  };
  assert.deepEqual(entriesOf(true, 'a').toSorted(), ['0 key  1101 0', '1 a 0 0 1', '1 a 9 0 2']);
  assert.deepEqual(entriesOf(true, 'b').toSorted(), ['0 key  10 0', '1 b 5 0 1']);
  assert.deepEqual(entriesOf(false, 'a'), []);
});

test('totals of histograms are added up by slice, whichever partition had their keys first', () => {
  // Each of a histogram, its key and a number of groups of runs.
  const withRuns = (model: string, ...runs: (readonly [histogram: number, key: number, groups: number])[]) =>
    partitionOf([['a', 0, 1]], (state) => {
      for (const run of runs) addToHistogram(state.breakdowns, sliceCode(state.slices, [model]), ...run);
    });
  const { slices, kinds } = mergeSlices(
    [withRuns('a', [0, 0, 2], [3, 1, 5]), withRuns('a', [3, 1, 10], [0, 2, 4]), withRuns('b', [3, 1, 1])],
    settings,
    undefined,
    true,
  );
  const totals = slices.map(({ values, totals: own }) => [
    values[0],
    Object.fromEntries(kinds.list.map(({ histogram, key }, kind) => [`${histogram} ${key}`, own[kind]])),
  ]);
  assert.deepEqual(totals, [
    ['a', { '0 0': 2, '3 1': 15, '0 2': 4 }],
    ['b', { '0 0': 0, '3 1': 1, '0 2': 0 }],
  ]);
  assert.equal(slices[0]!.entries.size, 2, 'they are no breakdowns');
});
