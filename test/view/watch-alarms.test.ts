import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchReading } from '../../src/view/summary.ts';
import { addReadings, isChangedBy, noAlarms, watchKey } from '../../src/view/watch-alarms.ts';

/** A reading of the watch of one model, with a sum that runs since then; undefined: it does not fire. */
function reading(model: string, sinceMs: number | undefined): WatchReading {
  return {
    watch: 'decision.accuracy',
    dimensions: ['model'],
    values: [model],
    firing: sinceMs !== undefined,
    design: undefined,
    designEffect: 1,
    statistic: 0,
    span: sinceMs === undefined ? undefined : { n: 1, bad: 1, sinceMs },
    recovery: undefined,
    before: undefined,
    causes: [],
    incidents: [],
  };
}

type Moment = readonly [asOfMs: number, ...readings: WatchReading[]];

function alarmsAfter(...moments: readonly Moment[]) {
  const alarms = noAlarms();
  for (const [asOfMs, ...readings] of moments) addReadings(alarms, readings, asOfMs);
  return alarms.all.map((alarm) => [alarm.reading.values[0], alarm.beginMs, alarm.endMs, alarm.reading.span?.sinceMs]);
}

test('an alarm lasts from the first reading in which a watch fires to the first in which it does not', () => {
  assert.deepEqual(alarmsAfter([10, reading('a', undefined)]), []);
  assert.deepEqual(alarmsAfter([10, reading('a', 5)], [20, reading('a', 6)]), [['a', 10, undefined, 6]]);
  const ended: Moment[] = [
    [10, reading('a', 5)],
    [20, reading('a', undefined)],
    [30, reading('a', undefined)],
  ];
  assert.deepEqual(alarmsAfter(...ended), [['a', 10, 20, 5]]);
});

test('an alarm has the reading in which it ended, if that tells of it', () => {
  const ended = (endMs: number): WatchReading => {
    const incidents = [{ sinceMs: 5, beginMs: 8, untilMs: 15, endMs, n: 1, bad: 1 }];
    return { ...reading('a', undefined), incidents };
  };
  const last = (endMs: number) => alarmsAfter([10, reading('a', 5)], [20, ended(endMs)], [30, ended(endMs)]);
  assert.deepEqual([last(19), last(9)], [[['a', 10, 20, undefined]], [['a', 10, 20, 5]]]);
});

test('alarms are changed by readings with which some begin or end', () => {
  const alarms = noAlarms();
  const steps = [[], [reading('a', 5)], [reading('a', 6), reading('b', undefined)], [reading('b', 5)], [], []];
  const changed = steps.map((readings, at) => {
    const is = isChangedBy(alarms, readings);
    addReadings(alarms, readings, at);
    return is;
  });
  assert.deepEqual(changed, [false, true, false, true, true, false]);
});

test('a watch that is not read any more has ended', () => {
  assert.deepEqual(alarmsAfter([10, reading('a', 5)], [20]), [['a', 10, 20, 5]]);
});

test('a watch that fires again within half an hour goes on with its alarm', () => {
  const again = (asOfMs: number) => alarmsAfter([10, reading('a', 5)], [20], [asOfMs, reading('a', 25)]);
  assert.deepEqual(again(20 + 1_800_000), [['a', 10, undefined, 25]]);
  assert.deepEqual(again(21 + 1_800_000), [
    ['a', 10, 20, 5],
    ['a', 21 + 1_800_000, undefined, 25],
  ]);
});

test('the alarms of each watch are its own, the oldest first', () => {
  assert.deepEqual(alarmsAfter([10, reading('b', 5)], [20, reading('a', 1), reading('b', 5)], [30, reading('a', 1)]), [
    ['b', 10, 30, 5],
    ['a', 20, undefined, 1],
  ]);
  assert.notEqual(watchKey(reading('a', 1)), watchKey({ ...reading('a', 1), dimensions: ['agent'] }));
});
