import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { ReviewDocument } from '../../src/formats/summary/review.ts';
import { browserFor, noBrowser, open, overflow } from '../support/browser.ts';
import { correctAll, review, statusOf } from '../support/review-page.ts';
import { booking, events, incidentsOf, sendTraffic, spike, watches, wrongEvents } from '../support/review-scene.ts';
import { rateIn, type Served, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* A spike of wrong calls through the door, its alarm, the page that the alarm leads to, and a person who corrects the truth: the rate and the alarm move. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options = { skip: noBrowser };

/** Opens the review, sends too little and what is no call, and leaves the editor open. */
async function meetErrors(page: Page): Promise<void> {
  await page.click(review.open);
  await page.waitForSelector(review.item);
  assert.match((await page.textContent(review.part))!, /1 of \d+: a case of the alarm on/);
  await page.fill(review.name, 'ann');
  await page.focus(review.part);
  await page.keyboard.press('Enter');
  assert.match((await statusOf(page))!, /Choose right or wrong/);
  await page.keyboard.press('e');
  await page.waitForSelector(`${review.editor}:focus`);
  assert.match(await page.inputValue(review.editor), /"city":"Oslo"/);
  await page.fill(review.editor, '[{"name": 5}]');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${review.status}:has-text("expected")`);
  assert.match((await statusOf(page))!, /name/, 'the reader of feedback says what is wrong');
}

/** Opens the page anew, and reviews an event of the random share. */
async function reviewByChance(served: Served, page: Page): Promise<void> {
  // What was said stays with its event, also for who opens the page anew.
  await page.reload();
  await page.waitForSelector(review.item);
  const again = (await (await fetch(`${served.url}/api/v1/review`)).json()) as ReviewDocument;
  const random = again.items.findIndex(({ reason, said }) => reason === 'random' && said === null);
  await page.focus(review.part);
  for (let at = 0; at < random; at++) await page.keyboard.press('j');
  assert.match((await page.textContent(review.part))!, /chosen by chance/);
  await page.keyboard.press('1');
  await page.waitForSelector(`${review.right}[aria-pressed=true]`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${review.status}:has-text("Sent: right.")`);
  await page.keyboard.press('k');
  await page.waitForSelector(`${review.part} strong:has-text("Reviewed by ann: right")`);
  await until('the share of all traffic counts it', async () => {
    const { groups } = await served.summary();
    return (groups[0]!['feedback'] as { traffic: { n: number } }).traffic.n === 1;
  });
}

test(
  'a spike is one alarm, its link shows its failures, and corrections in the page move the rate and end the alarm',
  options,
  async (context) => {
    const served = await serve(temporaryFolder(context), '1', watches);
    context.after(() => served.process.kill('SIGKILL'));
    await sendTraffic(served);
    await until('one alarm goes on', async () => (await incidentsOf(served)).length === 1);
    const [incident] = await incidentsOf(served);
    assert.deepEqual([incident!.slice, incident!.watch], [{ model: 'a' }, 'match.correct']);
    assert.equal(rateIn(await served.summary(), 'match', 'correct'), `${events - wrongEvents}/${events}`);

    // As the alert links to the page, by the labels of its group.
    const { page, requests, troubles } = await open(
      await browserFor(context),
      `${served.url}/#by=model&model=a&window=all`,
    );
    await page.click('.alarm .line');
    await page.waitForSelector('.why p:has-text("Bad cases of")');
    const cards = await page.locator('.why .failure').allTextContents();
    assert.ok(cards.length > 0 && cards.every((text) => /^a/.test(text) && /Rome/.test(text)), cards[0]);

    await meetErrors(page);
    // The agent was right: Oslo is what the truth says in error.
    const { items } = (await (await fetch(`${served.url}/api/v1/review`)).json()) as ReviewDocument;
    const ofAlarm = items.filter(({ reason }) => reason === 'alarm').length;
    assert.ok(ofAlarm > 5 && ofAlarm <= spike, String(ofAlarm));
    await correctAll(page, ofAlarm);
    await until('the rate has moved', async () => {
      const summary = await served.summary();
      return (
        rateIn(summary, 'match', 'correct') === `${events - wrongEvents + ofAlarm}/${events}` &&
        rateIn(summary, 'feedback', 'correct') === `${ofAlarm}/${ofAlarm}`
      );
    });
    await until('the alarm is over', async () => (await incidentsOf(served)).length === 0);
    await page.waitForSelector('.now:not(:has(.alarm))');
    await page.click('.verdict [data-action=focus]');
    const shown = (events - wrongEvents + ofAlarm) / events;
    await page.waitForSelector(`.verdict [data-path="match.correct"][data-value="${shown}"]`);

    await reviewByChance(served, page);
    assert.ok(requests.every((asked) => asked.startsWith(served.url)));
    assert.deepEqual(
      troubles.filter((text) => !/status of 400/.test(text)),
      [],
    );
  },
);

async function assertAccessible(page: Page): Promise<void> {
  assert.equal(await overflow(page), 0);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>('axe.run(".review")');
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
  );
}

test('the review asks for a token where writing needs one, and axe finds nothing in it', options, async (context) => {
  const cwd = temporaryFolder(context);
  const token = 'a-token-for-the-review';
  writeFileSync(join(cwd, 'tokens'), token);
  const { url, process } = await serve(cwd, '1', { ingest: { tokens: [{ file: join(cwd, 'tokens') }] } });
  context.after(() => process.kill('SIGKILL'));
  const record = { example_id: 'y', event_id: 'y', model: 'a', tool_calls: booking('Rome') };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const taken = await fetch(`${url}/v1/events`, { method: 'POST', headers, body: JSON.stringify(record) });
  assert.equal(taken.status, 200);
  await until('it is listed', async () => (await (await fetch(`${url}/api/v1/review`)).text()).includes('"y"'));
  const browser = await browserFor(context);
  const dark = await open(browser, `${url}/#review=open`, { theme: 'dark', width: 360 });
  await dark.page.click(review.edit);
  await assertAccessible(dark.page);
  const { page } = await open(browser, `${url}/#review=open`);
  await page.fill(review.name, 'ann');
  await page.click(review.wrong);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${review.token}:focus`);
  assert.match((await statusOf(page))!, /Enter a token/);
  await assertAccessible(page);
  await page.keyboard.type('another-token-than-that');
  await page.keyboard.press('Enter');
  await until('the wrong token is gone', async () => (await page.inputValue(review.token)) === '');
  await page.fill(review.token, token);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${review.status}:has-text("Sent: wrong.")`);
});
