import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decisionDeclaration } from '../../src/scoring/decision/index.ts';
import { type DecisionSums, decisionMetrics } from '../../src/scoring/decision/metrics.ts';
import {
  allMetrics,
  counterSeriesOf,
  countersOf,
  declarations,
  headlinesOf,
  type PlacedMetric,
} from '../../src/scoring/families.ts';
import type { AnyDeclaration } from '../../src/scoring/family.ts';
import { estimate, mean, type Metrics, rate, readMetrics } from '../../src/scoring/metric.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { stabilityDeclaration } from '../../src/scoring/stability/read.ts';

/** Path, kind, better direction, short title of the headline, and whether there is a history. */
function lineOf({ family, keys, metric }: PlacedMetric): string {
  const { better = '-', headline = '-', history = false } = 'title' in metric ? metric : {};
  return [[family.name, ...keys].join('.'), metric.kind, better, headline, history ? 'history' : '-'].join(' | ');
}

test('what families declare of their metrics', () => {
  const lines = allMetrics().flatMap((placed) => {
    const { family, keys, metric } = placed;
    if (metric.kind !== 'labels' || family.name !== 'decision') return [lineOf(placed)];
    const ofLabel = allMetrics([{ ...family, metrics: metric.metrics }]);
    return [lineOf(placed), ...ofLabel.map((one) => lineOf({ ...one, keys: [...keys, '*', ...one.keys] }))];
  });
  assert.deepEqual(lines, readFileSync('test/scoring/declarations.golden.txt', 'utf8').trimEnd().split('\n'));
});

test('a headline is a share where the metric is a rate or an estimate, else a score', () => {
  const told = { title: 'T', help: 'H', headline: 'C' };
  const metrics: Metrics<unknown> = {
    share: rate({ ...told, of: () => [1, 2] }),
    guess: estimate({ ...told, better: 'lower', history: true, of: () => ({ value: 1, lower: 0, upper: 1 }) }),
    fraction: mean({ ...told, of: () => [1, 2] }),
    plain: rate({ title: 'T', help: 'H', of: () => [1, 2] }),
  };
  const headlines = (family: AnyDeclaration) =>
    headlinesOf([{ ...family, name: 'made_up', metrics }]).map(
      ({ path, column, better, form, history, allOnly }) => `${path} ${column} ${better} ${form} ${history} ${allOnly}`,
    );
  assert.deepEqual(headlines(decisionDeclaration), [
    'made_up.share C higher share false false',
    'made_up.guess C lower share true false',
    'made_up.fraction C higher score false false',
  ]);
  assert.equal(headlines(stabilityDeclaration)[0], 'made_up.share C higher share false true');
});

test('rates and means within breakdowns say which change is good', () => {
  const directions = allMetrics().flatMap(({ family, keys, metric }) => {
    if (metric.kind !== 'breakdown') return [];
    const within = allMetrics([{ ...family, metrics: { value: metric.value } }]);
    return within.flatMap(({ keys: [, ...rest], metric: one }) =>
      one.kind === 'rate' || one.kind === 'mean' ? [`${[family.name, ...keys, ...rest].join('.')} ${one.better}`] : [],
    );
  });
  assert.deepEqual(directions, [
    'trajectory.tools.success higher',
    ...['by_call_count', 'by_combination'].flatMap((name) =>
      ['strict', 'flexible'].map((mode) => `trajectory.${name}.${mode} higher`),
    ),
    ...['invalid_arguments', 'failed'].map((name) => `tool_use.tools.${name} lower`),
    ...['semantic', 'judge'].map((name) => `${name}.judges.agreement higher`),
    ...['score', 'pass', 'unreferenced.pass', 'agreement'].map((name) => `judgements.names.${name} higher`),
    // Of an outcome nobody says which change is good.
    ...['rate', 'mean'].map((name) => `feedback.outcomes.${name} undefined`),
  ]);
});

test('a mean that is no rate is weighed by a count beside it', () => {
  const weighed = allMetrics().flatMap(({ family, keys, metric }) =>
    'weight' in metric ? [[`${family.name}.${keys}`, metric.weight, family.metrics[metric.weight!]?.kind]] : [],
  );
  assert.deepEqual(weighed, [
    ['schema.overall', 'n', 'count'],
    ['tool_use.calls_per_run', 'n', 'count'],
    ['tool_use.steps_per_run', 'n', 'count'],
  ]);
});

test('titles and help are whole sentences', () => {
  for (const { family, keys, metric } of allMetrics()) {
    if (metric.kind === 'labels') continue;
    for (const told of [metric.title, metric.help]) assert.match(told, /^\S.*[^\s.]\.?$/, `${family.name}.${keys}`);
    assert.doesNotMatch(`${metric.title} ${metric.help}`, / [.,;]| {2}/, `${family.name}.${keys}`);
  }
});

test('decisions: nothing scored is null, and the hallucinations of a row are a closed list', () => {
  const nothing = { count: () => 0, sum: () => 0, entries: () => [] };
  const block = readMetrics(decisionMetrics, decisionDeclaration.sums(nothing), rateWith(z95));
  for (const name of ['macro_f1', 'macro_f1_no_direct', 'macro_f1_present']) assert.equal(block[name], null, name);
  const { hallucinations } = decisionDeclaration.row;
  assert.deepEqual(hallucinations, { ...hallucinations, values: ['tool', 'param', 'answer', 'unknown_tool'] });
});

test('the counters of a model, with their labels', () => {
  const names = counterSeriesOf().map(({ counter, values }) => `${counter.name} ${counter.labels} ${values}`);
  assert.equal(new Set(names).size, 20 + 3 + 3 + 3 * 2 + 3 + 5);
  assert.deepEqual(
    names.filter((name) => !name.startsWith('outcomes')),
    [
      ...['predicted', 'reference', 'matched'].flatMap((of) =>
        ['strict', 'flexible'].map((mode) => `calls_${of} mode ${mode}`),
      ),
      ...['matched', 'extra', 'missing'].map((result) => `argument_fields result ${result}`),
      ...['ok', 'failed', 'unknown', 'malformed', 'invalid'].map((result) => `tool_calls result ${result}`),
      ...['tool', 'answer', 'param'].map((kind) => `hallucination_opportunities kind ${kind}`),
      ...['tool', 'answer', 'param'].map((kind) => `hallucinations kind ${kind}`),
    ],
  );
});

test('counters of decisions count the cells of the matrix, opportunities and hallucinations', () => {
  const outcomes = [0, 1, 2, 3].map((gold) => [0, 1, 2, 3, 4].map((predicted) => 1 + 5 * gold + predicted));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const sums: DecisionSums = {
    outcomes,
    gold: outcomes.map(sum),
    predicted: [0, 1, 2, 3].map((predicted) => sum(outcomes.map((row) => row[predicted]!))),
    correct: [1, 7, 13, 19],
    n: 210,
    missing: 0,
    invalid: 0,
    inferred: 0,
    toolOpportunities: 50,
    toolHallucinations: 8,
    calls: 30,
    unknownCalls: 4,
  };
  const counted = counterSeriesOf().filter(({ family }) => family === 'decision');
  const read = Object.fromEntries(
    countersOf(counted).map((counter) => {
      const series = counted.filter((one) => one.counter === counter);
      return [counter.name, [counter.labels, ...series.map(({ of }) => of(sums))]];
    }),
  );
  assert.deepEqual(read, {
    outcomes: [['gold', 'predicted'], ...outcomes.flat()],
    // tool: told by the truth's tools; answer: every prediction; param: gold request_for_info.
    hallucination_opportunities: [['kind'], 50, 210, 11 + 12 + 13 + 14 + 15],
    hallucinations: [['kind'], 8, 6 + 11 + 16, 12],
  });
  assert.deepEqual(
    declarations.map(({ name, unit }) => `${name} ${unit}`),
    [
      'decision event',
      'stability runs',
      ...['tool_calls', 'trajectory', 'schema', 'arguments', 'structured', 'match', 'tool_use'].map(
        (name) => `${name} event`,
      ),
      ...['semantic', 'judge', 'judgements', 'feedback', 'outcome'].map((name) => `${name} judgement`),
    ],
  );
});
