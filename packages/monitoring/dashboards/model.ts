import { callPanels, stabilityPanels } from './model-calls.ts';
import { bands, burnSteps, neutral, type PanelSpec, type RowSpec } from './panel-spec.ts';

const model = 'job=~"$job", model="$model", window="$window"';
const score = (name: string): string => `job_model_window:assay_window_${name}:ratio{${model}}`;
const ofClass = (name: string): string => `max by (class) (job_model_window_class:assay_window_${name}{${model}})`;
const cells = `sum by (gold, predicted) (job_model_window_gold_predicted:assay_window_outcomes:sum{${model}})`;

const numbers: readonly PanelSpec[] = [
  {
    type: 'stat',
    title: 'Accuracy',
    description: 'Right decisions divided by all scored in the window.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: bands,
    queries: [{ expr: score('accuracy') }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Macro-F1',
    description: 'Mean F1 of the four labels; a label that does not occur counts 0.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: bands,
    queries: [{ expr: score('macro_f1') }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Macro-F1 without direct',
    description:
      'Mean F1 of tool_call, request_for_info and cannot_answer: the decisions that need judgement about tools.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: bands,
    queries: [{ expr: score('macro_f1_no_direct') }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Predictions',
    description: 'Predictions of the model scored in the window. Below some hundred every share here is rough.',
    unit: 'short',
    thresholds: [
      [null, 'yellow'],
      [100, 'blue'],
    ],
    queries: [{ expr: `sum(job_model_window:assay_window_outcomes:sum{${model}})` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Without a valid label',
    description: 'Share of the predictions whose label was missing or none of the four. They count as wrong.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: [
      [null, 'green'],
      [0.01, 'yellow'],
      [0.05, 'red'],
    ],
    queries: [
      {
        expr: `sum(job_model_window_class:assay_window_predicted_outcomes:sum{${model}, class="invalid"}) / (sum(job_model_window:assay_window_outcomes:sum{${model}}) > 0)`,
      },
    ],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Coverage of the window',
    description: 'Predictions of all models that have met their truth, divided by all in the window.',
    unit: 'percentunit',
    decimals: 1,
    thresholds: [
      [null, 'red'],
      [0.5, 'yellow'],
      [0.9, 'green'],
    ],
    queries: [{ expr: 'min(job_window:assay_coverage:ratio{job=~"$job", window="$window"})' }],
    width: 4,
    height: 4,
  },
];

const decisions: readonly PanelSpec[] = [
  {
    type: 'table',
    title: 'Confusion matrix: predictions',
    description:
      'Rows: what was right (gold). Columns: what the model did. Off the diagonal are mistakes; exact counts by event time.',
    unit: 'short',
    thresholds: neutral,
    queries: [{ expr: cells }],
    matrix: { rows: 'gold', columns: 'predicted' },
    width: 12,
    height: 7,
  },
  {
    type: 'table',
    title: 'Confusion matrix: share of each gold label',
    description:
      'The same, each row divided by its total: the diagonal is recall. Gold cannot_answer with predicted tool_call is a tool hallucination, gold request_for_info with tool_call a parameter one.',
    unit: 'percentunit',
    decimals: 1,
    min: 0,
    max: 1,
    thresholds: neutral,
    queries: [{ expr: `${cells} / on (gold) group_left () (sum by (gold) (${cells}) > 0)` }],
    matrix: { rows: 'gold', columns: 'predicted' },
    width: 12,
    height: 7,
  },
  {
    type: 'table',
    title: 'By label',
    description:
      'Precision: how often the decision was right when taken. Recall: how often it was taken when right. Support: how often it was right.',
    unit: 'percentunit',
    thresholds: neutral,
    queries: [
      { expr: ofClass('precision:ratio') },
      { expr: ofClass('recall:ratio') },
      { expr: ofClass('f1:ratio') },
      { expr: ofClass('gold_outcomes:sum') },
    ],
    columns: [
      { from: 'class', title: 'Label' },
      { from: 'A', title: 'Precision', unit: 'percentunit', thresholds: bands },
      { from: 'B', title: 'Recall', unit: 'percentunit', thresholds: bands },
      { from: 'C', title: 'F1', unit: 'percentunit', thresholds: bands },
      { from: 'D', title: 'Support', unit: 'short' },
    ],
    width: 10,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'F1 by label',
    description: 'How the F1 of each label in the window moved.',
    unit: 'percentunit',
    max: 1,
    thresholds: bands,
    queries: [{ expr: ofClass('f1:ratio'), legend: '{{class}}' }],
    width: 14,
    height: 8,
  },
];

const kinds = `job_model_window_kind:assay_window_hallucinations_per_opportunities:ratio{${model}}`;

const hallucination: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'Hallucination rate',
    description:
      'tool: called a tool though none was offered. param: called with parameters that had to be asked for. answer: answered where something else was right. Budgets dashed.',
    unit: 'percentunit',
    min: 0,
    thresholds: neutral,
    queries: [
      { expr: kinds, legend: '{{kind}}' },
      { expr: 'kind:assay_hallucination_budget:ratio', legend: 'budget {{kind}}' },
    ],
    width: 14,
    height: 8,
  },
  {
    type: 'table',
    title: 'Against the budgets',
    description:
      'Hallucinated share of the opportunities in the window, the multiple of the budget, and the opportunities.',
    unit: 'percentunit',
    thresholds: neutral,
    queries: [
      { expr: kinds },
      { expr: `${kinds} / on (kind) group_left () kind:assay_hallucination_budget:ratio` },
      { expr: `job_model_window_kind:assay_window_hallucination_opportunities:sum{${model}} > 0` },
    ],
    columns: [
      { from: 'kind', title: 'Kind' },
      { from: 'A', title: 'Rate', unit: 'percentunit' },
      { from: 'B', title: 'Multiple', unit: 'suffix:×', thresholds: burnSteps },
      { from: 'C', title: 'Opportunities', unit: 'short' },
    ],
    sortBy: 'Multiple',
    width: 10,
    height: 8,
  },
];

/** What one model decides, what it confuses, and how its calls go wrong. */
export const modelRows: readonly RowSpec[] = [
  { title: 'The window', panels: numbers },
  { title: 'Decisions', panels: decisions },
  { title: 'Hallucination', panels: hallucination },
  { title: 'Calls: tools and parameters', panels: callPanels },
  { title: 'Stability (since the beginning)', panels: stabilityPanels },
];
