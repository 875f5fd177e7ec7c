import { decodeUtf8 } from '../formats/bytes/utf8.ts';
import { type FeedbackReader, feedbackMark, feedbackReader } from '../formats/feedback/record.ts';
import { type TruthReader, type TruthReading, truthReader } from '../formats/truth/record.ts';
import { readTopicTruth } from '../formats/truth/topic.ts';
import {
  type ClusterFacts,
  type Consumer,
  type Log,
  openTransactionText,
  partitionName,
  type Source,
  type TopicPartition,
} from '../ports.ts';
import { keyOf, type LogRecord } from '../stream/event.ts';
import { conflictIn, emptyBook, type Feedback, type FeedbackBook, withFeedback } from '../stream/feedback-book.ts';
import { emptyOverlay, type TruthOverlay, withoutRow, withRow } from '../stream/truth-overlay.ts';
import { closeFrames, type Opening, openFrames } from './open-frames.ts';

/** The rows of a compacted topic of truth records, and records of feedback, as far as they were read. */
export interface TruthTopic {
  /** Takes the records of a source that reads the topic alone, without a shared group: every instance needs all rows. */
  readonly consumer: Consumer;
  rows(): TruthOverlay;
  feedback(): FeedbackBook;
  /** Returns whether everything was read that was there when reading began. */
  isRead(): boolean;
  /** How far the reading has come, for people. */
  progress(): string;
  /** Looks which open transactions reading has come to: `progress` names them. Returns their texts. */
  findTransactions(): Promise<readonly string[]>;
}

export interface TruthTopicOptions extends TruthReading {
  /** Topics that the source reads. */
  readonly topics: readonly string[];
  /** The one of them that holds feedback; elsewhere a key that begins with `feedbackMark` says that a record is feedback. */
  readonly feedbackTopic?: string | undefined;
  readonly source: Source;
  /** The opener of values that are framed for a schema registry. */
  readonly opening: Opening;
  readonly log: Log;
  /** A record that is no truth is skipped. */
  readonly onReject: (place: string, problem: string) => void;
  /** Called with each record of feedback that was not there when reading began. */
  readonly onFeedback?: (feedback: Feedback) => void;
}

/** A topic of which nothing was read. */
export function truthTopic(options: TruthTopicOptions): TruthTopic {
  const { topics, source } = options;
  const reading: Reading = {
    rows: emptyOverlay,
    coming: undefined,
    feedback: emptyBook,
    partitions: undefined,
    positions: new Map(),
    held: [],
    isDone: false,
  };
  return {
    consumer: consumerOf(options, reading),
    rows: () => reading.rows,
    feedback: () => reading.feedback,
    isRead: () => reading.isDone,
    progress: () => `reading truth and feedback (${topics.join(', ')}): ${progressOf(reading)}`,
    async findTransactions() {
      reading.held = await transactionsOf(reading, source);
      return reading.held;
    },
  };
}

interface Reading {
  rows: TruthOverlay;
  /** The rows of a topic that was recreated, until it is read to where it ended: then they take the place of `rows`. */
  coming: { readonly topic: string; readonly topicId: string | undefined; rows: TruthOverlay } | undefined;
  feedback: FeedbackBook;
  /** How many each topic has, once that is known. */
  partitions: ReadonlyMap<string, number> | undefined;
  readonly positions: Map<string, Position>;
  /** The open transactions that reading has come to. */
  held: readonly string[];
  /** True if each partition was read, at some moment, to where it ended when its reading began. */
  isDone: boolean;
}

function consumerOf(options: TruthTopicOptions, reading: Reading): Consumer {
  const { opening, onReject, onFeedback = () => undefined } = options;
  const reader = truthReader({ ...options, refusesEmpty: true });
  const readers: Readers = { truth: reader, feedback: feedbackReader(reader), onFeedback };
  const consumer: Consumer = {
    assigned: (partition) => placed(options, reading, partition),
    revoked: () => undefined,
    save: async () => undefined,
    beforeStop: async () => undefined,
    nextOffset: (partition) => positionOf(reading, partition)?.next,
    records(partition, records, from, to) {
      const closed = openFrames(opening, partitionName(partition), records, from, to);
      if (closed !== undefined) return closed.then(() => consumer.records(partition, records, from, to));
      for (let index = from; index < to; index++) {
        const record = records[index]!;
        if (record.offset < positionOf(reading, partition)!.next) continue;
        const problem = applyRecord(reading, record, partition.topic === options.feedbackTopic, readers);
        if (problem !== undefined) onReject(`${partitionName(partition)}, offset ${record.offset}`, problem);
        consumer.advanced(partition, record.offset + 1);
      }
      closeFrames(opening, records, from, to);
      return undefined;
    },
    advanced(partition, nextOffset) {
      const position = positionOf(reading, partition)!;
      if (nextOffset > position.next) reading.held = [];
      position.next = Math.max(position.next, nextOffset);
      if (position.next >= position.end) lookAtEnds(reading);
    },
    unreadable: (partition, problem) => onReject(partitionName(partition), `cannot be read: ${problem}`),
    highWatermark: () => undefined,
  };
  return consumer;
}

/** Gives a partition its position: the one that it had, unless the log begins behind it, ends before it or belongs to another topic. */
async function placed(
  { topics, feedbackTopic, source, log }: TruthTopicOptions,
  reading: Reading,
  partition: TopicPartition,
): Promise<number> {
  const { low, high } = await source.bounds(partition);
  const { partitions, topicIds } = await source.cluster();
  const topicId = topicIds?.get(partition.topic);
  reading.partitions = partitionsOf(partitions, topics) ?? reading.partitions;
  const known = positionOf(reading, partition);
  const isSame = known?.topicId === topicId;
  if (known !== undefined && !isSame) {
    log.warn({ partition: partitionName(partition) }, recreated);
    // Its other partitions follow.
    if (partition.topic !== feedbackTopic && reading.coming?.topicId !== topicId)
      reading.coming = { topic: partition.topic, topicId, rows: emptyOverlay };
  }
  const next = known !== undefined && isSame && known.next >= low && known.next <= high ? known.next : low;
  reading.positions.set(partitionName(partition), { partition, topicId, next, end: high });
  lookAtEnds(reading);
  return next;
}

const recreated =
  'a topic of truth or feedback was recreated: it is read from its beginning; rows that only the old one had are forgotten when it is read, feedback stays';

interface Position {
  readonly partition: TopicPartition;
  readonly topicId: string | undefined;
  next: number;
  /** Where the partition ended when its reading began. */
  readonly end: number;
}

interface Readers {
  readonly truth: TruthReader;
  readonly feedback: FeedbackReader;
  readonly onFeedback: (feedback: Feedback) => void;
}

/** The partitions of topics; undefined where the brokers do not know all of them yet. */
function partitionsOf(known: ClusterFacts['partitions'], topics: readonly string[]): Reading['partitions'] {
  const counts = topics.map((topic) => [topic, known.get(topic) ?? 0] as const);
  return counts.some(([, count]) => count === 0) ? undefined : new Map(counts);
}

function positionOf({ positions }: Reading, partition: TopicPartition): Position | undefined {
  return positions.get(partitionName(partition));
}

function isMarked(record: LogRecord): boolean {
  const key = keyOf(record);
  return key !== null && key[0] === feedbackMark;
}

/** Returns what is wrong with a record that is no truth, or no feedback. */
function applyRecord(reading: Reading, record: LogRecord, isFeedback: boolean, readers: Readers): string | undefined {
  const { bytes, start, end, unread, opened, timestamp } = record;
  if (unread !== undefined) return unread.detail;
  if (typeof opened === 'object') return opened.detail;
  const value = opened ?? (start < 0 ? null : bytes.subarray(start, end));
  if (isFeedback || isMarked(record)) {
    // What was said once stays said: a record that deletes leaves no gap in the order of things.
    const text = typeof value === 'string' ? value : value && decodeUtf8(value, 0, value.length);
    if (text === null) return undefined;
    const feedback = text === undefined ? { problem: notUtf8 } : readers.feedback.read(text, timestamp);
    if ('problem' in feedback) return feedback.problem;
    const conflict = conflictIn(reading.feedback, feedback);
    if (conflict !== undefined) return conflict;
    const book = withFeedback(reading.feedback, feedback);
    if (reading.isDone && book !== reading.feedback) readers.onFeedback(feedback);
    reading.feedback = book;
    return undefined;
  }
  const read = readTopicTruth(keyOf(record), value, readers.truth);
  if ('problem' in read) return read.problem;
  const { exampleId, row } = read;
  const into = reading.coming ?? reading;
  into.rows = row === undefined ? withoutRow(into.rows, exampleId) : withRow(into.rows, exampleId, row);
  return undefined;
}

const notUtf8 = 'is no UTF-8; write it as UTF-8 text';

function lookAtEnds(reading: Reading): void {
  const { isDone, coming } = reading;
  if ((isDone && coming === undefined) || !isAtEnds(reading)) return;
  reading.isDone = true;
  if (coming === undefined) return;
  reading.rows = coming.rows;
  reading.coming = undefined;
}

/** Returns whether each partition that the topics have now was read to its end; of a topic that was recreated, those of the new one. */
function isAtEnds({ partitions, positions, coming }: Reading): boolean {
  if (partitions === undefined) return false;
  for (const [topic, count] of partitions)
    for (let partition = 0; partition < count; partition++) {
      const position = positions.get(partitionName({ topic, partition }));
      if (position === undefined || position.next < position.end) return false;
      if (topic === coming?.topic && position.topicId !== coming.topicId) return false;
    }
  return true;
}

function progressOf({ positions, held }: Reading): string {
  const left = [...positions.values()].reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0);
  return positions.size === 0 ? 'not started' : [`${left} records to go`, ...held].join('; ');
}

/** The open transactions before the ends of partitions, for people. */
async function transactionsOf({ positions }: Reading, source: Source): Promise<string[]> {
  const found = [...positions.values()]
    .filter(({ next, end }) => next < end)
    .map(async ({ partition }) => {
      const open = await source.openTransaction?.(partition);
      return open === undefined ? [] : [openTransactionText(partition, open)];
    });
  return (await Promise.all(found)).flat();
}
