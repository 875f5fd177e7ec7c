import { neutral, noneAllowed, type PanelSpec, upTo } from './panel-spec.ts';

const job = 'job=~"$job"';

function quantiles(histogram: string): PanelSpec['queries'] {
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le) (rate(${histogram}_bucket{${job}}[$__rate_interval])))`,
    legend: `${quantile * 100} %`,
  }));
}

export const durabilityPanels: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'Age of checkpoints',
    description:
      'Time since each instance last made its state durable; the interval is dashed. A crash repeats the work since then, and counts nothing twice.',
    unit: 's',
    min: 0,
    thresholds: upTo(60, 300),
    queries: [
      { expr: `time() - assay_checkpoint_last_success_timestamp_seconds{${job}}`, legend: '{{instance}}' },
      { expr: `max(assay_checkpoint_interval_seconds{${job}})`, legend: 'budget: interval' },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Duration of checkpoints',
    description: 'Median and 99th percentile of the time to make one checkpoint durable.',
    unit: 's',
    min: 0,
    thresholds: upTo(1, 10),
    queries: quantiles('assay_checkpoint_duration_seconds'),
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Age of snapshots',
    description: 'Time since each instance last wrote Arrow snapshots; the interval is dashed.',
    unit: 's',
    min: 0,
    thresholds: upTo(180, 600),
    queries: [
      { expr: `time() - assay_snapshot_last_success_timestamp_seconds{${job}}`, legend: '{{instance}}' },
      { expr: `max(assay_snapshot_interval_seconds{${job}})`, legend: 'budget: interval' },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Duration of batches',
    description: 'Median and 99th percentile of the time to apply one batch of records.',
    unit: 's',
    min: 0,
    thresholds: upTo(0.5, 5),
    queries: quantiles('assay_batch_duration_seconds'),
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Rebalances',
    description: 'Rebalances of the consumer group that each instance took part in, between two points of the graph.',
    unit: 'short',
    min: 0,
    thresholds: upTo(1, 5),
    queries: [
      {
        expr: `sum by (instance) (increase(assay_rebalances_total{${job}}[$__rate_interval]))`,
        legend: '{{instance}}',
      },
    ],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Limits reached',
    description:
      'How often each limit of the configuration was reached, a second, and series left out of the page. Beyond a limit names are folded into __other__, or state is forgotten early.',
    unit: 'cps',
    min: 0,
    thresholds: noneAllowed,
    queries: [
      { expr: `sum by (limit) (rate(assay_limit_reached_total{${job}}[$__rate_interval]))`, legend: '{{limit}}' },
      { expr: `sum(assay_series_dropped{${job}})`, legend: 'series left out' },
    ],
    width: 8,
    height: 8,
  },
];

export const resourcePanels: readonly PanelSpec[] = [
  {
    type: 'timeseries',
    title: 'CPU',
    description: 'Cores in use by instance. The fold of an instance runs on one core: near 1 add instances.',
    unit: 'short',
    min: 0,
    thresholds: upTo(0.8, 1),
    queries: [{ expr: `rate(process_cpu_seconds_total{${job}}[$__rate_interval])`, legend: '{{instance}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Memory',
    description: 'Resident memory by instance. State grows up to the limits of the configuration, and no further.',
    unit: 'bytes',
    min: 0,
    thresholds: upTo(1_073_741_824, 4_294_967_296),
    queries: [{ expr: `process_resident_memory_bytes{${job}}`, legend: '{{instance}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Event loop lag',
    description:
      '99th percentile of the delay of timers. Above a second, heartbeats are at risk and rebalances follow.',
    unit: 's',
    min: 0,
    thresholds: upTo(0.1, 1),
    queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${job}}`, legend: '{{instance}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Cost of a scrape',
    description: 'Time that Prometheus waits for the page of each instance.',
    unit: 's',
    min: 0,
    thresholds: upTo(1, 5),
    queries: [{ expr: `scrape_duration_seconds{${job}}`, legend: '{{instance}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'timeseries',
    title: 'Series on the page',
    description: 'Series that each instance exports. limits.series bounds them.',
    unit: 'short',
    min: 0,
    thresholds: upTo(15_000, 20_000),
    queries: [{ expr: `scrape_samples_scraped{${job}}`, legend: '{{instance}}' }],
    width: 8,
    height: 8,
  },
  {
    type: 'table',
    title: 'Versions',
    description: 'What runs where. Instances of one group should agree on version and configuration.',
    unit: 'short',
    thresholds: neutral,
    queries: [{ expr: `assay_build_info{${job}}` }, { expr: `assay_config_info{${job}}` }],
    columns: [
      { from: 'instance', title: 'Instance' },
      { from: 'version', title: 'Version' },
      { from: 'revision', title: 'Revision' },
      { from: 'node', title: 'Node' },
      { from: 'hash', title: 'Configuration' },
    ],
    width: 8,
    height: 8,
  },
];
