import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { browserFor, noBrowser, open } from '../support/browser.ts';
import { startProgram } from '../support/program.ts';
import { soak } from '../support/soak.ts';

/** A day in which a model goes wrong after three hours, for twenty, as fast as an hour a second. */
const hours = { past: 24, spikeAt: 3, spike: 20 };
const day = `--rate 3 --past ${hours.past}h --spike-at ${hours.spikeAt}h --spike ${hours.spike}h`.split(' ');
const hourMs = 3_600_000;

interface Reading {
  /** Event time, ms. */
  readonly asOfMs: number;
  /** The section of what is wrong now. */
  readonly alarms: string;
}

/** What the banner says at the next reading, which it shows before the one after it. */
async function nextReading(page: Page): Promise<Reading> {
  const response = await page.waitForResponse(/api\/v1\/live/);
  const document = (await response.json()) as LiveDocument;
  await page.waitForSelector(`.status time[datetime="${document.at}"]`);
  return { asOfMs: Date.parse(document.as_of ?? ''), alarms: (await page.textContent('.now'))! };
}

const isNamed = ({ alarms }: Reading): boolean => /atlas-mini is (worse|recovering):.*since/s.test(alarms);

/** Readings until one is so; a day takes some thirty. */
async function readUntil(page: Page, holds: (reading: Reading) => boolean): Promise<Reading[]> {
  const readings: Reading[] = [];
  while (readings.length < 60) {
    const reading = await nextReading(page);
    readings.push(reading);
    if (holds(reading)) return readings;
  }
  throw new Error(
    `never: ${readings.map(({ asOfMs, alarms }) => `${new Date(asOfMs).toISOString()} ${alarms}`).join('\n')}`,
  );
}

test('a spike of twenty hours is named all the time, nobody else is, and a killed service is said', {
  skip: soak ? noBrowser : 'npm run test:soak',
}, async (context) => {
  const browser = await browserFor(context);
  const startMs = Date.now();
  const demo = startProgram(['demo', '--port', '0', '--speed', '3600', ...day]);
  context.after(() => demo.kill('SIGKILL'));
  const [line] = (await once(demo.stdout!.setEncoding('utf8'), 'data')) as [string];
  const { page, troubles } = await open(browser, /http:\/\/[^/]+/.exec(line)![0]);
  await page.waitForSelector('.now');
  const begin = await readUntil(page, isNamed);
  const endMs = startMs + (hours.spikeAt + hours.spike - hours.past) * hourMs;
  const lasting = await readUntil(page, ({ asOfMs }) => asOfMs >= endMs - 10 * hourMs);
  // In the middle of it the page is opened anew, and looked at by the other dimension.
  await page.reload();
  await page.check('input[name=slice][value=agent]', { force: true });
  lasting.push(...(await readUntil(page, ({ asOfMs }) => asOfMs >= endMs - 2 * hourMs)));
  // A busy machine shows a page in seconds, which are hours here: the last may lie behind the end.
  for (const { asOfMs, alarms } of lasting.filter((reading) => reading.asOfMs < endMs))
    assert.ok(isNamed({ asOfMs, alarms }), `${new Date(asOfMs).toISOString()} ${alarms}`);
  // A rate of many cases is known to be well within minutes, one of few takes hours.
  const over = await readUntil(page, ({ alarms }) => !/trajectory success/.test(alarms));
  for (const { alarms } of [begin, lasting, over].flat()) assert.doesNotMatch(alarms, /atlas-large|heron-7b/);
  assert.match((await page.textContent('.incidents'))!, /atlas-mini, .* → /);
  assert.deepEqual(troubles, []);
  demo.kill('SIGKILL');
  await page.waitForSelector('.alarm:has-text("The service does not answer")');
  assert.doesNotMatch((await page.textContent('.now'))!, /Nothing stands out/);
});
