import assert from 'node:assert/strict';
import { freePort } from '../support/free-port.ts';
import { withKafka } from '../support/kafka.ts';
import { query, startPrometheus } from '../support/monitoring.ts';
import { replaySummary, startService } from '../support/service.ts';
import { testWith } from '../support/tools.ts';
import { runs, soak } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const events = runs(4_000, 24_000);
const atOnce = 100;
const everyMs = 250;

withKafka('a real Prometheus', (kafka) => {
  const through = 'scrapes through a kill -9: increase() is within 2 % of the truth';
  testWith(['prometheus'], through, async (context, command) => {
    const port = await freePort();
    const more = { http: { port }, state: { checkpoint_every: '200ms' } };
    const { config, topic, traffic } = await sceneOf(context, kafka(), events, { partitions: 3, more });
    const targets = [`127.0.0.1:${port}`];
    const prometheus = await startPrometheus(context, command, { targets, scrapeMs: 500 });
    let service = startService(config);
    await service.url();
    // A counter's first value is 0: Prometheus must have seen it before it grows.
    await kafka().produce(topic, traffic.records.slice(0, 10));
    await until(
      'the first series are scraped',
      async () => (await numberOf(prometheus, 'sum(assay_outcomes_total)')) >= 0,
      60_000,
    );
    for (let from = 10; from < events; from += atOnce) {
      // Steady traffic in the soak: what is lost at a kill is what came in a scrape and a checkpoint interval.
      const next = soak ? new Promise((resolve) => setTimeout(resolve, everyMs)) : undefined;
      await kafka().produce(topic, traffic.records.slice(from, from + atOnce));
      await next;
      if (Math.abs(from - events / 2) > atOnce / 2) continue;
      if (!soak) {
        await until('half is read', async () => (await service.summary()).records['read'] === from + atOnce);
        await scraped(prometheus);
      }
      service.kill('SIGKILL');
      await service.ended;
      service = startService(config);
      if (soak) continue;
      await service.url();
      await scraped(prometheus);
    }
    const replay = await replaySummary(config, traffic.events);
    const truth = (replay.records as { scored: number }).scored;
    await until('all is counted', async () => (await service.summary()).records['scored'] === truth);
    await scraped(prometheus);
    const seen = await numberOf(prometheus, increase);
    context.diagnostic(`increase: ${seen}, truth: ${truth}`);
    assert.ok(Math.abs(seen - truth) < 0.02 * truth, `increase() is ${seen}, the truth is ${truth}`);
    assert.equal(await service.stop(), 0, service.log());
  });
});

/** Raw increase over everything: the sum of the steps of each process, resets taken as such. */
const increase = 'sum(increase(assay_outcomes_total[1h]))';

/** The value of an expression that is a number; NaN where there is none yet. */
async function numberOf(prometheus: string, expression: string): Promise<number> {
  const [sample] = await query(prometheus, expression);
  return sample?.value ?? Number.NaN;
}

/** Resolves when another scrape has happened. */
async function scraped(prometheus: string): Promise<void> {
  const count = 'sum(count_over_time(up{job="assay"}[1h]) and up == 1)';
  let before = await numberOf(prometheus, count);
  await until('a scrape', async () => {
    const now = await numberOf(prometheus, count);
    if (Number.isNaN(before)) before = now;
    return now >= before + 2;
  });
}
