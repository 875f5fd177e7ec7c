import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rate = (numerator: number) => ({ value: numerator / 100, numerator, denominator: 100, lower: 0, upper: 1 });

function summaries(context: TestContext): string {
  const cwd = temporaryFolder(context);
  const group = (slice: object, right: number) => ({
    slice,
    window: 'all',
    arguments: { args_exact_rate: rate(right) },
  });
  const summary = (right: number) => ({
    format: 'assay.summary/1',
    groups: [group({}, right), group({ model: 'small' }, right - 20)],
  });
  writeFileSync(join(cwd, 'a.json'), JSON.stringify(summary(90)));
  writeFileSync(join(cwd, 'b.json'), JSON.stringify(summary(80)));
  writeFileSync(join(cwd, 'no.json'), '{"groups": []}');
  writeFileSync(join(cwd, 'cut.json'), '{"format": "assay.summ');
  return cwd;
}

test('compare prints a line of JSON, and ends with 0 also where tuning is needed', async (context) => {
  const cwd = summaries(context);
  const metric = 'arguments.args_exact_rate';
  for (const [a, b, expected] of [
    ['a.json', 'b.json', { a: 0.9, b: 0.8, gap: 0.9 - 0.8, verdict: 'moderate', needs_tuning: false }],
    ['a.json', 'a.json#model=small', { a: 0.9, b: 0.7, gap: 0.9 - 0.7, verdict: 'significant', needs_tuning: true }],
  ] as const) {
    for (const args of [[], ['--metric', metric]]) {
      const { status, stdout, stderr } = await runProgram(['compare', a, b, ...args], { cwd });
      assert.deepEqual([status, stderr], [0, '']);
      assert.deepEqual(JSON.parse(stdout), { metric, ...expected });
    }
  }
});

const refused: readonly (readonly [readonly string[], RegExp])[] = [
  [['a.json', 'nope.json'], /^nope\.json: the summary cannot be read: ENOENT/],
  [['a.json', 'no.json'], /^no\.json: is no summary \(format assay\.summary\/1\)/],
  [['cut.json', 'a.json'], /^cut\.json: is no summary/],
  [['a.json', 'b.json#model=big'], /^compare: the second summary has no group model=big/],
  [['a.json', 'b.json', '--metric', 'arguments.nope'], /^compare: first summary: .*nope/],
];

for (const [args, message] of refused) {
  test(`wrong usage: assay compare ${args.join(' ')}`, async (context) => {
    const { status, stdout, stderr } = await runProgram(['compare', ...args], { cwd: summaries(context) });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, message);
  });
}
