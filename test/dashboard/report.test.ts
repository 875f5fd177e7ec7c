import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { aggregateSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import { finish } from '../../src/state/steps.ts';
import { browserFor, noBrowser, open, overflow } from '../support/browser.ts';
import { hostileNames } from '../support/page-server.ts';
import { createWorld } from '../support/page-world.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const world = createWorld({ models: hostileNames, durationMs: 20_000, rate: 60 });

test('a report of a summary opens from the disk, shows its numbers, and loads nothing', {
  skip: noBrowser,
}, async (context) => {
  const folder = temporaryFolder(context);
  const summary = world.summary('*', 'all');
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary));
  const ended = await runProgram(['report', 'summary.json', '-o', 'report.html'], { cwd: folder });
  assert.deepEqual(ended, { status: 0, stdout: '', stderr: '' });
  const url = pathToFileURL(join(folder, 'report.html')).href;
  const { page, requests, troubles } = await open(await browserFor(context), url);
  await page.waitForSelector('.total');
  assert.match((await page.textContent('h1'))!, /report/);
  const [total] = summary['groups'] as { decision: { accuracy: { value: number } } }[];
  assert.equal(
    await page.getAttribute('.total [data-path="decision.accuracy"]', 'data-value'),
    String(total!.decision.accuracy.value),
  );
  assert.equal(await page.locator('.group-table tbody tr').count(), 12);
  await page.click('.group-table tbody tr:has-text("<script>") .link');
  await page.waitForSelector('.detail h2:has-text("<script>alert(1)</script>")');
  await page.check('input[value="5m"]');
  await page.waitForSelector('.total h2:has-text("last 5m")');
  assert.ok((await page.locator('.stability').count()) > 0, 'what is known of all time only is still there');
  await page.check('input[value="agent"]');
  await page.waitForSelector('.group-table tbody tr:has-text("travel")');
  assert.equal(await overflow(page), 0);
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
  assert.deepEqual(requests, [url]);
  assert.deepEqual(troubles, []);
});

test('several summaries, or a folder of snapshots, give the history', { skip: noBrowser }, async (context) => {
  const folder = temporaryFolder(context);
  const moving = createWorld({ models: ['a', 'b', 'c'], durationMs: 10_000, rate: 60 });
  const names = [3, 1, 2].map((number) => `summary-${number}.json`);
  for (const number of [1, 2, 3]) {
    writeFileSync(join(folder, `summary-${number}.json`), JSON.stringify(moving.summary('*', 'all')));
    const view = moving.view();
    const bytes = Buffer.concat(finish(aggregateSnapshot(view, view.asOfMs!, [['model'], ['agent']])));
    writeFileSync(join(folder, `aggregates-2026050${number}T000000Z.arrow`), bytes);
    moving.run(10_000);
  }
  writeFileSync(join(folder, 'latest.json'), '{}');
  const browser = await browserFor(context);
  for (const [output, inputs] of [
    ['summaries.html', names],
    ['snapshots.html', ['.']],
  ] as const) {
    const ended = await runProgram(['report', ...inputs, '--output', output], { cwd: folder });
    assert.deepEqual([ended.status, ended.stderr], [0, '']);
    const { page, troubles } = await open(browser, pathToFileURL(join(folder, output)).href);
    await page.waitForSelector('.u-wrap canvas');
    assert.equal(await page.locator('[data-chart]').count(), 6);
    assert.match((await page.textContent('.history h2'))!, /20 s/);
    assert.deepEqual(troubles, [], output);
  }
});

test('the file says nothing that could end its data; on demand it goes to stdout', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(world.summary('*', 'all')));
  const { status, stdout } = await runProgram(['report', 'summary.json', '-o', '-'], { cwd: folder });
  assert.equal(status, 0);
  const data = /<script type="application\/json" id="document">([\s\S]*?)<\/script>/.exec(stdout)![1]!;
  assert.doesNotMatch(data, /</);
  const { groups } = JSON.parse(data) as { groups: { slice: { model?: string } }[] };
  assert.ok(groups.some(({ slice }) => slice.model === hostileNames[0]));
  assert.match(stdout, /connect-src 'none'/);
});

test('what cannot be reported is refused with place and remedy', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'other.json'), '{"format": "assay.summary/1", "groups": [1]}');
  writeFileSync(join(folder, 'broken.arrow'), 'ARROW1\0\0broken');
  writeFileSync(join(folder, 'empty.json'), JSON.stringify({ ...world.summary('*', 'all'), as_of: null, groups: [] }));
  const cases: readonly [args: string[], status: number, stderr: RegExp][] = [
    [['report', '-o', 'x.html'], 2, /input/],
    [['report', 'other.json'], 2, /--output is missing/],
    [['report', 'nowhere.json', '-o', 'x.html'], 2, /nowhere\.json cannot be read/],
    [['report', 'other.json', '-o', 'x.html'], 2, /other\.json is neither a summary/],
    [['report', 'broken.arrow', '-o', 'x.html'], 2, /broken\.arrow is neither/],
    [['report', '.', '-o', 'x.html'], 2, /holds no aggregates-\*\.arrow/],
    [['report', 'empty.json', '-o', 'no/such/folder.html'], 1, /no such file/],
    [['report', 'empty.json', '-o', 'empty.html'], 0, /^$/],
  ];
  for (const [args, status, stderr] of cases) {
    const ended = await runProgram(args, { cwd: folder });
    assert.equal(ended.status, status, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, stderr);
  }
  assert.ok(readFileSync(join(folder, 'empty.html')).length > 50_000);
});
