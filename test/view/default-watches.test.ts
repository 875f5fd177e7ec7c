import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { seeded } from '../../src/statistics/random.ts';
import { createDesigns } from '../../src/statistics/watch-design.ts';
import { incidentsOf } from '../../src/view/incidents.ts';
import { addReadings, noAlarms, watchedAlarms } from '../../src/view/watch-alarms.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { calmTraffic } from '../support/calm-traffic.ts';
import { configWith } from '../support/folding.ts';
import { soak } from '../support/soak.ts';

/*
 * Services without a configuration, from their first event on: every watch of every group learns its baseline, and no rate ever changes. The
 * watches are to give one false alarm in 30 days, all together.
 */

const [minuteMs, dayMs] = [60_000, 86_400_000];
const startMs = Date.UTC(2026, 0, 1);
const everyDays = 30;
const size = soak ? { seeds: 20, models: 40, days: 14 } : { seeds: 2, models: 6, days: 3 };
const config = configWith();
const settings = settingsOf(config, undefined);
/** A design is a function of its numbers: made once for all watchers. */
const designs = createDesigns();

/** Paths of the alarms of a service, and how many incidents they are. */
function alarmsOf(seed: number): { readonly watches: readonly string[]; readonly incidents: number } {
  const traffic = calmTraffic(config, settings, { random: seeded(seed), models: size.models, startMs });
  const watcher = { ...watcherOf(config, settings)!, designs };
  const alarms = noAlarms();
  for (let minute = 0; minute < (size.days * dayMs) / minuteMs; minute++) {
    const asOfMs = traffic.next();
    addReadings(alarms, watchReadings(watcher, [traffic.state], asOfMs), asOfMs);
  }
  const watched = watchedAlarms(alarms);
  return { watches: watched.map(({ reading }) => reading.watch), incidents: incidentsOf(watched).length };
}

test(`the default watches of ${size.seeds} calm services of ${size.models} models, ${size.days} days: false alarms are no more than designed`, (context) => {
  const found = Array.from({ length: size.seeds }, (_, at) => alarmsOf(at + 1));
  const paths = found.flatMap(({ watches }) => watches);
  const incidents = found.reduce((sum, one) => sum + one.incidents, 0);
  const designed = (size.seeds * size.days) / everyDays;
  const weeks = (size.seeds * size.models * size.days) / 7;
  context.diagnostic(
    `seeds 1 to ${size.seeds}: ${paths.length} alarms, ${incidents} incidents, designed ${designed.toFixed(1)}; ${(incidents / weeks).toFixed(4)} pages a week and model, designed ${(designed / weeks).toFixed(4)}`,
  );
  for (const { metric } of watcherOf(config, settings)!.rules)
    context.diagnostic(`${metric}: ${paths.filter((path) => path === metric).length}`);
  // By chance no more than two standard deviations above.
  assert.ok(paths.length <= designed + 2 * Math.sqrt(designed), `${paths.length}, designed ${designed}`);
});
