import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { aggregateSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import { browserFor, noBrowser, open, overflow } from '../support/browser.ts';
import { hostileNames } from '../support/page-server.ts';
import { badInput, createWorld } from '../support/page-world.ts';
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
  await page.waitForSelector('.verdict');
  assert.match((await page.textContent('h1'))!, /report/);
  const [total] = summary['groups'] as { decision: { accuracy: { value: number } } }[];
  assert.equal(
    await page.getAttribute('.verdict [data-path="decision.accuracy"]', 'data-value'),
    String(total!.decision.accuracy.value),
  );
  assert.equal(await page.locator('.group-table tbody tr').count(), 8);
  await page.click('[data-action=show-all]');
  assert.equal(await page.locator('.group-table tbody tr').count(), hostileNames.length);
  await page.click('.group-table tbody tr:has-text("<script>") .link');
  await page.waitForSelector('.verdict strong:has-text("<script>alert(1)</script>")');
  await page.check('input[value="5m"]');
  await page.waitForSelector('.verdict h2:has-text("last 5m")');
  assert.ok((await page.locator('.stability').count()) > 0, 'what is known of all time only is still there');
  await page.check('input[value="agent"]');
  await page.waitForSelector('.group-table tbody tr:has-text("travel")');
  assert.equal(await overflow(page), 0);
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
  assert.deepEqual(requests, [url]);
  assert.deepEqual(troubles, []);
});

test('a report shows real arguments that do not match, truth that may be wrong, and what judges say', {
  skip: noBrowser,
}, async (context) => {
  const folder = temporaryFolder(context);
  const hostile = '<img src=x onerror=alert(1)>\u202e';
  const book = (city: string) => ({ name: 'book', arguments: { city } });
  const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const events = ['a', 'b'].map((model) => ({ example_id: 'o', ts: 1e12, model, tool_calls: [book(hostile)] }));
  writeFileSync(join(folder, 'truth.ndjson'), lines([{ example_id: 'o', expected_tool_calls: [book('Oslo')] }]));
  writeFileSync(join(folder, 'events.ndjson'), lines(events));
  const judgements = ['gpt', 'human:ann'].flatMap((by) =>
    ['a', 'b'].map((model) => {
      const of = { example_id: 'o', ts: 1e12, model, exact: false };
      return { judgement: 'judge', ...of, by, score: by === 'gpt' || model === 'a' ? 7 : 1 };
    }),
  );
  writeFileSync(join(folder, 'judgements.ndjson'), lines(judgements));
  const inputs = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '--judgements', 'judgements.ndjson'];
  const files = [...inputs, '--summary', 'summary.json'];
  await runProgram(['replay', ...files], { cwd: folder });
  await runProgram(['report', 'summary.json', '-o', 'report.html'], { cwd: folder });
  const url = pathToFileURL(join(folder, 'report.html')).href;
  const { page, troubles } = await open(await browserFor(context), url);
  await page.waitForSelector('.suspects article');
  assert.match(
    (await page.textContent('.suspects article'))!,
    /2 of 2 models, 2 events.*said by a, b, passed by gpt, human:ann/,
  );
  const rule = await page.textContent('.suspects pre');
  assert.deepEqual(JSON.parse(`{${rule}}`), { accept: { city: { any: [hostile] } } });
  assert.match((await page.textContent('.wrong .examples'))!, /"Oslo" → "<img src=x onerror=alert\(1\)>‹U\+202E›"/);
  const { groups } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  const { kappa, corrected } = groups[0].judge;
  for (const [path, number] of [
    ['judge.kappa', kappa],
    ['judge.corrected', corrected.value],
    ['judge.judges.gpt.human:ann.agreement', 0.5],
  ])
    assert.equal(await page.getAttribute(`.judged [data-path="${path}"]`, 'data-value'), String(number));
  assert.match((await page.textContent('.judged [data-path="judge.corrected"]'))!, /^75\.0\s%\d+\.\d–\d+\.\d\s%$/);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(troubles, []);
});

test('a report says what was wrong with the input, as text', { skip: noBrowser }, async (context) => {
  const folder = temporaryFolder(context);
  const records = { ...world.view().records, malformed_calls: 3 };
  const coverage = { value: 0.5, numerator: 1, denominator: 2, lower: 0.1, upper: 0.9 };
  const summary = { ...world.summary('*', 'all'), records, coverage, input: badInput };
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary));
  await runProgram(['report', 'summary.json', '-o', 'report.html'], { cwd: folder });
  const browser = await browserFor(context);
  for (const width of [1280, 360]) {
    const url = pathToFileURL(join(folder, 'report.html')).href;
    const { page, troubles } = await open(browser, url, { width });
    await page.waitForSelector('.more > .input li');
    const items = await page.$$eval('.input li', (list) => list.map(({ textContent }) => textContent));
    assert.equal(items.length, badInput.length);
    assert.match(items[1]!, /^calls malformed: 3first at predictions\/0:1048576\[7\] \{"fn": /);
    assert.match(items[2]!, /<img src=x onerror=alert\(1\)>: meant as tool_calls\?/);
    assert.equal(await page.locator('.input img').count(), 0);
    assert.match((await page.textContent('.verdict h2'))!, /, coverage 50\.0\s%, 3 malformed calls$/);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(troubles, []);
  }
});

test('two files of scores are compared', { skip: noBrowser }, async (context) => {
  const folder = temporaryFolder(context);
  const row = (at: number, correct: boolean) => ({
    ...{ event_id: null, example_id: `<b>${at}</b>`, run: null, model: 'm', agent: '' },
    decision: { gold: 'direct', predicted: correct ? 'direct' : 'tool_call', correct, hallucinations: [] },
  });
  for (const [name, right] of [
    ['old', 95],
    ['new', 70],
  ] as const) {
    const rows = Array.from({ length: 100 }, (_, at) => `${JSON.stringify(row(at, at < right))}\n`);
    writeFileSync(join(folder, `${name}.ndjson`), rows.join(''));
  }
  const ended = await runProgram(['report', 'old.ndjson', 'new.ndjson', '-o', 'c.html'], { cwd: folder });
  assert.deepEqual(ended, { status: 0, stdout: '', stderr: '' });
  const url = pathToFileURL(join(folder, 'c.html')).href;
  const { page, requests, troubles } = await open(await browserFor(context), url);
  await page.waitForSelector('.comparison');
  const accuracy = page.locator('tr:has-text("decision.accuracy")');
  assert.match((await accuracy.textContent())!, /95\.0\s%70\.0\s%-25\.0-34\.\d to -16\.\d.*worse/);
  // The picture of the widest interval, of 25 points, is not cut.
  const [line, circle] = [accuracy.locator('line:not(.zero)'), accuracy.locator('circle')];
  assert.ok(Number(await line.getAttribute('x1')) >= 4 && Number(await circle.getAttribute('cx')) > 8);
  assert.equal(await page.locator('.flips tbody tr').count(), 25);
  assert.equal(await page.locator('.flips tbody tr bdi').first().textContent(), '<b>70</b>');
  assert.equal(await overflow(page), 0);
  assert.deepEqual([requests, troubles], [[url], []]);
});

test('several summaries, or a folder of snapshots, give the history', { skip: noBrowser }, async (context) => {
  const folder = temporaryFolder(context);
  const moving = createWorld({ models: ['a', 'b', 'c'], durationMs: 10_000, rate: 60 });
  const names = [3, 1, 2].map((number) => `summary-${number}.json`);
  for (const number of [1, 2, 3]) {
    writeFileSync(join(folder, `summary-${number}.json`), JSON.stringify(moving.summary('*', 'all')));
    const view = moving.view();
    const bytes = Buffer.concat(aggregateSnapshot(view, view.asOfMs!, [['model'], ['agent']]));
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
    await page.waitForSelector('.history path.is-focus');
    assert.equal(await page.locator('[data-chart]').count(), 1);
    await page.selectOption('[data-action=chart]', 'all');
    assert.equal(await page.locator('[data-chart]').count(), 9);
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
    [['report', '.', '-o', 'x.html'], 2, /holds no aggregates-\*\.arrow or \.parquet/],
    [['report', 'empty.json', '-o', 'no/such/folder.html'], 1, /there is no folder no\/such; make it/],
    [['report', 'empty.json', '-o', 'empty.html'], 0, /^$/],
  ];
  for (const [args, status, stderr] of cases) {
    const ended = await runProgram(args, { cwd: folder });
    assert.equal(ended.status, status, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, stderr);
  }
  assert.ok(readFileSync(join(folder, 'empty.html')).length > 50_000);
});
