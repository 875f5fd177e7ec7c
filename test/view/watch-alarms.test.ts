import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchReading } from '../../src/view/summary.ts';
import { addReadings, noAlarms, watchKey } from '../../src/view/watch-alarms.ts';

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

test('a watch that is not read any more has ended', () => {
  assert.deepEqual(alarmsAfter([10, reading('a', 5)], [20]), [['a', 10, 20, 5]]);
});

test('a watch that fires again goes on with its alarm, unless its sum began with it or after it', () => {
  const again = (sinceMs: number) => alarmsAfter([10, reading('a', 5)], [20], [30, reading('a', sinceMs)]);
  assert.deepEqual(again(9), [['a', 10, undefined, 9]]);
  for (const sinceMs of [10, 25])
    assert.deepEqual(again(sinceMs), [
      ['a', 10, 20, 5],
      ['a', 30, undefined, sinceMs],
    ]);
});

test('the alarms of each watch are its own, the oldest first', () => {
  assert.deepEqual(alarmsAfter([10, reading('b', 5)], [20, reading('a', 1), reading('b', 5)], [30, reading('a', 1)]), [
    ['b', 10, 30, 5],
    ['a', 20, undefined, 1],
  ]);
  assert.notEqual(watchKey(reading('a', 1)), watchKey({ ...reading('a', 1), dimensions: ['agent'] }));
});
