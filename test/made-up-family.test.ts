import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarations } from '../src/scoring/families.ts';
import { type AnyDeclaration, cellNames, type Family } from '../src/scoring/family.ts';
import { count, type Metrics, rate } from '../src/scoring/metric.ts';
import { flag, integer } from '../src/scoring/row.ts';

/*
 * A family is its declaration and its functions, and a line in the list of families: everything that shows, exports, checks or documents
 * numbers finds it there. This one is added before the program is loaded.
 */
const cells = cellNames({ n: 'count', polite: 'count' });
type Sums = Readonly<Record<'n' | 'polite', number>>;

const declaration = {
  name: 'politeness',
  question: 'Does the agent say please?',
  source: 'this test',
  unit: 'event',
  cells: cells.kinds,
  sums: cells.read,
  metrics: {
    n: count({ title: 'Answers', help: 'Answers heard.', of: ({ n }) => n }),
    rude_rate: rate({
      title: 'Rudeness',
      help: 'Answers without a please.',
      better: 'lower',
      headline: 'Rude',
      history: true,
      budget: 0.1,
      of: ({ n, polite }) => [n - polite, n],
    }),
  } satisfies Metrics<Sums>,
  row: { polite: flag<{ outcome: boolean }>(({ outcome }) => outcome), words: integer(() => 7) },
  counters: [
    {
      name: 'pleases',
      help: 'Answers with a please.',
      unit: 'answers',
      labels: ['tone'],
      series: [{ values: ['polite'], of: ({ polite }: Sums) => polite }],
    },
  ],
} as const;

const politeness: Family<true, boolean, Sums> = {
  ...declaration,
  breakdowns: [],
  prepare: () => true,
  score: ({ prediction: { output } }) => output.kind === 'text' && output.text.includes('please'),
  tally(polite, into) {
    into.count(cells.at.n, 1);
    if (polite) into.count(cells.at.polite, 1);
  },
  perfect: (polite) => polite,
  isEmpty: ({ n }) => n === 0,
};

(declarations as AnyDeclaration[]).push(declaration);
const program = await import('./support/program-parts.ts');
const { rateWith, z95 } = await import('../src/scoring/reading.ts');
const { alwaysRate } = await import('../src/view/always-rate.ts');
const readRate = rateWith(z95);
/** As rates of window `all` are written out. */
const written = (rate: unknown): unknown => JSON.parse(JSON.stringify(rate));
const rudeRate = written(alwaysRate(readRate)(2, 3));
const world = program.scoredWith(politeness, [
  { example_id: 'a', model: 'm', output: 'yes, please' },
  { example_id: 'a', model: 'm', output: 'no' },
  { example_id: 'a', model: 'm', output: 'no!' },
]);

test('summary, and its JSON Schema', () => {
  const summary = program.summaryOf(world);
  assert.deepEqual(written(summary.groups[0]!['politeness']), { n: 3, rude_rate: rudeRate });
  assert.deepEqual(program.summaryProblems(summary), []);
  const [total, ...others] = summary.groups;
  const wrong = { ...summary, groups: [{ ...total, politeness: { n: 3 } }, ...others] };
  assert.notDeepEqual(program.summaryProblems(wrong), []);
});

test('score rows: JSON, JSON Schema, Arrow', () => {
  const expected = [true, false, false].map((polite) => ({ polite, words: 7 }));
  assert.deepEqual(
    world.rows.map((row) => row['politeness']),
    expected,
  );
  assert.deepEqual(program.rowProblems(world.rows), []);
  assert.notDeepEqual(program.rowProblems([{ ...world.rows[0]!, politeness: { polite: 1 } }]), []);
  assert.deepEqual(
    program.arrowRows(world.rows).map((row) => ({ ...row['politeness'].toJSON() })),
    expected.map((row) => ({ skipped: false, ...row })),
  );
});

test('Arrow aggregates, and what a report reads of them', async () => {
  const block = (await program.aggregatesOf(world))[0]!['politeness'] as { rude_rate: unknown };
  assert.deepEqual(block.rude_rate, readRate(2, 3));
});

test('Prometheus: gauges, counters with their HELP, and the list of metrics', () => {
  const page = program.metricsOf(world);
  assert.match(page, /assay_window_value\{slice="",window="all",metric="politeness_rude_rate"\} 0\.666/);
  assert.match(page, /# HELP assay_pleases_total Answers with a please\./);
  assert.match(page, /assay_pleases_total\{model="m",tone="polite"\} 1/);
  // What its budget is held against.
  assert.match(page, /assay_hallucinations_total\{model="m",kind="politeness_rude_rate"\} 2/);
  assert.match(page, /assay_hallucination_opportunities_total\{model="m",kind="politeness_rude_rate"\} 3/);
  const reference = program.generated('metrics.md');
  for (const name of ['politeness_rude_rate', 'assay_pleases_total']) assert.ok(reference.includes(name), name);
});

test('alerts: its budget', () => {
  const rules = program.generated('rules/assay-budgets.yml');
  assert.match(rules, /vector\(0\.1\)\n\s+labels:\n\s+kind: politeness_rude_rate/);
});

test('recording rules and dashboards', () => {
  for (const name of ['rules/assay-scores.yml', 'dashboards/assay-model.json'])
    assert.ok(program.generated(name).includes('politeness_rude_rate'), name);
});

test('page, report and terminal have a column for it, and a history', () => {
  const column = program.headlines.find(({ path }) => path === 'politeness.rude_rate');
  assert.deepEqual([column?.column, column?.title, column?.better], ['Rude', 'Rudeness', 'lower']);
  assert.deepEqual(written(program.liveOf(world).groups[0]!.headlines['politeness.rude_rate']), rudeRate);
  assert.match(program.tableOf(world), /politeness\.rude_rate/);
  assert.equal(program.historyOf(world, 'politeness.rude_rate'), 2 / 3);
});

test('gates and compare know its names and its direction', () => {
  assert.equal(program.gate(world, 'politeness.rude_rate<=0.7'), true);
  assert.equal(program.gate(world, 'politeness.rude_rate.upper<=0.7'), false);
  assert.match(String(program.gate(world, 'politeness.rude_rat>=1')), /nearest: politeness\.rude_rate/);
  const reading = (value: number) => readRate(10 * value, 10);
  assert.equal(program.verdictOfHigher('politeness', 'rude_rate', reading), 'significant');
  assert.equal(program.verdictOfHigher('decision', 'accuracy', reading), 'minimal');
});
