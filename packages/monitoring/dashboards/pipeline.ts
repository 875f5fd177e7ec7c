import { dashboardIds } from '../settings.ts';
import { toService } from './drill-down.ts';
import {
  amount,
  areas,
  coverage,
  type DashboardSpec,
  heatmap,
  lines,
  neutral,
  noneAllowed,
  perSecond,
  row,
  seconds,
  stat,
  steps,
  table,
  upTo,
} from './panel.ts';

const job = 'job=~"$job"';
const perSecondOf = (by: string, counter: string): string =>
  `sum by (${by}) (rate(${counter}{${job}}[$__rate_interval]))`;
const increaseOf = (counter: string): string => `increase(${counter}{${job}}[$__rate_interval])`;

function quantiles(histogram: string): Readonly<Record<string, string>> {
  const quantile = (value: number): string =>
    `histogram_quantile(${value}, ${perSecondOf('le', `${histogram}_bucket`)})`;
  return { '50 %': quantile(0.5), '99 %': quantile(0.99) };
}

const age = (what: string): Readonly<Record<string, string>> => ({
  '{{instance}}': `time() - assay_${what}_last_success_timestamp_seconds{${job}}`,
  'budget: interval': `max(assay_${what}_interval_seconds{${job}})`,
});

const some = steps('red', [1, 'green']);

const now = row(4, 4, {
  'Instances up': stat('Instances that answer on /metrics.', amount(some), `sum(up{${job}})`),
  'Partitions held': stat(
    'Partitions that the instances hold together. None: nothing is scored.',
    amount(some),
    `sum(assay_assigned_partitions{${job}})`,
  ),
  'Records waiting': stat(
    'Records in the log that are not consumed yet, over all partitions.',
    amount(upTo(10_000, 1_000_000)),
    `sum(assay_consumer_lag_records{${job}})`,
  ),
  'Event time behind': stat(
    'Time between now and the event time up to which the slowest topic is taken as complete. It never falls below time.out_of_orderness, and grows where no records come.',
    seconds(300, 900),
    `max(time() - min by (topic) (assay_watermark_timestamp_seconds{${job}}))`,
  ),
  'Waiting for truth': stat(
    'Predictions that wait for their truth. They expire after join.truth_wait, or at limits.pending.',
    amount(upTo(50_000, 90_000)),
    `sum(assay_pending_predictions{${job}})`,
  ),
  'Unaccounted events': stat(
    'Events read less those scored, pending, in open runs, expired, duplicate or rejected. Anything but 0 is a bug.',
    amount(noneAllowed),
    `max(abs(assay_records_unaccounted{${job}}))`,
  ),
});

const flow = row(8, 8, {
  'Lag by partition': lines(
    'Records waiting in each partition. One that grows while the others do not is stalled, or hot.',
    amount(upTo(10_000, 1_000_000)),
    { '{{topic}}/{{partition}}': `sum by (topic, partition) (assay_consumer_lag_records{${job}})` },
  ),
  'Records consumed': areas('Kafka records applied a second, by instance.', perSecond(), {
    '{{instance}}': perSecondOf('instance', 'assay_records_consumed_total'),
  }),
  'What became of predictions': areas(
    'Predictions a second by outcome, counted when they are durable. Rejected ones lie in the dead letters; expired ones never met their truth.',
    perSecond(),
    { '{{outcome}}': perSecondOf('outcome', 'assay_records_total') },
  ),
  'Scored by model': areas('Predictions scored a second, by model.', perSecond(), {
    '{{model}}': `sum by (model) (rate(assay_outcomes_total{${job}, model=~"$model"}[$__rate_interval]))`,
  }),
  'Refused by reason': areas(
    'Predictions refused a second, by reason. The dead letters hold each with its detail.',
    perSecond(upTo(0.1, 10)),
    { '{{reason}}': perSecondOf('reason', 'assay_rejects_total') },
  ),
  'Late events and lost records': lines(
    'Events older than the longest window (they count in window all only), and records that Kafka deleted before they were read, a second.',
    perSecond(noneAllowed),
    {
      late: `sum(rate(assay_late_events_total{${job}}[$__rate_interval]))`,
      lost: `sum(rate(assay_lost_records_total{${job}}[$__rate_interval]))`,
    },
  ),
});

const runs = row(8, 8, {
  'Open runs': lines(
    'Runs of several records that have not ended, by instance. A run is scored when it ends: soon after the root of its trace, or after runs.idle without a step.',
    amount(),
    { '{{instance}}': `sum by (instance) (assay_open_runs{${job}})` },
  ),
  'Steps of runs': lines(
    'Spans and answers a second that are steps of runs, and those that came after their run had ended: these change no number.',
    perSecond(),
    {
      steps: `sum(rate(assay_steps_total{${job}}[$__rate_interval]))`,
      late: `sum(rate(assay_late_steps_total{${job}}[$__rate_interval]))`,
    },
  ),
  'Length of runs': heatmap('Time from the first step of a run to its last one.', seconds(60, 600), {
    '{{le}}': `sum by (le) (${increaseOf('assay_run_seconds_bucket')})`,
  }),
});

const truth = row(8, 8, {
  'Coverage by window': lines(
    'Share of the predictions of each event-time window that are scored. What is missing waits for its truth, has expired or was refused.',
    coverage,
    { '{{window}}': `job_window:assay_coverage:ratio{${job}}` },
  ),
  'Predictions in the window': areas('Predictions of the chosen event-time window by state.', amount(), {
    '{{state}}': `sum by (state) (assay_window_predictions{${job}, window="$window"})`,
  }),
  'Delay of the truth': heatmap(
    'How long scored predictions had waited for their truth. A delay beyond join.truth_wait makes predictions expire.',
    seconds(3_600, 43_200),
    { '{{le}}': `sum by (le) (${increaseOf('assay_truth_delay_seconds_bucket')})` },
  ),
  'Truth in use': table(
    'Rows and version of the truth, and when it became active, by instance. All instances should show one version.',
    {
      Instance: 'instance',
      Version: 'version',
      Rows: [`assay_truth_rows{${job}}`, amount()],
      'Active since': [
        `assay_truth_last_reload_success_timestamp_seconds{${job}} * 1000`,
        { unit: 'dateTimeAsIso', steps: neutral },
      ],
    },
    { joined: [`assay_truth_info{${job}}`], size: [16, 6] },
  ),
  'Truth refused': lines(
    'Truth files refused, and rows of the truth topic refused, in 5 minutes. The version before stays in use.',
    amount(noneAllowed),
    {
      files: `sum(${increaseOf('assay_truth_reload_failures_total')})`,
      rows: `sum(${increaseOf('assay_truth_rejects_total')})`,
    },
    [8, 6],
  ),
});

const durability = row(8, 8, {
  'Age of checkpoints': lines(
    'Time since each instance last made its state durable; the interval is dashed. A crash repeats the work since then, and counts nothing twice.',
    seconds(60, 300),
    age('checkpoint'),
  ),
  'Duration of checkpoints': lines(
    'Median and 99th percentile of the time to make one checkpoint durable.',
    seconds(1, 10),
    quantiles('assay_checkpoint_duration_seconds'),
  ),
  'Age of snapshots': lines(
    'Time since each instance last wrote Arrow snapshots; the interval is dashed.',
    seconds(180, 600),
    age('snapshot'),
  ),
  'Duration of batches': lines(
    'Median and 99th percentile of the time to apply one batch of records.',
    seconds(0.5, 5),
    quantiles('assay_batch_duration_seconds'),
  ),
  Rebalances: lines(
    'Rebalances of the consumer group that each instance took part in, between two points of the graph.',
    amount(upTo(1, 5)),
    { '{{instance}}': `sum by (instance) (${increaseOf('assay_rebalances_total')})` },
  ),
  'Limits reached': lines(
    'How often each limit of the configuration was reached, a second, and series left out of the metrics. Beyond a limit names are folded into __other__, or state is forgotten early.',
    perSecond(noneAllowed),
    {
      '{{limit}}': perSecondOf('limit', 'assay_limit_reached_total'),
      'series left out': `sum(assay_series_dropped{${job}})`,
    },
  ),
});

const resources = row(8, 8, {
  CPU: lines(
    'Cores in use by instance. The fold of an instance runs on one core: near 1 add instances.',
    amount(upTo(0.8, 1)),
    { '{{instance}}': `rate(process_cpu_seconds_total{${job}}[$__rate_interval])` },
  ),
  Memory: lines(
    'Resident memory by instance. State grows up to the limits of the configuration, and no further.',
    { unit: 'bytes', steps: upTo(1_073_741_824, 4_294_967_296) },
    { '{{instance}}': `process_resident_memory_bytes{${job}}` },
  ),
  'Event loop lag': lines(
    '99th percentile of the delay of timers. Above a second, heartbeats are at risk and rebalances follow.',
    seconds(0.1, 1),
    { '{{instance}}': `nodejs_eventloop_lag_p99_seconds{${job}}` },
  ),
  'Cost of a scrape': lines('Time that Prometheus waits for the metrics of each instance.', seconds(1, 5), {
    '{{instance}}': `scrape_duration_seconds{${job}}`,
  }),
  'Series in the metrics': lines(
    'Series that each instance exports. limits.series bounds them.',
    amount(upTo(15_000, 20_000)),
    { '{{instance}}': `scrape_samples_scraped{${job}}` },
  ),
  Versions: table(
    'What runs where. Instances of one group should agree on version and configuration.',
    { Instance: 'instance', Version: 'version', Revision: 'revision', Node: 'node', Configuration: 'hash' },
    { joined: [`assay_build_info{${job}}`, `assay_config_info{${job}}`] },
  ),
});

export const pipelineDashboard: DashboardSpec = {
  uid: dashboardIds.pipeline,
  title: 'Assay / Pipeline',
  description: 'Does scoring keep up, is the truth there, and is the state safe?',
  model: 'several',
  deeper: toService,
  window: 'event',
  rows: { Now: now, Flow: flow, Runs: runs, Truth: truth, Durability: durability, Process: resources },
};
