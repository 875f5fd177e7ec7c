import { getOrPut } from './state/containers/get-or-put.ts';
import { type CounterSeries, counterSeriesOf } from './scoring/families.ts';
import { rejectCodes } from './state/reject.ts';
import type { View } from './view/summary.ts';
import { partitionName, type TopicPartition } from './ports.ts';

/**
 * What `/metrics` shows: the record between the pipeline, which writes it, and the page, which reads it. Plain
 * numbers and arrays: the pipeline adds to them once a batch or once a commit, never once an event, and knows no
 * metrics library.
 *
 * Counters start at 0 with the process and are never restored: a counter that came back from a checkpoint looks to
 * Prometheus like a reset, after which its whole past counts again.
 */
export interface Telemetry {
  readonly build: Build;
  readonly configHash: string;
  readonly published: PublishedCounters;
  readonly live: LiveCounters;
  /** Counters by model, published and live; none is ever taken out. */
  readonly models: Map<string, ModelCounters>;
  /** The partitions held now, by `partitionName`: the pipeline deletes one that is revoked. */
  readonly partitions: Map<string, PartitionGauges>;
  readonly truth: TruthGauges;
  readonly checkpoints: Schedule;
  /** Its interval is NaN where no snapshots are written. */
  readonly snapshots: Schedule;
  readonly truthDelaySeconds: Histogram;
  readonly batchSeconds: Histogram;
  readonly checkpointSeconds: Histogram;
  /**
   * Batches in work: partition name to the start on the clock of `performance.now()`, in ms. Waiting for the world
   * (an outage) is no work.
   */
  readonly work: Map<string, number>;
}

export interface Build {
  readonly version: string;
  readonly revision: string;
  readonly node: string;
}

/**
 * A view whose groups are folded to `limits.groups_exported` a set of dimensions (the rest are `__other__`), and its
 * counts by window.
 */
export interface ExportedView {
  readonly view: View;
  /** `all` first, then each window ascending. */
  readonly windows: readonly WindowPredictions[];
}

/** Predictions whose event time lies in a window, by what became of them. */
export interface WindowPredictions {
  readonly window: string;
  readonly scored: number;
  readonly pending: number;
  readonly expired: number;
}

/**
 * Counters that grow by what a checkpoint made durable, once the group has accepted the commit that follows it; add
 * all deltas of a commit in one turn, so that a page's numerators and denominators belong together.
 * `ModelCounters.cells` is one of them.
 */
export interface PublishedCounters {
  readonly topics: Map<string, TopicCounters>;
  /** By `rejectCodes`. */
  readonly rejects: Float64Array;
  late: number;
}

export interface TopicCounters {
  scored: number;
  expired: number;
  duplicate: number;
  rejected: number;
}

export interface ModelCounters {
  /** Published; by `modelSeries`. */
  readonly cells: Float64Array;
  /** Live: it needs no truth. */
  unknownToolCalls: number;
}

/** Counters that grow as things happen. */
export interface LiveCounters {
  /** By `partitionName`; kept when the partition goes. */
  readonly consumed: Map<string, ConsumedRecords>;
  /** By name of the limit; every limit is there from the start. */
  readonly limits: Map<string, number>;
  rebalances: number;
  lostRecords: number;
  truthReloadFailures: number;
  truthRejects: number;
  wrongLogins: number;
}

export interface ConsumedRecords extends TopicPartition {
  records: number;
}

/** NaN is "not known yet". */
export interface PartitionGauges extends TopicPartition {
  /** Next offset to be read. */
  position: number;
  /** Next offset to be written. */
  high: number;
  watermarkMs: number;
}

export interface TruthGauges {
  /** Undefined before the first version is loaded. */
  version: string | undefined;
  rows: number;
  /** Wall clock, ms; NaN before the first success. */
  lastSuccessMs: number;
}

export interface Schedule {
  readonly intervalMs: number;
  /** Wall clock, ms; NaN before the first success. */
  lastSuccessMs: number;
}

/** Observations in buckets with inclusive upper bounds; the last count is of those above every bound. */
export interface Histogram {
  readonly bounds: readonly number[];
  /** Not cumulative. */
  readonly counts: Float64Array;
  sum: number;
}

/** The counter series of a model, in the order of `ModelCounters.cells`. */
export const modelSeries: readonly CounterSeries[] = counterSeriesOf();

export interface TelemetryOptions {
  readonly build: Build;
  readonly configHash: string;
  readonly topics: readonly string[];
  /** Names of all limits. */
  readonly limits: readonly string[];
  readonly checkpointIntervalMs: number;
  /** Undefined where no snapshots are written. */
  readonly snapshotIntervalMs: number | undefined;
}

/** A record of zeros; series whose labels are known beforehand are there from the start. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const telemetry: Telemetry = {
    build: options.build,
    configHash: options.configHash,
    published: { topics: new Map(), rejects: new Float64Array(rejectCodes.length), late: 0 },
    live: {
      consumed: new Map(),
      limits: new Map(options.limits.map((limit) => [limit, 0])),
      rebalances: 0,
      lostRecords: 0,
      truthReloadFailures: 0,
      truthRejects: 0,
      wrongLogins: 0,
    },
    models: new Map(),
    partitions: new Map(),
    truth: { version: undefined, rows: 0, lastSuccessMs: Number.NaN },
    checkpoints: { intervalMs: options.checkpointIntervalMs, lastSuccessMs: Number.NaN },
    snapshots: { intervalMs: options.snapshotIntervalMs ?? Number.NaN, lastSuccessMs: Number.NaN },
    truthDelaySeconds: createHistogram([1, 5, 15, 60, 300, 900, 3600, 14400, 43200, 86400]),
    batchSeconds: createHistogram(durationBounds),
    checkpointSeconds: createHistogram(durationBounds),
    work: new Map(),
  };
  for (const topic of options.topics) topicCounters(telemetry, topic);
  return telemetry;
}

/** Counters of a model, new at 0: call it when the model is first seen, so that its series show 0 before they grow. */
export function modelCounters(telemetry: Telemetry, model: string): ModelCounters {
  return getOrPut(telemetry.models, model, () => ({
    cells: new Float64Array(modelSeries.length),
    unknownToolCalls: 0,
  }));
}

/** Counters of a topic, new at 0. */
export function topicCounters(telemetry: Telemetry, topic: string): TopicCounters {
  return getOrPut(telemetry.published.topics, topic, () => ({ scored: 0, expired: 0, duplicate: 0, rejected: 0 }));
}

/** Live count of the records of a partition, new at 0. */
export function consumedRecords(telemetry: Telemetry, partition: TopicPartition): ConsumedRecords {
  const { topic, partition: number } = partition;
  return getOrPut(telemetry.live.consumed, partitionName(partition), () => ({ topic, partition: number, records: 0 }));
}

/** Gauges of a partition that is held; `telemetry.partitions.delete(partitionName(p))` when it goes. */
export function partitionGauges(telemetry: Telemetry, partition: TopicPartition): PartitionGauges {
  const { topic, partition: number } = partition;
  return getOrPut(telemetry.partitions, partitionName(partition), () => ({
    topic,
    partition: number,
    position: Number.NaN,
    high: Number.NaN,
    watermarkMs: Number.NaN,
  }));
}

/** Counts that a limit was reached. */
export function limitReached(telemetry: Telemetry, limit: string, times = 1): void {
  telemetry.live.limits.set(limit, (telemetry.live.limits.get(limit) ?? 0) + times);
}

/** Adds one value to a histogram; a negative one counts as 0, since a sum must not fall. */
export function observe(histogram: Histogram, value: number): void {
  const bucket = histogram.bounds.findIndex((bound) => value <= bound);
  histogram.counts[bucket < 0 ? histogram.bounds.length : bucket]! += 1;
  histogram.sum += Math.max(0, value);
}

/** Seconds, from a quick batch to one that is stuck. */
const durationBounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

function createHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: new Float64Array(bounds.length + 1), sum: 0 };
}
