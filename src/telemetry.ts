import { getOrPut } from './state/containers/get-or-put.ts';
import type { FindingCounts } from './scoring/truth.ts';
import { type CounterSeries, counterSeriesOf } from './scoring/families.ts';
import { rejectCodes } from './state/reject.ts';
import type { WindowCounts } from './state/window-counts.ts';
import type { PlacedNotes } from './view/input-report.ts';
import type { View } from './view/summary.ts';
import { partitionName, type TopicPartition } from './ports.ts';

/**
 * The numbers behind `/metrics`: the record between the pipeline, which writes it, and the metrics text, which reads it. Plain
 * numbers and arrays: the pipeline adds to them once a batch or once a commit, never once an event, and uses no
 * metrics library. NaN is "unknown yet".
 *
 * Counters start at 0 with the process and are never restored: a counter that came back from a checkpoint looks to
 * Prometheus like a reset, after which its whole past counts again.
 */
export type Telemetry = ReturnType<typeof createTelemetry>;

/**
 * A view whose groups are folded to `limits.groups_exported` a set of dimensions (the rest are `__other__`), and its
 * counts by window: `all` first, then each window ascending.
 */
export interface ExportedView {
  readonly view: View;
  readonly windows: readonly Readonly<WindowCounts>[];
}

export interface ModelCounters {
  /** Published; by `modelSeries`. */
  readonly cells: Float64Array;
  /** Live: it needs no truth. */
  unknownToolCalls: number;
}

/** An event that a counter has counted: what one looks at to see why it grew. */
export interface Exemplar {
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** Event time. */
  readonly tsMs: number;
}

/** The key of a kind of hallucination of a model. */
export function exemplarKey(model: string, kind: string): string {
  return JSON.stringify([model, kind]);
}

export interface PartitionGauges extends TopicPartition {
  /** Next offset to be read. */
  position: number;
  /** Next offset to be written. */
  high: number;
  watermarkMs: number;
  /** Greatest event time applied; not finite before there is one. */
  eventTimeMs: number;
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

/** Addresses without a slash at the end. */
export interface Links {
  readonly page?: string | undefined;
  readonly dashboard?: string | undefined;
  readonly runbooks?: string | undefined;
}

export interface TelemetryOptions {
  readonly build: { readonly version: string; readonly revision: string; readonly node: string };
  readonly configHash: string;
  /** Addresses that alerts lead to. */
  readonly links?: Links;
  readonly topics: readonly string[];
  /** Names of all limits. */
  readonly limits: readonly string[];
  readonly checkpointIntervalMs: number;
  /** Undefined where no snapshots are written. */
  readonly snapshotIntervalMs: number | undefined;
}

/** A record of zeros; series whose labels are known beforehand are there from the start. */
export function createTelemetry({ build, configHash, links = {}, topics, limits, ...intervals }: TelemetryOptions) {
  return {
    build,
    configHash,
    links,
    /**
     * Counters that grow by what a checkpoint made durable, once the group has accepted the commit that follows it; add all deltas of a
     * commit in one turn, so that the numerators and denominators of a scrape belong together. `ModelCounters.cells` is one of them.
     */
    published: publishedCounters(topics),
    /** Counters that grow as things happen. */
    live: {
      /** By `partitionName`; kept when the partition goes. */
      consumed: new Map<string, TopicPartition & { records: number }>(),
      /** By name of the limit. */
      limits: new Map(limits.map((limit) => [limit, 0])),
      ...{ rebalances: 0, lostRecords: 0, truthReloadFailures: 0, truthRejects: 0, wrongLogins: 0 },
    },
    /** Oddities of the input: the log takes the counts out. */
    input: { counts: new Map(), firsts: new Map() } as PlacedNotes,
    /** The latest event that a hallucination counter has counted, by `exemplarKey`. */
    exemplars: new Map<string, Exemplar>(),
    /** None is ever taken out. */
    models: new Map<string, ModelCounters>(),
    /** The partitions held now, by `partitionName`: the pipeline deletes one that is revoked. */
    partitions: new Map<string, PartitionGauges>(),
    /** Scored events, where no metric that needs truth has a value over any of them; else 0. */
    unmeasured: 0,
    /** Without a version before the first is loaded; times are of the wall clock. */
    truth: unknownTruth(),
    /** Wall-clock time up to which the brokers have answered. */
    lastResponseMs: Number.NaN,
    checkpoints: { intervalMs: intervals.checkpointIntervalMs, lastSuccessMs: Number.NaN },
    snapshots: { intervalMs: intervals.snapshotIntervalMs ?? Number.NaN, lastSuccessMs: Number.NaN },
    truthDelaySeconds: createHistogram([1, 5, 15, 60, 300, 900, 3600, 14400, 43200, 86400]),
    runSeconds: createHistogram([0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]),
    ingest: createIngestCounts(),
    batchSeconds: createHistogram(durationBounds),
    checkpointSeconds: createHistogram(durationBounds),
    /**
     * Batches in work: partition name to the start on the clock of `performance.now()`, in ms. Waiting for the world
     * (an outage) is no work.
     */
    work: new Map<string, number>(),
  };
}

const unknownTruth = () => ({
  version: undefined as string | undefined,
  rows: 0,
  lastSuccessMs: Number.NaN,
  /** Contradictions in the rows of the files, once they were counted. */
  findings: undefined as FindingCounts | undefined,
  /** The event that each feedback record names which came since the start and reached none, by the id of the record. */
  unmatched: undefined as ReadonlyMap<string, string> | undefined,
});

/** Counts of the door for records, since the process began. */
export interface IngestCounts {
  /** By path; each from when the door is open. */
  readonly paths: Map<string, IngestPath>;
  /** Records, spans and log records that were refused, by code. */
  readonly rejects: Map<string, number>;
  /** Time until the records of a request were durable. */
  readonly appendSeconds: Histogram;
}

/** Counts of a path of the door. */
export interface IngestPath {
  /** By status. */
  readonly requests: Map<number, number>;
  /** Records, spans and log records that are durable. */
  records: number;
  /** Bytes of bodies, decompressed. */
  bytes: number;
}

/** The counts of a door that has seen no request. */
export function createIngestCounts(): IngestCounts {
  const appendSeconds = createHistogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]);
  return { paths: new Map(), rejects: new Map(), appendSeconds };
}

/** Counts of a path, new at 0. */
export function ingestPath({ paths }: IngestCounts, path: string): IngestPath {
  return getOrPut(paths, path, () => ({ requests: new Map([[200, 0]]), records: 0, bytes: 0 }));
}

const publishedCounters = (topics: readonly string[]) => ({
  topics: new Map(topics.map((topic) => [topic, noEvents()])),
  /** By `rejectCodes`. */
  rejects: new Float64Array(rejectCodes.length),
  late: 0,
  steps: 0,
  lateSteps: 0,
});

/** Counters of a model, new at 0: call it when the model is first seen, so that its series show 0 before they grow. */
export function modelCounters({ models }: Telemetry, model: string): ModelCounters {
  return getOrPut(models, model, () => ({ cells: new Float64Array(modelSeries.length), unknownToolCalls: 0 }));
}

const noEvents = () => ({ scored: 0, expired: 0, duplicate: 0, rejected: 0 });

/** Events of a topic by what became of them, new at 0. */
export function topicCounters({ published }: Telemetry, topic: string): ReturnType<typeof noEvents> {
  return getOrPut(published.topics, topic, noEvents);
}

/** Live count of the records of a partition, new at 0. */
export function consumedRecords({ live }: Telemetry, { topic, partition }: TopicPartition): { records: number } {
  return getOrPut(live.consumed, partitionName({ topic, partition }), () => ({ topic, partition, records: 0 }));
}

/** Gauges of a partition that is held; `telemetry.partitions.delete(partitionName(p))` when it goes. */
export function partitionGauges({ partitions }: Telemetry, { topic, partition }: TopicPartition): PartitionGauges {
  const unknown = { position: Number.NaN, high: Number.NaN, watermarkMs: Number.NaN, eventTimeMs: Number.NaN };
  return getOrPut(partitions, partitionName({ topic, partition }), () => ({ topic, partition, ...unknown }));
}

/** Counts that a limit was reached. */
export function limitReached({ live: { limits } }: Telemetry, limit: string, times = 1): void {
  limits.set(limit, (limits.get(limit) ?? 0) + times);
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
