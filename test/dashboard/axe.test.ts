import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { AxeResults } from 'axe-core';
import { noBrowser, open } from '../support/browser.ts';
import { servedPages } from '../support/page-server.ts';
import { createWorld, learnedMs } from '../support/page-world.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const spike = { model: 'atlas-mini', fromMs: 30_000 };
const models = ['atlas-large', 'atlas-mini', 'heron-7b'];
const world = createWorld({ models, spike, pastMs: learnedMs, durationMs: 90_000, rate: 60, problems: true });
const { browser, url } = servedPages({ world });
const options = { skip: noBrowser };

for (const theme of ['light', 'dark'] as const)
  for (const width of [1280, 360])
    test(`axe finds nothing, ${theme}, ${width} px, with alarms and everything open`, options, async () => {
      const { page } = await open(browser(), `${url('world')}/#chart=all`, { theme, width });
      await page.waitForSelector('.alarm .line');
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      await page.waitForSelector('.wrong');
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
      );
      await page.context().close();
    });
