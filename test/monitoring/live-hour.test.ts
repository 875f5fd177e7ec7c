import assert from 'node:assert/strict';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { PlainWatch } from '../../src/formats/summary/watch-document.ts';
import { getOrPut } from '../../src/state/containers/get-or-put.ts';
import { browserFor, open } from '../support/browser.ts';
import { type Notification, query } from '../support/monitoring.ts';
import { allGroups } from '../support/promtool.ts';
import { installed } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { type LiveKit, modelsFiring, pages, startLiveKit, takenBack } from './live-kit.ts';

/*
 * In real time, with nothing scaled: panes, rules and scrapes are those of the kit; Alertmanager alone sends within a second. First so many minutes in which nobody
 * may be paged, then as many of a spike, then its end. An hour of each is ASSAY_LIVE_MINUTES=60; without it nothing runs. With
 * ASSAY_LIVE_QUIET_MINUTES the first time is another.
 */
const minutes = Number(process.env['ASSAY_LIVE_MINUTES'] ?? 0);
const quietMinutes = Number(process.env['ASSAY_LIVE_QUIET_MINUTES'] ?? minutes);
const worlds = [
  { models: 3, rate: 40, each: 8_000, worse: 'atlas-mini' },
  { models: 60, rate: 80, each: 1_000, worse: 'heron-7b-19' },
] as const;
const [dayMs, hourMs, paneMs, scrapeMs, lookMs] = [86_400_000, 3_600_000, 10_000, 15_000, 15_000];
/**
 * So far from the begin of the spike may the begin of a span lie: a bad case just before it may belong to it. A rate that it hardly touches
 * takes long to be seen, and its begin is known by a fifth of that. After nearly an hour it is known by a pane of the day's window: the finer
 * ones begin where one of those does.
 */
const [sinceMs, sinceShare, dayPaneMs] = [12 * paneMs, 0.2, dayMs / 360];
const fineMs = hourMs - dayPaneMs;
/** So long after the end of a watch its page is taken back. */
const heldMs = 30 * 60_000;
const skip = minutes > 0 ? false : 'ASSAY_LIVE_MINUTES=60';

test(`${quietMinutes} minutes without a spike, ${minutes} with one, in real time`, {
  skip,
  concurrency: true,
}, async (suite) => {
  await Promise.all(
    worlds.map(({ models, rate, each, worse }) =>
      suite.test(`${models} models`, async (context) => {
        const kit = await startLiveKit(context, installed('prometheus')!, {
          ...{ models, rate, history: { ms: dayMs, each }, busy: worse },
          ...{ scrapeMs, groups: allGroups(), flags: { 'links.page': 'https://assay.test/' } },
        });
        const { page, troubles } = await open(await browserFor(context), kit.service.url);
        await quietHour(kit, page);
        await spike(context, kit, page, worse);
        assert.deepEqual(troubles, []);
      }),
    ),
  );
});

async function quietHour(kit: LiveKit, page: Page): Promise<void> {
  await everyLook(quietMinutes, async () => {
    assert.deepEqual(await kit.service.firing(), []);
    assert.deepEqual(pages(kit.pager), []);
    assert.doesNotMatch(await banner(page), /is worse/);
  });
}

async function spike(context: TestContext, kit: LiveKit, page: Page, worse: string): Promise<void> {
  const { service, prometheus, pager } = kit;
  service.spiking = worse;
  const beganMs = Date.now();
  await until('its watch fires', async () => (await service.firing()).includes(`model ${worse}`), 300_000);
  const firedMs = Date.now();
  await until('the page goes out', () => pages(pager).length > 0, 60_000);
  context.diagnostic(`fires after ${firedMs - beganMs} ms, page ${pages(pager)[0]!.atMs - firedMs} ms later`);
  context.diagnostic(pages(pager)[0]!.annotations['description']!);
  await until('the banner names it', async () => (await banner(page)).includes(`${worse} is worse`));
  const seenMs = new Map<string, number>();
  await everyLook(minutes, async () => {
    const seen = await modelsFiring(prometheus);
    const scraped = JSON.stringify(await query(prometheus, 'scrape_duration_seconds'));
    assert.deepEqual(seen, [worse], `Prometheus: ${seen}; the service: ${await service.firing()}; ${scraped}`);
    assert.match(await banner(page), new RegExp(`▲ ${worse} is worse`));
    const told = (await watchesOf(service.url)).filter(({ firing, slice }) => firing && 'model' in slice);
    assert.deepEqual([...new Set(told.map(({ slice }) => slice['model']))], [worse]);
    for (const { watch, since } of told) {
      const after = getOrPut(seenMs, watch, () => Date.now() - beganMs);
      const off = Math.abs(Date.parse(since!) - beganMs);
      assert.ok(
        off <= Math.max(Date.now() - beganMs < fineMs ? sinceMs : dayPaneMs, sinceShare * after),
        `${watch} since ${since}, seen ${after} ms after ${beganMs}`,
      );
    }
  });
  const causes = (await watchesOf(service.url)).filter(({ firing }) => firing).map(textOf);
  context.diagnostic(causes.join('\n'));

  service.spiking = undefined;
  const endedMs = Date.now();
  const { lastedMs, takenBackMs } = await takenBack(kit, `model ${worse}`, 2 * heldMs);
  context.diagnostic(`the alarm lasts ${lastedMs - endedMs} ms after the spike, the page ${takenBackMs} ms later`);
  assert.ok(takenBackMs <= heldMs + scrapeMs + 5_000, `taken back after ${takenBackMs} ms`);
  const named = pages(pager).map(({ labels, startsAt }) => `${labels['alertname']} ${labels['model']} ${startsAt}`);
  const [{ startsAt: began }] = pages(pager) as [Notification];
  assert.deepEqual([...new Set(named)], [`AssayWatchFiring ${worse} ${began}`], 'one page for the incident');
}

async function everyLook(forMinutes: number, look: () => Promise<void>): Promise<void> {
  for (const endMs = Date.now() + forMinutes * 60_000; Date.now() < endMs; ) {
    await look();
    await sleep(lookMs);
  }
}

async function banner(page: Page): Promise<string> {
  return (await page.textContent('.now'))!;
}

async function watchesOf(url: string): Promise<readonly PlainWatch[]> {
  const reply = await fetch(`${url}/api/v1/watches`);
  return ((await reply.json()) as { readonly watches: readonly PlainWatch[] }).watches;
}

function textOf({ watch, slice, since, rate, before, causes }: PlainWatch): string {
  return `${watch} ${JSON.stringify(slice)} since ${since}: ${rate?.value} from ${before?.value}; ${causes[0]?.text}`;
}
