import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { percent } from '../../packages/dashboard/format.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { noBrowser, type Opened, open, overflow } from '../support/browser.ts';
import { at, cellsIn, numberAt } from '../support/page-cells.ts';
import { servedPages, servePage } from '../support/page-server.ts';
import { createWorld, learnedMs, type World } from '../support/page-world.ts';

const world: World = createWorld({
  models: ['atlas-large', 'atlas-mini', 'heron-7b'],
  pastMs: learnedMs,
  durationMs: 60_000,
  rate: 60,
  spike: { model: 'atlas-mini', fromMs: 60_000 },
});
const { browser, url } = servedPages({ world });
const options = { skip: noBrowser };

async function opened(hash = '', settings: Parameters<typeof open>[2] = {}): Promise<Opened> {
  const one = await open(browser(), `${url('world')}/${hash}`, settings);
  await one.page.waitForSelector('.verdict');
  return one;
}

/** Asks nobody but the service, and has nothing to complain of. */
async function closed({ page, requests, troubles }: Opened): Promise<void> {
  await page.context().close();
  assert.deepEqual(troubles, []);
  assert.deepEqual(
    requests.filter((asked) => !asked.startsWith(`${url('world')}/`)),
    [],
  );
}

test('the numbers are those of the summary', options, async () => {
  const one = await opened('#window=1h');
  const [total] = world.summary('', '1h')['groups'] as unknown[];
  const tiles = await cellsIn(one.page, '.verdict');
  const shown = ['match.correct', 'decision.accuracy', 'tool_use.unknown_tool', 'tool_use.failed'];
  assert.deepEqual(
    tiles.map(({ path }) => path),
    [...shown, 'decision.tool_hall', 'decision.param_hall', 'decision.answer_hall'],
  );
  for (const { path, value } of tiles) assert.equal(value, String(numberAt(total, path)), path);
  assert.equal(tiles[0]!.text, percent(Number(tiles[0]!.value)));
  for (const group of world.summary('model', '1h')['groups'] as { slice: { model: string } }[]) {
    const cells = await cellsIn(one.page, `tr:has([data-id="${sliceId(group.slice)}"])`);
    assert.ok(cells.length > 8);
    for (const { path, value } of cells.filter((cell) => !cell.path.startsWith('stability')))
      assert.equal(value, String(numberAt(group, path)), `${group.slice.model} ${path}`);
  }
  const confusion = await cellsIn(one.page, '.confusion');
  assert.equal(confusion.length, 20);
  for (const { path, value } of confusion) assert.equal(value, String(at(total, path)), path);
  for (const { path, value } of await cellsIn(one.page, '.ingest'))
    assert.equal(value, String(at(world.summary('', 'all'), path)), path);
  await closed(one);
});

test(
  'a model that goes wrong is named within seconds, and shown closely when it is chosen there',
  options,
  async () => {
    const one = await opened();
    assert.equal(await one.page.locator('.alarm').count(), 0);
    assert.match((await one.page.textContent('.now'))!, /Nothing stands out: /);
    world.run(30_000);
    await one.page.waitForSelector('.alarm');
    const told = (await one.page.textContent('.alarm'))!;
    assert.match(told, /atlas-mini.*is worse.*%\s*since 14:0[01]:\d\d/s);
    assert.equal(await one.page.locator('.alarm').count(), 1, 'nobody else is blamed');
    assert.match((await one.page.textContent('.now [role=status]'))!, /atlas-mini is worse: /);
    assert.match((await one.page.textContent('.incidents li'))!, /^14:0[01]–nowatlas-mini, .* → /);
    assert.ok((await one.page.locator('tr:has-text("atlas-mini") .is-alarm').count()) > 0);
    const rate = one.page.locator('.alarm').first();
    const cases = `${await rate.getAttribute('data-path')},${await rate.locator('time').getAttribute('datetime')},`;
    await rate.locator('.line').focus();
    await one.page.keyboard.press('Enter');
    await one.page.waitForSelector('.why p:has-text("Bad cases of ")');
    const asked = new URLSearchParams(one.page.url().split('#')[1]);
    assert.deepEqual([asked.get('focus'), asked.get('failed')], [sliceId({ model: 'atlas-mini' }), cases]);
    const failures = one.page.locator('.failure h3');
    assert.ok((await failures.count()) > 0);
    for (const text of await failures.allTextContents()) assert.match(text, /atlas-mini.*14:0/);
    await one.page.waitForSelector('.verdict strong:has-text("atlas-mini")');
    await one.page.click('.why [data-action=all-failures]');
    await one.page.waitForSelector('.why p:has-text("Bad cases of ")', { state: 'detached' });
    await closed(one);
  },
);

test('what failed is shown beside what was expected', options, async () => {
  const one = await opened();
  const heads = await one.page.$$eval('.pairs-table thead', (rows) => rows.map((row) => row.textContent));
  assert.ok(heads.length > 0 && heads.every((text) => /ExpectedActual$/.test(text)));
  assert.ok((await one.page.locator('.pairs-table .differs').count()) > 0);
  await closed(one);
});

test(
  'everything can be reached and chosen with the keyboard, and the focus stays while numbers change',
  options,
  async () => {
    const one = await opened();
    const { page } = one;
    await page.focus('input[name=window]:checked');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.verdict h2:has-text("last 1h")');
    assert.equal(await page.evaluate<string>('document.activeElement.value'), '1h');
    await page.focus('.group-table tbody tr:nth-child(2) .link');
    const name = await page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.verdict strong:has-text("${name}")`);
    world.run(5_000);
    await page.waitForResponse(/api\/v1\/live/);
    await page.waitForResponse(/api\/v1\/live/);
    assert.equal(await page.evaluate<string>('document.activeElement.textContent'), name);
    assert.equal(await page.getAttribute('.group-table .is-focus .link', 'aria-pressed'), 'true');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid');
    await closed(one);
  },
);

test('it rests while nobody looks, or while it is paused', options, async () => {
  const one = await opened();
  const { page, requests } = one;
  const asked = () => requests.filter((url) => url.includes('/api/v1/live')).length;
  await page.click('[data-action=pause]');
  const before = asked();
  await page.waitForTimeout(2_600);
  assert.equal(asked(), before);
  assert.match((await page.textContent('.status'))!, /^Paused/);
  await page.click('[data-action=pause]');
  await page.waitForResponse(/api\/v1\/live/);
  const hide = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await hide(true);
  const hiddenAt = asked();
  await page.waitForTimeout(2_600);
  assert.equal(asked(), hiddenAt);
  await hide(false);
  await page.waitForResponse(/api\/v1\/live/);
  await closed(one);
});

test('it follows the theme of the system, and the choice of the person', options, async () => {
  const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const one = await opened('', { theme: 'dark' });
  assert.equal(await ground(one.page), 'rgb(19, 21, 25)');
  await one.page.emulateMedia({ colorScheme: 'light' });
  await one.page.waitForSelector('html[data-theme=light]');
  assert.equal(await ground(one.page), 'rgb(251, 251, 250)');
  await one.page.emulateMedia({ colorScheme: 'dark' });
  await one.page.waitForSelector('html[data-theme=dark]');
  await one.page.click('[data-action=theme]');
  assert.equal(await ground(one.page), 'rgb(251, 251, 250)');
  await one.page.emulateMedia({ colorScheme: 'light' });
  await one.page.click('[data-action=theme]');
  assert.equal(await ground(one.page), 'rgb(19, 21, 25)');
  await closed(one);
});

test('a screen reader finds headings, captions, titles of columns and rows, names of buttons', options, async () => {
  const one = await opened();
  const faults = [
    'table:not(:has(caption))',
    'th:not([scope])',
    '[role=img]:not([aria-label])',
    'input:not(label input, [aria-label]), select:not(label select, [aria-label])',
    'button:empty',
  ];
  for (const fault of faults) assert.equal(await one.page.locator(fault).count(), 0, fault);
  const levels = await one.page.$$eval('h1, h2, h3, h4', (heads) => heads.map(({ tagName }) => Number(tagName[1])));
  assert.equal(levels[0], 1);
  assert.ok(
    levels.every((level, at) => at === 0 || level <= levels[at - 1]! + 1),
    String(levels),
  );
  assert.match(
    (await one.page.getAttribute('[data-chart]', 'aria-label'))!,
    /^Calls right of all traffic: now \d+ percent/,
  );
  await closed(one);
});

test('a chart tells the value under the pointer, and in the other charts that of the same time', options, async () => {
  const one = await opened('#chart=all');
  const { page } = one;
  const readouts = () => page.locator('.readout').allTextContents();
  assert.match((await readouts())[0]!, /^\d+\.\d\s% \(\d+\.\d–\d+\.\d\s%\)$/);
  await page
    .locator('.field-of-lines')
    .first()
    .hover({ position: { x: 60, y: 60 } });
  await page.waitForSelector('.readout .name');
  // Nothing is told where nothing was counted.
  const told = (await readouts()).filter((text) => text !== '');
  assert.ok(told.length > 3);
  assert.equal(new Set(told.map((text) => /^\d\d:\d\d:\d\d(?= )/.exec(text)?.[0])).size, 1);
  assert.match(
    (await readouts())[1]!,
    / all traffic \d+\.\d\s%/,
    'a pointer in another chart is at no line of this one',
  );
  await page.mouse.move(0, 0);
  await page.waitForFunction("document.querySelector('.readout .name') === null");
  await closed(one);
});

test('nothing sticks out on a phone, nor between', options, async () => {
  const one = await opened();
  for (const width of [360, 600, 900, 1280, 1920]) {
    await one.page.setViewportSize({ width, height: 900 });
    assert.equal(await overflow(one.page), 0, `${width} px`);
  }
  await closed(one);
});

test('when the service is gone it says so, and what is there stays', options, async () => {
  const server = await servePage(world);
  const one = await open(browser(), server.url);
  await one.page.waitForSelector('.verdict');
  await server.close(0);
  await one.page.waitForSelector('.status .problem');
  assert.match(
    (await one.page.textContent('.status'))!,
    /^No answer since .*The service cannot be reached\. Trying again\./,
  );
  assert.equal(await one.page.locator('.verdict').count(), 1);
  await one.page.context().close();
});

test('an address with what is not configured any more is no dead end', options, async () => {
  const one = await open(browser(), `${url('world')}/#window=2h&by=nothing&focus=x`);
  await one.page.waitForSelector('.verdict');
  await one.page.context().close();
});

test('of an address with an unknown window the group holds', options, async () => {
  const one = await open(browser(), `${url('world')}/#by=model&model=atlas-mini&window=2h`);
  await one.page.waitForSelector('.verdict strong:has-text("atlas-mini")');
  await one.page.context().close();
});

test('filter, sort and what is chosen are in the link, and a link shows them again', options, async () => {
  const one = await opened('#by=model&model=atlas-mini&sort=decision.unknown_tool&groups=all');
  await one.page.waitForSelector('.verdict strong:has-text("atlas-mini")');
  assert.equal(await one.page.getAttribute('th:has([data-id="-decision.unknown_tool"])', 'aria-sort'), 'descending');
  await one.page.click('[data-action=sort][data-id="decision.param_hall"]');
  await one.page.check('input[name=window][value="1h"]', { force: true });
  assert.match(one.page.url(), /window=1h.*sort=decision\.param_hall.*groups=all/);
  await one.page.reload();
  await one.page.waitForSelector('.verdict h2:has-text("last 1h")');
  assert.equal(await one.page.getAttribute('th:has([data-id="-decision.param_hall"])', 'aria-sort'), 'descending');
  await closed(one);
});

test('times are told with their zone, and titles explain themselves', options, async () => {
  const one = await opened();
  assert.match((await one.page.textContent('.status'))!, /at \d\d:\d\d:\d\d UTC/);
  for (const place of ['.verdict dt', '.chart h3 span', '.group-table thead button'])
    for (const title of await one.page.$$eval(place, (all) => all.map((each) => each.getAttribute('title'))))
      if (title !== null) assert.ok(title.length > 10, `${place}: ${title}`);
  assert.match((await one.page.getAttribute('.chart h3 span', 'title'))!, /Events whose calls are right/);
  await closed(one);
});
