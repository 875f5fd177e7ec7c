import type { TopicPartition } from '../../src/ports.ts';
import type { MadeRecord } from './traffic.ts';

export const topic = 'predictions';

/** A record in its place. */
export interface SimRecord extends MadeRecord {
  readonly offset: number;
}

/** One partition of the log. Offsets between records hold nothing: markers of transactions, compacted records. */
export interface SimPartition extends TopicPartition {
  readonly records: SimRecord[];
  /** First offset that can be read. The records below stay in `records`, for the checkers. */
  low: number;
  /** Next offset to be written. */
  high: number;
}

export function createLog(partitions: number): readonly SimPartition[] {
  return Array.from({ length: partitions }, (_, partition) => ({ topic, partition, records: [], low: 0, high: 0 }));
}

export function append(partition: SimPartition, record: MadeRecord): void {
  partition.records.push({ ...record, offset: partition.high++ });
}

/** Offsets without a record. */
export function appendGap(partition: SimPartition, offsets: number): void {
  partition.high += offsets;
}

/** Index of the first record at or after an offset. */
export function indexAt({ records }: SimPartition, offset: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
