import { metricOf } from '../metric-values.ts';
import { dashboardIds } from '../settings.ts';
import { toModels } from './drill-down.ts';
import {
  alarm,
  goodShare,
  ofThreshold,
  amount,
  areas,
  coverage,
  type DashboardSpec,
  lines,
  multiple,
  noneAllowed,
  perSecond,
  seconds,
  type Row,
  row,
  score,
  share,
  stat,
  states,
  table,
  upTo,
} from './panel.ts';

const models = 'job=~"$job", model=~"$model"';
const burn = `job_model_kind:assay_hallucination_budget_burn:ratio_rate$window{${models}}`;
const rate = `job_model_kind:assay_hallucinations_per_opportunities:ratio_rate$window{${models}}`;
const opportunities = `job_model_kind:assay_hallucination_opportunities:increase$window{${models}} > 0`;
const agents = 'job_agent_window_kind:assay_window';
const ofAgent = 'job=~"$job", agent=~"$agent"';
const ofAgents = `${agents}_hallucinations_per_opportunities:ratio{${ofAgent}}`;

/** A rate of the chosen models together over the last hour of event time, or of all time where the service has no such window. */
function together(metric: string): string {
  const over = (window: string): string => {
    const of = `{${models}, slice="model", window="${window}", metric="${metric}"}`;
    return `sum(assay_window_value${of} * assay_window_support${of}) / (sum(assay_window_support${of}) > 0)`;
  };
  return `(${over('1h')}) or (${over('all')})`;
}

const lastHour = 'Of the last hour of event time, the chosen models together.';

const isItRight = row(3, 4, {
  'Calls right': stat(`${metricOf('match_correct').help} ${lastHour}`, goodShare, together('match_correct')),
  'Decision accuracy': stat(
    'Right decisions divided by all decisions scored over the window, of the chosen models together.',
    goodShare,
    `sum(job_model_class:assay_correct_outcomes:rate$window{${models}}) / (sum(job_model:assay_outcomes:rate$window{${models}}) > 0)`,
  ),
  ...Object.fromEntries(
    [
      ['Invented tools', 'tool_use_unknown_tool'],
      ['Failed tools', 'tool_use_failed'],
      ...['tool_hall', 'param_hall', 'answer_hall'].map((name) => [metricOf(name).title, name]),
    ].map(([title, metric]) => [
      title,
      stat(`${metricOf(metric!).help} ${lastHour}`, share(upTo(0.05, 0.2)), together(metric!)),
    ]),
  ),
  'Least coverage': stat(
    'Coverage: predictions scored, divided by all that were read (duplicates aside), in the worst event-time window. Below one half the scores of that window say little.',
    coverage,
    'min(job_window:assay_coverage:ratio{job=~"$job"})',
  ),
});

const ofAlarm = 'slice, model, agent, watch';
/** A gauge of the watches that fire, the 20 greatest; one row with a text where it has no series. */
const whileFiring = (gauge: string, by = ofAlarm, none = 'none: no watch fires'): string =>
  `topk(20, max by (${by}) (${gauge})) or on () label_replace(vector(0), "watch", "${none}", "", "")`;
const watchGauge = (name: string): string => `assay_watch_${name}{job=~"$job"}`;

const wrongNow = row(8, 9, {
  'Incidents now': stat(
    'Groups that have become worse. A group that is worse because of another one is no incident of its own. Each raises an alert.',
    amount(noneAllowed),
    'count(max without (instance, pod) (assay_incident{job=~"$job"}) == 1) or vector(0)',
    [4, 6],
  ),
  'Models over a budget': stat(
    'Models that hallucinate more than the budget of a kind allows, over the window. The table under Groups names them. Without traffic there is none.',
    amount(noneAllowed),
    `count(count by (job, model) (${burn} > 1)) or vector(0)`,
    [4, 6],
  ),
  'Alerts now': stat(
    'Alerts of Assay that fire now. Each has a runbook, linked from the alert.',
    amount(noneAllowed),
    'count(ALERTS{alertname=~"Assay.+", alertstate="firing", job=~"$job|"}) or vector(0)',
    [4, 6],
  ),
  'Rates that are worse': table(
    'Each rate of a model, an agent or another group that has left its baseline: share of bad cases before and since, and since how long.',
    {
      Group: 'slice',
      Model: 'model',
      Agent: 'agent',
      Rate: 'watch',
      From: [whileFiring(watchGauge('before')), share()],
      To: [whileFiring(watchGauge('rate')), share()],
      For: [whileFiring(`time() - ${watchGauge('since_timestamp_seconds')}`), seconds(3_600, 21_600)],
    },
    { sortBy: 'To', size: [12, 6] },
  ),
  'Alarms by model': states(
    'Red while a watch of the model fires. By design it does so by chance once in a month or so, over all models; docs/reference/scoring.md, "Watches".',
    alarm,
    { '{{model}}': `max by (model) (assay_watch_firing{${models}, slice="model"})` },
  ),
  'Alarms by agent': states('Red while a watch of the agent fires.', alarm, {
    '{{agent}}': `max by (agent) (assay_watch_firing{${ofAgent}, slice="agent"})`,
  }),
  'Closest to an alarm': lines(
    'Evidence against the baseline, as a share of what an alarm needs: at 100 % the watch fires. The ten greatest; 0 also where a watch has no baseline yet.',
    ofThreshold,
    {
      '{{model}} {{watch}}': `topk(10, max by (model, watch) (assay_watch_statistic{${models}, slice="model"} / assay_watch_threshold{job=~"$job"} > 0) or 0 * max by (model, watch) (assay_watch_firing{${models}, slice="model"}))`,
    },
  ),
});

const why: Row = row(16, 8, {
  'Due to': table(
    'The first cause of each rate that is worse, and its share of the change: a tool, an argument, a wrong outcome, or a value of another dimension. The web page shows the failed events.',
    {
      Group: 'slice',
      Model: 'model',
      Agent: 'agent',
      Rate: 'watch',
      Cause: 'cause',
      'Share of the change': [
        whileFiring(watchGauge('cause'), `${ofAlarm}, cause`, 'none: no cause is known'),
        share(),
      ],
    },
    { sortBy: 'Share of the change' },
  ),
  'Calls of tools that do not exist': lines(
    'Calls a second whose tool was not among those offered. Counted at once, with or without truth.',
    perSecond(upTo(0.1, 1)),
    { '{{model}}': `sum by (model) (rate(assay_unknown_tool_calls_total{${models}}[$__rate_interval]))` },
    [8, 8],
  ),
});

const overTime = row(8, 8, {
  'Macro-F1': lines(
    'Mean F1 of the four labels over the window, by model. Unlike accuracy it does not let a frequent label hide a rare one.',
    score,
    { '{{model}}': `job_model:assay_macro_f1:ratio_rate$window{${models}}` },
  ),
  'Accuracy by model': lines('Right decisions divided by all scored over the window.', goodShare, {
    '{{model}}': `job_model:assay_accuracy:ratio_rate$window{${models}}`,
  }),
  'Tool-call F1': lines(
    'F1 over calls, pooled over the window: strict wants equal arguments, flexible most of the expected ones. A gap between the two means right tools with wrong arguments.',
    score,
    { '{{model}} {{mode}}': `job_model_mode:assay_tool_call_f1:ratio_rate$window{${models}}` },
  ),
  'Hallucination rate': lines(
    'Hallucinated share of the opportunities of each kind over the window, with the budgets dashed.',
    share(),
    { '{{model}} {{kind}}': rate, 'budget {{kind}}': 'kind:assay_hallucination_budget:ratio' },
  ),
  'Multiples of the budgets': states(
    'Green: within the budget. Yellow: over it. Red: at 3 times it or more, which is a ticket.',
    multiple,
    { '{{model}} {{kind}}': burn },
  ),
  Stability: lines(
    'Share of the complete groups of runs in which every run decided the same, since the beginning.',
    goodShare,
    { '{{model}}': `job_model_metric:assay_stability:ratio{${models}, metric="stability"}` },
  ),
  'Predictions scored': areas(
    'Predictions scored a second, by model. A model that falls silent scores nothing, good or bad.',
    perSecond(),
    { '{{model}}': `sum by (model) (rate(assay_outcomes_total{${models}}[$__rate_interval]))` },
  ),
});

const groups = row(12, 9, {
  'Models against their budgets': table(
    'Each model and kind over the window: hallucinated share of the opportunities, the lower end of its 95 % interval, the budget, and the multiple. A share whose lower end is below the budget may be chance.',
    {
      Model: 'model',
      Kind: 'kind',
      Rate: [rate, share()],
      'At least': [`job_model_kind:assay_hallucinations_per_opportunities:wilson_lower95_$window{${models}}`, share()],
      Budget: [`0 * ${rate} + on (kind) group_left () kind:assay_hallucination_budget:ratio`, share()],
      Multiple: [burn, multiple],
      Opportunities: [opportunities, amount()],
    },
    { sortBy: 'Multiple' },
  ),
  'Agents against the budgets (event time)': table(
    'Each agent and kind, in every event-time window that the service is configured with. Needs the set [agent] under slices, which is there by default.',
    {
      Agent: 'agent',
      Kind: 'kind',
      Window: 'window',
      Rate: [ofAgents, share()],
      Multiple: [`${ofAgents} / on (kind) group_left () kind:assay_hallucination_budget:ratio`, multiple],
      Opportunities: [`${agents}_hallucination_opportunities:sum{${ofAgent}} > 0`, amount()],
    },
    { sortBy: 'Multiple' },
  ),
});

export const overviewDashboard: DashboardSpec = {
  uid: dashboardIds.overview,
  title: 'Assay / Overview',
  description:
    'Is it right, what is wrong now, why, and how did it go over time? In the order and words of the web page.',
  model: 'several',
  withAgents: true,
  deeper: toModels,
  window: 'scoring',
  rows: {
    'Is it right?': isItRight,
    'What is wrong now?': wrongNow,
    'Why?': why,
    'Over time': overTime,
    Groups: groups,
  },
};
