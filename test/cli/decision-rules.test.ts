import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserFor, noBrowser, open } from '../support/browser.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Recorded answers in words, as a provider would log them: scored by decision.rules, told in summary, score rows and report. */

const fixture = new URL('../../../test/fixtures/inputs/answers-in-words.ndjson', import.meta.url);
const answers = readFileSync(fixture, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { label: string; output: string });

test('labels are inferred of answers, and the report says of how many', async (context) => {
  const folder = temporaryFolder(context);
  const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const logged = answers.map(({ output }, at) => ({
    example_id: `${at}`,
    choices: [{ message: { content: output } }],
  }));
  writeFileSync(join(folder, 'events.ndjson'), lines(logged));
  writeFileSync(join(folder, 'truth.ndjson'), lines(answers.map(({ label }, at) => ({ example_id: `${at}`, label }))));
  writeFileSync(join(folder, 'assay.yaml'), 'decision: {rules: words}\n');
  const replay = async (...flags: string[]) => {
    const args = ['replay', '--truth', 'truth.ndjson', '--events', 'events.ndjson', ...flags];
    const { status, stdout, stderr } = await runProgram([...args, '--summary', '-', '--scores', 'rows.ndjson'], {
      cwd: folder,
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { config_hash: string; groups: { decision: Record<string, unknown> }[] };
  };
  writeFileSync(join(folder, 'off.yaml'), 'decision: {rules: off}\n');
  const without = await replay('-c', 'off.yaml');
  const { n, missing, inferred } = without.groups[0]!.decision;
  assert.deepEqual([n, missing, inferred], [378, 378, 0]);
  const byDefault = await replay();
  const summary = await replay('-c', 'assay.yaml');
  assert.deepEqual(byDefault.groups, summary.groups);
  assert.notEqual(summary.config_hash, without.config_hash);
  const { decision } = summary.groups[0]!;
  const accuracy = decision['accuracy'] as Record<string, unknown>;
  assert.deepEqual([accuracy['numerator'], accuracy['denominator']], [358, 378]);
  assert.deepEqual([decision['missing'], decision['inferred']], [0, 378]);
  assert.match(readFileSync(join(folder, 'rows.ndjson'), 'utf8'), /^(.*"label_status":"inferred".*\n){378}$/);

  writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary));
  const { status, stderr } = await runProgram(['report', 'summary.json', '-o', 'report.html'], { cwd: folder });
  assert.equal(status, 0, stderr);
  if (noBrowser) return context.diagnostic(noBrowser);
  const { page } = await open(await browserFor(context), pathToFileURL(join(folder, 'report.html')).href);
  const told = page.locator('[data-path="decision.inferred"]');
  assert.equal(await told.textContent(), '378 of 378 decisions were read from words, by decision.rules.');
});
