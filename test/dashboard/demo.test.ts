import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { isObject } from '../../src/scoring/json.ts';
import { browserFor, noBrowser, open } from '../support/browser.ts';
import { startProgram } from '../support/program.ts';

interface Summary {
  readonly records: { readonly read: number };
  readonly groups: readonly unknown[];
}

/** Few enough that no prediction comes between a reading of the page and the summary that it is compared with. */
const rate = '5';

test('the page of the running demonstration shows what its summary says', { skip: noBrowser }, async (context) => {
  const demo = startProgram(['demo', '--rate', rate], { env: { ASSAY_HTTP__PORT: '0' } });
  context.after(() => demo.kill('SIGTERM'));
  const [line] = (await once(demo.stdout!.setEncoding('utf8'), 'data')) as [string];
  const url = /http:\/\/[^/]+/.exec(line)![0];
  const { page, requests, troubles } = await open(await browserFor(context), url);
  await page.waitForSelector('.group-table tbody tr:nth-child(3)');
  // Truth comes after some seconds.
  await page.waitForSelector('.confusion [data-path]', { state: 'attached' });
  const summary = await quietReading(page, url);
  const read = `.ingest [data-path="records.read"][data-value="${summary.records.read}"]`;
  await page.waitForSelector(read, { state: 'attached' });
  const cells: [path: string, value: string][] = await page.$$eval(
    '.verdict [data-path], .confusion [data-path]',
    (elements) => elements.map((element) => [element.getAttribute('data-path'), element.getAttribute('data-value')]),
  );
  const [total] = summary.groups;
  for (const [path, value] of cells.filter(([path]) => path.startsWith('decision.'))) {
    const found = path.split('.').reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], total);
    assert.equal(value, String(isObject(found) ? found['value'] : found), path);
  }
  assert.ok(cells.length > 20);
  await page.unrouteAll({ behavior: 'wait' });
  assert.deepEqual(
    requests.filter((address) => !address.startsWith(`${url}/`)),
    [],
  );
  assert.deepEqual(troubles, []);
});

/**
 * The summary of a moment in which the page was told of as many records. From then on the page is told the same again: on a slow machine it would
 * show something later before it is read.
 */
async function quietReading(page: Page, url: string): Promise<Summary> {
  const summaryOf = async () => (await (await fetch(`${url}/api/v1/summary?window=5m`)).json()) as Summary;
  return await new Promise((resolve) => {
    let told: LiveDocument | undefined;
    void page.route('**/api/v1/live*', async (route) => {
      if (told !== undefined) return await route.fulfill({ json: told });
      const response = await route.fetch();
      const live = (await response.json()) as LiveDocument;
      const summary = await summaryOf();
      if (summary.records.read === live.records!.read) {
        told = live;
        resolve(summary);
      }
      return await route.fulfill({ response });
    });
  });
}
