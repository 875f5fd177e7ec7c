import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReadings, noAlarms } from '../../src/view/watch-alarms.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { prng } from '../sim/prng.ts';
import { soak } from '../support/soak.ts';
import { watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

/* Simulated services that are well all the time: watches with learned baselines give at most as many alarms as they are designed for. */

const [services, days] = soak ? [200, 30] : [20, 12];
const dayMs = 86_400_000;
const paneMs = 28 * 60_000;
const settings = watchSettings(['7d']);

/** Alarms of a service of which a share of the cases is bad, so many cases in each pane. */
function alarmsOf(random: ReturnType<typeof prng>, rate: number, n: number): number {
  const partition = watchedPartition(settings);
  const watcher = watcherWith(settings, { sets: [[]], falseAlarm: { everyMs: 5 * dayMs } });
  const alarms = noAlarms();
  const startMs = Date.UTC(2026, 0, 1);
  for (let tsMs = startMs; tsMs < startMs + days * dayMs; tsMs += paneMs) {
    let bad = 0;
    for (let i = 0; i < n; i++) if (random.chance(rate)) bad++;
    partition.add({ model: 'm', tsMs, n, bad });
    addReadings(alarms, watchReadings(watcher, [partition.state], tsMs), tsMs);
  }
  return alarms.all.length;
}

test(`${services} services of ${days} days with one false alarm in 5 days each by design; seed 19`, (context) => {
  const random = prng(19);
  let alarms = 0;
  for (let service = 0; service < services; service++)
    alarms += alarmsOf(random.fork(), random.pick([0.005, 0.02, 0.05, 0.15, 0.4]), random.pick([20, 100, 400]));
  const designed = (services * days) / 5;
  context.diagnostic(`${alarms} alarms, designed ${designed}`);
  assert.ok(alarms <= designed, `${alarms} alarms, designed ${designed}`);
});
