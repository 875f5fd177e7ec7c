import type { DeadLetter } from './stream/dead-letter.ts';
import type { LogRecord, Opened } from './stream/event.ts';
import type { Scored } from './stream/score.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** `topic/partition`: how a partition is named in keys, logs and outputs. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/** Partitions in the order in which their states are added up: sums of fractions are the same for every reader. */
export function comparePartitions(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}

/** Where records come from: a consumer group's log. It owns epochs, heartbeats and positions, and decides nothing about scoring. */
export interface Source {
  /** Joins the group and delivers until `stop`. Rejects when it cannot go on (the process exits and restarts from its checkpoints). */
  run(consumer: Consumer): Promise<void>;
  /** Stops fetching, lets the batch in work finish and leaves the group; `consumer.beforeStop` runs in between, still a member. */
  stop(): Promise<void>;
  /**
   * Commits next offsets for partitions still held in the current epoch, in one attempt, fenced by the group. Resolves with the
   * partitions whose commit the group accepted. Advisory for Kafka, but counters move on it.
   */
  commit(offsets: readonly (TopicPartition & { readonly nextOffset: number })[]): Promise<readonly TopicPartition[]>;
  /** Returns whether this member is in its group, with or without partitions. */
  joined(): boolean;
  /** The connection to the brokers; absent where there are none. */
  connection?(): Connection;
  /** First offset kept and next offset to be written. */
  bounds(partition: TopicPartition): Promise<{ readonly low: number; readonly high: number }>;
  /** The group's committed offset, undefined where there is none. */
  committed(partition: TopicPartition): Promise<number | undefined>;
  cluster(): Promise<ClusterFacts>;
  /** First offset whose record time stamp is at or after `timeMs` (the high bound where there is none). */
  offsetAt(partition: TopicPartition, timeMs: number): Promise<number>;
  /** The oldest open transaction in a partition, at which reading ends; absent where there are no transactions. */
  openTransaction?(partition: TopicPartition): Promise<OpenTransaction | undefined>;
}

/** The cluster that holds the topics, and what it says of those that it has. */
export interface ClusterFacts {
  readonly id: string;
  /** Partitions of each topic. */
  readonly partitions: ReadonlyMap<string, number>;
  /** By topic: a topic that is deleted and made again has another one. Absent where there are none. */
  readonly topicIds?: ReadonlyMap<string, string>;
}

/** A transaction of a producer that was neither committed nor aborted. */
export interface OpenTransaction {
  readonly producerId: string;
  readonly epoch: number;
  /** Offset of its first record in the partition. */
  readonly firstOffset: number;
  /** Time stamp of its last record there. */
  readonly lastMs: number;
}

/** The text of an open transaction that holds a partition back, with the remedy. */
export function openTransactionText(
  partition: TopicPartition,
  { producerId, epoch, firstOffset, lastMs }: OpenTransaction,
): string {
  const since = new Date(lastMs).toISOString();
  return `${partitionName(partition)} cannot be read beyond offset ${firstOffset}: producer ${producerId} (epoch ${epoch}) has had a transaction open there, last written to at ${since}; commit or abort it (kafka-transactions.sh)`;
}

/** A connection to brokers, as it is now. */
export interface Connection {
  /** Monotonic time up to which every broker that was asked has answered, in ms: ends of the log later than that are not known. NaN before. */
  readonly answeredMs: number;
}

/** The calls that a source makes. All but the promises is synchronous. */
export interface Consumer {
  /**
   * A partition is assigned; it stays paused until the promise resolves with the offset to read from (undefined: it stays paused,
   * refused). `kept`: this member has had it without interruption, its state in memory is current.
   */
  assigned(partition: TopicPartition, kept: boolean): Promise<number | undefined>;
  /** The group has joined anew, with this member. */
  rebalanced?(): void;
  /** A partition was taken away: forget its state. */
  revoked(partition: TopicPartition): void;
  /** Checkpoint and commit while this member still owns its partitions: a rebalance is about to happen, or others wait for its commits. */
  save(): Promise<void>;
  beforeStop(): Promise<void>;
  /** The offset from which this partition's state goes on, undefined where the partition is not ready. */
  nextOffset(partition: TopicPartition): number | undefined;
  /**
   * Applies records[from, to), in log order; those below the next offset are skipped. The bytes are borrowed. A promise is back
   * pressure (or an outage that is being retried): the source waits for it, heartbeating. A synchronous throw is a bug and ends the process.
   */
  records(
    partition: TopicPartition,
    records: readonly LogRecord[],
    from: number,
    to: number,
  ): Promise<void> | undefined;
  /** Offsets below `nextOffset` hold nothing more (control records, aborted transactions, compaction). */
  advanced(partition: TopicPartition, nextOffset: number): void;
  /** The record at the next offset cannot be read, for this reason. The source tries again now and then; other partitions go on. */
  unreadable(partition: TopicPartition, problem: string, remedy: string): void;
  /** Next offset to be written, as last heard. */
  highWatermark(partition: TopicPartition, high: number): void;
}

/** Values that their producer framed for a schema registry. */
export interface Frames {
  /** The content of a record's frame; undefined where its schema is to be fetched first. */
  open(record: LogRecord): Opened | undefined;
  /** Fetches the schema of such a record. A failure is an outage and may be retried. */
  fetchSchema(record: LogRecord): Promise<void>;
}

export type { DeadLetter } from './stream/dead-letter.ts';

/** Called with true, and its error where there is one, when an outage begins, and with false when it ends. */
export type OnOutage = (outage: boolean, error?: unknown) => void;

export interface DeadLetters {
  /** Durable when resolved. Retries outages by itself until `signal` of its maker aborts; `onOutage` is called when one begins and ends. */
  write(deadLetters: readonly DeadLetter[], onOutage: OnOutage): Promise<void>;
  close(): Promise<void>;
}

/** The door for records: the log inside, or a topic of Kafka. */
export interface Intake {
  /** Appends records in order; resolves once they are durable. Rejects with an `IntakeError`. */
  append(kind: IntakeKind, records: readonly IntakeRecord[]): Promise<void>;
  /** Undefined where it takes records; otherwise why it does not now. */
  refusal(): IntakeRefusal | undefined;
}

export type IntakeKind = 'events' | 'truth' | 'feedback';

export interface IntakeRecord {
  /** Chooses the partition: the example id, or the trace id of a run. */
  readonly key: Uint8Array | undefined;
  /** Null deletes (truth). */
  readonly value: Uint8Array | null;
  /** Chooses the partition where there is no key: an id, or 0 for the first. */
  readonly partition?: Uint8Array | 0 | undefined;
}

export interface IntakeRefusal {
  readonly status: 429 | 503;
  readonly reason: string;
  /** Seconds. */
  readonly retryAfter: number;
}

/** Records that were not taken: they may be sent again after a while. */
export class IntakeError extends Error {
  override readonly name = 'IntakeError';
  readonly refusal: IntakeRefusal;

  constructor(refusal: IntakeRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** A checkpoint of a partition: a snapshot of its state, or the delta from the state at its base. */
export interface Checkpoint {
  /** Unique name; a snapshot made by compaction carries the id of the checkpoint that it equals. */
  readonly id: string;
  /** The checkpoint that a delta builds on, undefined for a snapshot. */
  readonly base: string | undefined;
  readonly nextOffset: number;
  readonly bytes: Uint8Array;
}

/** Where the score rows of a partition stand: between two predictions. */
export interface RowPosition {
  readonly nextOffset: number;
  /** Predictions scored so far. */
  readonly scored: number;
}

/** The checkpoint at which score rows stand. */
export interface RowsCheckpoint extends RowPosition {
  /** Undefined where nothing is saved. */
  readonly id: string | undefined;
  /** The value of `RowSegment.note` when the segment was taken. */
  readonly note: object | undefined;
}

/** The score rows up to a checkpoint. */
export interface RowSegment {
  /** The note of the segment for the checkpoint. */
  readonly note: object | undefined;
  /** Makes them durable, before the checkpoint is saved. */
  write(): Promise<void>;
}

/**
 * Score rows on their way to files. Those between two checkpoints become durable before the second one, which says where they lie; files are
 * written of them behind checkpoints that the group accepted. A failure is an outage and may be retried.
 */
export interface ScoreRows {
  /** The events that it takes. */
  readonly of: 'all' | 'failures';
  /** An event was scored. It is valid during the call. */
  add(partition: TopicPartition, scored: Scored): void;
  /** No truth will come for an event, which no family has scored. Valid during the call. */
  addWithoutTruth?(partition: TopicPartition, scored: Scored): void;
  /** Returns whether memory holds as many rows as it may: `spill` comes before the next ones. */
  isFull(): boolean;
  /** Moves the rows out of memory. */
  spill(): Promise<void>;
  /** Returns whether a checkpoint is wanted though nothing else has changed: a file is to be ended. */
  isDue(partition: TopicPartition): boolean;
  /** Ends the rows that a checkpoint covers. */
  endSegment(partition: TopicPartition, checkpoint: RowPosition & { readonly id: string }): RowSegment;
  /** The group accepted the last checkpoint, and so the files that it ended. */
  accepted(partition: TopicPartition): void;
  /** Writes the files that were accepted; undefined where the partition is gone. One call at a time. */
  publish(partition: TopicPartition): Promise<void> | undefined;
  /** Begins at a checkpoint, or at the beginning. */
  begin(partition: TopicPartition, at: RowsCheckpoint): Promise<void>;
  /** The partition was taken away, and its rows since the last checkpoint with it. */
  drop(partition: TopicPartition): void;
}

export interface CheckpointStore {
  /** From a snapshot to the valid checkpoint with the greatest next offset; none where there is no such. */
  load(partition: TopicPartition): Promise<readonly Checkpoint[]>;
  /** Atomic and durable when resolved. */
  save(partition: TopicPartition, checkpoint: Checkpoint): Promise<void>;
  /** Returns whether the next checkpoint should be a snapshot: so that no single damaged file takes all. */
  wantsSnapshot(partition: TopicPartition): boolean;
}

/** Structured log lines: never one per event. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Clock {
  /** Wall clock, ms. */
  nowMs(): number;
  /** Monotonic, ms: for durations. */
  monotonicMs(): number;
  /** Resolves after a time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets the event loop turn once. */
  turn(): Promise<void>;
}
