import { type Alert, alertRule } from './alert.ts';
import { all } from './promql.ts';
import type { RuleGroup } from './rule.ts';
import { job, type Links } from './settings.ts';

/** Alerts on the program itself. */
export function programAlertGroup(links: Links): RuleGroup {
  return {
    name: 'assay-operating-alerts',
    interval: '30s',
    rules: Object.entries(alerts).map(([name, alert]) =>
      alertRule(name, { dashboard: alert.labels === undefined ? ['pipeline', 'job'] : ['pipeline'], ...alert }, links),
    ),
  };
}

/** Overdue: the last success lies too far back, or there has been none since the process began. */
function overdue(what: 'snapshot' | 'checkpoint', limit: string): string {
  return `(
    (time() - assay_${what}_last_success_timestamp_seconds)
  or
    ((time() - process_start_time_seconds) and on (job, instance) assay_${what}_interval_seconds)
      unless on (job, instance) assay_${what}_last_success_timestamp_seconds
)
> on (job, instance) group_left ()
  ${limit}`;
}

/** All of some conditions, of jobs that have truth, or wait for it: where none is configured, nothing can be scored. */
function withTruth(...conditions: readonly string[]): string {
  return `(
${all(...conditions).replace(/^/gm, '  ')}
)
unless on (job)
  assay_truth_info{version="without"}`;
}

const alerts: Readonly<Record<string, Omit<Alert, 'dashboard'>>> = {
  AssayDown: {
    expr: `up{job="${job}"} == 0`,
    for: '5m',
    severity: 'critical',
    summary: 'An instance cannot be scraped.',
    description: '{{ $labels.instance }} has not answered on /metrics for 5 minutes.',
  },
  AssayAbsent: {
    expr: `absent(up{job="${job}"} == 1)`,
    for: '10m',
    severity: 'critical',
    labels: { job },
    summary: 'No instance is up: nothing is scored.',
    description: `Prometheus has seen no instance of job ${job} up for 10 minutes.`,
  },
  AssayNoPartitions: {
    expr: 'sum by (job) (assay_assigned_partitions) == 0',
    for: '10m',
    severity: 'critical',
    summary: 'The instances are up and hold no partition: nothing is scored.',
    description: 'The instances of job {{ $labels.job }} have held no partition for 10 minutes.',
  },
  AssayRecordsUnaccounted: {
    expr: 'assay_records_unaccounted != 0',
    for: '5m',
    severity: 'critical',
    summary: 'The counts of events do not add up: a bug.',
    description: '{{ $labels.instance }} has read {{ $value }} events more than it can account for.',
  },
  AssayStalled: {
    // Without `on`, a partition that has never been consumed from would not count as stalled.
    expr: `  sum by (job, topic, partition) (assay_consumer_lag_records) > 0
unless on (job, topic, partition)
  sum by (job, topic, partition) (rate(assay_records_consumed_total[10m])) > 0`,
    for: '10m',
    severity: 'critical',
    summary: 'Records wait in a partition and none is consumed.',
    description:
      '{{ $labels.topic }}/{{ $labels.partition }}: {{ $value | humanize }} records wait, and none has been consumed for 10 minutes.',
  },
  AssayInputStopped: {
    // At the pace of the last day 20 records would have come: that none did is no chance. The lag is there as long as the partition is held.
    expr: `  sum by (job, topic) (assay_consumer_lag_records) == 0
unless on (job, topic)
  sum by (job, topic) (rate(assay_records_consumed_total[15m])) > 0
and on (job, topic)
  900 * sum by (job, topic) (rate(assay_records_consumed_total[1d])) >= 20`,
    for: '5m',
    severity: 'critical',
    summary: 'No new records arrive, and there were some before.',
    description:
      '{{ $labels.topic }}: all records are consumed, and no new record has arrived for 15 minutes. Check the producers.',
  },
  AssayKafkaSilent: {
    expr: 'time() - assay_kafka_last_response_timestamp_seconds > 60',
    for: '2m',
    severity: 'critical',
    summary: 'Kafka does not answer: nothing is scored.',
    description: '{{ $labels.instance }} last had an answer of its brokers {{ $value | humanizeDuration }} ago.',
  },
  AssayEventTimeAhead: {
    expr: 'max by (job, topic, partition) (assay_event_time_ahead_seconds) > 60',
    for: '5m',
    severity: 'warning',
    summary: 'A clock is wrong: event time is ahead, so windows close early.',
    description:
      '{{ $labels.topic }}/{{ $labels.partition }}: event time is {{ $value | humanizeDuration }} ahead of the clock of the instance.',
  },
  AssayLagHigh: {
    // Little's law: what waits, divided by what is worked off in a second, is how long a record waits.
    expr: `(
    sum by (job, topic) (assay_consumer_lag_records)
  /
    sum by (job, topic) (rate(assay_records_consumed_total[10m]))
)
> 900`,
    for: '10m',
    severity: 'warning',
    summary: 'Scoring is more than 15 minutes behind the stream.',
    description:
      '{{ $labels.topic }}: at the present speed a record waits {{ $value | humanizeDuration }} before it is scored.',
  },
  AssayRebalancing: {
    expr: 'sum by (job) (increase(assay_rebalances_total[30m])) > 10',
    for: '5m',
    severity: 'warning',
    summary: 'The consumer group rebalances again and again.',
    description:
      'The instances of job {{ $labels.job }} went through {{ $value | printf "%.0f" }} rebalances in 30 minutes.',
  },
  AssayDeadLetters: {
    expr: all(
      `sum by (job, topic) (rate(assay_records_total{outcome="rejected"}[15m]))
  / (sum by (job, topic) (rate(assay_records_total[15m])) > 0)
  > 0.01`,
      'sum by (job, topic) (increase(assay_records_total{outcome="rejected"}[15m])) > 10',
    ),
    for: '5m',
    severity: 'warning',
    summary: 'More than 1 % of the predictions are refused.',
    description:
      '{{ $labels.topic }}: {{ $value | humanizePercentage }} of the predictions of the last 15 minutes went to the dead letters.',
  },
  AssayRecordsLost: {
    expr: 'sum by (job) (increase(assay_lost_records_total[1h])) > 0',
    for: '1m',
    severity: 'warning',
    summary: 'Kafka deleted records before they were read.',
    description:
      'Job {{ $labels.job }}: {{ $value | printf "%.0f" }} records of the last hour were trimmed from the log unread, and will never be scored.',
  },
  AssayTruthMissing: {
    expr: withTruth(
      `sum by (job, topic) (rate(assay_records_total{outcome="expired"}[1h]))
  / (sum by (job, topic) (rate(assay_records_total{outcome=~"scored|expired"}[1h])) > 0)
  > 0.05`,
      'sum by (job, topic) (increase(assay_records_total{outcome="expired"}[1h])) > 10',
    ),
    for: '30m',
    severity: 'warning',
    summary: 'Predictions expire because their truth does not come.',
    description:
      '{{ $labels.topic }}: {{ $value | humanizePercentage }} of the predictions of the last hour expired without truth.',
  },
  AssayNothingMeasured: {
    expr: 'max by (job, instance) (assay_unmeasured_predictions) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'Events are scored, but no metric that needs truth has a value.',
    description:
      '{{ $labels.instance }}: {{ $value | humanize }} events are scored by truth rows without any field that a family reads.',
  },
  AssayRunsStayOpen: {
    // Little's law: as many runs are at work as end in a second, times their length. The other open ones have had their last step.
    expr: all(
      `sum by (job) (assay_open_runs) - sum by (job) (rate(assay_run_seconds_sum[30m]))
  > clamp_min(900 * sum by (job) (rate(assay_run_seconds_count[30m])), 20)`,
      'sum by (job) (rate(assay_steps_total[30m])) > 0',
    ),
    for: '1h',
    severity: 'warning',
    summary: 'Runs end more than 15 minutes after their last step: they are scored that late.',
    description:
      'Job {{ $labels.job }}: {{ $value | humanize }} runs are open beyond those that are at work, more than end in 15 minutes.',
  },
  AssayLateSteps: {
    expr: all(
      `sum by (job) (rate(assay_late_steps_total[1h]))
  / (sum by (job) (rate(assay_steps_total[1h])) > 0)
  > 0.01`,
      'sum by (job) (increase(assay_late_steps_total[1h])) > 10',
    ),
    for: '10m',
    severity: 'warning',
    summary: 'Steps come after their run has ended: they are missing from the scores.',
    description:
      'Job {{ $labels.job }}: {{ $value | humanizePercentage }} of the steps of the last hour came after their run had ended.',
  },
  AssayCoverageLow: {
    expr: withTruth(
      'job_window:assay_coverage:ratio < on (window) group_left () window:assay_coverage_objective:ratio',
      'job_window:assay_window_predictions:sum >= 100',
    ),
    for: '30m',
    severity: 'warning',
    summary: 'Too few predictions are scored for the scores to be reliable.',
    description:
      'Job {{ $labels.job }}: only {{ $value | humanizePercentage }} of the predictions of the last {{ $labels.window }} are scored; the rest wait for their truth, expired or were refused.',
  },
  AssayTruthReloadFailing: {
    expr: 'sum by (job, instance) (increase(assay_truth_reload_failures_total[30m])) > 0',
    for: '1m',
    severity: 'warning',
    summary: 'A truth file was refused; the version before stays in use.',
    description: '{{ $labels.instance }} refused a truth file in the last 30 minutes; its log says which and why.',
  },
  AssayCheckpointStale: {
    expr: `(
${overdue('checkpoint', 'clamp_min(5 * assay_checkpoint_interval_seconds, 60)').replace(/^/gm, '  ')}
)
and on (job, instance)
  sum by (job, instance) (rate(assay_records_consumed_total[5m])) > 0`,
    for: '5m',
    severity: 'critical',
    summary: 'State is not made durable: a crash would repeat work since the last checkpoint.',
    description:
      '{{ $labels.instance }} reads records and made its last checkpoint {{ $value | humanizeDuration }} ago.',
  },
  AssaySnapshotStale: {
    expr: overdue('snapshot', '(3 * assay_snapshot_interval_seconds)'),
    for: '5m',
    severity: 'warning',
    summary: 'Arrow snapshots are not written.',
    description: '{{ $labels.instance }} wrote its last snapshot {{ $value | humanizeDuration }} ago.',
  },
  AssayFolding: {
    expr: 'sum by (job, limit) (increase(assay_limit_reached_total{limit=~"slices|names|breakdowns|groups_exported|series"}[1h])) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'There are more slices, names or series than the limits allow: some are folded or left out.',
    description:
      'Job {{ $labels.job }}: limits.{{ $labels.limit }} was reached in the last hour; what is beyond counts under __other__ or is not exported.',
  },
  AssayForgettingEarly: {
    expr: 'sum by (job, limit) (increase(assay_limit_reached_total{limit=~"pending|open_runs|dedupe_ids|stability_groups"}[1h])) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'State is full: old entries are dropped before their time.',
    description:
      'Job {{ $labels.job }}: limits.{{ $labels.limit }} was reached in the last hour, {{ $value | printf "%.0f" }} times.',
  },
};
