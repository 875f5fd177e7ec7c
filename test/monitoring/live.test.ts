import assert from 'node:assert/strict';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { passesWithin } from '../support/monitoring.ts';
import { allGroups } from '../support/promtool.ts';
import { soak } from '../support/soak.ts';
import { testWith } from '../support/tools.ts';
import { patience, until } from '../support/until.ts';
import { accuracyAgrees } from './agreement.ts';
import { dashboardsHaveData } from './check-dashboards.ts';
import { type LiveKit, modelsFiring, pages, startLiveKit, takenBack } from './live-kit.ts';
import { scaledGroups } from './scaled-rules.ts';

/*
 * With ASSAY_TEST_PROMETHEUS (and ASSAY_TEST_SERVICE) the dashboards are checked against a Prometheus that runs already. Without, against the
 * real service on generated traffic with hours behind it, scraped by a real Prometheus, whose rules run 20 times as fast, with a real
 * Alertmanager.
 */
const given = process.env['ASSAY_TEST_PROMETHEUS'];
const givenService = process.env['ASSAY_TEST_SERVICE'];

test('every panel has data in the Prometheus that was given', { skip: given === undefined }, async () => {
  await dashboardsHaveData(given!, []);
  if (givenService !== undefined) await accuracyAgrees(given!, givenService, trafficTolerance);
});

/** While traffic goes on, some seconds of it lie between Prometheus and a summary. */
const trafficTolerance = 0.02;

const factor = 20;
const paneMs = 2_000;
/** So long after the end of a watch its page is taken back: half an hour, as fast as the rules. */
const heldMs = 1_800_000 / factor;
const hourMs = 3_600_000;
/** The service in this process writes no snapshots. */
const withoutSnapshots = ['Age of snapshots'];

/** What is sent, and who goes wrong. A rate with few cases takes minutes to be well again, so the quick one watches two that have many. */
const quick = { watches: [{ metric: 'decision.accuracy' }, { metric: 'decision.unknown_tool' }] };
const worlds = [
  { models: 3, rate: 200, each: 3_000, worse: 'atlas-mini', flags: quick, scrapeMs: 2_000 },
  { models: 3, rate: 150, each: 3_000, worse: 'atlas-mini', flags: {}, scrapeMs: 2_000 },
  { models: 60, rate: 240, each: 700, worse: 'heron-7b-19', flags: {}, scrapeMs: 5_000 },
  { models: 3, rate: 150, each: 3_000, worse: 'atlas-mini', flags: {}, scrapeMs: 2_000, isTruthless: true },
] as const;

// Minutes of a real Prometheus: the long list of faults has them.
for (const { models, rate, each, worse, flags, scrapeMs, ...more } of soak ? worlds : []) {
  const isTruthless = 'isTruthless' in more;
  testWith(
    ['prometheus'],
    `${models} models${isTruthless ? ' without truth' : ''}, ${flags === quick ? 'two rates' : 'every rate'} watched: panels have data, a spike is one page about its model, which is taken back with its watch`,
    async (context, command) => {
      const kit = await startLiveKit(context, command, {
        ...{ models, rate, history: { ms: 6 * hourMs, each }, busy: worse },
        ...{ scrapeMs, isTruthless, groups: scaledGroups(allGroups(), factor) },
        flags: { 'time.pane': `${paneMs}ms`, 'links.page': 'https://assay.test/', ...flags },
      });
      const { service, prometheus, pager } = kit;
      // Most panels show what only truth can tell.
      if (!isTruthless) await passesWithin(60_000, () => dashboardsHaveData(prometheus, withoutSnapshots));
      if (models <= 50 && !isTruthless)
        await passesWithin(50_000, () => accuracyAgrees(prometheus, service.url, trafficTolerance));
      assert.deepEqual(await service.firing(), [], 'no watch fires before the spike');
      assert.deepEqual(pages(pager), [], 'nobody is paged before the spike');
      await spikePagesOnce(context, kit, worse, scrapeMs);
    },
  );
}

async function spikePagesOnce(context: TestContext, kit: LiveKit, worse: string, scrapeMs: number): Promise<void> {
  const { service, prometheus, pager } = kit;
  service.spiking = worse;
  const beganMs = Date.now();
  const ofModel = `model ${worse}`;
  await until('its watch fires', async () => (await service.firing()).includes(ofModel), 90_000);
  const firedMs = Date.now();
  await until('the page goes out', () => pages(pager).length > 0, 20_000);
  const [page] = pages(pager);
  assert.equal(page!.labels['model'], worse);
  assert.ok(
    page!.atMs - firedMs < patience * (scrapeMs + 8_000),
    `paged ${page!.atMs - firedMs} ms after the watch fired`,
  );
  context.diagnostic(`fires ${firedMs - beganMs} ms after the spike began, page ${page!.atMs - firedMs} ms later`);
  context.diagnostic(page!.annotations['description']!);
  const text = /^([\w-]+) is worse since 20\d\d-.*: ([\w.]+) [\d.]+% → [\d.]+% bad of \d+ cases/;
  const [, model, metric] = text.exec(page!.annotations['description']!) ?? [];
  assert.equal(model, worse);
  const shown = new URLSearchParams(page!.annotations['page_url']!.split('#')[1]);
  assert.deepEqual([shown.get('by'), shown.get('model'), shown.get('sort')], ['model', worse, metric]);
  // The spike lasts long enough for whatever else might notice it.
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  assert.deepEqual(await modelsFiring(prometheus), [worse]);

  service.spiking = undefined;
  const endedMs = Date.now();
  const { lastedMs, takenBackMs } = await takenBack(kit, ofModel, 300_000 + heldMs);
  context.diagnostic(`the alarm lasts ${lastedMs - endedMs} ms after the spike, the page ${takenBackMs} ms later`);
  assert.ok(takenBackMs > heldMs - scrapeMs, `taken back after ${takenBackMs} ms`);
  assert.ok(takenBackMs < heldMs + patience * (scrapeMs + 5_000), `taken back after ${takenBackMs} ms`);
  // Nothing comes after it, such as the watch of the total.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const out = pages(pager).map(({ labels, startsAt }) => `${labels['alertname']} ${labels['model']} ${startsAt}`);
  assert.deepEqual(out, [`AssayWatchFiring ${worse} ${page!.startsAt}`], 'one page for the incident');
}
