import { type Consumer, partitionName, type TopicPartition } from '../../src/ports.ts';
import { keyOf, type LogRecord } from '../../src/stream/event.ts';

/** One record as it was delivered, copied. */
export interface Seen {
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly timestamp: number;
}

/** A consumer that keeps what it is told and folds nothing. Records below its position are skipped, as the port demands. */
export interface RecordingConsumer extends Consumer, Pick<Recording, 'seen' | 'next' | 'count'> {
  /** `assigned topic/0 kept`, `assigned topic/0 new`, `revoked topic/0`, `save`, `beforeStop`, in order. */
  readonly events: string[];
  readonly high: Map<string, number>;
}

/** What was delivered, by partition. */
interface Recording {
  readonly seen: Map<string, Seen[]>;
  readonly next: Map<string, number>;
  /** Records of all partitions. */
  count(): number;
  take(name: string, record: LogRecord): void;
}

export interface RecordingOptions {
  /** Where to read from; by default the position in memory if kept, otherwise 0. */
  readonly start?: (
    partition: TopicPartition,
    kept: boolean,
    known: number | undefined,
  ) => number | undefined | Promise<number | undefined>;
  /** Called before records are taken. */
  readonly onRecords?: (partition: TopicPartition, count: number) => Promise<void> | undefined;
  readonly save?: () => Promise<void>;
  readonly beforeStop?: () => Promise<void>;
  /** Counts without keeping the records. */
  readonly countOnly?: boolean;
}

export function recordingConsumer(options: RecordingOptions = {}): RecordingConsumer {
  const events: string[] = [];
  const { seen, next, count, take } = emptyRecording(options.countOnly === true);
  const high = new Map<string, number>();
  return {
    events,
    seen,
    next,
    high,
    count,
    async assigned(partition, kept) {
      const name = partitionName(partition);
      events.push(`assigned ${name} ${kept ? 'kept' : 'new'}`);
      const known = next.get(name);
      const start = options.start === undefined ? (kept ? known : 0) : await options.start(partition, kept, known);
      if (start === undefined) next.delete(name);
      else next.set(name, start);
      return start;
    },
    revoked(partition) {
      events.push(`revoked ${partitionName(partition)}`);
      next.delete(partitionName(partition));
    },
    async save() {
      events.push('save');
      await options.save?.();
    },
    async beforeStop() {
      events.push('beforeStop');
      await options.beforeStop?.();
    },
    nextOffset: (partition) => next.get(partitionName(partition)),
    records(partition, records, from, to) {
      const name = partitionName(partition);
      const pressure = options.onRecords?.(partition, to - from);
      for (let index = from; index < to; index++) take(name, records[index]!);
      return pressure;
    },
    advanced(partition, nextOffset) {
      const name = partitionName(partition);
      next.set(name, Math.max(next.get(name)!, nextOffset));
    },
    unreadable: (partition, problem) => void events.push(`unreadable ${partitionName(partition)}: ${problem}`),
    highWatermark(partition, offset) {
      high.set(partitionName(partition), offset);
    },
  };
}

function emptyRecording(countOnly: boolean): Recording {
  const seen = new Map<string, Seen[]>();
  const next = new Map<string, number>();
  let total = 0;
  return {
    seen,
    next,
    count: () => total,
    take(name, record) {
      if (record.offset < next.get(name)!) return;
      next.set(name, record.offset + 1);
      total += 1;
      if (countOnly) return;
      const list = seen.get(name) ?? [];
      seen.set(name, list);
      list.push(seenOf(record));
    },
  };
}

function seenOf(record: LogRecord): Seen {
  const { bytes, start, end, offset, timestamp } = record;
  const key = keyOf(record);
  return {
    offset,
    key: key && Buffer.from(key).toString(),
    value: start < 0 ? null : Buffer.from(bytes.subarray(start, end)).toString(),
    timestamp,
  };
}

/** The values of one partition, in the order of their delivery. */
export function valuesOf(consumer: RecordingConsumer, name: string): (string | null)[] {
  return (consumer.seen.get(name) ?? []).map(({ value }) => value);
}
