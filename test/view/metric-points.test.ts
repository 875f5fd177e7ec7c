import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarations } from '../../src/scoring/families.ts';
import { meanOf, rateWith, z95 } from '../../src/scoring/reading.ts';
import { isNamed, type MetricPoint, metricPoints, pointPlan, summaryPath } from '../../src/view/metric-points.ts';
import type { Blocks } from '../../src/view/summary.ts';

const rate = rateWith(z95);
const empty = { label: undefined, predicted: undefined, lower: null, upper: null, numerator: null, denominator: null };

type Unnamed = Omit<MetricPoint, 'name'>;

const point = (family: string, metric: string, rest: Partial<Unnamed> & Pick<Unnamed, 'value'>): Unnamed => {
  return { ...empty, family, metric, ...rest };
};

const accuracy = rate(1, 2);
const shapes: readonly [why: string, blocks: Blocks, points: readonly Unnamed[]][] = [
  ['a number', { decision: { n: 2 } }, [point('decision', 'n', { value: 2 })]],
  ['null stays', { decision: { macro_f1: null } }, [point('decision', 'macro_f1', { value: null })]],
  ['a rate has all five', { decision: { accuracy } }, [point('decision', 'accuracy', { ...accuracy })]],
  [
    'a rate of 0/0',
    { decision: { tool_hall: rate(0, 0) } },
    [point('decision', 'tool_hall', { value: null, numerator: 0, denominator: 0 })],
  ],
  [
    'a mean: its count is the denominator, its sum no numerator',
    { tool_calls: { strict: { f1: meanOf(3, 4), band: 'good' } } },
    [point('tool_calls', 'strict.f1', { value: 0.75, denominator: 4 })],
  ],
  [
    'a mean of nothing',
    { trajectory: { strict: { overall: meanOf(0, 0) } } },
    [point('trajectory', 'strict.overall', { value: null, denominator: 0 })],
  ],
  [
    'a record of means',
    { stability: { pass_hat_k: { '1': meanOf(1, 2) } } },
    [point('stability', 'pass_hat_k.1', { value: 0.5, denominator: 2 })],
  ],
  ['no record of means', { stability: { pass_hat_k: null } }, []],
  [
    'confusion: gold and predicted',
    { decision: { confusion: { direct: { tool_call: 3 } } } },
    [point('decision', 'confusion', { label: 'direct', predicted: 'tool_call', value: 3 })],
  ],
  [
    'per_class and per_label: the label',
    {
      decision: { per_class: { direct: { f1: 1 } } },
      stability: { per_label: { tool_call: { pass_hat_k: { '2': meanOf(1, 1) } } } },
    },
    [
      point('decision', 'per_class.f1', { label: 'direct', value: 1 }),
      point('stability', 'per_label.pass_hat_k.2', { label: 'tool_call', value: 1, denominator: 1 }),
    ],
  ],
  ['a family that scored nothing, one that is disabled', { decision: null }, []],
];

test('each shape of number becomes one point', () => {
  for (const [why, blocks, points] of shapes)
    assert.deepEqual(
      metricPoints(blocks).map(({ name, ...point }) => point),
      points,
      why,
    );
});

test('bands and breakdowns are left out: their keys are names from the data', () => {
  const named = JSON.parse('{"__proto__": 1, "get_weather": {"city": 2}}');
  const blocks: Blocks = {
    tool_calls: { strict: { band: null } },
    trajectory: {
      parameter_mismatches: named,
      tools: { a: { success: rate(1, 1) } },
      by_call_count: { '2': { strict: rate(1, 1) } },
      by_combination: { '1x a, 2x b': { strict: rate(1, 1) } },
      missing_tools: { a: { tasks: 1, occurrences: 1 } },
      extra_tools: named,
      tasks: 1,
    },
  };
  assert.deepEqual(metricPoints(blocks).map(summaryPath), ['tasks']);
});

test('the summary path of a point leads back to it, and its name is that path with underscores behind the family', () => {
  const blocks: Blocks = {
    decision: { confusion: { direct: { invalid: 0 } }, per_class: { tool_call: { recall: 1 } }, n: 1 },
    stability: { per_label: { direct: { pass_hat_k: { '2': meanOf(0, 0) } } } },
    tool_calls: { strict: { f1: meanOf(1, 1) } },
  };
  assert.deepEqual(metricPoints(blocks).map(summaryPath), [
    'n',
    'confusion.direct.invalid',
    'per_class.tool_call.recall',
    'per_label.direct.pass_hat_k.2',
    'strict.f1',
  ]);
  assert.deepEqual(
    metricPoints(blocks).map(({ name }) => name),
    ['n', 'confusion', 'per_class_tool_call_recall', 'per_label_direct_pass_hat_k_2', 'tool_calls_strict_f1'],
  );
});

test('a plan tells rates, means, numbers and counts apart, and means that are numbered', () => {
  const kinds = new Map(pointPlan(declarations).flatMap(({ places }) => places.map(({ name, kind }) => [name, kind])));
  const names = ['n', 'accuracy', 'macro_f1', 'confusion', 'tool_calls_strict_f1', 'pass_hat_k'];
  assert.deepEqual(
    names.map((name) => kinds.get(name)),
    ['count', 'rate', 'number', 'count', 'mean', 'numbered'],
  );
});

test('a name stands for a family, a point, or the points whose names go on from it behind a _', () => {
  const cases: readonly [name: string, family: string, point: string, is: boolean][] = [
    ['decision', 'decision', 'accuracy', true],
    ['accuracy', 'decision', 'accuracy', true],
    ['per', 'decision', 'per_class_f1', true],
    ['per_class', 'decision', 'per_class_f1', true],
    ['f1', 'decision', 'per_class_f1', false],
    ['pe', 'decision', 'per_class_f1', false],
    ['per_class_f1_', 'decision', 'per_class_f1', false],
    ['', 'decision', 'accuracy', false],
    ['tool', 'tool_calls', 'strict_f1', false],
  ];
  for (const [name, family, point, is] of cases) assert.equal(isNamed(name, family, point), is, `${name} of ${point}`);
});
