import type { PartitionGauges } from '../../telemetry.ts';
import type { TopicPartition } from '../../ports.ts';
import { findingKinds } from '../../scoring/truth.ts';
import { rejectCodes } from '../../state/reject.ts';
import type { RecordCounts } from '../../view/summary.ts';
import {
  counter,
  gauge,
  histogram,
  type Metrics,
  named,
  type PageState,
  type ReadMetric,
  type Sample,
} from './read-metric.ts';

const byPartition = ['topic', 'partition'];
const outcomes = ['scored', 'expired', 'duplicate', 'rejected'] as const;

/** Metrics about the program itself, in the order of the text. */
export const serviceMetrics: readonly ReadMetric[] = named({
  series_dropped: gauge(
    'series',
    'Series left out of the metrics to keep them within limits.series.',
    ({ dropped }) => dropped,
  ),
  build_info: gauge(
    '1',
    'The running program; always 1.',
    ({ build: { version, revision, node } }) => [[1, version, revision, node]],
    ['version', 'revision', 'node'],
  ),
  config_info: gauge('1', 'Hash of the configuration in use; always 1.', ({ configHash }) => [[1, configHash]], [
    'hash',
  ]),
  links_info: gauge(
    '1',
    'Where alerts lead, as configured under links; always 1.',
    ({ links: { page = '', dashboard = '', runbooks = '' } }) =>
      page + dashboard + runbooks === '' ? [] : [[1, page, dashboard, runbooks]],
    ['page', 'dashboard', 'runbooks'],
  ),
  records_unaccounted: gauge(
    'events',
    'Events and steps read less the events scored, pending, expired, duplicate or rejected, the open runs, and the steps that others made runs of; anything but 0 is a bug.',
    ({ records }) => unaccounted(records),
  ),
  unmeasured_predictions: gauge(
    'events',
    'Scored events, from 20 on, where no metric that needs truth has a value over any of them; else 0.',
    ({ unmeasured }) => unmeasured,
  ),
  records_consumed_total: counter(
    'records',
    'Kafka records applied, counted at once.',
    ({ live }) => partitionSamples(live.consumed, ({ records }) => records),
    byPartition,
  ),
  records_total: counter(
    'events',
    'Events by what became of them, counted once their checkpoint is committed.',
    ({ published }) =>
      [...published.topics].flatMap(([topic, counts]) =>
        outcomes.map((outcome): Sample => [counts[outcome], topic, outcome]),
      ),
    ['topic', 'outcome'],
  ),
  rejects_total: counter(
    'events',
    'Records and elements refused, by reason, counted once their checkpoint is committed.',
    ({ published }) => rejectCodes.map((code, index) => [published.rejects[index]!, code]),
    ['reason'],
  ),
  late_events_total: counter(
    'events',
    'Events older than the longest window when they were applied: they count in window all only.',
    ({ published }) => published.late,
  ),
  pending_predictions: gauge('events', 'Predictions that wait for their truth.', ({ records }) => records.pending),
  open_runs: gauge('runs', 'Runs of several records that have not ended.', ({ records }) => records.open_runs),
  steps_total: counter(
    'steps',
    'Spans and answers that were steps of runs, counted once their checkpoint is committed.',
    ({ published }) => published.steps,
  ),
  late_steps_total: counter(
    'steps',
    'Steps that came after their run had ended: they change no number.',
    ({ published }) => published.lateSteps,
  ),
  run_seconds: histogram(
    'seconds',
    'Time from the begin of the first step to the end of the last one, of runs that have ended.',
    (state) => state.runSeconds,
  ),
  assigned_partitions: gauge('partitions', 'Partitions that this instance holds.', ({ partitions }) => partitions.size),
  rebalances_total: counter(
    'rebalances',
    'Rebalances of the consumer group that this instance took part in.',
    ({ live }) => live.rebalances,
  ),
  consumer_lag_records: gauge(
    'records',
    'Offsets between the position and the end of the partition; 0 at the end.',
    ({ partitions }) => partitionSamples(partitions, ({ high, position }) => Math.max(0, high - position)),
    byPartition,
  ),
  consumer_position_offset: gauge(
    'offset',
    'Next offset to be read.',
    ({ partitions }) => partitionSamples(partitions, ({ position }) => position),
    byPartition,
  ),
  kafka_last_response_timestamp_seconds: gauge(
    'seconds',
    'When the brokers last answered what they were asked; of several threads, that of the one that has waited longest.',
    ({ lastResponseMs }) => lastResponseMs / 1000,
  ),
  watermark_timestamp_seconds: gauge(
    'seconds',
    'Event time up to which a topic is taken as complete: the least watermark of the partitions held.',
    ({ partitions }) => watermarks(partitions.values()),
    ['topic'],
  ),
  event_time_ahead_seconds: gauge(
    'seconds',
    "Time by which the event time of a partition is ahead of this machine's clock; 0 where it is not.",
    ({ partitions }) => partitionSamples(partitions, ({ eventTimeMs }) => secondsAhead(eventTimeMs)),
    byPartition,
  ),
  lost_records_total: counter(
    'records',
    'Records that the log had trimmed before they were read (kafka.on_gap: skip).',
    ({ live }) => live.lostRecords,
  ),
  limit_reached_total: counter(
    'times',
    'Times that a limit of the configuration was reached.',
    ({ live }) => Array.from(live.limits, ([limit, times]): Sample => [times, limit]),
    ['limit'],
  ),
  truth_rows: gauge('rows', 'Rows of the truth in use.', ({ truth }) =>
    truth.version === undefined ? Number.NaN : truth.rows,
  ),
  truth_info: gauge(
    '1',
    'Version of the truth in use; always 1.',
    ({ truth }) => (truth.version === undefined ? [] : [[1, truth.version]]),
    ['version'],
  ),
  truth_findings: gauge(
    'rows',
    'Contradictions within rows of the truth in use, by kind: of its first 100,000 rows, without the truth topic.',
    ({ truth: { findings } }) =>
      findings === undefined ? [] : findingKinds.map((kind): Sample => [findings[kind], kind]),
    ['kind'],
  ),
  feedback_unmatched: gauge(
    'records',
    'Feedback records that came since the start and reached no event so far.',
    ({ truth: { unmatched } }) => unmatched?.size ?? Number.NaN,
  ),
  truth_last_reload_success_timestamp_seconds: gauge(
    'seconds',
    'When a version of the truth last became active.',
    ({ truth }) => truth.lastSuccessMs / 1000,
  ),
  truth_reload_failures_total: counter(
    'times',
    'Truth files refused; the version in use stays.',
    ({ live }) => live.truthReloadFailures,
  ),
  truth_rejects_total: counter(
    'rows',
    'Records of the topics of truth and feedback refused and skipped.',
    ({ live }) => live.truthRejects,
  ),
  login_failures_total: counter('attempts', 'Logins with a wrong name or password.', ({ live }) => live.wrongLogins),
  ingest_requests_total: counter(
    'requests',
    'Requests to a path that takes records, by status; 429: the sender is to come again, as too much waits to be scored or is being read.',
    ({ ingest }) =>
      [...ingest.paths].flatMap(([path, { requests }]) =>
        Array.from(requests, ([status, times]): Sample => [times, path, String(status)]),
      ),
    ['path', 'status'],
  ),
  ingest_records_total: counter(
    'records',
    'Records, spans and log records that were accepted over HTTP: they are durable.',
    ({ ingest }) => Array.from(ingest.paths, ([path, { records }]): Sample => [records, path]),
    ['path'],
  ),
  ingest_rejects_total: counter(
    'records',
    'Records, spans and log records that were refused over HTTP, by reason.',
    ({ ingest }) => Array.from(ingest.rejects, ([code, times]): Sample => [times, code]),
    ['reason'],
  ),
  ingest_bytes_total: counter(
    'bytes',
    'Bytes of the bodies that were read over HTTP, decompressed.',
    ({ ingest }) => Array.from(ingest.paths, ([path, { bytes }]): Sample => [bytes, path]),
    ['path'],
  ),
  ingest_append_seconds: histogram(
    'seconds',
    'Time until the records of a request were durable: written and synced to disk, or acknowledged by Kafka.',
    ({ ingest }) => (ingest.paths.size === 0 ? [] : ingest.appendSeconds),
  ),
  ...schedule('checkpoint', 'made durable', ({ checkpoints }) => checkpoints),
  ...schedule('snapshot', 'written', ({ snapshots }) => snapshots),
  truth_delay_seconds: histogram(
    'seconds',
    'Time that scored predictions had waited for their truth.',
    (state) => state.truthDelaySeconds,
  ),
  batch_duration_seconds: histogram('seconds', 'Time to apply one batch of records.', (state) => state.batchSeconds),
  checkpoint_duration_seconds: histogram(
    'seconds',
    'Time to make one checkpoint durable.',
    (state) => state.checkpointSeconds,
  ),
});

/** When something was last done, and how often it is. */
function schedule(name: string, done: string, of: (state: PageState) => PageState['checkpoints']): Metrics {
  const when = `When a ${name} was last ${done}.`;
  const interval = `Time between ${name}s, as configured.`;
  return {
    [`${name}_last_success_timestamp_seconds`]: gauge('seconds', when, (state) => of(state).lastSuccessMs / 1000),
    [`${name}_interval_seconds`]: gauge('seconds', interval, (state) => of(state).intervalMs / 1000),
  };
}

/** 0 by the accounting law (docs/reference/semantics.md). */
function unaccounted(records: RecordCounts): number {
  const rejected = Object.values(records.rejected).reduce((total, count) => total + count, 0);
  const { read, scored, pending, expired, duplicates, open_runs: open, steps, runs } = records;
  return read - scored - pending - expired - duplicates - rejected - open - steps + runs;
}

function partitionSamples<P extends TopicPartition>(
  partitions: ReadonlyMap<string, P>,
  value: (of: P) => number,
): Sample[] {
  return Array.from(partitions.values(), (of) => [value(of), of.topic, String(of.partition)]);
}

function secondsAhead(eventTimeMs: number): number {
  return Number.isFinite(eventTimeMs) ? Math.max(0, eventTimeMs - Date.now()) / 1000 : Number.NaN;
}

/** Least watermark of each topic, in seconds, over the partitions that have one. */
function watermarks(partitions: Iterable<PartitionGauges>): Sample[] {
  const least = new Map<string, number>();
  for (const { topic, watermarkMs } of partitions) {
    if (Number.isNaN(watermarkMs)) continue;
    least.set(topic, Math.min(least.get(topic) ?? Number.POSITIVE_INFINITY, watermarkMs / 1000));
  }
  return Array.from(least, ([topic, seconds]) => [seconds, topic]);
}
