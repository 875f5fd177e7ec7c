import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { noBrowser, open } from '../support/browser.ts';
import { servedPages } from '../support/page-server.ts';
import { createWorld } from '../support/page-world.ts';

const models = ['atlas-large', 'atlas-mini'];
const world = createWorld({ models, pastMs: 60_000, durationMs: 60_000, rate: 20 });
const { browser, url } = servedPages({ world });

test('a page of some partitions, and numbers that begin later, say so', { skip: noBrowser }, async () => {
  const one = await open(browser(), `${url('world')}/#window=all`);
  await one.page.waitForSelector('.verdict');
  const heads = ['.verdict > p', '.verdict .tile:nth-child(2)', '.groups thead'];
  const texts = (): Promise<string[]> =>
    Promise.all(heads.map(async (selector) => (await one.page.textContent(selector)) ?? ''));
  assert.match((await texts())[0]!, /^All traffic/);
  assert.doesNotMatch((await texts()).join(), /since/);
  await one.page.route('**/api/v1/live*', async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as LiveDocument;
    const since = { decision: '2026-05-05T10:00:00.000Z' };
    const groups = document.groups.map((group) => ({ ...group, since }));
    const service = { ...document.service!, partitions_of: 8 };
    await route.fulfill({ json: { ...document, groups, service } });
  });
  await one.page.waitForSelector('.verdict > p:has-text("4 of 8 partitions")');
  const [, tile, head] = await texts();
  assert.match(tile!, /since .*5 May/);
  assert.match(head!, /since .*5 May/);
  assert.match((await one.page.textContent('.verdict'))!, /predictions\/0, .*predictions\/3\. .* assay view/);
  assert.deepEqual(one.troubles, []);
});
