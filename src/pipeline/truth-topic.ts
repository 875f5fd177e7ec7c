import { type TruthReader, truthReader, type TruthReading } from '../formats/truth/record.ts';
import { readTopicTruth } from '../formats/truth/topic.ts';
import { keyOf, type LogRecord } from '../stream/event.ts';
import { closeFrames, type Opening, openFrames } from './open-frames.ts';
import { emptyOverlay, type TruthOverlay, withoutRow, withRow } from '../stream/truth-overlay.ts';
import { type Consumer, partitionName, type Source, type TopicPartition } from '../ports.ts';

/** The rows of a compacted topic of truth records, as far as they were read. */
export interface TruthTopic {
  /** Takes the records of a source that reads the topic alone, without a shared group: every instance needs all rows. */
  readonly consumer: Consumer;
  rows(): TruthOverlay;
  /** Returns whether everything was read that was there when reading began. */
  isRead(): boolean;
  /** How far the reading has come, for people. */
  progress(): string;
}

export interface TruthTopicOptions extends TruthReading {
  readonly topic: string;
  readonly source: Source;
  /** The opener of values that are framed for a schema registry. */
  readonly opening: Opening;
  /** A record that is no truth is skipped. */
  readonly onReject: (place: string, problem: string) => void;
}

/** A topic of which nothing was read. */
export function truthTopic({ topic, source, opening, onReject, ...options }: TruthTopicOptions): TruthTopic {
  const reader = truthReader(options);
  const reading: Reading = { rows: emptyOverlay, partitions: undefined, positions: new Map(), isDone: false };
  const positionOf = (partition: TopicPartition): Position | undefined =>
    reading.positions.get(partitionName(partition));
  const consumer: Consumer = {
    async assigned(partition) {
      const { low, high } = await source.bounds(partition);
      reading.partitions ??= (await source.cluster()).partitions.get(topic);
      const known = positionOf(partition)?.next;
      const next = known !== undefined && known >= low && known <= high ? known : low;
      reading.positions.set(partitionName(partition), { next, end: high });
      lookAtEnds(reading);
      return next;
    },
    revoked: () => undefined,
    save: async () => undefined,
    beforeStop: async () => undefined,
    nextOffset: (partition) => positionOf(partition)?.next,
    records(partition, records, from, to) {
      const closed = openFrames(opening, partitionName(partition), records, from, to);
      if (closed !== undefined) return closed.then(() => consumer.records(partition, records, from, to));
      for (let index = from; index < to; index++) {
        const record = records[index]!;
        if (record.offset < positionOf(partition)!.next) continue;
        const problem = applyRecord(reading, record, reader);
        if (problem !== undefined) onReject(`${partitionName(partition)}, offset ${record.offset}`, problem);
        consumer.advanced(partition, record.offset + 1);
      }
      closeFrames(opening, records, from, to);
      return undefined;
    },
    advanced(partition, nextOffset) {
      const position = positionOf(partition)!;
      position.next = Math.max(position.next, nextOffset);
      if (position.next >= position.end) lookAtEnds(reading);
    },
    unreadable: (partition, problem) => onReject(partitionName(partition), `cannot be read: ${problem}`),
    highWatermark: () => undefined,
  };
  return {
    consumer,
    rows: () => reading.rows,
    isRead: () => reading.isDone,
    progress: () => `reading the truth topic ${topic}: ${progressOf(reading)}`,
  };
}

interface Reading {
  rows: TruthOverlay;
  /** How many the topic has, once that is known. */
  partitions: number | undefined;
  readonly positions: Map<string, Position>;
  /** True if each partition was read, at some moment, to where it ended when its reading began. */
  isDone: boolean;
}

interface Position {
  next: number;
  /** Where the partition ended when its reading began. */
  readonly end: number;
}

/** Returns what is wrong with a record that is no truth. */
function applyRecord(reading: Reading, record: LogRecord, reader: TruthReader): string | undefined {
  const { bytes, start, end, unread, opened } = record;
  if (unread !== undefined) return unread.detail;
  if (typeof opened === 'object') return opened.detail;
  const read = readTopicTruth(keyOf(record), opened ?? (start < 0 ? null : bytes.subarray(start, end)), reader);
  if ('problem' in read) return read.problem;
  const { exampleId, row } = read;
  reading.rows = row === undefined ? withoutRow(reading.rows, exampleId) : withRow(reading.rows, exampleId, row);
  return undefined;
}

function lookAtEnds(reading: Reading): void {
  if (reading.isDone) return;
  const all = [...reading.positions.values()];
  reading.isDone = all.length === reading.partitions && all.every(({ next, end }) => next >= end);
}

function progressOf({ positions }: Reading): string {
  const left = [...positions.values()].reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0);
  return positions.size === 0 ? 'not begun' : `${left} records to go`;
}
