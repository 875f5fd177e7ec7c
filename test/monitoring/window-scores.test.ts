import { allGroups, checkRules, type Expectation, type InputSeries, seriesName } from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';
import { matrixSeries, storedRun } from './matrix.ts';

const constant = (value: number): string => `${value}x20`;
const gauge = (name: string, labels: Readonly<Record<string, string>>, value: number): InputSeries => ({
  series: seriesName(name, { job: 'assay', ...labels }),
  values: constant(value),
});
const rounded = (expr: string, ...samples: Expectation['samples']): Expectation => ({
  expr: `round(${expr}, 0.0001)`,
  at: '5m',
  samples,
});
const m1 = { job: 'assay', model: 'm1', window: '1h' };

testWith(['promtool'], 'window counts of two instances add up to the stored run', async (context, promtool) => {
  const input = (['a', 'b'] as const).flatMap((instance) =>
    matrixSeries(
      'assay_window_outcomes',
      { job: 'assay', instance, model: 'm1', window: '1h' },
      storedRun[instance],
      constant,
    ),
  );
  const expect = [
    rounded('job_model_window:assay_window_outcomes:sum', [m1, 15]),
    rounded('job_model_window:assay_window_accuracy:ratio', [m1, 0.6667]),
    rounded('job_model_window:assay_window_macro_f1:ratio', [m1, 0.5472]),
    rounded('job_model_window:assay_window_macro_f1_no_direct:ratio', [m1, 0.7296]),
    rounded(
      'job_model_window_class:assay_window_f1:ratio',
      ...(
        [
          ['direct', 0],
          ['tool_call', 0.8],
          ['request_for_info', 0.8889],
          ['cannot_answer', 0.5],
        ] as const
      ).map(([label, f1]) => [{ ...m1, class: label }, f1] as const),
    ),
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, expect }]);
});

/** A rate as the page shows it: nothing at 0/0. */
function rate(own: Readonly<Record<string, string>>, numerator: number, denominator: number): InputSeries[] {
  if (denominator === 0) return [];
  return [gauge('assay_window_value', own, numerator / denominator), gauge('assay_window_support', own, denominator)];
}

testWith(['promtool'], 'rates of instances are weighed by their support', async (context, promtool) => {
  const agent = (instance: string, metric: string): Readonly<Record<string, string>> => ({
    instance,
    slice: 'agent',
    agent: 'booking',
    window: '5m',
    metric,
  });
  const input = [
    ...rate(agent('a', 'param_hall'), 9, 10),
    ...rate(agent('b', 'param_hall'), 0, 90),
    ...rate(agent('a', 'tool_hall'), 1, 3),
    ...rate(agent('b', 'tool_hall'), 0, 0),
    // Another set of dimensions has the same label and must not mix in; nor must another metric.
    ...rate({ ...agent('a', 'param_hall'), slice: 'agent,model', model: 'm1' }, 5, 5),
    ...rate(agent('a', 'tool_hall_any'), 5, 5),
  ];
  const booking = { job: 'assay', agent: 'booking', window: '5m' };
  const level = 'job_agent_window_kind:assay_window_hallucination';
  const expect = [
    rounded(
      `${level}s_per_opportunities:ratio`,
      [{ ...booking, kind: 'param' }, 0.09],
      [{ ...booking, kind: 'tool' }, 0.3333],
    ),
    rounded(`${level}_opportunities:sum`, [{ ...booking, kind: 'param' }, 100], [{ ...booking, kind: 'tool' }, 3]),
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, expect }]);
});

testWith(['promtool'], 'coverage and stability over instances', async (context, promtool) => {
  const predictions = (instance: string, counts: Readonly<Record<string, number>>): InputSeries[] =>
    Object.entries(counts).map(([state, count]) =>
      gauge('assay_window_predictions', { instance, window: '1h', state }, count),
    );
  const model = (instance: string): Readonly<Record<string, string>> => ({ instance, slice: 'model', model: 'm1' });
  const input = [
    ...predictions('a', { scored: 10, pending: 0, expired: 0 }),
    ...predictions('b', { scored: 50, pending: 30, expired: 10 }),
    gauge('assay_stability_value', { ...model('a'), metric: 'stability' }, 1),
    gauge('assay_stability_value', { ...model('b'), metric: 'stability' }, 0.5),
    gauge('assay_stability_value', { ...model('a'), metric: 'k' }, 5),
    gauge('assay_stability_groups', { ...model('a'), state: 'complete' }, 10),
    gauge('assay_stability_groups', { ...model('b'), state: 'complete' }, 30),
    gauge('assay_stability_groups', { ...model('a'), state: 'seen' }, 1000),
    // Seen and never complete: no value, and no weight.
    gauge('assay_stability_groups', { ...model('c'), state: 'complete' }, 0),
  ];
  const expect = [
    rounded('job_window:assay_coverage:ratio', [{ job: 'assay', window: '1h' }, 0.6]),
    rounded('job_window:assay_window_predictions:sum', [{ job: 'assay', window: '1h' }, 100]),
    // (10 * 1 + 30 * 0.5) / 40
    rounded('job_model_metric:assay_stability:ratio', [{ job: 'assay', model: 'm1', metric: 'stability' }, 0.625]),
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, expect }]);
});
