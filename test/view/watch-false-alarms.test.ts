import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seeded } from '../../src/statistics/random.ts';
import { addReadings, noAlarms } from '../../src/view/watch-alarms.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { soak } from '../support/soak.ts';
import { watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

/*
 * Groups whose rates never change, watched from their first case on with baselines that are learned: every alarm is false. They are to have one
 * in ten days together.
 */

const [minuteMs, dayMs] = [60_000, 86_400_000];
const startMs = Date.UTC(2026, 0, 1);
const everyMs = 10 * dayMs;
const settings = watchSettings(['1h', '24h'], '1m');

/** Two digits of seeds, and of each as many groups for so many days. */
const size = soak ? { seeds: 20, groups: 40, days: 14 } : { seeds: 2, groups: 10, days: 4 };

/** A group by its rate and its mean cases a minute. */
interface Group {
  readonly model: string;
  readonly rate: number;
  readonly cases: number;
}

function alarmsOf(seed: number): number {
  const random = seeded(seed);
  const groups = Array.from({ length: size.groups }, (_, at): Group => {
    return { model: `m${at}`, rate: 0.002 * 50 ** random(), cases: 0.2 * 10 ** random() };
  });
  const partition = watchedPartition(settings);
  const watcher = watcherWith(settings, { falseAlarm: { everyMs } });
  const alarms = noAlarms();
  for (let ms = startMs; ms < startMs + size.days * dayMs; ms += minuteMs) {
    for (const { model, rate, cases } of groups) {
      const n = poisson(random, cases);
      let bad = 0;
      for (let at = 0; at < n; at++) if (random() < rate) bad++;
      if (n > 0) partition.add({ model, tsMs: ms, n, bad });
    }
    addReadings(alarms, watchReadings(watcher, [partition.state], ms), ms);
  }
  return alarms.all.length;
}

/** A Poisson number, by its exponential gaps. */
function poisson(random: Random, mean: number): number {
  let count = 0;
  const wait = (): number => -Math.log1p(-random());
  for (let left = mean - wait(); left > 0; left -= wait()) count++;
  return count;
}

test(`${size.seeds} seeds of ${size.groups} groups for ${size.days} days: false alarms are no more than designed`, (context) => {
  const found = Array.from({ length: size.seeds }, (_, at) => alarmsOf(at + 1));
  const total = found.reduce((sum, alarms) => sum + alarms, 0);
  const designed = (size.seeds * size.days * dayMs) / everyMs;
  context.diagnostic(`${total} false alarms, designed ${designed}; by seed ${found.join(' ')}`);
  // By chance no more than two standard deviations above.
  assert.ok(total <= designed + 2 * Math.sqrt(designed), `${total}, designed ${designed}`);
});
