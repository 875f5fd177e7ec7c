import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { causeText } from '../../src/view/cause-text.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import type { WatchRule } from '../../src/view/watch-baseline.ts';
import type { Watcher } from '../../src/view/watcher.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { runs } from '../support/soak.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Step {
  readonly partition: number;
  readonly on: number;
  readonly back: number;
  readonly model: string;
  readonly n: number;
  readonly share: number;
  readonly read: boolean;
  readonly restored: 'not' | 'anew' | 'onto';
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    partition: fc.nat(1),
    on: fc.oneof(fc.nat(5_000), fc.nat(90_000), fc.nat(2_000_000)),
    back: fc.oneof(fc.constant(0), fc.nat(50_000), fc.nat(4_000_000)),
    model: fc.constantFrom('a', 'b', '__proto__'),
    n: fc.nat(400),
    share: fc.constantFrom(0, 0.02, 0.3, 1),
    read: fc.boolean(),
    restored: fc.constantFrom('not', 'anew', 'onto'),
  }),
  { maxLength: 40 },
);

const rules: readonly Partial<WatchRule>[] = [
  { sets: [['model']], where: { model: 'a' }, baseline: 0.02 },
  { falseAlarm: { everyMs: 24 * hourMs } },
];

for (const windows of [['5m', '1h', '24h'], ['1h'], ['2h', '3h'], ['1h', '30d']])
  test(`what was read before changes nothing: windows ${windows.join()}`, () => {
    const settings = watchSettings(windows);
    fc.assert(
      fc.property(steps, (events) => {
        const watcher = watcherWith(settings, ...rules);
        let partitions = [0, 1].map(() => watchedPartition(settings));
        let nowMs = startMs;
        const log: [number, Cases][] = [];
        for (const { partition, on, back, model, n, share, read, restored } of events) {
          nowMs += on;
          const cases = { model, tsMs: nowMs - back, n, bad: Math.floor(n * share) };
          log.push([partition, cases]);
          partitions[partition]!.add(cases);
          if (restored === 'anew') partitions = replayed(settings, log);
          if (restored === 'onto') partitions = partitions.map(({ state }) => watchedPartition(settings, again(state)));
          const states = partitions.map(({ state }) => state);
          if (read) assert.deepEqual(readings(watcher, states), readings(watcherWith(settings, ...rules), states));
        }
      }),
      { numRuns: runs(8, 100) },
    );
  });

/** The state of its containers, as after a checkpoint is restored onto them. */
function again(state: PartitionState): PartitionState {
  return finish(restoredPartition(state.settings, storeOf(state, {})));
}

function replayed(settings: ReturnType<typeof watchSettings>, log: readonly [number, Cases][]) {
  const partitions = [0, 1].map(() => watchedPartition(settings));
  for (const [partition, cases] of log) partitions[partition]!.add(cases);
  return partitions;
}

function readings(watcher: Watcher, states: readonly PartitionState[]): readonly WatchReading[] {
  return watchReadings(watcher, states, Math.max(...states.map(({ numbers }) => numbers.greatestTs)));
}

const settings = watchSettings(['5m', '1h', '24h']);

/** A minute of one model's traffic: 100 cases at a share of bad ones. */
const minute = (model: string, at: number, share: number): Cases => ({
  model,
  tsMs: startMs + at * minuteMs,
  n: 100,
  bad: Math.round(100 * share),
});

/** Hours of two models, of which one has a spike for the last minutes. */
function traffic(minutes: number, spikeMinutes: number): ReturnType<typeof watchedPartition> {
  const partition = watchedPartition(settings);
  for (let at = 0; at < minutes; at++) {
    partition.add(minute('steady', at, 0.02));
    partition.add(minute('other', at, at < minutes - spikeMinutes ? 0.02 : 0.8));
  }
  return partition;
}

/** Steps of some seconds, with what little comes in them: most groups of a reading are what they were in the one before. */
const moments = fc.array(
  fc.record({
    on: fc.nat(20_000),
    back: fc.oneof(fc.constant(0), fc.nat(600_000)),
    model: fc.constantFrom('steady', 'other', 'new'),
    n: fc.nat(60),
    share: fc.constantFrom(0, 0.02, 0.5, 1),
  }),
  { minLength: 20, maxLength: 40 },
);

test('what is kept of a reading is what is read anew, moment by moment', () => {
  fc.assert(
    fc.property(moments, (events) => {
      const partition = traffic(200, 0);
      const watcher = watcherWith(settings, {});
      let nowMs = startMs + 200 * minuteMs;
      for (const { on, back, model, n, share } of events) {
        nowMs += on;
        // Event time moves on with the total, whatever comes late.
        partition.add({ model: 'steady', tsMs: nowMs, n: 1, bad: 0 });
        partition.add({ model, tsMs: nowMs - back, n, bad: Math.floor(n * share) });
        const read = readings(watcher, [partition.state]);
        assert.deepEqual(read, readings(watcherWith(settings, {}), [partition.state]));
      }
    }),
    { numRuns: runs(4, 100) },
  );
});

test('a reading for an earlier time does not hold what was read for a later one', () => {
  const [partition, behind] = [traffic(200, 0), watchedPartition(settings)];
  const states = [partition.state, behind.state];
  const asOfMs = startMs + 199 * minuteMs;
  const spike = { model: 'other', tsMs: asOfMs + 15_000, n: 400, bad: 400 };
  // Where the ring of panes has the spike, it held as much an hour before: that the pane is another does not show in its counts.
  behind.add({ ...spike, tsMs: spike.tsMs - hourMs });
  behind.add({ model: 'other', tsMs: asOfMs, n: 1, bad: 0 });
  const watcher = watcherWith(settings, {});
  const before = watchReadings(watcher, states, asOfMs);
  partition.add(spike);
  assert.notDeepEqual(watchReadings(watcher, states, asOfMs + 20_000), before);
  const anew = watchReadings(watcherWith(settings, {}), states, asOfMs);
  assert.deepEqual(watchReadings(watcher, states, asOfMs), anew);
});

test('a reading for a time an hour ago has the panes whose places later ones have taken', () => {
  const { state } = traffic(200, 110);
  const asOfMs = startMs + 150 * minuteMs;
  const watcher = watcherWith(settings, {});
  watchReadings(watcher, [state], startMs + 199 * minuteMs);
  assert.deepEqual(watchReadings(watcher, [state], asOfMs), watchReadings(watcherWith(settings, {}), [state], asOfMs));
});

const firing = (watches: readonly WatchReading[]) =>
  watches
    .filter((watch) => watch.firing)
    .map(({ values, span }) => [values.join(), (span!.sinceMs - startMs) / minuteMs]);

test('a spike names its model and the total, since it began, and no other; minutes and twenty hours into it', () => {
  for (const [minutes, spike] of [
    [240, 2],
    [240, 60],
    [1_440, 1_200],
  ] as const) {
    const { state } = traffic(minutes, spike);
    const found = firing(readings(watcherWith(settings, {}), [state]));
    assert.deepEqual(
      found.map(([name]) => name),
      ['', 'other'],
    );
    for (const [, since] of found) assert.ok(Math.abs(Number(since) - (minutes - spike)) <= 4, `${since}`);
  }
});

/** By values: what each alarm of a reading is due to. */
const causesIn = (watches: readonly WatchReading[]) =>
  watches.map(({ values, causes }) => `${values.join()}: ${causes.map(causeText).join()}`);

test('an alarm tells its causes as long as it lasts, and what does not fire has none', () => {
  const partition = traffic(240, 0);
  const watcher = watcherWith(settings, {});
  const told = () => causesIn(readings(watcher, [partition.state]));
  const quiet = [': ', 'other: ', 'steady: '];
  assert.deepEqual(told(), quiet);
  for (let at = 240; at < 243; at++) {
    for (const model of ['other', 'steady']) partition.add(minute(model, at, 0.02));
    partition.add({ ...minute('other', at, 0.8), agent: 'x' });
  }
  assert.deepEqual(told(), [': agent x,model other', 'other: agent x', 'steady: ']);
  for (let at = 243; at < 263; at++) for (const model of ['other', 'steady']) partition.add(minute(model, at, 0.02));
  assert.deepEqual(told(), quiet);
});

test('a group without a case in any window is not there any more', () => {
  const short = watchSettings(['1h']);
  const partition = watchedPartition(short);
  const watcher = watcherWith(short, {});
  const told = () => readings(watcher, [partition.state]).map(({ values }) => values.join());
  for (const [model, at] of [
    ['old', 0],
    ['new', 1],
  ] as const)
    partition.add(minute(model, at, 0));
  assert.deepEqual(told(), ['', 'new', 'old']);
  partition.add(minute('new', 59, 0));
  assert.deepEqual(told(), ['', 'new', 'old']);
  partition.add(minute('new', 61, 0));
  assert.deepEqual(told(), ['', 'new']);
});

test('it learns until there are 200 cases that are an hour old', () => {
  const { state } = traffic(60, 5);
  const watches = readings(watcherWith(settings, {}), [state]);
  assert.deepEqual(
    watches.map(({ design, firing: fires }) => [design, fires]),
    Array(3).fill([undefined, false]),
  );
});

test('truth that comes an hour late makes it fire, from when the events were', () => {
  const partition = watchedPartition(settings);
  const bad: Cases[] = [];
  for (let at = 0; at < 300; at++) {
    const cases = minute('m', at, at >= 200 && at < 215 ? 0.8 : 0.02);
    if (at >= 200 && at < 215) bad.push(cases);
    else partition.add(cases);
  }
  const watcher = watcherWith(settings, { sets: [['model']] });
  const before = readings(watcher, [partition.state]);
  assert.deepEqual(firing(before), []);
  for (const cases of bad) partition.add(cases);
  // Over since minute 215: what the late truth tells is a spike that has ended.
  assert.deepEqual(firing(readings(watcher, [partition.state])), []);
  for (let at = 300; at < 302; at++) partition.add(minute('m', at, 0.8));
  const [[, since]] = firing(readings(watcher, [partition.state])) as [[string, number]];
  assert.ok(Math.abs(since - 300) <= 1, `${since}`);
});

test('a group is watched by the first rule that fits it', () => {
  const { state } = traffic(120, 0);
  const own = { where: { model: 'other' }, sets: [['model']], baseline: 0.3 };
  const watches = readings(watcherWith(settings, own, { sets: [['model']], baseline: 0.1 }), [state]);
  assert.deepEqual(
    watches.map(({ values, design }) => [values[0], design!.baseline]),
    [
      ['other', 0.3],
      ['steady', 0.1],
    ],
  );
});

test('false alarms of a rule in time are shared among its groups, and counted in the cases of each', () => {
  const { state } = traffic(400, 0);
  const day = { baseline: 0.02, falseAlarm: { everyMs: 24 * hourMs } };
  const cases = (...sets: (readonly string[])[]) =>
    readings(watcherWith(settings, { ...day, sets }), [state]).map(({ design }) => design!.falseAlarmCases);
  const [total] = cases([]);
  // 144,000 cases a day for each of two models: 288,000 in all.
  assert.ok(total! >= 288_000 && total! < 310_000, `${total}`);
  for (const each of cases(['model'])) assert.ok(each >= 288_000 && each < 310_000, `${each}`);
});
