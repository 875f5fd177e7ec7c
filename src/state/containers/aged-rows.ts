import { createHeap, delayFirst, type Heap, popItem, pushItem } from './heap.ts';
import { chunkOf, keyIsBefore, liveRows, type Table, valuesAt } from './table.ts';

/*
 * Rows of a table in the order of a time that one of their values holds, and that may move on. A heap has them by a time at or before it: a row
 * that moved on touches no heap, and is put back when it comes to the top.
 */

/** A heap for rows of a table. Ties go by key, so what comes first does not depend on where rows lie. */
export function heapOfRows(table: Table): Heap {
  return createHeap((row, other) => keyIsBefore(table, row, other));
}

/** Puts all rows of a restored table into its heap; `time`: index of the value that holds their time. */
export function fillHeap(heap: Heap, table: Table, time: number): void {
  for (const row of liveRows(table)) pushItem(heap, timeOf(table, row, time), row);
}

/** Takes the row of the least time out of the heap, if that lies before `beforeMs`; -1: there is none. The caller removes it from the table. */
export function takeOldest(heap: Heap, table: Table, time: number, beforeMs: number): number {
  while (heap.size > 0 && heap.times[0]! < beforeMs) {
    const row = heap.items[0]!;
    const now = timeOf(table, row, time);
    if (now > heap.times[0]!) {
      delayFirst(heap, now);
      continue;
    }
    popItem(heap);
    return row;
  }
  return -1;
}

function timeOf(table: Table, row: number, time: number): number {
  return chunkOf(table, row)[valuesAt(table, row) + time]!;
}
