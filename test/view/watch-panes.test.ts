import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { histogramAt, histogramLabels } from '../../src/scoring/stability/histograms.ts';
import { addToHistogram } from '../../src/state/breakdowns.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { paneOf } from '../../src/state/windows.ts';
import {
  cellAt,
  createWatchPanes,
  readWatchPanes,
  type WatchedGroup,
  type WatchPanes,
} from '../../src/view/watch-panes.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';
import { runs } from '../support/soak.ts';

// Panes of 10 s for five minutes, and of 4 minutes for a day.
const settings = watchSettings(['5m', '24h']);
const { tiers } = settings.windows;
const sets = [[], ['model']];
const { rates } = watcherWith(settings).panes;
const startMs = Date.UTC(2026, 0, 1);

const steps = fc.array(
  fc.record({
    on: fc.oneof(fc.nat(5_000), fc.nat(90_000), fc.nat(2_000_000)),
    back: fc.oneof(fc.constant(0), fc.nat(50_000), fc.nat(2_000_000)),
    partition: fc.nat(1),
    model: fc.constantFrom('a', 'b'),
    n: fc.integer({ min: 1, max: 9 }),
    read: fc.boolean(),
    later: fc.constantFrom(0, 0, 0, 15_000, 400_000),
  }),
  { maxLength: 25 },
);

/** Cases and bad cases of a group by pane that is kept at T, by definition. */
function countsOf(events: readonly Cases[], values: readonly string[], asOfMs: number) {
  return tiers.map((tier) =>
    Array.from({ length: tier.panes }, (_, age) => {
      const pane = paneOf(tier, asOfMs) - age;
      const own = events.filter(
        ({ model, tsMs }) => paneOf(tier, tsMs) === pane && (values.length === 0 || values[0] === model),
      );
      return [own.reduce((sum, { n }) => sum + n, 0), own.reduce((sum, { bad }) => sum + bad, 0)];
    }),
  );
}

function readCounts(panes: WatchPanes, { counts }: WatchedGroup, asOfMs: number) {
  return tiers.map((tier, index) =>
    Array.from({ length: tier.panes }, (_, age) => {
      const at = cellAt(panes, index, paneOf(tier, asOfMs) - age, 0);
      return [...counts[index]!.slice(at, at + 2)];
    }),
  );
}

test('the panes of every group have its cases, and a group whose panes are others says from which on', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const partitions = [watchedPartition(settings), watchedPartition(settings)];
      const states = partitions.map(({ state }) => state);
      const panes = createWatchPanes(settings, rates, sets);
      const events: Cases[] = [];
      const before = new Map<WatchedGroup, ReturnType<typeof readCounts>>();
      let nowMs = startMs;
      let readMs = startMs;
      for (const { on, back, partition, model, n, read, later } of drawn) {
        nowMs += on;
        const cases = { model, tsMs: nowMs - back, n, bad: n % 3 };
        partitions[partition]!.add(cases);
        events.push(cases);
        // The newest event may have gone back: T is that of all, or time has passed without one.
        const asOfMs = later + Math.max(...states.map(({ numbers }) => numbers.greatestTs));
        if (!read) continue;
        readWatchPanes(panes, states, asOfMs);
        for (const group of panes.groups) {
          const counts = readCounts(panes, group, asOfMs);
          assert.deepEqual(counts, countsOf(events, group.values, asOfMs), group.values.join());
          const known = before.get(group);
          if (known !== undefined && readMs === asOfMs)
            assert.equal(panes.touched.has(group), JSON.stringify(known) !== JSON.stringify(counts));
          before.set(group, counts);
        }
        panes.touched.clear();
        readMs = asOfMs;
      }
    }),
    { numRuns: runs(10) },
  );
});

/** Panes of one partition, what is added to it, and a reading of them. */
function watched() {
  const partition = watchedPartition(settings);
  const panes = createWatchPanes(settings, rates, sets);
  const add = (model: string, minute: number, n = 1) =>
    partition.add({ model, tsMs: startMs + minute * 60_000, n, bad: 1 });
  const read = (minute: number, states = [partition.state]) => {
    panes.touched.clear();
    for (const group of panes.groups) group.changed.fill(Number.POSITIVE_INFINITY);
    readWatchPanes(panes, states, startMs + minute * 60_000);
    return [...panes.touched].map(({ values }) => values.join()).toSorted();
  };
  const group = (name: string) => panes.groups.find(({ values }) => values.join() === name)!;
  return { partition, panes, add, read, group };
}

test('complete groups of runs are counted by their right runs, once a pane tells the groups of their slice', () => {
  const { partition, add, read, group } = watched();
  const { breakdowns, slices } = partition.state;
  const runs = (model: string, name: keyof typeof histogramAt, gold: number, key: number, groups: number): void => {
    const slice = sliceCode(slices, [model, 'agent']);
    addToHistogram(breakdowns, slice, histogramLabels * histogramAt[name] + gold, key, groups);
    // Nothing is counted but by an event.
    partition.state.numbers.read++;
  };
  const correct = (name: string) => [...group(name).correct.slice(0, 3)];
  for (const model of ['a', 'b']) add(model, 0);
  runs('a', 'correct', 0, 2, 3);
  runs('a', 'correct', histogramLabels - 1, 2, 1);
  for (const other of ['shapes', 'flips'] as const) runs('a', other, 0, 1, 9);
  runs('b', 'correct', 1, 0, 5);
  runs('late', 'correct', 0, 1, 7);
  read(0);
  assert.deepEqual(['', 'a', 'b'].map(correct), [
    [5, 0, 4],
    [0, 0, 4],
    [5, 0, 0],
  ]);
  runs('a', 'correct', 0, 1, 2);
  runs('b', 'flips', 0, 1, 2);
  assert.deepEqual(read(0), ['', 'a']);
  assert.deepEqual(correct('a'), [0, 2, 4]);
  assert.deepEqual(read(0), []);
  add('late', 0);
  assert.deepEqual(read(0), ['', 'late']);
  assert.deepEqual(
    [correct('late'), correct('')],
    [
      [0, 7, 0],
      [5, 9, 4],
    ],
  );
});
