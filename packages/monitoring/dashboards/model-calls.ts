import { weighed } from '../metric-values.ts';
import { weighedName } from '../window-rules.ts';
import { bands, neutral, type PanelSpec, upTo } from './panel-spec.ts';

const model = 'job=~"$job", model="$model"';
const gauges = `${model}, slice="model", window="$window"`;

/** Rates and means of the window over all instances. */
function recorded(metrics: readonly string[]): string {
  return `${weighedName}{${model}, window="$window", metric=~"${metrics.join('|')}"}`;
}

const ofCalls = weighed().filter(({ family }) => family !== 'decision');

/** F1 of pooled true and false positives and false negatives, whose names begin with `prefix`. */
function pooledF1(prefix: string): string {
  const sum = (name: string): string => `sum(assay_window_value{${gauges}, metric="${prefix}_${name}"})`;
  return `2 * ${sum('tp')} / (2 * ${sum('tp')} + ${sum('fp')} + ${sum('fn')} > 0)`;
}

const names =
  'The names of the tools and parameters are in the summary of the service: trajectory.tools and trajectory.parameter_mismatches of GET /api/v1/summary?slice=model. Prometheus has none: agents invent names without end.';

export const callPanels: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'Calls and answers',
    description: `The headline of each family: ${ofCalls
      .filter(({ headline }) => headline !== undefined)
      .map(({ value, help }) => `${value}: ${help}`)
      .join(' ')}`,
    unit: 'percentunit',
    max: 1,
    thresholds: bands,
    queries: [
      {
        expr: recorded(ofCalls.filter(({ headline }) => headline !== undefined).map(({ value }) => value)),
        legend: '{{metric}}',
      },
    ],
    width: 24,
    height: 8,
  },
  {
    type: 'bargauge',
    title: 'Where calls go right and wrong',
    description: `Every other rate and mean of the window that the families of calls and answers report. ${names}`,
    unit: 'percentunit',
    min: 0,
    max: 1,
    thresholds: bands,
    queries: [
      {
        expr: `sort(${recorded(ofCalls.filter(({ headline }) => headline === undefined).map(({ value }) => value))})`,
        legend: '{{metric}}',
      },
    ],
    width: 12,
    height: 10,
  },
  {
    type: 'timeseries',
    title: 'Tools: calls and trajectories',
    description:
      'F1 over calls, pooled over the window, and the share of tasks whose whole trajectory succeeds. Strict wants equal arguments, flexible forgives small differences.',
    unit: 'percentunit',
    max: 1,
    thresholds: bands,
    queries: [
      { expr: pooledF1('tool_calls_strict'), legend: 'call F1, strict' },
      { expr: pooledF1('tool_calls_flexible'), legend: 'call F1, flexible' },
      { expr: recorded(['trajectory_strict_success', 'trajectory_flexible_success']), legend: '{{metric}}' },
    ],
    width: 12,
    height: 10,
  },
  {
    type: 'timeseries',
    title: 'Parameters: fields expected and given',
    description: `Argument fields of single calls a second: matched; missing (expected and not given, or given with another value); extra (given and not expected). ${names}`,
    unit: 'cps',
    min: 0,
    thresholds: neutral,
    queries: [
      {
        expr: `sum by (result) (rate(assay_argument_fields_total{${model}}[$__rate_interval]))`,
        legend: '{{result}}',
      },
    ],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Parameters: F1 over fields',
    description: 'F1 over argument fields and over the fields of structured answers, pooled over the window.',
    unit: 'percentunit',
    max: 1,
    thresholds: bands,
    queries: [
      { expr: pooledF1('arguments'), legend: 'arguments' },
      { expr: pooledF1('structured'), legend: 'structured answers' },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'stat',
    title: 'Calls of tools that do not exist',
    description: 'Calls whose tool was not among those offered, divided by all calls where offers are recorded.',
    unit: 'percentunit',
    decimals: 2,
    thresholds: upTo(0.01, 0.05),
    queries: [{ expr: recorded(['unknown_tool']) }],
    width: 4,
    height: 8,
  },
  {
    type: 'stat',
    title: 'Overall score of calls (schema)',
    description:
      'Weighted mean of tool selection, parameters and execution in the window (family schema), weighed by support.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: bands,
    queries: [
      {
        expr: `sum(assay_window_value{${gauges}, metric="schema_overall"} * on (job, instance) assay_window_value{${gauges}, metric="schema_n"}) / (sum(assay_window_value{${gauges}, metric="schema_n"}) > 0)`,
      },
    ],
    width: 4,
    height: 8,
  },
];

const stability = (metric: string): string => `job_model_metric:assay_stability:ratio{${model}, metric=~"${metric}"}`;

/** A measure of `per_label`, over all instances, by label. */
function byLabel(measure: string): string {
  const labelled = (name: string): string =>
    `label_replace(assay_stability_value{${model}, slice="model", metric=~"per_label_.+_${name}"}, "class", "$1", "metric", "per_label_(.+)_${name}")`;
  const complete = labelled('groups_complete');
  return `sum by (class) (${labelled(measure)} * on (job, instance, class) ${complete}) / (sum by (class) (${complete}) > 0)`;
}

export const stabilityPanels: readonly PanelSpec[] = [
  {
    type: 'bargauge',
    title: 'Stability of decisions',
    description:
      'Over complete groups of runs of one example: all runs equal (stability), and right (stable_correct); the most frequent decision right (mode_correct); share of the runs that agree with it (mean_consistency).',
    unit: 'percentunit',
    min: 0,
    max: 1,
    thresholds: bands,
    queries: [
      { expr: stability('stability|stable_correct|mode_correct|mean_consistency|mean_accuracy'), legend: '{{metric}}' },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'bargauge',
    title: 'All of k runs succeed',
    description:
      'pass^k: the chance that k runs of one example all succeed. It falls with k; how fast says how far one good run can be trusted.',
    unit: 'percentunit',
    min: 0,
    max: 1,
    thresholds: bands,
    queries: [{ expr: `sort_desc(${stability('pass_hat_k_[0-9]+')})`, legend: '{{metric}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Wavering',
    description:
      'Stably wrong groups; flips between neighbouring runs; entropy of the decisions (1: all four equally often). Lower is better.',
    unit: 'percentunit',
    min: 0,
    thresholds: upTo(0.1, 0.3),
    queries: [{ expr: stability('stable_wrong|flip_rate|entropy_norm'), legend: '{{metric}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'bargauge',
    title: 'Stability by gold label',
    description: 'Share of the complete groups in which every run decided the same, by what was right.',
    unit: 'percentunit',
    min: 0,
    max: 1,
    thresholds: bands,
    queries: [{ expr: byLabel('stability'), legend: '{{class}}' }],
    width: 16,
    height: 6,
  },
  {
    type: 'stat',
    title: 'Complete groups',
    description: 'Groups with all k runs, divided by groups seen. Only complete groups count in this row.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: [
      [null, 'yellow'],
      [0.5, 'green'],
    ],
    queries: [
      {
        expr: `sum(assay_stability_groups{${model}, slice="model", state="complete"}) / (sum(assay_stability_groups{${model}, slice="model", state="seen"}) > 0)`,
      },
    ],
    width: 8,
    height: 6,
  },
];
