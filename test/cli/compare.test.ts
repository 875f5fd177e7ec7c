import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { comparisonTable } from '../../src/commands/compare/comparison-table.ts';
import type { ComparisonDocument } from '../../src/formats/summary/comparison-document.ts';
import { prng } from '../sim/prng.ts';
import { readJunit } from '../support/junit.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const cwd = temporaryFolder({ after });
const labels = ['direct', 'tool_call', 'request_for_info', 'cannot_answer'];
const metric = 'arguments.args_exact_rate';

/** 400 examples of two models, of which the second is right less often; scored by the program itself. */
before(async () => {
  const { chance, pick } = prng(3);
  const callsOf = (label: string, x: number) => (label === 'tool_call' ? [{ name: 'f', arguments: { x } }] : []);
  const examples = Array.from({ length: 400 }, (_, at) => ({ at, label: labels[at % 4]! }));
  const lines = (objects: readonly object[]): string => objects.map((one) => `${JSON.stringify(one)}\n`).join('');
  const truth = examples.map(({ at, label }) => ({
    ...{ example_id: `e${at}`, label, tools: [{ name: 'f' }], expected_tool_calls: callsOf(label, at) },
  }));
  writeFileSync(join(cwd, 'truth.ndjson'), lines(truth));
  for (const [model, right] of Object.entries({ old: 0.9, new: 0.75 })) {
    const events = examples.map(({ at, label }) => {
      const said = chance(right) ? label : pick(labels);
      const tool_calls = callsOf(said, chance(0.9) ? at : 0);
      return { example_id: `e${at}`, ts: 1770000000000 + at, model, label: said, tool_calls };
    });
    writeFileSync(join(cwd, `${model}.events`), lines(events));
    const replay = ['replay', '--truth', 'truth.ndjson', '--events', `${model}.events`];
    const outputs = ['--summary', `${model}.json`, '--scores', `${model}.ndjson`];
    assert.equal((await runProgram([...replay, ...outputs], { cwd })).status, 0);
    assert.equal((await runProgram([...replay, '--scores', `${model}.arrow`], { cwd })).status, 0);
  }
  writeFileSync(join(cwd, 'no.json'), '{"groups": []}');
  writeFileSync(join(cwd, 'cut.json'), '{"format": "assay.summ');
  writeFileSync(join(cwd, 'cut.ndjson'), '{"example_id":"a","decision":null}\n{"exam\n');
});

async function comparisonOf(...args: readonly string[]): Promise<ComparisonDocument> {
  const { status, stdout, stderr } = await runProgram(['compare', ...args, '-o', '-'], { cwd });
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout);
}

const numbersOf = ({ candidates }: ComparisonDocument) =>
  candidates[0]!.metrics.map(({ metric: path, a, b }) => [path, a, b] as const);

test('summaries and score files give the same numbers; score files are compared in pairs', async () => {
  const ofSummaries = await comparisonOf('old.json', 'new.json');
  const ofRows = await comparisonOf('old.ndjson', 'new.ndjson');
  assert.deepEqual([ofSummaries.candidates[0]!.paired, ofRows.candidates[0]!.paired], [null, 400]);
  const summaries = new Map(numbersOf(ofSummaries).map(([path, ...numbers]) => [path, numbers]));
  for (const [path, ...numbers] of numbersOf(ofRows)) assert.deepEqual(numbers, summaries.get(path), path);
  assert.deepEqual([...summaries.keys()].slice(0, 3), ['match.correct', 'decision.accuracy', 'decision.answer_hall']);
  const [arrow] = (await comparisonOf('old.arrow', 'new.arrow')).candidates;
  assert.deepEqual({ ...arrow, file: 'new.ndjson' }, ofRows.candidates[0]);
  const accuracy = ofRows.candidates[0]!.metrics[1]!;
  assert.deepEqual([accuracy.change, accuracy.method], ['worse', 'newcombe_paired_mcnemar']);
  const { total, worst } = ofRows.candidates[0]!.flips!;
  assert.equal(worst.length, total);
  assert.ok(worst[0]!.worse.length > 2 && worst.at(-1)!.better.length > 2);
});

test('the table fits 80 columns at a terminal, and says what became worse', async () => {
  for (const form of ['json', 'ndjson']) {
    const { status, stdout, stderr } = await runProgram(['compare', `old.${form}`, `new.${form}`], { cwd });
    assert.deepEqual([status, stderr], [0, '']);
    assert.doesNotMatch(stdout, /…$/m, 'no line is cut in a pipe');
    const atTerminal = comparisonTable(await comparisonOf(`old.${form}`, `new.${form}`), 80);
    for (const line of atTerminal.split('\n')) assert.ok(line.length <= 80, line);
    assert.match(stdout, /^decision\.accuracy ↑ +\d+\.\d % \d+\.\d % +-\d+\.\d +\[-\d+\.\d, -\d+\.\d\] worse$/m);
    assert.equal(/changed, the worst first \(10 of \d+/.test(stdout), form === 'ndjson');
  }
});

test('a file differs from itself in nothing', async () => {
  for (const file of ['old.json', 'old.ndjson']) {
    const { metrics } = (await comparisonOf(file, file)).candidates[0]!;
    assert.deepEqual(new Set(metrics.map(({ change }) => change)), new Set(['same']), file);
    const { stdout } = await runProgram(['compare', file, file, '--fail-on', 'worse'], { cwd });
    assert.match(stdout, /^decision\.accuracy ↑ +\d+\.\d % \d+\.\d % +0\.0 +same$/m);
  }
});

test('--metric prints a line of JSON each, and ends with 0 also where tuning is needed', async () => {
  const one = await runProgram(['compare', 'old.json', 'new.json', '--metric', metric], { cwd });
  const keys = ['metric', 'a', 'b', 'gap', 'verdict', 'needs_tuning'];
  assert.deepEqual([one.status, Object.keys(JSON.parse(one.stdout))], [0, keys]);
  const args = ['compare', 'old.json', 'new.json#model=new', 'old.ndjson', '--metric', 'accuracy', '--metric', metric];
  const { status, stdout } = await runProgram(args, { cwd });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    [status, ...lines.map(({ metric: path, candidate }) => [path, candidate])],
    [
      0,
      ['decision.accuracy', 'new.json'],
      [metric, 'new.json'],
      ['decision.accuracy', 'old.ndjson'],
      [metric, 'old.ndjson'],
    ],
  );
  assert.deepEqual([lines[2].gap, lines[2].verdict, lines[2].needs_tuning], [0, 'minimal', false]);
});

const conditions: readonly (readonly [files: readonly string[], on: readonly string[], number, RegExp])[] = [
  [['old.json', 'new.json'], ['worse'], 3, /^compare: worse: new\.json: decision\.accuracy fell behind: 0\.9/m],
  [['new.json', 'old.json'], ['worse'], 0, /^$/],
  [['old.json', 'new.json'], ['worse:accuracy'], 3, /^compare: worse:accuracy: new\.json: decision\.accuracy fell/],
  [['old.json', 'new.json'], ['worse:decision.param_hall'], 0, /^$/],
  [
    ['old.json', 'new.json'],
    ['worse:decision.param_hall', 'worse:trajectory.strict.name'],
    3,
    /trajectory\.strict\.name fell/,
  ],
  [['old.json', 'new.json'], ['worse:structured.f1'], 3, /structured\.f1 has no interval to decide by \(no value/],
  [['old.json', 'old.json', 'new.json'], ['worse'], 3, /^compare: worse: new\.json: (?:.|\n)*$/],
];

for (const [files, on, expected, message] of conditions) {
  test(`compare ${files.join(' ')} --fail-on ${on.join(' ')}`, async () => {
    const args = ['compare', ...files, ...on.flatMap((one) => ['--fail-on', one])];
    const { status, stdout, stderr } = await runProgram(args, { cwd });
    assert.equal(status, expected, stderr);
    assert.match(stderr, message);
    assert.match(stdout, /^decision\.accuracy/m);
  });
}

test('--report: a test case for each metric, and a table for a step on GitHub', async () => {
  const args = ['compare', 'old.json', 'new.json', '--fail-on', 'worse:accuracy', '--report', 'junit=c.xml'];
  const env = { GITHUB_STEP_SUMMARY: 'step.md' };
  const { status } = await runProgram([...args, '--report', 'github'], { cwd, env, built: true });
  assert.equal(status, 3);
  const cases = readJunit(readFileSync(join(cwd, 'c.xml'), 'utf8'));
  assert.ok(cases.length > 5);
  assert.deepEqual(
    cases.filter(({ failure }) => failure).map(({ suite, name }) => [suite, name]),
    [['assay.compare.new.json', 'decision.accuracy']],
  );
  const markdown = readFileSync(join(cwd, 'step.md'), 'utf8');
  assert.match(markdown, /^### Assay: new\.json compared with old\.json\n\n\| Metric \| A \|/);
  assert.match(markdown, /^\| decision\.accuracy ↑ \| \d+\.\d % \|.*\| worse \|$/m);
  assert.match(markdown, /^- ✗ worse:accuracy: new\.json: decision\.accuracy fell behind: 0\.9/m);
});

test('a file of its own: .json or .html', async () => {
  for (const [args, name] of [
    [['compare', 'old.ndjson', 'new.ndjson'], 'c.json'],
    [['compare', 'old.ndjson', 'new.ndjson'], 'c.html'],
    [['report', 'old.ndjson', 'new.ndjson'], 'r.html'],
  ] as const) {
    assert.deepEqual(await runProgram([...args, '-o', name], { cwd }), { status: 0, stdout: '', stderr: '' });
    assert.match(readFileSync(join(cwd, name), 'utf8'), /"assay\.comparison\/1"/);
  }
});

const refused: readonly (readonly [readonly string[], RegExp])[] = [
  [['old.json'], /missing required argument 'b'/],
  [['old.json', 'nope.json'], /^nope\.json: cannot be read \(ENOENT/],
  [['old.json', '.'], /^\.: cannot be read \(it is a folder\)/],
  [['old.json', 'no.json'], /^no\.json: is no summary \(format assay\.summary\/1\)/],
  [['cut.json', 'old.json'], /^cut\.json: is no summary/],
  [['old.ndjson', 'old.events'], /^old\.events:1: is no score row; make them with/],
  [['old.ndjson', 'cut.ndjson'], /^cut\.ndjson:2: is no score row/],
  [['old.json', 'new.json#model=big'], /^compare: new\.json has no group model=big; it has model=new/],
  [['old.ndjson', 'new.ndjson#model=big'], /^compare: new\.ndjson has no score rows of model=big/],
  [['old.ndjson', 'new.ndjson#tags.team=a'], /score rows have no tags\.team; name model or agent/],
  [['old.json', 'new.json', '--metric', 'arguments.nope'], /^compare: old\.json: arguments\.nope: no such number/],
  [['old.ndjson', 'new.ndjson', '--metric', 'decision.tool_hall'], /score rows do not say it; compare summaries/],
  [['old.json', 'new.json', '--fail-on', 'better'], /--fail-on better is neither worse nor worse:METRIC/],
  [['old.json', 'new.json', '-o', 'x.txt'], /it ends in \.json or \.html/],
];

for (const [args, message] of refused) {
  test(`wrong usage: assay compare ${args.join(' ')}`, async () => {
    const { status, stdout, stderr } = await runProgram(['compare', ...args], { cwd });
    assert.deepEqual([status, stdout], [2, ''], stderr);
    assert.match(stderr, message);
  });
}
