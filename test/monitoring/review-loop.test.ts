import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { ReviewDocument } from '../../src/formats/summary/review.ts';
import { browserFor, noBrowser, open } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Pager, startAlertmanager, startPager, startPrometheus } from '../support/monitoring.ts';
import { allGroups } from '../support/promtool.ts';
import { correctAll, review } from '../support/review-page.ts';
import { events, incidentsOf, sendTraffic, watches, wrongEvents } from '../support/review-scene.ts';
import { rateIn, type Served, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { installed, testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { pages } from './live-kit.ts';
import { scaledGroups } from './scaled-rules.ts';

/* The whole loop: a spike, one notification by a real Alertmanager, its link, the review, the corrections, and the end of both alarm and alert. */

/** Half an hour, for which an alert is kept after the end of its incident, is three seconds. */
const factor = 600;

testWith(
  ['prometheus'],
  'a spike is one notification, whose link leads to the review that ends it',
  async (context, command) => {
    if (noBrowser !== false) return context.skip(noBrowser);
    const alertmanagerCommand = installed('prometheus-alertmanager', 'alertmanager');
    assert.ok(alertmanagerCommand !== undefined, 'Alertmanager is not installed (Debian: prometheus-alertmanager)');
    const port = await freePort();
    const links = { page: `http://127.0.0.1:${port}/` };
    const served = await serve(temporaryFolder(context), '1', { ...watches, links }, port);
    context.after(() => served.process.kill('SIGKILL'));
    const pager = await startPager(context);
    const alertmanager = await startAlertmanager(context, alertmanagerCommand, pager.url);
    const paging = allGroups().filter(({ rules }) =>
      rules.some((rule) => 'alert' in rule && rule.alert === 'AssayWatchFiring'),
    );
    const groups = scaledGroups(paging, factor);
    await startPrometheus(context, command, { targets: [`127.0.0.1:${port}`], groups, alertmanager, scrapeMs: 1_000 });
    assert.deepEqual(pages(pager), []);
    await sendTraffic(served);
    await until('the notification', () => pages(pager).length > 0, 60_000);
    const [page] = pages(pager);
    assert.deepEqual([page!.labels['alertname'], page!.labels['model']], ['AssayWatchFiring', 'a']);
    const corrected = await correctByLink(await browserFor(context), served, page!.annotations['page_url']!);
    await endsWith(served, pager, corrected);
  },
);

/** Follows the link of the notification, and corrects the truth of all cases of the alarm. Resolves with their number, and the page. */
async function correctByLink(browser: Browser, served: Served, link: string): Promise<Corrected> {
  const { page } = await open(browser, link);
  await page.waitForSelector('.alarm');
  await page.click(review.open);
  await page.waitForSelector(review.item);
  const { items } = (await (await fetch(`${served.url}/api/v1/review`)).json()) as ReviewDocument;
  const number = items.filter(({ reason }) => reason === 'alarm').length;
  assert.ok(number > 5, String(number));
  await page.fill(review.name, 'ann');
  await page.focus(review.part);
  await page.keyboard.press('e');
  await correctAll(page, number);
  return { page, number };
}

interface Corrected {
  readonly page: Page;
  readonly number: number;
}

/** Rate, alarm, page and notification say that it is over; nobody was paged twice. */
async function endsWith(served: Served, pager: Pager, { page, number }: Corrected): Promise<void> {
  const right = events - wrongEvents + number;
  await until(
    'the rate has moved',
    async () => rateIn(await served.summary(), 'match', 'correct') === `${right}/${events}`,
  );
  await until('the alarm is over', async () => (await incidentsOf(served)).length === 0);
  await page.waitForSelector('.now:not(:has(.alarm))');
  // The link shows a window; the numbers of all events are asked for.
  await page.goto(`${served.url}/#window=all`);
  await page.reload();
  await page.waitForSelector(`.verdict [data-path="match.correct"][data-value="${right / events}"]`);
  await until('the notification is taken back', () => pages(pager, 'resolved').length > 0, 60_000);
  assert.deepEqual([pages(pager).length, pages(pager, 'resolved').length], [1, 1]);
}
