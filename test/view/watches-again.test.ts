import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PartitionState } from '../../src/state/partition.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import type { Watcher } from '../../src/view/watcher.ts';
import { prepareWatches, watchReadings } from '../../src/view/watches.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

/* A watcher that has read before: what it goes on with, and what it must not. */

const settings = watchSettings(['5m', '1h', '24h']);
const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const minute = (model: string, at: number, bad = 2): Cases => ({ model, tsMs: startMs + at * minuteMs, n: 100, bad });

type Partition = ReturnType<typeof watchedPartition>;

/** Minutes of two models. */
function traffic(minutes: number): Partition {
  const partition = watchedPartition(settings);
  for (let at = 0; at < minutes; at++) for (const model of ['a', 'b']) partition.add(minute(model, at));
  return partition;
}

const nowOf = ({ state }: { readonly state: PartitionState }): number => state.numbers.greatestTs;

const readings = (watcher: Watcher, partition: Partition, asOfMs = nowOf(partition)): readonly WatchReading[] =>
  watchReadings(watcher, [partition.state], asOfMs);

const stepsOf = (watcher: Watcher, partition: Partition) =>
  prepareWatches(watcher, [partition.state], () => nowOf(partition));

test('a reading tells the cases that its baseline is learned from: those before the last hour', () => {
  const [total] = readings(watcherWith(settings, {}), traffic(200));
  const { n, bad } = total!.before!;
  assert.ok(n >= 2 * 100 * 136 && n <= 2 * 100 * 140, `${n}`);
  assert.equal(bad, n / 50);
  const [configured] = readings(watcherWith(settings, { baseline: 0.02 }), traffic(30));
  assert.deepEqual([configured!.design!.baseline, configured!.before], [0.02, undefined]);
});

test('a baseline that late events have changed has another design, for as many cases', () => {
  const partition = traffic(200);
  const watcher = watcherWith(settings, {});
  const baselines = (from: Watcher) => readings(from, partition).map(({ design }) => design!.baseline);
  const before = baselines(watcher);
  for (let at = 0; at < 120; at++) partition.add(minute('a', at, 5));
  const after = baselines(watcher);
  assert.deepEqual(after, baselines(watcherWith(settings, {})));
  assert.ok(after[0]! > before[0]! && after[1]! > before[1]!);
});

test('an alarm of 24 hours ago is over a millisecond later, though nothing has come', () => {
  const long = watchSettings(['30d']);
  const { paneMs } = long.windows.tiers[0]!;
  const partition = watchedPartition(long);
  const rule = { baseline: 0.02, sets: [[]] };
  const firstMs = Math.ceil(startMs / paneMs) * paneMs;
  for (let pane = 0; pane <= 12; pane++)
    partition.add({ model: 'a', tsMs: firstMs + pane * paneMs, n: 100, bad: pane === 0 ? 60 : 0 });
  const watcher = watcherWith(long, rule);
  const spells = (asOfMs: number) => readings(watcher, partition, asOfMs)[0]!.spells.length;
  assert.deepEqual([spells(nowOf(partition)), spells(nowOf(partition) + 1)], [1, 0]);
});

test('a group that late events make known shares the false alarms of groups that nothing has come to', () => {
  const partition = traffic(400);
  const rule = { baseline: 0.02, falseAlarm: { everyMs: 24 * hourMs }, sets: [['model']] };
  const watcher = watcherWith(settings, rule);
  const before = readings(watcher, partition);
  for (let at = 0; at < 400; at++) partition.add(minute('late', at));
  const after = readings(watcher, partition);
  assert.deepEqual(after, readings(watcherWith(settings, rule), partition));
  assert.ok(after[0]!.design!.falseAlarmCases > before[0]!.design!.falseAlarmCases);
});

test('readings of groups that nothing has come to stay where they are, and charts go on', () => {
  const partition = traffic(200);
  const watcher = watcherWith(settings, {});
  readings(watcher, partition);
  const { last } = watcher;
  partition.add(minute('a', 199));
  readings(watcher, partition);
  assert.equal(watcher.last, last);
  for (const { kept } of watcher.watched.groups)
    for (const { chart } of kept) assert.ok(chart.endMs > nowOf(partition) - 10 * minuteMs);
});

test('a new group is learned and read, and the total is read', () => {
  const partition = traffic(120);
  const watcher = watcherWith(settings, {});
  readings(watcher, partition);
  partition.add(minute('new', 119));
  assert.equal([...stepsOf(watcher, partition)].length, 1 + 2);
});

test('who prepares a reading gives up where somebody has read for a later time', () => {
  const panes = settings.windows.tiers.reduce((sum, tier) => sum + tier.panes, 0) - 8;
  const groups = 3;
  // While it learns, and while it reads.
  for (const begun of [panes + 1, panes + groups + 1]) {
    const partition = traffic(120);
    const watcher = watcherWith(settings, {});
    const asOfMs = nowOf(partition);
    const slow = prepareWatches(watcher, [partition.state], () => asOfMs);
    for (let step = 0; step < begun; step++) assert.equal(slow.next().done, false);
    readings(watcher, partition, asOfMs + 5 * minuteMs);
    assert.equal(slow.next().done, true);
  }
});

test('a group that another has just met in a pane is left for the next reading', () => {
  const partition = traffic(120);
  const watcher = watcherWith(settings, {});
  readings(watcher, partition);
  partition.add(minute('a', 100));
  const one = stepsOf(watcher, partition);
  assert.equal(one.next().done, false);
  for (let at = 80; at < 119; at++) partition.add(minute('new', at));
  const other = stepsOf(watcher, partition);
  assert.equal(other.next().done, false);
  assert.ok([...watcher.panes.touched].some(({ values }) => values[0] === 'new'));
  for (const left of [one, other]) while (left.next().done === false);
  assert.deepEqual(readings(watcher, partition), readings(watcherWith(settings, {}), partition));
});
