import { readTopicTruth } from '../codec/truth-topic.ts';
import type { LogRecord } from '../core/events.ts';
import { emptyOverlay, type TruthOverlay, withoutRow, withRow } from '../core/truth-overlay.ts';
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
  const positions = new Map<string, Position>();
  const state = { rows: emptyOverlay, partitions: undefined as number | undefined, read: false };
  const lookAtEnds = (): void => {
    const all = [...positions.values()];
    state.read ||= all.length === state.partitions && all.every(({ next, end }) => next >= end);
  };
  const apply = (partition: TopicPartition, { key, bytes, start, end, offset }: LogRecord): void => {
    const read = readTopicTruth(key, start < 0 ? null : bytes.subarray(start, end));
    if ('problem' in read) onReject(`${partitionName(partition)}, offset ${offset}`, read.problem);
    else if (read.row === undefined) state.rows = withoutRow(state.rows, read.exampleId);
    else state.rows = withRow(state.rows, read.exampleId, read.row);
  };
  const consumer: Consumer = {
    async assigned(partition) {
      const { low, high } = await source.bounds(partition);
      state.partitions ??= (await source.cluster()).partitions.get(topic);
      const known = positions.get(partitionName(partition))?.next;
      const next = known !== undefined && known >= low && known <= high ? known : low;
      positions.set(partitionName(partition), { next, end: high });
      lookAtEnds();
      return next;
    },
    revoked: () => undefined,
    beforeRebalance: async () => undefined,
    beforeStop: async () => undefined,
    nextOffset: (partition) => positions.get(partitionName(partition))?.next,
    records(partition, records, from, to) {
      const position = positions.get(partitionName(partition))!;
      for (let index = from; index < to; index++) {
        const record = records[index]!;
        if (record.offset < position.next) continue;
        apply(partition, record);
        position.next = record.offset + 1;
      }
      lookAtEnds();
      return undefined;
    },
    advanced(partition, nextOffset) {
      const position = positions.get(partitionName(partition))!;
      position.next = Math.max(position.next, nextOffset);
      lookAtEnds();
    },
    highWatermark: () => undefined,
  };
  return {
    consumer,
    rows: () => state.rows,
    isRead: () => state.read,
    progress() {
      const left = [...positions.values()].reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0);
      return `reading the truth topic ${topic}: ${positions.size === 0 ? 'not begun' : `${left} records to go`}`;
    },
  };
}

interface Position {
  next: number;
  /** Where the partition ended when its reading began. */
  readonly end: number;
}
