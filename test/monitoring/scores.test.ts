import { windows } from '../../packages/monitoring/settings.ts';
import { allGroups, checkRules, type Expectation, type InputSeries, seriesName } from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';
import { hallucinationSeries, matrixSeries, storedHallucinations, storedRun } from './matrix.ts';

const m1 = { job: 'assay', model: 'm1' };
const instances = ['a', 'b'] as const;
const growing = (count: number): string => `0+${count}x400`;

/** The stored run again every 30 s for more than three hours, and a model that the service knows and has not scored yet. */
const counters: readonly InputSeries[] = [
  ...instances.flatMap((instance) => {
    const own = { job: 'assay', instance, model: 'm1' };
    return [
      ...matrixSeries('assay_outcomes_total', own, storedRun[instance], growing),
      ...hallucinationSeries(own, storedHallucinations[instance], growing),
    ];
  }),
  ...matrixSeries('assay_outcomes_total', { job: 'assay', instance: 'a', model: 'idle' }, [], growing),
  ...hallucinationSeries({ job: 'assay', instance: 'a', model: 'idle' }, { tool: [0, 0], param: [0, 0] }, growing),
];

const rounded = (expr: string, at: string, ...samples: Expectation['samples']): Expectation => ({
  expr: `round(${expr}, 0.0001)`,
  at,
  samples,
});

const byClass = (values: Readonly<Record<string, number>>): Expectation['samples'] =>
  Object.entries(values).map(([label, value]) => [{ ...m1, class: label }, value]);

const byKind: Expectation['samples'] = [
  [{ ...m1, kind: 'tool' }, 1],
  [{ ...m1, kind: 'param' }, 0],
  [{ ...m1, kind: 'answer' }, 0.2],
];

/** Shares do not depend on the window while the traffic does not change. */
const at = '2h';
const inEveryWindow: readonly Expectation[] = windows.flatMap((window) => [
  rounded(`job_model:assay_accuracy:ratio_rate${window}`, at, [m1, 0.6667]),
  rounded(`job_model:assay_macro_f1:ratio_rate${window}`, at, [m1, 0.5472]),
  rounded(`job_model:assay_macro_f1_no_direct:ratio_rate${window}`, at, [m1, 0.7296]),
  rounded(`job_model_kind:assay_hallucinations_per_opportunities:ratio_rate${window}`, at, ...byKind),
  rounded(
    `job_model_class:assay_precision:ratio_rate${window}`,
    at,
    ...byClass({ direct: 0, tool_call: 0.8, request_for_info: 1, cannot_answer: 0.6667 }),
  ),
  rounded(
    `job_model_class:assay_recall:ratio_rate${window}`,
    at,
    ...byClass({ direct: 0, tool_call: 0.8, request_for_info: 0.8, cannot_answer: 0.4 }),
  ),
  rounded(
    `job_model_class:assay_f1:ratio_rate${window}`,
    at,
    ...byClass({ direct: 0, tool_call: 0.8, request_for_info: 0.8889, cannot_answer: 0.5 }),
  ),
]);

const cells = 'job_model_gold_predicted:assay_outcomes:rate1h';
const total = 'job_model:assay_outcomes:rate1h > 0';
/** Counts, the Wilson bound, multiples of the budget, and what follows from the matrix too. */
const inAnHour: readonly Expectation[] = [
  { expr: 'round(job_model:assay_outcomes:increase5m{model="m1"})', at, samples: [[m1, 150]] },
  // 121 evaluations lie in an hour: a range of Prometheus 2 includes both ends, one of Prometheus 3 the later only.
  {
    expr: 'abs(job_model:assay_outcomes:increase1h{model="m1"} - 1800) <= bool 15.001',
    at,
    samples: [[m1, 1]],
  },
  // 120 of 120 in the hour: 1 / (1 + 2.7055/120).
  {
    expr: 'round(job_model_kind:assay_hallucinations_per_opportunities:wilson_lower95_1h{kind="tool"}, 0.001)',
    at,
    samples: [[{ ...m1, kind: 'tool' }, 0.978]],
  },
  // 360 of 1800: (0.2 + 0.00075 - 1.6449 * sqrt((0.16 + 0.000376) / 1800)) / 1.0015 = 0.1850
  {
    expr: 'round(job_model_kind:assay_hallucinations_per_opportunities:wilson_lower95_1h{kind="answer"}, 0.001)',
    at,
    samples: [[{ ...m1, kind: 'answer' }, 0.185]],
  },
  {
    expr: 'round(job_model_kind:assay_hallucination_budget_burn:ratio_rate1h, 0.01)',
    at,
    samples: [
      [{ ...m1, kind: 'tool' }, 20],
      [{ ...m1, kind: 'param' }, 0],
      [{ ...m1, kind: 'answer' }, 4],
    ],
  },
  rounded(`sum without (gold, predicted) (${cells}{gold!="direct", predicted="direct"}) / (${total})`, '2h', [m1, 0.2]),
  rounded(
    `sum without (gold, predicted) (${cells}{gold="request_for_info", predicted="tool_call"}) / sum without (gold, predicted) (${cells}{gold="request_for_info"} > 0)`,
    '2h',
    [m1, 0],
  ),
];

testWith(
  ['promtool'],
  'the stored run of the When2Call suite, in every window, from two instances',
  async (context, promtool) => {
    const expect = [...inEveryWindow, ...inAnHour];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input: counters, expect }]);
  },
);

testWith(
  ['promtool'],
  'an invalid label is a miss for its gold label and a false positive for none',
  async (context, promtool) => {
    const own = { job: 'assay', instance: 'a', model: 'm1' };
    const input = matrixSeries(
      'assay_outcomes_total',
      own,
      [
        ['tool_call', 'tool_call', 3],
        ['tool_call', 'invalid', 1],
      ],
      (count) => `0+${count}x60`,
    );
    const expect = [
      rounded('job_model:assay_accuracy:ratio_rate5m', '30m', [m1, 0.75]),
      rounded('job_model_class:assay_precision:ratio_rate5m{class="tool_call"}', '30m', [
        { ...m1, class: 'tool_call' },
        1,
      ]),
      rounded('job_model_class:assay_recall:ratio_rate5m{class="tool_call"}', '30m', [
        { ...m1, class: 'tool_call' },
        0.75,
      ]),
      // 2 * 3 / (4 + 3), a quarter of it
      rounded('job_model:assay_macro_f1:ratio_rate5m', '30m', [m1, 0.2143]),
      { expr: 'count(job_model_class:assay_f1:ratio_rate5m)', at: '30m', samples: [[{}, 4]] as const },
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, expect }]);
  },
);

testWith(['promtool'], 'F1 over calls adds up over instances', async (context, promtool) => {
  const calls = { calls_matched: [5, 1], calls_predicted: [6, 2], calls_reference: [7, 3] };
  const input = Object.entries(calls).flatMap(([name, counts]) =>
    counts.map((count, index) => ({
      series: seriesName(`assay_${name}_total`, {
        job: 'assay',
        instance: `i${index}`,
        model: 'm1',
        mode: 'strict',
      }),
      values: `0+${count}x240`,
    })),
  );
  // 2 * 6 / (8 + 10); the mean of the instances' own would be 0.584.
  const expect = (['5m', '1h', '3d'] as const).map((window) =>
    rounded(`job_model_mode:assay_tool_call_f1:ratio_rate${window}`, '1h', [{ ...m1, mode: 'strict' }, 0.6667]),
  );
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, expect }]);
});
