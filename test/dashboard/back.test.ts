import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { noBrowser, type Opened, open } from '../support/browser.ts';
import { servedPages } from '../support/page-server.ts';
import { createWorld, learnedMs } from '../support/page-world.ts';
import { until } from '../support/until.ts';

/* The browser's Back and Forward: each choice of a person is an entry, nothing else is. */

const models = ['atlas-large', 'atlas-mini', 'heron-7b'];
const spike = { model: 'atlas-mini', fromMs: 60_000 };
const world = createWorld({ models, pastMs: learnedMs, durationMs: 120_000, rate: 60, spike });
const { browser, url } = servedPages({ world });
const options = { skip: noBrowser };

async function opened(hash = ''): Promise<Opened> {
  const one = await open(browser(), `${url('world')}/${hash}`);
  await one.page.waitForSelector('.alarm');
  return one;
}

async function closed({ page, troubles }: Opened): Promise<void> {
  await page.context().close();
  assert.deepEqual(troubles, []);
}

const entries = (page: Page): Promise<number> => page.evaluate<number>('history.length');
const chosen = (page: Page): URLSearchParams => new URLSearchParams(page.url().split('#')[1]);
const narrowed = '.why p:has-text("Bad cases of")';

test(
  'Back undoes one choice after the other; what is typed, the theme and readings are no entries',
  options,
  async () => {
    const one = await opened();
    const { page } = one;
    const before = await entries(page);
    await page.click('.alarm .line');
    await page.waitForSelector(narrowed);
    await page.focus('input[name=window]:checked');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.verdict h2:has-text("last 1h")');
    await page.focus('[data-action=from]');
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.why p:has-text("from 14:00:")');
    await page.locator('[data-action=find-text]').pressSequentially('demo');
    await page.click('[data-action=theme]');
    for (let reading = 0; reading < 2; reading++) await page.waitForResponse(/text=demo/);
    assert.equal(await entries(page), before + 3);

    await page.goBack();
    await until('the text is gone', async () => (await page.inputValue('[data-action=find-text]')) === '');
    assert.deepEqual([...chosen(page).keys()], ['by', 'window', 'focus', 'failed', 'theme']);
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light', 'the theme stays');
    await page.goBack();
    await page.waitForSelector('.verdict h2:has-text("last 5m")');
    assert.ok(await page.isChecked('input[name=window][value="5m"]'));
    await page.waitForSelector(narrowed);
    await page.goBack();
    await page.waitForSelector(narrowed, { state: 'detached' });
    await page.waitForSelector('.verdict strong:has-text("All traffic")');
    await page.goForward();
    await page.waitForSelector(narrowed);
    await page.waitForSelector('.verdict strong:has-text("atlas-mini")');
    await closed(one);
  },
);

test('Back returns to the place on the page, and the keyboard stays where it was', options, async () => {
  const one = await opened();
  const { page } = one;
  // Without motion the page is at once where it scrolls to.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.focus('.alarm .line');
  const scrolled = (): Promise<number> => page.evaluate<number>('scrollY');
  const before = await scrolled();
  await page.keyboard.press('Enter');
  await page.waitForSelector(narrowed);
  await until('the failures are in sight', async () => (await scrolled()) > before);
  await page.goBack();
  await page.waitForSelector(narrowed, { state: 'detached' });
  await until('the page is where it was', async () => (await scrolled()) === before);
  assert.ok(await page.evaluate<boolean>("document.activeElement.matches('.alarm .line')"));
  await closed(one);
});

test('Back closes the review, and an address that is pasted is followed', options, async () => {
  const one = await opened();
  const { page } = one;
  await page.route('**/api/v1/review', (route) => route.fulfill({ json: { items: [] } }));
  await page.route('**/api/v1/live*', async (route) => {
    const document = (await (await route.fetch()).json()) as LiveDocument;
    await route.fulfill({ json: { ...document, service: { ...document.service, has_review: true } } });
  });
  await page.click('[data-action=review]');
  await page.waitForSelector('.reviewed p:has-text("There is no event to review yet.")');
  await page.goBack();
  await page.waitForSelector('.reviewed', { state: 'detached' });
  await page.goto(`${url('world')}/#window=1h&by=model&model=heron-7b&review=open`);
  await page.waitForSelector('.verdict h2:has-text("last 1h")');
  await page.waitForSelector('.verdict strong:has-text("heron-7b")');
  await page.waitForSelector('.reviewed');
  await closed(one);
});

test('an end of the time range stops at the other, by keyboard', options, async () => {
  const one = await opened('#chart=match.correct');
  const { page } = one;
  const press = async (name: string, key: string): Promise<void> => {
    await page.focus(`[data-action=${name}]`);
    await page.keyboard.press(key);
  };
  const value = async (name: string): Promise<number> => Number(await page.inputValue(`[data-action=${name}]`));
  await press('until', 'ArrowLeft');
  const untilMs = await value('until');
  for (const key of ['End', 'ArrowRight']) {
    await press('from', key);
    assert.deepEqual([await value('from'), await value('until')], [untilMs - 5_000, untilMs], key);
  }
  await press('from', 'ArrowLeft');
  await press('until', 'Home');
  assert.deepEqual([await value('from'), await value('until')], [untilMs - 10_000, untilMs - 5_000]);
  await closed(one);
});
