import { readTopicTruth } from '../formats/truth/topic.ts';
import type { LogRecord } from '../stream/event.ts';
import { emptyOverlay, type TruthOverlay, withoutRow, withRow } from '../stream/truth-overlay.ts';
import { type Consumer, partitionName, type Source, type TopicPartition } from '../ports.ts';

/** The rows of a compacted topic of truth records, as far as they were read. */
export interface TruthTopic {
  /** Takes the records of a source that reads the topic alone, without a shared group: every instance needs all rows. */
  readonly consumer: Consumer;
  rows(): TruthOverlay;
  /** Whether everything was read that was there when reading began. */
  isRead(): boolean;
  /** How far the reading has come, for people. */
  progress(): string;
}

export interface TruthTopicOptions {
  readonly topic: string;
  readonly source: Source;
  /** A record that is no truth is skipped. */
  readonly onReject: (place: string, problem: string) => void;
}

/** A topic of which nothing was read. */
export function truthTopic({ topic, source, onReject }: TruthTopicOptions): TruthTopic {
  const state = { rows: emptyOverlay };
  const reading = noReading();
  const apply = (partition: TopicPartition, { key, bytes, start, end, offset, unread }: LogRecord): void => {
    const read =
      unread !== undefined ? { problem: unread } : readTopicTruth(key, start < 0 ? null : bytes.subarray(start, end));
    if ('problem' in read) onReject(`${partitionName(partition)}, offset ${offset}`, read.problem);
    else if (read.row === undefined) state.rows = withoutRow(state.rows, read.exampleId);
    else state.rows = withRow(state.rows, read.exampleId, read.row);
  };
  const consumer: Consumer = {
    async assigned(partition) {
      const bounds = await source.bounds(partition);
      reading.partitions ??= (await source.cluster()).partitions.get(topic);
      return reading.begin(partition, bounds);
    },
    revoked: () => undefined,
    save: async () => undefined,
    beforeStop: async () => undefined,
    nextOffset: (partition) => reading.next(partition),
    records(partition, records, from, to) {
      for (let index = from; index < to; index++) {
        const record = records[index]!;
        if (record.offset < reading.next(partition)!) continue;
        apply(partition, record);
        reading.advance(partition, record.offset + 1);
      }
      return undefined;
    },
    advanced: (partition, nextOffset) => reading.advance(partition, nextOffset),
    unreadable: (partition, problem) => onReject(partitionName(partition), `cannot be read: ${problem}`),
    highWatermark: () => undefined,
  };
  return {
    consumer,
    rows: () => state.rows,
    isRead: () => reading.isDone,
    progress: () => `reading the truth topic ${topic}: ${reading.progress()}`,
  };
}

/** How far the partitions of a topic were read. */
interface Reading {
  /** How many there are, once that is known. */
  partitions: number | undefined;
  /** Whether each was read, at some moment, to where it ended when its reading began. */
  isDone: boolean;
  /** Begins with a partition, or goes on with it; returns from where. */
  begin(partition: TopicPartition, bounds: { readonly low: number; readonly high: number }): number;
  next(partition: TopicPartition): number | undefined;
  advance(partition: TopicPartition, nextOffset: number): void;
  progress(): string;
}

interface Position {
  next: number;
  /** Where the partition ended when its reading began. */
  readonly end: number;
}

function noReading(): Reading {
  const positions = new Map<string, Position>();
  const lookAtEnds = (): void => {
    const all = [...positions.values()];
    reading.isDone ||= all.length === reading.partitions && all.every(({ next, end }) => next >= end);
  };
  const reading: Reading = {
    partitions: undefined,
    isDone: false,
    begin(partition, { low, high }) {
      const known = positions.get(partitionName(partition))?.next;
      const next = known !== undefined && known >= low && known <= high ? known : low;
      positions.set(partitionName(partition), { next, end: high });
      lookAtEnds();
      return next;
    },
    next: (partition) => positions.get(partitionName(partition))?.next,
    advance(partition, nextOffset) {
      const position = positions.get(partitionName(partition))!;
      position.next = Math.max(position.next, nextOffset);
      if (!reading.isDone && position.next >= position.end) lookAtEnds();
    },
    progress() {
      const left = [...positions.values()].reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0);
      return positions.size === 0 ? 'not begun' : `${left} records to go`;
    },
  };
  return reading;
}
