import { rejectCodes } from '../../state/reject.ts';
import type { RecordCounts } from '../../view/summary.ts';
import type { TopicPartition } from '../../ports.ts';
import type { Histogram, PartitionGauges, Telemetry } from '../../telemetry.ts';
import { type Sample, counterSection, oneLabel } from './counter-sections.ts';
import { metricOf, type MetricName } from './metric-list.ts';
import { labelSet, numberText, type Section } from './text.ts';

/** How the program itself does, in the order of the metric list. */
export function serviceSections(telemetry: Telemetry, records: RecordCounts, shown: ReadonlySet<string>): Section[] {
  const { build, live, published, truth, checkpoints, snapshots } = telemetry;
  const partitions = [...telemetry.partitions.values()];
  const counter = (name: MetricName, samples: readonly Sample[]): Section => counterSection(shown, name, samples);
  return [
    gauge('assay_build_info', [[labelSet(Object.entries(build)), 1]]),
    gauge('assay_config_info', [[labelSet([['hash', telemetry.configHash]]), 1]]),
    gauge('assay_records_unaccounted', [['', unaccounted(records)]]),
    counter(
      'assay_records_consumed_total',
      byPartition([...live.consumed.values()], (of) => of.records),
    ),
    counter('assay_records_total', topicSamples(telemetry)),
    counter('assay_rejects_total', rejectSamples(published.rejects)),
    counter('assay_late_events_total', [['', published.late]]),
    gauge('assay_pending_predictions', [['', records.pending]]),
    gauge('assay_assigned_partitions', [['', partitions.length]]),
    counter('assay_rebalances_total', [['', live.rebalances]]),
    gauge(
      'assay_consumer_lag_records',
      byPartition(partitions, (of) => Math.max(0, of.high - of.position)),
    ),
    gauge(
      'assay_consumer_position_offset',
      byPartition(partitions, (of) => of.position),
    ),
    gauge('assay_watermark_timestamp_seconds', oneLabel('topic', watermarks(partitions))),
    counter('assay_lost_records_total', [['', live.lostRecords]]),
    counter('assay_limit_reached_total', oneLabel('limit', live.limits)),
    gauge('assay_truth_rows', truth.version === undefined ? [] : [['', truth.rows]]),
    gauge('assay_truth_info', truth.version === undefined ? [] : [[labelSet([['version', truth.version]]), 1]]),
    gauge('assay_truth_last_reload_success_timestamp_seconds', [['', truth.lastSuccessMs / 1000]]),
    counter('assay_truth_reload_failures_total', [['', live.truthReloadFailures]]),
    counter('assay_truth_rejects_total', [['', live.truthRejects]]),
    gauge('assay_checkpoint_last_success_timestamp_seconds', [['', checkpoints.lastSuccessMs / 1000]]),
    gauge('assay_checkpoint_interval_seconds', [['', checkpoints.intervalMs / 1000]]),
    gauge('assay_snapshot_last_success_timestamp_seconds', [['', snapshots.lastSuccessMs / 1000]]),
    gauge('assay_snapshot_interval_seconds', [['', snapshots.intervalMs / 1000]]),
    histogram(shown, 'assay_truth_delay_seconds', telemetry.truthDelaySeconds),
    histogram(shown, 'assay_batch_duration_seconds', telemetry.batchSeconds),
    histogram(shown, 'assay_checkpoint_duration_seconds', telemetry.checkpointSeconds),
  ];
}

/** A gauge's lines; no line where the value is not known (NaN). */
export function gauge(name: MetricName, samples: readonly Sample[]): Section {
  const known = samples.filter(([, value]) => !Number.isNaN(value));
  return {
    metric: metricOf(name),
    lines: known.map(([labels, value]) => `${name}${labels} ${numberText(value)}`),
    firstShown: [],
  };
}

/** Cumulative buckets, sum and count; all 0 in the first page, as any counter. */
function histogram(shown: ReadonlySet<string>, name: MetricName, { bounds, counts, sum }: Histogram): Section {
  const first = !shown.has(name);
  const lines: string[] = [];
  let below = 0;
  counts.forEach((count, index) => {
    below += count;
    lines.push(`${name}_bucket{le="${numberText(bounds[index] ?? Number.POSITIVE_INFINITY)}"} ${first ? 0 : below}`);
  });
  lines.push(`${name}_sum ${numberText(first ? 0 : sum)}`, `${name}_count ${first ? 0 : below}`);
  return { metric: metricOf(name), lines, firstShown: first ? [name] : [] };
}

/** 0 by the accounting law (docs/reference/semantics.md). */
function unaccounted(records: RecordCounts): number {
  const rejected = Object.values(records.rejected).reduce((total, count) => total + count, 0);
  return records.read - records.scored - records.pending - records.expired - records.duplicates - rejected;
}

function topicSamples(telemetry: Telemetry): Sample[] {
  return [...telemetry.published.topics].flatMap(([topic, counts]) =>
    (['scored', 'expired', 'duplicate', 'rejected'] as const).map(
      (outcome): Sample => [
        labelSet([
          ['topic', topic],
          ['outcome', outcome],
        ]),
        counts[outcome],
      ],
    ),
  );
}

function rejectSamples(counts: Float64Array): Sample[] {
  return oneLabel(
    'reason',
    rejectCodes.map((code, index) => [code, counts[index]!]),
  );
}

function byPartition<P extends TopicPartition>(partitions: readonly P[], value: (of: P) => number): Sample[] {
  return partitions.map((of) => {
    const labels = labelSet([
      ['topic', of.topic],
      ['partition', String(of.partition)],
    ]);
    return [labels, value(of)];
  });
}

/** Least watermark of each topic, in seconds, over the partitions that have one. */
function watermarks(partitions: readonly PartitionGauges[]): Map<string, number> {
  const least = new Map<string, number>();
  for (const { topic, watermarkMs } of partitions) {
    if (Number.isNaN(watermarkMs)) continue;
    least.set(topic, Math.min(least.get(topic) ?? Number.POSITIVE_INFINITY, watermarkMs / 1000));
  }
  return least;
}
