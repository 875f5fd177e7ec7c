import { bands, burnSteps, neutral, noneAllowed, type RowSpec, upTo } from './panel-spec.ts';

const models = 'job=~"$job", model=~"$model"';
const burn = `job_model_kind:assay_hallucination_budget_burn:ratio_rate$window{${models}}`;
const share = `job_model_kind:assay_hallucinations_per_opportunities:ratio_rate$window{${models}}`;
const agents = 'job_agent_window_kind:assay_window';

/** Is any model or agent hallucinating more than it may? */
export const overviewRows: readonly RowSpec[] = [
  {
    title: 'Now',
    panels: [
      {
        type: 'stat',
        title: 'Models over a budget',
        description:
          'Models that hallucinate more than the budget of a kind allows, over the window. The table below names them. Without traffic there is none.',
        unit: 'short',
        thresholds: noneAllowed,
        queries: [{ expr: `count(count by (job, model) (${burn} > 1)) or vector(0)` }],
        width: 4,
        height: 4,
      },
      {
        type: 'stat',
        title: 'Greatest multiple of a budget',
        description:
          'The worst hallucination rate of any model and kind over the window, divided by its budget. Above 1 the budget is spent; pages go out from 3 (6 h) and 6 (30 min) on.',
        unit: 'suffix:×',
        decimals: 1,
        thresholds: burnSteps,
        queries: [{ expr: `max(${burn})` }],
        width: 4,
        height: 4,
      },
      {
        type: 'stat',
        title: 'Accuracy',
        description: 'Right decisions divided by all decisions scored over the window, of the chosen models together.',
        unit: 'percentunit',
        decimals: 1,
        thresholds: bands,
        queries: [
          {
            expr: `sum(job_model_class:assay_correct_outcomes:rate$window{${models}}) / (sum(job_model:assay_outcomes:rate$window{${models}}) > 0)`,
          },
        ],
        width: 4,
        height: 4,
      },
      {
        type: 'stat',
        title: 'Worst macro-F1',
        description:
          'The lowest macro-F1 of any chosen model over the window: the mean F1 of the four labels, absent labels counting 0. A mean over models would hide the bad one.',
        unit: 'percentunit',
        decimals: 1,
        thresholds: bands,
        queries: [{ expr: `min(job_model:assay_macro_f1:ratio_rate$window{${models}})` }],
        width: 4,
        height: 4,
      },
      {
        type: 'stat',
        title: 'Least coverage',
        description:
          'Predictions that have met their truth, divided by all, in the worst event-time window. Below one half the scores of that window say little.',
        unit: 'percentunit',
        decimals: 1,
        thresholds: [
          [null, 'red'],
          [0.5, 'yellow'],
          [0.9, 'green'],
        ],
        queries: [{ expr: 'min(job_window:assay_coverage:ratio{job=~"$job"})' }],
        width: 4,
        height: 4,
      },
      {
        type: 'stat',
        title: 'Firing alerts',
        description: 'Alerts of Assay that fire now. Each has a runbook, linked from the alert.',
        unit: 'short',
        thresholds: noneAllowed,
        queries: [{ expr: 'count(ALERTS{alertname=~"Assay.+", alertstate="firing", job=~"$job|"}) or vector(0)' }],
        width: 4,
        height: 4,
      },
    ],
  },
  {
    title: 'Hallucination',
    panels: [
      {
        type: 'table',
        title: 'Models against their budgets',
        description:
          'Each model and kind over the window: hallucinated share of the opportunities, the lower end of its 95 % interval, the budget, and the multiple. A share whose lower end is below the budget may be chance.',
        unit: 'percentunit',
        thresholds: neutral,
        queries: [
          { expr: share },
          { expr: `job_model_kind:assay_hallucinations_per_opportunities:wilson_lower95_$window{${models}}` },
          { expr: `0 * ${share} + on (kind) group_left () kind:assay_hallucination_budget:ratio` },
          { expr: burn },
          { expr: `job_model_kind:assay_hallucination_opportunities:increase$window{${models}} > 0` },
        ],
        columns: [
          { from: 'model', title: 'Model' },
          { from: 'kind', title: 'Kind' },
          { from: 'A', title: 'Rate', unit: 'percentunit' },
          { from: 'B', title: 'At least', unit: 'percentunit' },
          { from: 'C', title: 'Budget', unit: 'percentunit' },
          { from: 'D', title: 'Multiple', unit: 'suffix:×', thresholds: burnSteps },
          { from: 'E', title: 'Opportunities', unit: 'short' },
        ],
        sortBy: 'Multiple',
        width: 12,
        height: 9,
      },
      {
        type: 'table',
        title: 'Agents against the budgets (event time)',
        description:
          'Each agent and kind, in every event-time window that the service is configured with. Needs the set [agent] under slices, which is there by default.',
        unit: 'percentunit',
        thresholds: neutral,
        queries: [
          { expr: `${agents}_hallucinations_per_opportunities:ratio{job=~"$job"}` },
          {
            expr: `${agents}_hallucinations_per_opportunities:ratio{job=~"$job"} / on (kind) group_left () kind:assay_hallucination_budget:ratio`,
          },
          { expr: `${agents}_hallucination_opportunities:sum{job=~"$job"} > 0` },
        ],
        columns: [
          { from: 'agent', title: 'Agent' },
          { from: 'kind', title: 'Kind' },
          { from: 'window', title: 'Window' },
          { from: 'A', title: 'Rate', unit: 'percentunit' },
          { from: 'B', title: 'Multiple', unit: 'suffix:×', thresholds: burnSteps },
          { from: 'C', title: 'Opportunities', unit: 'short' },
        ],
        sortBy: 'Multiple',
        width: 12,
        height: 9,
      },
      {
        type: 'timeseries',
        title: 'Hallucination rate',
        description: 'Hallucinated share of the opportunities of each kind over the window, with the budgets dashed.',
        unit: 'percentunit',
        min: 0,
        thresholds: neutral,
        queries: [
          { expr: share, legend: '{{model}} {{kind}}' },
          { expr: 'kind:assay_hallucination_budget:ratio', legend: 'budget {{kind}}' },
        ],
        width: 12,
        height: 9,
      },
      {
        type: 'statetimeline',
        title: 'Multiples of the budgets',
        description:
          'Green: within the budget. Yellow: over it. Orange and red: at 3 and 6 times it, where pages go out.',
        unit: 'suffix:×',
        decimals: 1,
        thresholds: burnSteps,
        queries: [{ expr: burn, legend: '{{model}} {{kind}}' }],
        width: 12,
        height: 9,
      },
    ],
  },
  {
    title: 'Quality',
    panels: [
      {
        type: 'timeseries',
        title: 'Macro-F1',
        description:
          'Mean F1 of the four labels over the window, by model. Unlike accuracy it does not let a frequent label hide a rare one.',
        unit: 'percentunit',
        max: 1,
        thresholds: bands,
        queries: [{ expr: `job_model:assay_macro_f1:ratio_rate$window{${models}}`, legend: '{{model}}' }],
        width: 8,
        height: 8,
      },
      {
        type: 'timeseries',
        title: 'Accuracy by model',
        description: 'Right decisions divided by all scored over the window.',
        unit: 'percentunit',
        max: 1,
        thresholds: bands,
        queries: [{ expr: `job_model:assay_accuracy:ratio_rate$window{${models}}`, legend: '{{model}}' }],
        width: 8,
        height: 8,
      },
      {
        type: 'timeseries',
        title: 'Tool-call F1',
        description:
          'F1 over calls, pooled over the window: strict wants equal arguments, flexible most of the expected ones. A gap between the two means right tools with wrong arguments.',
        unit: 'percentunit',
        max: 1,
        thresholds: bands,
        queries: [
          { expr: `job_model_mode:assay_tool_call_f1:ratio_rate$window{${models}}`, legend: '{{model}} {{mode}}' },
        ],
        width: 8,
        height: 8,
      },
      {
        type: 'timeseries',
        title: 'Calls of tools that do not exist',
        description: 'Calls a second whose tool was not among those offered. Counted at once, with or without truth.',
        unit: 'cps',
        min: 0,
        thresholds: upTo(0.1, 1),
        queries: [
          {
            expr: `sum by (model) (rate(assay_unknown_tool_calls_total{${models}}[$__rate_interval]))`,
            legend: '{{model}}',
          },
        ],
        width: 8,
        height: 8,
      },
      {
        type: 'timeseries',
        title: 'Stability',
        description: 'Share of the complete groups of runs in which every run decided the same, since the beginning.',
        unit: 'percentunit',
        max: 1,
        thresholds: bands,
        queries: [
          { expr: `job_model_metric:assay_stability:ratio{${models}, metric="stability"}`, legend: '{{model}}' },
        ],
        width: 8,
        height: 8,
      },
      {
        type: 'timeseries',
        title: 'Predictions scored',
        description: 'Predictions scored a second, by model. A model that falls silent scores nothing, good or bad.',
        unit: 'cps',
        min: 0,
        thresholds: neutral,
        queries: [
          { expr: `sum by (model) (rate(assay_outcomes_total{${models}}[$__rate_interval]))`, legend: '{{model}}' },
        ],
        width: 8,
        height: 8,
        stacked: true,
      },
    ],
  },
];
