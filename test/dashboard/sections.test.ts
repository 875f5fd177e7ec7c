import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { percent } from '../../packages/dashboard/format.ts';
import { readCounts, sumOf } from '../../packages/dashboard/history.ts';
import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { noBrowser, type Opened, open, overflow } from '../support/browser.ts';
import { at, cellsIn } from '../support/page-cells.ts';
import { servedPages } from '../support/page-server.ts';
import { createWorld, learnedMs, type World } from '../support/page-world.ts';
import { startSpikingService } from '../support/spiking-service.ts';

/* What each section of the page shows, and how one leads to the other. */

const spike = { model: 'atlas-mini', fromMs: 60_000 };
const models = ['atlas-large', 'atlas-mini', 'heron-7b'];
const world: World = createWorld({ models, pastMs: learnedMs, durationMs: 120_000, rate: 60, spike });
const sixty = createWorld({
  models: Array.from({ length: 60 }, (_, number) => `vendor-${number % 7}/model-${number}-instruct`),
  ...{
    pastMs: learnedMs,
    durationMs: 120_000,
    rate: 200,
    spike: { model: 'vendor-1/model-1-instruct', fromMs: 30_000 },
  },
});
const few = createWorld({ models, durationMs: 20_000, rate: 1 });
const empty = createWorld({ models, durationMs: 0, rate: 1 });
const { browser, url } = servedPages({ world, sixty, few, empty });
const options = { skip: noBrowser };

async function opened(hash = '', name: 'world' | 'sixty' = 'world', width = 1280): Promise<Opened> {
  const one = await open(browser(), `${url(name)}/${hash}`, { width, height: 844 });
  await one.page.waitForSelector('.verdict');
  return one;
}

async function closed({ page, troubles }: Opened): Promise<void> {
  await page.context().close();
  assert.deepEqual(troubles, []);
}

const wordsOf = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

test('the first view has five questions in their order, and everything else is closed', options, async () => {
  const one = await opened();
  const titles = await one.page.$$eval('main > section', (all) => all.map(({ className }) => className));
  assert.deepEqual(titles, ['verdict', 'now', 'why', 'history', 'groups', 'more']);
  assert.equal(await one.page.locator('details[open]').count(), 0);
  await closed(one);
});

test('a phone shows the first view on at most four screens, however many models there are', options, async () => {
  for (const name of ['world', 'sixty'] as const) {
    const one = await opened('', name, 390);
    await one.page.waitForSelector('.alarm');
    const height = await one.page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(height <= 4 * 844, `${name}: ${height} px`);
    assert.equal(await overflow(one.page), 0);
    await closed(one);
  }
});

test('an incident leads to its failures, and filters and text narrow them down', options, async () => {
  const one = await opened();
  const { page } = one;
  await page.click('.alarm .line');
  await page.waitForSelector('.why p:has-text("Bad cases of")');
  await page.click('[data-action=all-failures]');
  await page.selectOption('[data-action=find-kind]', 'wrong value');
  await page.waitForFunction("new URLSearchParams(location.hash.slice(1)).get('kind') === 'wrong value'");
  await page.waitForSelector('.why [data-action=all-failures]');
  await page.waitForSelector('.why .cards:not(:has(.tags:not(:has-text("wrong value"))))');
  assert.ok((await page.locator('.why .failure').count()) > 0);
  const [facet] = await wordsOf(page, '[data-action=find-tool] option:nth-child(2)');
  const [, tool, number] = /^(.*) \((\d+)\)$/.exec(facet!)!;
  await page.selectOption('[data-action=find-tool]', tool!);
  await page.fill('[data-action=find-text]', 'APPROX');
  const answer = await page.waitForResponse((response) => /text=APPROX/.test(response.url()));
  const { failures, kept, shown } = (await answer.json()) as LiveDocument;
  assert.deepEqual(shown!.filter, { kind: 'wrong value', tool, text: 'APPROX' });
  assert.ok(kept!.count > 0 && kept!.count <= Number(number));
  assert.ok(failures.length > 0 && failures.every((failure) => /approx/.test(JSON.stringify(failure))));
  assert.ok(failures.every(({ slice }) => slice['model'] === 'atlas-mini'));
  await page.reload();
  await page.waitForSelector('.why .failure');
  assert.equal(await page.inputValue('[data-action=find-text]'), 'APPROX');
  await page.fill('[data-action=find-text]', 'nothing has this text');
  await page.waitForSelector('.why p:has-text("None of the failures that are kept fits")');
  await closed(one);
});

test(
  'a time range by keyboard or by a drag narrows charts and failures, and its rate is that of its counts',
  options,
  async () => {
    const one = await opened('#chart=match.correct');
    const { page } = one;
    await page.waitForSelector('[data-chart="match.correct"] path.is-focus');
    await page.focus('[data-action=from]');
    for (let press = 0; press < 6; press++) await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.why p:has-text("Failures from 14:0")');
    const from = Date.parse(new URLSearchParams(page.url().split('#')[1]).get('from')!);
    const { history, groups } = world.document({ slice: 'model', window: '5m', focus: sliceId({}), since: undefined });
    assert.ok(history?.kind === 'counts' && history.at.includes(from), new Date(from).toISOString());
    const inRange = readCounts({ ...history, ...onePoint(history, groups[0]!.id, from) }, 1.96);
    const { value } = inRange.groups.get(groups[0]!.id)!.get('match.correct')![0]!;
    const readout = await page.textContent('.readout');
    assert.ok(readout!.startsWith(percent(value)), `${readout} ${value}`);
    await page.focus('[data-action=until]');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction("location.hash.includes('until=')");
    await page.keyboard.press('End');
    await page.waitForFunction("!location.hash.includes('until=')");
    await page.click('[data-action=range]');
    await page.waitForSelector('.why > p', { state: 'detached' });
    await page.locator('.field-of-lines').scrollIntoViewIfNeeded();
    const box = (await page.locator('.field-of-lines').boundingBox())!;
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.75 * box.width, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await page.waitForSelector('.why p:has-text("Failures from 14:0")');
    const asked = new URLSearchParams(page.url().split('#')[1]);
    const [least, greatest] = [history.at[0]!, history.at.at(-1)!];
    const shares = ['from', 'until'].map((end) => (Date.parse(asked.get(end)!) - least) / (greatest - least));
    assert.deepEqual(
      shares.map((share) => share.toFixed(2)),
      ['0.50', '0.75'],
    );
    for (const text of await wordsOf(page, '.why .failure time'))
      assert.ok(text >= '14:01:00' && text <= '14:01:35', text);
    await closed(one);
  },
);

/** The counts of a group after a time, in one point. */
function onePoint({ at, groups }: CountHistory, id: string, afterMs: number): Pick<CountHistory, 'at' | 'groups'> {
  return { at: [at.at(-1)!], groups: { [id]: [sumOf(groups[id]!.filter((_, point) => at[point]! > afterMs))] } };
}

/** Opens the page with another history. */
async function openedWith(change: (history: CountHistory) => Partial<CountHistory>, hash = ''): Promise<Opened> {
  const one = await opened();
  await one.page.route('**/api/v1/live*', async (route) => {
    const document = (await (await route.fetch()).json()) as LiveDocument & { history: CountHistory };
    const { history } = document;
    await route.fulfill({ json: { ...document, history: { ...history, ...change(history) } } });
  });
  await one.page.goto(`${url('world')}/${hash}`);
  await one.page.reload();
  await one.page.waitForSelector('.history');
  return one;
}

const timeOf = (text: string): number => Date.parse(`2026-05-01T${text}Z`);

test('a new version is a mark in the charts, and in words; several at a time have one label', options, async () => {
  const one = await openedWith(() => ({
    marks: [
      { at: timeOf('14:00:20'), value: '<b>v2</b>' },
      { at: timeOf('14:01:30'), value: 'v3' },
      { at: timeOf('14:01:30'), value: 'v4' },
      { at: timeOf('14:01:35'), value: 'v5' },
    ],
  }));
  await one.page.waitForSelector('.key-mark');
  const words = 'v5 at 14:01:35, v4 at 14:01:30, v3 at 14:01:30, <b>v2</b> at 14:00:20';
  assert.equal(await one.page.textContent('.key-mark'), words);
  await one.page.waitForSelector('.mark-text:has-text("3 changes")');
  assert.deepEqual(await wordsOf(one.page, '.mark-text'), ['<b>v2</b>', '3 changes']);
  const title = await one.page.locator('.mark-text').last().getAttribute('title');
  assert.equal(title, 'v3 at 14:01:30, v4 at 14:01:30, v5 at 14:01:35');
  assert.match((await one.page.getAttribute('[data-chart]', 'aria-label'))!, /; new: <b>v2<\/b> at 14:00:20, v3 at /);
  assert.equal(await one.page.locator('.mark-line').count(), 4);
  await closed(one);
});

test('the page says since when there are points, and what is kept of a chosen time', options, async () => {
  const cut = (from: number, until: number) => (history: CountHistory) => ({
    ...{ from: 0, at: history.at.slice(from, until), ingest: history.ingest.slice(from, until) },
    groups: Object.fromEntries(Object.entries(history.groups).map(([id, points]) => [id, points.slice(from, until)])),
  });
  const cases: readonly [change: (history: CountHistory) => Partial<CountHistory>, hash: string, text: RegExp][] = [
    [() => ({}), '', /Points begin at 14:00:10: the windows hold nothing of the time before\./],
    [
      ({ ingest }) => ({ ingest: ingest.map((point, index) => (index < 3 ? null : point)) }),
      '',
      /Points before 14:00:20 come from the windows, by event time\./,
    ],
    [() => ({ points_max: 2 }), '', /^(?!.*(Points|Nothing))/s],
    [cut(0, 1), '', /Over time.*No points yet: they come every few seconds/s],
    [
      () => ({}),
      '#from=2026-05-01T10:00:00Z&until=2026-05-01T11:00:00Z',
      /Nothing is kept of the chosen time\. Points begin at 14:00:10 and end at 14:02:00: all of them are shown\./,
    ],
    [
      () => ({}),
      '#from=2026-05-01T10:00:00Z&until=2026-05-01T14:01:00Z',
      /Points begin at 14:00:10: nothing is kept of the chosen time before\./,
    ],
  ];
  for (const [change, hash, text] of cases) {
    const one = await openedWith(change, hash);
    assert.match((await one.page.textContent('.history'))!, text);
    await closed(one);
  }
  const one = await opened('', 'sixty');
  assert.match(
    (await one.page.textContent('.history'))!,
    /Of 60 groups, the \d+ with alarms or the most decisions have a history\./,
  );
  await closed(one);
});

test('before the first record the page says what to send, and where', options, async () => {
  const one = await open(browser(), url('empty'));
  await one.page.waitForSelector('.empty h2:has-text("No data yet")');
  assert.equal(await one.page.locator('.why').count(), 0);
  const commands = await wordsOf(one.page, '.empty pre');
  assert.ok(commands[0]!.endsWith(` ${url('empty')}/v1/events`), commands[0]);
  for (const command of commands.slice(0, 2)) JSON.parse(/'(.*)'/.exec(command)![1]!);
  await closed(one);
});

test('without truth the page shows how tools are used, and says what truth adds', options, async (context) => {
  const service = await startSpikingService(context, {
    ...{ models: 3, rate: 1, history: { ms: 600_000, each: 200 }, busy: 'atlas-mini', flags: {}, isTruthless: true },
  });
  const one = await open(browser(), `${service.url}/#window=all`);
  await one.page.waitForSelector('.truthless p:has-text("Truth adds calls right")');
  const tiles = await cellsIn(one.page, '.verdict');
  assert.deepEqual(
    tiles.map(({ path }) => path),
    ['tool_use.unknown_tool', 'tool_use.failed'],
  );
  assert.ok(tiles.every(({ value }) => value !== 'null'));
  await closed(one);
});

test('a rate that rests on too little is grey, and says on how much', options, async () => {
  const one = await open(browser(), url('few'));
  await one.page.waitForSelector('.verdict');
  const thin = await wordsOf(one.page, '.verdict .is-thin');
  assert.match(thin.join('\n'), /Only \d+ cases?: the interval is \d+ points wide\./);
  const [total] = few.summary('', '5m')['groups'] as unknown[];
  const rates = await one.page.$$eval('.verdict .tile', (all) =>
    all.map(
      (tile) => [tile.querySelector('[data-path]')!.getAttribute('data-path')!, tile.matches('.is-thin')] as const,
    ),
  );
  for (const [path, isThin] of rates) {
    const { lower, upper } = at(total, path) as { lower: number | null; upper: number };
    assert.equal(isThin, lower === null || upper - lower > 0.2, path);
  }
  await closed(one);
});

test(
  'arguments that do not match stand with their counts of the summary, and with real examples',
  options,
  async () => {
    const one = await opened();
    const [all] = world.summary('', 'all')['groups'] as unknown[];
    const counts = await cellsIn(one.page, '.wrong');
    assert.ok(counts.length >= 8);
    for (const { path, value } of counts) assert.equal(value, String(at(all, path)), path);
    assert.ok((await one.page.locator('.wrong .examples li').count()) > 4);
    assert.match((await one.page.locator('.wrong .examples li').first().textContent())!, / → .*demo-/);
    await closed(one);
  },
);
