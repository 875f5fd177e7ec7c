import { budgetedRates } from '../../../src/scoring/families.ts';
import { metricOf, weighed } from '../metric-values.ts';
import { alternatives } from '../promql.ts';
import { dashboardIds } from '../settings.ts';
import { toFailures } from './drill-down.ts';
import { rateName } from '../scoring-rules.ts';
import { overCompleteGroups, weighedName } from '../window-rules.ts';
import {
  alarm,
  amount,
  areas,
  bars,
  coverage,
  type DashboardSpec,
  goodShare,
  lines,
  matrix,
  multiple,
  ofThreshold,
  type Row,
  row,
  score,
  share,
  stat,
  steps,
  table,
  upTo,
  perSecond,
} from './panel.ts';

const model = 'job=~"$job", model="$model"';
const inWindow = `${model}, window="$window"`;
const decision = (metric: string): string => `job_model_window:assay_window_${metric}:ratio{${inWindow}}`;
const ofClass = (name: string): string => `max by (class) (job_model_window_class:assay_window_${name}{${inWindow}})`;
const outcomes = `sum(job_model_window:assay_window_outcomes:sum{${inWindow}})`;
const cells = `sum by (gold, predicted) (job_model_window_gold_predicted:assay_window_outcomes:sum{${inWindow}})`;

const numbers = row(4, 4, {
  ...Object.fromEntries(
    ['accuracy', 'macro_f1', 'macro_f1_no_direct'].map((metric) => {
      const { title, help, kind } = metricOf(metric);
      return [title, stat(help, kind === 'rate' ? goodShare : score, decision(metric))];
    }),
  ),
  Predictions: stat(
    'Predictions of the model scored in the window. Below some hundred every share here is rough.',
    amount(steps('yellow', [100, 'blue'])),
    outcomes,
  ),
  'Without a valid label': stat(
    'Share of the predictions whose label was missing or none of the four. They count as wrong.',
    share(upTo(0.01, 0.05)),
    `sum(job_model_window_class:assay_window_predicted_outcomes:sum{${inWindow}, class="invalid"}) / (${outcomes} > 0)`,
  ),
  'Coverage of the window': stat(
    'Predictions of all models that are scored, divided by all in the window.',
    coverage,
    'min(job_window:assay_coverage:ratio{job=~"$job", window="$window"})',
  ),
});

const ofWatches = `${model}, slice="model"`;
const byWatch = (name: string): string => `max by (watch) (assay_watch_${name}{${ofWatches}})`;
const noDistance = `0 * ${byWatch('firing')}`;
const distance = `(max by (watch) (assay_watch_statistic{${ofWatches}} / assay_watch_threshold{job=~"$job"} > 0) or ${noDistance})`;

const alarms = row(12, 8, {
  Watches: table(
    'The rates of the model that are watched: whether one has left its baseline, how far it is on the way to that, and whether it still learns what is normal. Runs of one example are alike: cases count divided by the design effect.',
    {
      Rate: 'watch',
      Fires: [byWatch('firing'), alarm],
      'On the way': [distance, ofThreshold],
      Learns: [byWatch('learning'), { ...alarm, steps: steps('green', [1, 'yellow']) }],
      'Design effect': [byWatch('design_effect'), amount()],
    },
    { sortBy: 'On the way' },
  ),
  'On the way to an alarm': lines(
    'What speaks against the baseline, of what an alarm needs: at 100 % the watch fires. It falls back to 0 while all is well; 0 also where there is no baseline yet.',
    ofThreshold,
    { '{{watch}}': distance },
  ),
});

const decisions = row(12, 7, {
  'Confusion matrix: predictions': matrix(
    'Rows: what was right (gold). Columns: what the model did. Off the diagonal are mistakes; exact counts by event time.',
    amount(),
    cells,
  ),
  'Confusion matrix: share of each gold label': matrix(
    'The same, each row divided by its total: the diagonal is recall. Gold cannot_answer with predicted tool_call is a tool hallucination, gold request_for_info with tool_call a parameter one.',
    { ...share(), max: 1 },
    `${cells} / on (gold) group_left () (sum by (gold) (${cells}) > 0)`,
  ),
  'By label': table(
    'Precision: how often the decision was right when taken. Recall: how often it was taken when right. Support: how often it was right.',
    {
      Label: 'class',
      Precision: [ofClass('precision:ratio'), score],
      Recall: [ofClass('recall:ratio'), score],
      F1: [ofClass('f1:ratio'), score],
      Support: [ofClass('gold_outcomes:sum'), amount()],
    },
    { size: [10, 8] },
  ),
  'F1 by label': lines(
    'How the F1 of each label in the window moved.',
    score,
    { '{{class}}': ofClass('f1:ratio') },
    [14, 8],
  ),
});

const hallucinations = `job_model_window_kind:assay_window_hallucinations_per_opportunities:ratio{${inWindow}}`;

const hallucination = row(14, 8, {
  'Hallucination rate': lines(
    `${budgetedRates()
      .map(({ kind, metric }) => `${kind}: ${metric.help}`)
      .join(' ')} Budgets dashed.`,
    share(),
    { '{{kind}}': hallucinations, 'budget {{kind}}': 'kind:assay_hallucination_budget:ratio' },
  ),
  'Against the budgets': table(
    'Hallucinated share of the opportunities in the window, the multiple of the budget, and the opportunities.',
    {
      Kind: 'kind',
      Rate: [hallucinations, share()],
      Multiple: [`${hallucinations} / on (kind) group_left () kind:assay_hallucination_budget:ratio`, multiple],
      Opportunities: [`job_model_window_kind:assay_window_hallucination_opportunities:sum{${inWindow}} > 0`, amount()],
    },
    { sortBy: 'Multiple', size: [10, 8] },
  ),
});

/** Rates and means of the window over all instances. */
const recorded = (pattern: string): string => `${weighedName}{${inWindow}, metric=~"${pattern}"}`;

const ofCalls = weighed().filter(({ family }) => family !== 'decision');
const described = <Key extends string>(metrics: readonly Readonly<Record<Key | 'help', string>>[], key: Key): string =>
  metrics.map((metric) => `${metric[key]}: ${metric.help}`).join(' ');
/** The metrics of `/metrics` by default. */
const headlines = ofCalls.filter(({ headline }) => headline !== undefined);
const shares = headlines.filter(({ kind }) => kind === 'rate');
const scores = headlines.filter(({ kind }) => kind === 'mean');

const names =
  'The names of the tools and parameters are in the summary of the service: trajectory.tools and trajectory.parameter_mismatches of GET /api/v1/summary?slice=model. Prometheus has none: agents invent names without end.';

/** Pooled scores are of an hour: of a model with few calls a minute may have none. */
const hourly = (level: string, counter: string, selector = ''): string =>
  `${rateName(level, counter, '1h')}{${model}${selector}}`;
const ofMode = (counter: string): string => `sum by (mode) (${hourly('job_model_mode', counter)})`;
const fields = (result: string): string =>
  `sum(${hourly('job_model_result', 'argument_fields', `, result="${result}"`)})`;

const calls: Row = row(12, 8, {
  'Calls and answers': lines(`The headline of each family that is a share: ${described(shares, 'value')}`, goodShare, {
    '{{metric}}': recorded(alternatives(shares, 'value')),
  }),
  'F1 over calls': lines(
    `${described(scores, 'value')} Pooled: of all calls scored in the last hour. Strict wants equal arguments, flexible forgives small differences.`,
    score,
    {
      '{{metric}}': recorded(alternatives(scores, 'value')),
      'pooled, {{mode}}': `2 * ${ofMode('calls_matched')} / (${ofMode('calls_predicted')} + ${ofMode('calls_reference')} > 0)`,
    },
  ),
  'Parameters: fields expected and given': areas(
    `Argument fields of single calls a second: matched; missing (expected and not given, or given with another value); extra (given and not expected). ${names}`,
    perSecond(),
    { '{{result}}': `sum by (result) (rate(assay_argument_fields_total{${model}}[$__rate_interval]))` },
  ),
  'Parameters: F1 over fields': lines(
    'F1 over argument fields of single calls, pooled over what was scored in the last hour.',
    score,
    {
      arguments: `2 * ${fields('matched')} / (2 * ${fields('matched')} + ${fields('missing')} + ${fields('extra')} > 0)`,
    },
    [8, 8],
  ),
  'Calls of tools that do not exist': stat(
    'Calls whose tool was not among those offered, divided by all calls where offers are recorded.',
    { ...share(upTo(0.01, 0.05)), decimals: 2 },
    recorded('unknown_tool'),
    [4, 8],
  ),
});

// The entropy in bits is no share; it is shown normalised.
const measures = overCompleteGroups().filter(({ pattern }) => pattern !== 'entropy');
const higher = measures.filter(({ better, numbered }) => better === 'higher' && !numbered);
const lower = measures.filter(({ better }) => better === 'lower');
const stability = (shown: readonly Pick<(typeof measures)[number], 'pattern'>[]): string =>
  `job_model_metric:assay_stability:ratio{${model}, metric=~"${alternatives(shown, 'pattern')}"}`;
const groups = (state: string): string => `sum(assay_stability_groups{${model}, slice="model", state="${state}"})`;

const stabilityRow = row(8, 8, {
  'Stability of decisions': bars(
    `Over complete groups of runs of one example. ${described(higher, 'pattern')}`,
    goodShare,
    {
      '{{metric}}': stability(higher),
    },
  ),
  'All of k runs succeed': bars(
    'pass^k: the chance that k runs of one example all succeed. It falls with k; how fast says how far one good run can be trusted.',
    goodShare,
    { '{{metric}}': `sort_desc(${stability(measures.filter(({ numbered }) => numbered))})` },
  ),
  Wavering: lines(`Lower is better. ${described(lower, 'pattern')}`, share(upTo(0.1, 0.3)), {
    '{{metric}}': stability(lower),
  }),
  'Complete groups': stat(
    'Groups with all k runs, divided by groups seen. Only complete groups count in this row.',
    share(steps('yellow', [0.5, 'green'])),
    `${groups('complete')} / (${groups('seen')} > 0)`,
    [8, 6],
  ),
});

export const modelDashboard: DashboardSpec = {
  uid: dashboardIds.model,
  title: 'Assay / Model',
  description:
    'One model: what it decides, what it confuses, how its calls go wrong, and whether it decides the same again.',
  model: 'one',
  deeper: toFailures,
  window: 'event',
  rows: {
    'The window': numbers,
    Alarms: alarms,
    Decisions: decisions,
    Hallucination: hallucination,
    'Calls: tools and parameters': calls,
    'Stability (since the beginning)': stabilityRow,
  },
};
