import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogramAt, histogramLabels } from '../../src/scoring/stability/histograms.ts';
import { addToHistogram } from '../../src/state/breakdowns.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { designEffect } from '../../src/statistics/design-effect.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import { createWatchPanes } from '../../src/view/watch-panes.ts';
import { createWatcher, type Watcher } from '../../src/view/watcher.ts';
import { prepareWatches, watchReadings } from '../../src/view/watches.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const settings = watchSettings(['5m', '1h', '24h']);
const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

const minute = (model: string, at: number, bad = 2): Cases => ({ model, tsMs: startMs + at * minuteMs, n: 100, bad });

/** Minutes of two models. */
function traffic(minutes: number): ReturnType<typeof watchedPartition> {
  const partition = watchedPartition(settings);
  for (let at = 0; at < minutes; at++) for (const model of ['a', 'b']) partition.add(minute(model, at));
  return partition;
}

const readings = (watcher: Watcher, { state }: { readonly state: PartitionState }): readonly WatchReading[] =>
  watchReadings(watcher, [state], state.numbers.greatestTs);

const texts = (watches: readonly WatchReading[], of: (watch: WatchReading) => unknown) =>
  watches.map((watch) => `${watch.values.join()}: ${of(watch)}`);

function stepsOf(watcher: Watcher, { state }: { readonly state: PartitionState }): number {
  return [...prepareWatches(watcher, [state], () => state.numbers.greatestTs)].length;
}

test('a reading is prepared in steps: panes, and each group that something is learned of, or that is read', () => {
  const partition = traffic(120);
  const watcher = watcherWith(settings, {});
  const groups = 3;
  const panes = settings.windows.tiers.reduce((sum, tier) => sum + tier.panes, 0);
  assert.equal(stepsOf(watcher, partition), panes - 8 + 2 * groups);
  assert.equal(stepsOf(watcher, partition), 0);
  const read = readings(watcher, partition);
  assert.deepEqual(read, readings(watcherWith(settings, {}), partition));
  assert.equal(stepsOf(watcher, partition), 0);
  // In the newest pane nothing is learned: a model and the total are read.
  partition.add(minute('a', 119));
  assert.equal(stepsOf(watcher, partition), 2);
  // An older one is learned from too.
  partition.add(minute('a', 100));
  assert.equal(stepsOf(watcher, partition), 4);
});

test('a group of which nothing is known yet shares no false alarms', () => {
  const falseAlarm = { everyMs: 86_400_000 };
  const cases = (partition: ReturnType<typeof watchedPartition>) =>
    texts(readings(watcherWith(settings, { baseline: 0.02, falseAlarm, sets: [['model']] }), partition), (watch) => {
      return watch.design?.falseAlarmCases;
    });
  const partition = traffic(400);
  const before = cases(partition);
  partition.add(minute('new', 399));
  assert.deepEqual(cases(partition), [...before, 'new: undefined']);
});

test('a rule for some values watches no group that does not tell them, and no other metric', () => {
  const partition = traffic(60);
  const ofModel = { sets: [[], ['model']], where: { model: 'a' }, baseline: 0.02 };
  const watched = (...rules: Parameters<typeof watcherWith>[1][]) =>
    readings(watcherWith(settings, ...rules), partition).map(({ values }) => values.join());
  assert.deepEqual(watched(ofModel), ['a']);
  assert.deepEqual(watched({ metric: 'decision.accuracy' }), []);
  assert.deepEqual(watched({ sets: [['agent'], ['model']] }), ['a', 'b']);
});

test('a watch whose cases have all left the window has no design, and its alarm is over', () => {
  const short = watchSettings(['1h']);
  const partition = watchedPartition(short);
  const watcher = watcherWith(short, { baseline: 0.02, sets: [['model']] });
  for (let at = 0; at < 20; at++) partition.add(minute('a', at, 60));
  const [alarm] = readings(watcher, partition);
  assert.deepEqual([alarm!.firing, alarm!.spells.length, alarm!.design!.baseline], [true, 1, 0.02]);
  partition.add(minute('a', 90, 60));
  const [over] = readings(watcher, partition);
  const { design, firing, statistic, span, spells } = over!;
  assert.deepEqual([design, firing, statistic, span, spells], [undefined, false, 0, undefined, []]);
  // It begins anew with what comes.
  partition.add(minute('a', 91, 60));
  const [again] = readings(watcher, partition);
  assert.deepEqual([again!.firing, again!.span], [true, { sinceMs: startMs + 90 * minuteMs, n: 200, bad: 120 }]);
});

/** Complete groups of runs of a model, of which so many are all right and all wrong. */
function addRuns(partition: ReturnType<typeof watchedPartition>, model: string, right: number, wrong: number): void {
  const { breakdowns, slices, numbers } = partition.state;
  const slice = sliceCode(slices, [model, 'agent']);
  const correct = histogramLabels * histogramAt.correct;
  addToHistogram(breakdowns, slice, correct, settings.stability!.k, right);
  addToHistogram(breakdowns, slice, correct, 0, wrong);
  // Nothing is counted but by an event.
  numbers.read++;
}

test('a rate of events asks for more where runs are alike, a rate of runs does not; from then on', () => {
  const [rate] = watcherWith(settings).panes.rates;
  const ofRuns = { ...rate!, path: 'stability.stability', unit: 'runs' } as const;
  const [rule] = watcherWith(settings, { baseline: 0.02, sets: [[]] }).rules;
  const watcherOf = () =>
    createWatcher(createWatchPanes(settings, [rate!, ofRuns], [[]]), [rule!, { ...rule!, metric: ofRuns.path }]);
  const partition = traffic(120);
  partition.add({ ...minute('a', 119, 12), n: 12 });
  const watcher = watcherOf();
  const before = readings(watcher, partition);
  assert.deepEqual(
    before.map(({ watch, designEffect: effect, statistic }) => [watch, effect, statistic > 0]),
    [
      [rate!.path, 1, true],
      [ofRuns.path, 1, true],
    ],
  );
  addRuns(partition, 'a', 90, 10);
  const [ofEvents, same] = readings(watcher, partition);
  // All of a group are right, or all wrong: five count as one.
  assert.ok(Math.abs(designEffect([10, 0, 0, 0, 0, 90], 5) - 5) < 1e-9);
  assert.deepEqual([ofEvents!.designEffect, ofEvents!.statistic], [5, before[0]!.statistic / 5]);
  assert.deepEqual(same, before[1]);
  addRuns(partition, 'b', 0, 30);
  const { breakdowns, slices } = partition.state;
  addToHistogram(breakdowns, sliceCode(slices, ['b', 'agent']), histogramLabels * histogramAt.correct, 3, 100);
  const effect = designEffect([40, 0, 0, 100, 0, 90], 5);
  const [rounded] = readings(watcher, partition);
  assert.equal(rounded!.designEffect, Math.ceil(effect * 10) / 10);
  assert.notEqual(rounded!.designEffect, Math.round(effect * 10) / 10);
  assert.deepEqual(readings(watcher, partition), readings(watcherOf(), partition));
});
