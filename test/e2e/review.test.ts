import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import type { ReviewDocument } from '../../src/formats/summary/review.ts';
import { browserFor, noBrowser, open, overflow } from '../support/browser.ts';
import { rateIn, type Served, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* A spike of wrong calls through the door, its alarm, the page that the alarm leads to, and a person who corrects the truth: the rate and the alarm move. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options = { skip: noBrowser };
const [events, spikeFrom, pastMs] = [420, 396, 7_200_000];
/** Wrong events of the spike, of model a. */
const spike = (events - spikeFrom) / 2;
const watch = {
  metric: 'match.correct',
  by: ['model'],
  baseline: 0.1,
  worst: 0.5,
  false_alarm_every: { cases: 10_000 },
};
const watches = { watches: [watch] };

const isWrong = (at: number): boolean => at % 20 === 1 || (at >= spikeFrom && at % 2 === 0);
const booking = (city: string): object[] => [{ name: 'book', arguments: { city, seats: 2 } }];

function lines(of: (at: number) => object): string {
  return Array.from({ length: events }, (_, at) => JSON.stringify(of(at))).join('\n');
}

async function sendTraffic(served: Served): Promise<void> {
  const startMs = Date.now() - pastMs;
  const truth = lines((at) => ({ example_id: `x${at}`, label: 'tool_call', expected_tool_calls: booking('Oslo') }));
  const predictions = lines((at) => ({
    ...{ example_id: `x${at}`, event_id: `e${at}`, model: at % 2 === 0 ? 'a' : 'b' },
    ts: startMs + (pastMs * at) / events,
    tool_calls: booking(isWrong(at) ? 'Rome' : 'Oslo'),
  }));
  for (const [path, body] of [
    ['/v1/truth', truth],
    ['/v1/events', predictions],
  ] as const)
    assert.equal((await served.post(path, body, 'application/x-ndjson')).status, 200);
  await until('all is scored', async () => (await served.summary()).records['scored'] === events);
}

async function incidentsOf({ url }: Served): Promise<readonly PlainIncident[]> {
  const { incidents } = (await (await fetch(`${url}/api/v1/watches`)).json()) as { incidents: PlainIncident[] };
  return incidents.filter(({ end }) => end === null);
}

const wrongEvents = Array.from({ length: events }, (_, at) => at).filter(isWrong).length;
const statusOf = (page: Page): Promise<string | null> => page.textContent('.reviewed [role=status]');

/** Opens the review, sends too little and what is no call, and leaves the editor open. */
async function meetErrors(page: Page): Promise<void> {
  await page.click('[data-action=review]');
  await page.waitForSelector('.reviewed .failure');
  assert.match((await page.textContent('.reviewed'))!, /1 of \d+: a case of the alarm on/);
  await page.fill('[data-action=review-name]', 'ann');
  await page.focus('.reviewed');
  await page.keyboard.press('Enter');
  assert.match((await statusOf(page))!, /Choose right or wrong/);
  await page.keyboard.press('e');
  await page.waitForSelector('.reviewed textarea:focus');
  assert.match(await page.inputValue('.reviewed textarea'), /"city":"Oslo"/);
  await page.fill('.reviewed textarea', '[{"name": 5}]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reviewed [role=status]:has-text("expected")');
  assert.match((await statusOf(page))!, /name/, 'the reader of feedback says what is wrong');
}

/** Says of some events, one after the other, that the agent was right and the truth was not. */
async function correctAll(page: Page, number: number): Promise<void> {
  for (let at = 0; at < number; at++) {
    if (at > 0) await page.keyboard.press('e');
    await page.click('[data-action=review-right]');
    await page.fill('.reviewed textarea', JSON.stringify(booking('Rome')));
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.reviewed p:has-text("${at + 2} of")`);
    assert.equal(await statusOf(page), 'Sent: right, expected calls given.');
  }
}

/** Opens the page anew, and reviews an event of the random share. */
async function reviewByChance(served: Served, page: Page): Promise<void> {
  // What was said stays with its event, also for who opens the page anew.
  await page.reload();
  await page.waitForSelector('.reviewed .failure');
  const again = (await (await fetch(`${served.url}/api/v1/review`)).json()) as ReviewDocument;
  const random = again.items.findIndex(({ reason, said }) => reason === 'random' && said === null);
  await page.focus('.reviewed');
  for (let at = 0; at < random; at++) await page.keyboard.press('j');
  assert.match((await page.textContent('.reviewed'))!, /chosen by chance/);
  await page.keyboard.press('1');
  await page.waitForSelector('[data-action=review-right][aria-pressed=true]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reviewed [role=status]:has-text("Sent: right.")');
  await page.keyboard.press('k');
  await page.waitForSelector('.reviewed strong:has-text("Reviewed by ann: right")');
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
  await dark.page.click('[data-action=review-edit]');
  await assertAccessible(dark.page);
  const { page } = await open(browser, `${url}/#review=open`);
  await page.fill('[data-action=review-name]', 'ann');
  await page.click('[data-action=review-wrong]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reviewed input[type=password]:focus');
  assert.match((await statusOf(page))!, /Enter a token/);
  await assertAccessible(page);
  await page.keyboard.type('another-token-than-that');
  await page.keyboard.press('Enter');
  const field = '.reviewed input[type=password]';
  await until('the wrong token is gone', async () => (await page.inputValue(field)) === '');
  await page.fill(field, token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reviewed [role=status]:has-text("Sent: wrong.")');
});
