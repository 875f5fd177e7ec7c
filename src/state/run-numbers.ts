import { fillHeap, heapOfRows, takeOldest } from './containers/aged-rows.ts';
import { type Heap, pushItem } from './containers/heap.ts';
import { chunkOf, createTable, findRow, markRow, removeRow, rowOf, type Table, valuesAt } from './containers/table.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Settings } from './settings.ts';

/** The numbers of the next runs of examples, where runs that say no number are numbered as they come (`runs.number: auto`). */
export interface RunNumbers {
  readonly keepMs: number;
  readonly most: number;
  readonly limitHits: LimitHits;
  /** (example, model, agent) as 4 words -> next number, time of the last run. */
  readonly table: Table;
  /** Rows by a time that their last run was at or after; ties go by key, so what is dropped does not depend on where rows lie. */
  readonly byLastRun: Heap;
}

const column = { next: 0, lastTs: 1 } as const;

/** The table that the numbers lie in. */
export function createNumberTable(): Table {
  return createTable(2);
}

/** Numbers of a table that has no rows, or of one whose rows are indexed next. They are kept as long as groups of runs are. */
export function createRunNumbers(
  { keepGroupsMs, limits }: Pick<Settings, 'keepGroupsMs' | 'limits'>,
  limitHits: LimitHits,
  table: Table,
): RunNumbers {
  return { keepMs: keepGroupsMs, most: limits.groups, limitHits, table, byLastRun: heapOfRows(table) };
}

/** Indexes the rows of a restored table. */
export function restoreRunNumbers({ table, byLastRun }: RunNumbers): void {
  fillHeap(byLastRun, table, column.lastTs);
}

/** The number of a run of a key (4 words): the one that it says, else the next; those that come after it have higher ones. */
export function numberOfRun(numbers: RunNumbers, key: Uint32Array, said: number | undefined, ts: number): number {
  const { table, byLastRun, most, limitHits } = numbers;
  const isNew = findRow(table, key[0]!, key[1]!, key[2]!, key[3]!) < 0;
  if (isNew && table.size >= most) {
    dropOldest(numbers, Number.POSITIVE_INFINITY);
    limitHits.stability_groups++;
  }
  const row = rowOf(table, key[0]!, key[1]!, key[2]!, key[3]!);
  markRow(table, row);
  const [cells, at] = [chunkOf(table, row), valuesAt(table, row)];
  const number = said ?? cells[at + column.next]!;
  cells[at + column.next] = Math.max(cells[at + column.next]!, number + 1);
  if (isNew || ts > cells[at + column.lastTs]!) cells[at + column.lastTs] = ts;
  if (isNew) pushItem(byLastRun, ts, row);
  return number;
}

/** Drops the examples without a run for longer than they are kept. Called when event time has moved, before what moved it is numbered. */
export function evictRunNumbers(numbers: RunNumbers, evictionMs: number): void {
  while (dropOldest(numbers, evictionMs - numbers.keepMs));
}

function dropOldest({ table, byLastRun }: RunNumbers, beforeMs: number): boolean {
  const row = takeOldest(byLastRun, table, column.lastTs, beforeMs);
  if (row >= 0) removeRow(table, row);
  return row >= 0;
}
