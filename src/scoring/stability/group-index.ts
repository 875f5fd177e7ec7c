import { chunkOf, isLive, keyColumns, type Table, valuesAt } from '../../state/containers/table.ts';
import { sharedDoubles, sharedIntegers } from '../../state/containers/shared-arrays.ts';
import { column } from './runs.ts';

/**
 * Finds the groups that are longest without a run: a binary heap of rows. Derived data, made from the table after a restore.
 *
 * A run does not touch it: each row stands under a time that its last run was at or after, and is moved when it comes to the top.
 * The order is total (time, then keys), so what is dropped does not depend on where rows lie.
 */
export interface GroupIndex {
  rows: Int32Array;
  /** At most the time of the row's last run, by position in the heap. */
  times: Float64Array;
  size: number;
}

/** Bytes of an index of so many groups, which grows by doubling. */
export function groupIndexBytes(groups: number): number {
  const { BYTES_PER_ELEMENT: row } = Int32Array;
  const { BYTES_PER_ELEMENT: time } = Float64Array;
  return (row + time) * 2 ** Math.ceil(Math.log2(Math.max(startLength, groups)));
}

const startLength = 16;

/** The index of a group table as it stands. */
export function createGroupIndex(groups: Table): GroupIndex {
  const index: GroupIndex = { rows: sharedIntegers(0), times: sharedDoubles(0), size: 0 };
  rebuildIndex(groups, index);
  return index;
}

/** Makes an index anew from its table, in place. */
export function rebuildIndex(groups: Table, index: GroupIndex): void {
  index.rows = sharedIntegers(groups.size);
  index.times = sharedDoubles(groups.size);
  index.size = 0;
  for (let row = 0; row < groups.taken; row++)
    if (isLive(groups, row)) place(index, index.size++, row, lastTsOf(groups, row));
  for (let i = (index.size >> 1) - 1; i >= 0; i--) siftDown(groups, index, i);
}

/** Adds a row whose `column.lastTs` is set. */
export function addToIndex(groups: Table, index: GroupIndex, row: number): void {
  if (index.size === index.rows.length) grow(index);
  const time = lastTsOf(groups, row);
  let position = index.size++;
  while (position > 0) {
    const parent = (position - 1) >> 1;
    if (!isBefore(groups, time, row, index.times[parent]!, index.rows[parent]!)) break;
    place(index, position, index.rows[parent]!, index.times[parent]!);
    position = parent;
  }
  place(index, position, row, time);
}

/**
 * Takes out the row with the oldest last run, provided that it lies before `beforeMs`; ties go by keys. -1: there is none. The
 * caller removes the row from the table.
 */
export function takeOldest(groups: Table, index: GroupIndex, beforeMs: number): number {
  while (index.size > 0 && index.times[0]! < beforeMs) {
    const row = index.rows[0]!;
    const lastTs = lastTsOf(groups, row);
    if (lastTs === index.times[0]) {
      index.size--;
      place(index, 0, index.rows[index.size]!, index.times[index.size]!);
      siftDown(groups, index, 0);
      return row;
    }
    index.times[0] = lastTs;
    siftDown(groups, index, 0);
  }
  return -1;
}

function siftDown(groups: Table, index: GroupIndex, from: number): void {
  const { rows, times, size } = index;
  const row = rows[from]!;
  const time = times[from]!;
  let position = from;
  for (let child = 2 * position + 1; child < size; child = 2 * position + 1) {
    const other = child + 1;
    if (other < size && isBefore(groups, times[other]!, rows[other]!, times[child]!, rows[child]!)) child = other;
    if (!isBefore(groups, times[child]!, rows[child]!, time, row)) break;
    place(index, position, rows[child]!, times[child]!);
    position = child;
  }
  place(index, position, row, time);
}

function isBefore(groups: Table, time: number, row: number, otherTime: number, otherRow: number): boolean {
  return time < otherTime || (time === otherTime && keysBefore(groups, row, otherRow));
}

function keysBefore(groups: Table, row: number, other: number): boolean {
  const cells = chunkOf(groups, row);
  const otherCells = chunkOf(groups, other);
  const at = valuesAt(groups, row) - keyColumns;
  const otherAt = valuesAt(groups, other) - keyColumns;
  for (let i = 0; i < keyColumns; i++) {
    const difference = cells[at + i]! - otherCells[otherAt + i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function lastTsOf(groups: Table, row: number): number {
  return chunkOf(groups, row)[valuesAt(groups, row) + column.lastTs]!;
}

function place(index: GroupIndex, position: number, row: number, time: number): void {
  index.rows[position] = row;
  index.times[position] = time;
}

function grow(index: GroupIndex): void {
  const rows = sharedIntegers(Math.max(startLength, index.rows.length * 2));
  const times = sharedDoubles(rows.length);
  rows.set(index.rows);
  times.set(index.times);
  index.rows = rows;
  index.times = times;
}
