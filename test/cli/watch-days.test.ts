import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoModels } from '../../src/commands/demo/catalogue.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { createPlanter } from '../../src/commands/watch/planted-spikes.ts';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { zOfLevel } from '../../src/scoring/quantile.ts';
import { wilson } from '../../src/scoring/reading.ts';
import { createEndDesigns } from '../../src/statistics/watch-end.ts';
import { worstOf } from '../../src/statistics/watch-rates.ts';
import { watchableRates } from '../../src/view/watched-rates.ts';
import { configWith, foldingOf } from '../support/folding.ts';
import { runProgram } from '../support/program.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Three days of sparse traffic in which one of three models goes wrong for an hour, under the default watches. */

const [minuteMs, hourMs] = [60_000, 3_600_000];
const everyMs = 18_000;
const startMs = Date.UTC(2026, 4, 1);
const worse = 'atlas-mini';
const spike = { fromMs: startMs + 48 * hourMs, toMs: startMs + 49 * hourMs };
const ends = createEndDesigns();

/** Truth and events of a seed. No example comes twice to a model: cases are independent, as designs have them. */
function recorded(seed: number) {
  const examples = (72 * hourMs) / everyMs / demoModels.length;
  const traffic = createTraffic({ seed, examples, runs: 1, duplicates: 0, malformed: 0 });
  const events: string[] = [];
  for (let ms = startMs; ms < startMs + 72 * hourMs; ms += everyMs)
    for (const { value } of traffic.next(ms, ms >= spike.fromMs && ms < spike.toMs ? worse : undefined))
      events.push(value);
  return { truth: traffic.examples.map(({ record }) => record), events };
}

/** Counts the cases of a rate of the model from the end of the spike until a time. */
function casesAfter({ truth, events }: ReturnType<typeof recorded>): (watch: string, untilMs: number) => number {
  const { fold, state, add } = foldingOf(configWith(), truthFromRecords(truth));
  const rates = watchableRates(state.settings.layout);
  const { casesOf } = createPlanter(state.settings.layout);
  const found: { readonly ts: number; readonly cases: ReadonlyMap<string, number> }[] = [];
  fold.out.onScored = (scored) => {
    if (scored.event.model !== worse || scored.ts < spike.toMs) return;
    const cases = new Map(rates.map((rate) => [rate.path, casesOf(scored, rate).n]));
    found.push({ ts: scored.ts, cases });
  };
  add(events, startMs + 72 * hourMs);
  return (watch, untilMs) =>
    found.filter(({ ts }) => ts < untilMs).reduce((sum, { cases }) => sum + cases.get(watch)!, 0);
}

/** Mean cases to the end of an alarm, by its design. */
function designedEnd({ baseline, rate: { numerator, denominator } }: PlainIncident['rates'][number]): number {
  const [lower] = wilson(numerator, denominator, zOfLevel(0.9));
  return ends(baseline, worstOf(baseline), lower).endCases;
}

for (let seed = 1; seed <= runs(1, 5); seed++)
  test(`an hour's spike in 72 hours is one incident of its model, over as designed, and no other model is in it; seed ${seed}`, async (context) => {
    const cwd = temporaryFolder(context);
    const traffic = recorded(seed);
    writeFileSync(join(cwd, 'truth.ndjson'), traffic.truth.map((row) => `${JSON.stringify(row)}\n`).join(''));
    writeFileSync(join(cwd, 'events.ndjson'), `${traffic.events.join('\n')}\n`);
    const files = ['--truth', 'truth.ndjson', '--events', 'events.ndjson'];
    const { status, stdout, stderr } = await runProgram(['watch', 'backtest', ...files, '--json'], { cwd });
    assert.equal(status, 0, stderr);
    const { incidents } = JSON.parse(stdout) as { incidents: readonly PlainIncident[] };
    // A false alarm, of which there is one in 30 days, may be among the others.
    const near = incidents.filter(({ begin }) => Math.abs(Date.parse(begin) - spike.fromMs) < 3 * hourMs);
    assert.deepEqual(
      near.map(({ slice }) => slice),
      [{ model: worse }],
    );
    for (const { slice } of incidents) assert.ok((slice['model'] ?? worse) === worse, JSON.stringify(incidents));
    const { since, begin, end, rates, also } = near[0]!;
    assert.ok(Math.abs(Date.parse(since) - spike.fromMs) < 10 * minuteMs, since);
    assert.ok(Date.parse(begin) > spike.fromMs && Date.parse(begin) < spike.toMs, begin);
    assert.ok(end !== null);
    for (const { slice } of also) assert.ok(!('model' in slice), JSON.stringify(slice));
    const after = casesAfter(traffic);
    assert.ok(rates.length >= 2, JSON.stringify(rates));
    for (const rate of rates) {
      const cases = after(rate.watch, Date.parse(rate.end!));
      const designed = designedEnd(rate);
      context.diagnostic(`${rate.watch}: over ${cases} cases behind the spike, ${designed.toFixed(0)} in the mean`);
      assert.ok(cases <= 3 * designed, `${rate.watch}: ${cases} cases, designed ${designed}`);
    }
  });
