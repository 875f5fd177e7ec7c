import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '../../packages/dashboard/format.ts';
import { noBrowser, open, overflow } from '../support/browser.ts';
import { hostileNames, servedPages } from '../support/page-server.ts';
import { createWorld, learnedMs } from '../support/page-world.ts';

const past = { pastMs: learnedMs };
const spike = { model: hostileNames[0]!, fromMs: 30_000 };
const models = Array.from({ length: 50 }, (_, number) => `vendor-${number % 7}/model-${number}-instruct`);
const { browser, url } = servedPages({
  hostile: createWorld({ ...past, models: hostileNames, durationMs: 60_000, rate: 160, spike }),
  fifty: createWorld({ ...past, models, durationMs: 15_000, rate: 200 }),
});
const options = { skip: noBrowser };

test(
  'names are text, whatever is in them: no element, no dialog, no request, no harm to the layout',
  options,
  async () => {
    for (const width of [1280, 360]) {
      const { page, requests, troubles } = await open(browser(), `${url('hostile')}/#groups=all`, { width });
      await page.waitForSelector('.group-table tbody tr');
      await page.waitForSelector('.alarm');
      const names = await page.$$eval('.group-table tbody .name', (elements) =>
        elements.map(({ textContent }) => textContent),
      );
      assert.deepEqual([...names].sort(), hostileNames.map(printable).sort());
      const foreign = await page.$$eval(
        'img, iframe, object, embed, script, link[rel=stylesheet], [onerror], [onclick], [style*=url]',
        (elements) => elements.map(({ tagName, id }) => `${tagName} ${id}`),
      );
      assert.deepEqual(foreign, ['SCRIPT document', 'SCRIPT ']);
      assert.equal(await overflow(page), 0);
      const heights = await page.$$eval('.group-table tbody .first', (cells) =>
        cells.map((cell) => cell.getBoundingClientRect().height),
      );
      assert.ok(Math.max(...heights) < 60, String(heights));
      const edges = await page.$$eval('.group-table tbody td[data-path="decision.accuracy"]', (cells) =>
        cells.map((cell) => Math.round(cell.getBoundingClientRect().right)),
      );
      assert.equal(new Set(edges).size, 1, 'a name from right to left moves nothing');
      await page.click('.group-table tbody tr:has-text("<script>") .link');
      await page.waitForSelector('.verdict strong:has-text("<script>alert(1)</script>")');
      await page.context().close();
      assert.deepEqual(troubles, []);
      assert.deepEqual(
        requests.filter((asked) => !asked.startsWith(url('hostile'))),
        [],
      );
    }
  },
);

test('fifty models: the worst first, all on demand, found by name', options, async () => {
  const { page, troubles } = await open(browser(), url('fifty'));
  const rows = page.locator('.group-table tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 8);
  const uppers = await page.$$eval('.group-table tbody td[data-path="match.correct"] .interval', (cells) =>
    cells.map(({ textContent }) => Number.parseFloat(textContent!.split('–')[1]!)),
  );
  assert.deepEqual(
    uppers,
    [...uppers].sort((a, b) => a - b),
  );
  await page.click('[data-action=show-all]');
  assert.equal(await rows.count(), 50);
  await page.click('[data-action=show-all]');
  await page.click('th [data-id="decision.param_hall"]');
  assert.equal(await page.getAttribute('th:has([data-id="-decision.param_hall"])', 'aria-sort'), 'descending');
  await page.fill('[data-action=filter]', 'MODEL-4');
  assert.equal(await rows.count(), 11);
  for (const text of await rows.locator('.name').allTextContents()) assert.match(text, /model-4/);
  await page.fill('[data-action=filter]', 'nobody');
  await page.waitForSelector('text=No name holds this text.');
  await page.context().close();
  assert.deepEqual(troubles, []);
});
