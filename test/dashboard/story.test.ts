import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { PlainAlarm, PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { isObject } from '../../src/scoring/json.ts';
import { declaredAt } from '../../src/view/declared.ts';
import { noBrowser, open } from '../support/browser.ts';
import { at, cellsIn, numberAt } from '../support/page-cells.ts';
import { servedPages } from '../support/page-server.ts';
import { createWorld, learnedMs } from '../support/page-world.ts';

/*
 * The demonstration before, during and after its spike, on a clock of its own: all that the page says of it is what the summary says: who, which
 * rate, from what to what, since when, due to what, and whether it is active, recovering or over.
 */

const spike = { model: 'atlas-mini', fromMs: 60_000, untilMs: 180_000 };
const models = ['atlas-large', 'atlas-mini', 'heron-7b'];
const world = createWorld({ models, pastMs: learnedMs, durationMs: 30_000, rate: 60, spike });
const { browser, url } = servedPages({ world });

type Plain = Readonly<Record<string, unknown>>;

/** The incidents of the summary, each as the page is to say it; in the order of the page. */
function expectedLines(): string[] {
  const incidents = world.summary('*', 'all')['incidents'] as readonly PlainIncident[];
  const open = incidents.filter(({ end }) => end === null).reverse();
  const isRecovering = ({ rates }: PlainIncident): boolean =>
    rates.filter(({ end }) => end === null).every(({ recovering }) => recovering !== null);
  return [...open.filter((one) => !isRecovering(one)), ...open.filter(isRecovering)].map((incident) => {
    const { slice, rates, due_to: causes } = incident;
    const rate = rates.find(({ end }) => end === null)!;
    const who = Object.values(slice).join(' · ') || 'all traffic';
    const state = isRecovering(incident) ? '▽ X is recovering' : '▲ X is worse';
    const [first] = causes;
    const more = moreText(causes.length - 1);
    const due = first === undefined ? '' : `, due to ${first.text} (${percentOf(first.share)} of the change)${more}`;
    return `${state.replace('X', who)}: ${titleOf(rate)} ${changeOf(rate)} since ${clockOf(rate.since)}${lastingOf(rate)}${downOf(rate)}${due} why`;
  });
}

const moreText = (more: number): string => (more === 0 ? '' : ` and ${more} more`);
const clockOf = (time: string): string => time.slice(11, 19);
const percentOf = (share: number): string => `${(100 * share).toFixed(1)}\u00a0%`;

function titleOf({ watch }: PlainAlarm): string {
  return declaredAt(watch)!.metric.title.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

/** Of a rate that should be high the summary has the share of the others. */
function shareOf({ watch }: PlainAlarm, bad: number): number {
  return declaredAt(watch)!.metric.better === 'higher' ? 1 - bad : bad;
}

function changeOf(rate: PlainAlarm): string {
  const { before, baseline, rate: now } = rate;
  return `${percentOf(shareOf(rate, before?.value ?? baseline))} → ${percentOf(shareOf(rate, now.value))}`;
}

function lastingOf({ since }: PlainAlarm): string {
  const seconds = Math.floor((Date.parse(String(world.summary('', 'all')['as_of'])) - Date.parse(since)) / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [minutes > 0 && `${minutes} min`, (rest > 0 || minutes === 0) && `${rest} s`];
  return ` (${parts.filter(Boolean).join(' ')})`;
}

function downOf(rate: PlainAlarm): string {
  const { recovering } = rate;
  if (recovering === null) return '';
  const { value, denominator: n } = recovering.rate;
  return `, ${percentOf(shareOf(rate, value))} of ${n.toLocaleString('en')} case${n === 1 ? '' : 's'} since ${clockOf(recovering.since)}`;
}

/** Waits for the page to show the world as it stands, and compares what it says with the summary; returns its incidents. */
async function compare(page: Page): Promise<readonly string[]> {
  const { at: now } = world.document({ slice: 'model', window: '5m', focus: '', since: undefined });
  await page.waitForSelector(`.status time[datetime="${now}"]`);
  const shown = await page.locator('.alarm .line').allTextContents();
  assert.deepEqual(shown, expectedLines());
  const [total] = world.summary('', '5m')['groups'] as unknown[];
  for (const { path, value } of await cellsIn(page, '.verdict')) {
    assert.equal(value, String(numberAt(total, path)), path);
    const { numerator, denominator } = at(total, path) as { numerator: number; denominator: number };
    const counts = `${numerator.toLocaleString('en')} of ${denominator.toLocaleString('en')}`;
    assert.ok((await page.textContent(`.verdict .tile:has([data-path="${path}"])`))!.includes(counts), path);
  }
  const watches = world.summary('*', 'all')['watches'] as readonly Plain[];
  const firing = watches.filter((watch) => watch['firing'] === true && isObject(watch['slice']));
  for (const model of models) {
    const marked = await page.$$eval(`.group-table tr:has(.name:text-is("${model}")) .is-alarm`, (cells) =>
      cells.map((cell) => cell.getAttribute('data-path')!),
    );
    const rates = firing.filter((watch) => (watch['slice'] as Plain)['model'] === model).map(({ watch }) => watch);
    // Not every rate that is watched has a column.
    assert.deepEqual(
      marked,
      marked.filter((path) => rates.includes(path)),
      model,
    );
    assert.equal(marked.length > 0, rates.length > 0, model);
  }
  return shown;
}

test('before, during and after a spike every statement of the page is that of the summary', {
  skip: noBrowser,
}, async () => {
  const { page, troubles } = await open(browser(), url('world'));
  assert.deepEqual(await compare(page), []);
  assert.match((await page.textContent('.now'))!, /Nothing stands out/);
  world.run(60_000);
  const during = await compare(page);
  assert.equal(during.length, 1);
  assert.match(during[0]!, /^▲ atlas-mini is worse/);
  const seen = new Set<string>();
  // The rates come down one after the other: the alarm recovers, then it is over.
  for (let step = 0; step < 40 && !seen.has('over'); step++) {
    world.run(60_000);
    const [line] = await compare(page);
    seen.add(line === undefined ? 'over' : line.startsWith('▲') ? 'worse' : 'recovering');
  }
  assert.deepEqual([...seen].sort(), ['over', 'recovering', 'worse']);
  assert.match((await page.textContent('.incidents'))!, /14:01–14:\d\d\s*atlas-mini, .* → /);
  await page.context().close();
  assert.deepEqual(troubles, []);
});
