import { durabilityPanels, resourcePanels } from './pipeline-inside.ts';
import { neutral, noneAllowed, type PanelSpec, type RowSpec, upTo } from './panel-spec.ts';

const job = 'job=~"$job"';

const now: readonly PanelSpec[] = [
  {
    type: 'stat',
    title: 'Instances up',
    description: 'Instances that answer on /metrics.',
    unit: 'short',
    thresholds: [
      [null, 'red'],
      [1, 'green'],
    ],
    queries: [{ expr: `sum(up{${job}})` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Partitions held',
    description: 'Partitions that the instances hold together. None: nothing is scored.',
    unit: 'short',
    thresholds: [
      [null, 'red'],
      [1, 'green'],
    ],
    queries: [{ expr: `sum(assay_assigned_partitions{${job}})` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Records waiting',
    description: 'Records in the log that are not consumed yet, over all partitions.',
    unit: 'short',
    thresholds: upTo(10_000, 1_000_000),
    queries: [{ expr: `sum(assay_consumer_lag_records{${job}})` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Event time behind',
    description:
      'Time between now and the event time up to which the slowest topic is taken as complete. It never falls below time.out_of_orderness, and grows where no records come.',
    unit: 's',
    thresholds: upTo(300, 900),
    queries: [{ expr: `max(time() - min by (topic) (assay_watermark_timestamp_seconds{${job}}))` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Waiting for truth',
    description: 'Predictions that wait for their truth. They expire after join.truth_wait, or at limits.pending.',
    unit: 'short',
    thresholds: upTo(50_000, 90_000),
    queries: [{ expr: `sum(assay_pending_predictions{${job}})` }],
    width: 4,
    height: 4,
  },
  {
    type: 'stat',
    title: 'Unaccounted events',
    description: 'Events read less those scored, pending, expired, duplicate or rejected. Anything but 0 is a bug.',
    unit: 'short',
    thresholds: noneAllowed,
    queries: [{ expr: `max(abs(assay_records_unaccounted{${job}}))` }],
    width: 4,
    height: 4,
  },
];

const flow: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'Lag by partition',
    description: 'Records waiting in each partition. One that grows while the others do not is stalled, or hot.',
    unit: 'short',
    min: 0,
    thresholds: upTo(10_000, 1_000_000),
    queries: [
      {
        expr: `sum by (topic, partition) (assay_consumer_lag_records{${job}})`,
        legend: '{{topic}}/{{partition}}',
      },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Records consumed',
    description: 'Kafka records applied a second, by instance.',
    unit: 'cps',
    min: 0,
    thresholds: neutral,
    queries: [
      {
        expr: `sum by (instance) (rate(assay_records_consumed_total{${job}}[$__rate_interval]))`,
        legend: '{{instance}}',
      },
    ],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'What became of predictions',
    description:
      'Predictions a second by outcome, counted when they are durable. Rejected ones lie in the dead letters; expired ones never met their truth.',
    unit: 'cps',
    min: 0,
    thresholds: neutral,
    queries: [
      { expr: `sum by (outcome) (rate(assay_records_total{${job}}[$__rate_interval]))`, legend: '{{outcome}}' },
    ],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Scored by model',
    description: 'Predictions scored a second, by model.',
    unit: 'cps',
    min: 0,
    thresholds: neutral,
    queries: [
      {
        expr: `sum by (model) (rate(assay_outcomes_total{${job}, model=~"$model"}[$__rate_interval]))`,
        legend: '{{model}}',
      },
    ],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Refused by reason',
    description: 'Predictions refused a second, by reason. The dead letters hold each with its detail.',
    unit: 'cps',
    min: 0,
    thresholds: upTo(0.1, 10),
    queries: [{ expr: `sum by (reason) (rate(assay_rejects_total{${job}}[$__rate_interval]))`, legend: '{{reason}}' }],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Late events and lost records',
    description:
      'Events older than the longest window (they count in window all only), and records that Kafka deleted before they were read, a second.',
    unit: 'cps',
    min: 0,
    thresholds: noneAllowed,
    queries: [
      { expr: `sum(rate(assay_late_events_total{${job}}[$__rate_interval]))`, legend: 'late' },
      { expr: `sum(rate(assay_lost_records_total{${job}}[$__rate_interval]))`, legend: 'lost' },
    ],
    width: 8,
    height: 8,
  },
];

const truth: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'Coverage by window',
    description:
      'Share of the predictions of each event-time window that have met their truth. What is missing waits or has expired.',
    unit: 'percentunit',
    max: 1,
    thresholds: [
      [null, 'red'],
      [0.5, 'yellow'],
      [0.9, 'green'],
    ],
    queries: [{ expr: `job_window:assay_coverage:ratio{${job}}`, legend: '{{window}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Predictions in the window',
    description: 'Predictions of the chosen event-time window by state.',
    unit: 'short',
    min: 0,
    thresholds: neutral,
    queries: [{ expr: `sum by (state) (assay_window_predictions{${job}, window="$window"})`, legend: '{{state}}' }],
    stacked: true,
    width: 8,
    height: 8,
  },
  {
    type: 'heatmap',
    title: 'Delay of the truth',
    description:
      'How long scored predictions had waited for their truth. A delay beyond join.truth_wait makes predictions expire.',
    unit: 's',
    thresholds: upTo(3_600, 43_200),
    queries: [
      { expr: `sum by (le) (increase(assay_truth_delay_seconds_bucket{${job}}[$__rate_interval]))`, legend: '{{le}}' },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'table',
    title: 'Truth in use',
    description:
      'Rows and version of the truth, and when it became active, by instance. All instances should show one version.',
    unit: 'short',
    thresholds: neutral,
    queries: [
      { expr: `assay_truth_rows{${job}}` },
      { expr: `assay_truth_last_reload_success_timestamp_seconds{${job}} * 1000` },
      { expr: `assay_truth_info{${job}}` },
    ],
    columns: [
      { from: 'instance', title: 'Instance' },
      { from: 'version', title: 'Version' },
      { from: 'A', title: 'Rows', unit: 'short' },
      { from: 'B', title: 'Active since', unit: 'dateTimeAsIso' },
    ],
    width: 16,
    height: 6,
  },
  {
    type: 'timeseries',
    title: 'Truth refused',
    description:
      'Truth files refused, and rows of the truth topic refused, in 5 minutes. The version before stays in use.',
    unit: 'short',
    min: 0,
    thresholds: noneAllowed,
    queries: [
      { expr: `sum(increase(assay_truth_reload_failures_total{${job}}[$__rate_interval]))`, legend: 'files' },
      { expr: `sum(increase(assay_truth_rejects_total{${job}}[$__rate_interval]))`, legend: 'rows' },
    ],
    width: 8,
    height: 6,
  },
];

/** Does scoring keep up, is the truth there, and is the state safe? */
export const pipelineRows: readonly RowSpec[] = [
  { title: 'Now', panels: now },
  { title: 'Flow', panels: flow },
  { title: 'Truth', panels: truth },
  { title: 'Durability', panels: durabilityPanels },
  { title: 'Process', panels: resourcePanels },
];
