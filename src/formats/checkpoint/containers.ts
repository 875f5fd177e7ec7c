import { codeOf, type Dictionary } from '../../state/containers/dictionary.ts';
import { type IdSegment, isTaken, slotsIn, timeIn } from '../../state/containers/id-segment.ts';
import {
  clearIdChanges,
  enter,
  forgetBelow,
  type Ids,
  segmentCount,
  takenSegments,
} from '../../state/containers/ids.ts';
import type { PendingLog } from '../../state/containers/pending-log.ts';
import {
  chunkOf,
  clearChanges,
  findRow,
  isLive,
  keyColumns,
  liveRows,
  removeRow,
  reserveRows,
  type RowListener,
  rowOf,
  type Table,
  valuesAt,
} from '../../state/containers/table.ts';
import type { Steps } from '../../state/steps.ts';
import { type Column, packed, unpacked } from './column.ts';

/**
 * The content of the containers in a checkpoint: all of it in a snapshot, the changes since the last checkpoint in a delta. A container
 * has no changes after it was saved, or after saved content was applied to it.
 */

/** Rows, ids or texts in a step. */
const stepRows = 1024;

/** Cells of columns in a step: small tables are one with others. */
const stepCells = 65_536;

/** The texts from a code on. */
export interface SavedDictionary {
  readonly from: number;
  readonly texts: readonly string[];
}

/** Saves a dictionary. */
export function saveDictionary(dictionary: Dictionary, isSnapshot: boolean): SavedDictionary {
  const from = isSnapshot ? 0 : dictionary.saved;
  dictionary.saved = dictionary.list.length;
  return { from, texts: dictionary.list.slice(from) };
}

/** Adds the texts; throws where their codes do not go on from those of the dictionary. */
export function* applyDictionary(name: string, dictionary: Dictionary, saved: SavedDictionary): Steps<void> {
  const { from, texts } = saved;
  for (let at = 0; at < texts.length; at++) {
    const code = from + at;
    if (codeOf(dictionary, texts[at]!) !== code)
      throw new Error(`dictionary ${name} has another code than ${code} for ${texts[at]}`);
    if (at % stepRows === stepRows - 1) yield;
  }
  const expected = from + texts.length;
  if (dictionary.list.length !== expected)
    throw new Error(`dictionary ${name} has ${dictionary.list.length} texts, ${expected} expected`);
  dictionary.saved = expected;
}

/** Rows as columns, keys first, and the keys of rows removed, one after the other. */
export interface SavedTable {
  readonly values: number;
  readonly removed: readonly number[];
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Saves a table. */
export function* saveTable(table: Table, isSnapshot: boolean): Steps<SavedTable> {
  const removed = isSnapshot ? [] : table.changes.removedKeys;
  const rows = isSnapshot ? liveRows(table) : table.changes.rows.filter((row) => isLive(table, row));
  const columns: Column[] = [];
  const numbers = new Float64Array(rows.length);
  for (let column = -keyColumns; column < table.values; column++) {
    yield* inBlocks(rows.length, stepCells, (from, to) => readColumn(table, rows, from, to, column, numbers));
    columns.push(packed(numbers));
    if (endsStep(columns.length, rows.length)) yield;
  }
  clearChanges(table);
  return { values: table.values, removed, rows: rows.length, columns };
}

/** Removes and writes the rows, over those that the table has; throws where they are not of its width. */
export function* applyTable(name: string, table: Table, saved: SavedTable, listener?: RowListener): Steps<void> {
  const { values, removed, rows, columns } = saved;
  if (values !== table.values) throw new Error(`table ${name} has ${values} values a row, ${table.values} before`);
  for (let at = 0; at < removed.length; at += keyColumns) {
    const row = findRow(table, removed[at]!, removed[at + 1]!, removed[at + 2]!, removed[at + 3]!);
    if (row < 0) continue;
    listener?.removed(row);
    removeRow(table, row);
  }
  reserveRows(table, rows);
  const [k0, k1, k2, k3] = columns.slice(0, keyColumns).map((column) => unpacked(column, rows));
  const places = new Uint32Array(rows);
  yield* inBlocks(rows, stepRows, (from, to) => placeRows(table, [k0!, k1!, k2!, k3!], from, to, places, listener));
  for (let value = 0; value < values; value++) {
    const numbers = unpacked(columns[keyColumns + value]!, rows);
    yield* inBlocks(rows, stepCells, (from, to) => writeColumn(table, places, from, to, value, numbers));
    if (endsStep(value, rows)) yield;
  }
  if (listener !== undefined) for (const row of places) listener.comes(row);
  clearChanges(table);
}

/** The floor, and ids with their times: four words each, one after the other. */
export interface SavedIds {
  readonly floor: number;
  readonly words: Uint32Array;
  readonly times: Column;
}

/** Saves ids: all of the store, in their order, or those added since the last checkpoint. */
export function* saveIds(ids: Ids, isSnapshot: boolean): Steps<SavedIds> {
  const { floor, changes } = ids;
  const all = isSnapshot || ids.changedAll;
  const count = all ? ids.size : changes.used;
  const words = new Uint32Array(4 * count);
  const times = new Float64Array(count);
  let saved = 0;
  for (const segment of all ? takenSegments(ids) : [changes]) {
    const end = all ? slotsIn(segment) : changes.used;
    for (let from = 0; from < end; from += stepRows) {
      const to = Math.min(from + stepRows, end);
      saved = copyIds(segment, from, to, all ? floor : Number.NEGATIVE_INFINITY, { words, times }, saved);
      if (to - from === stepRows) yield;
    }
  }
  clearIdChanges(ids);
  return { floor, words, times: packed(times) };
}

/** Enters the ids. */
export function* applyIds(ids: Ids, { floor, words, times }: SavedIds): Steps<void> {
  forgetBelow(ids, floor);
  const count = words.length / 4;
  const numbers = unpacked(times, count);
  yield* inBlocks(count, stepRows, (from, to) => enterIds(ids, words, numbers, from, to));
}

/** Numbers removed, and texts by their numbers. */
export interface SavedPendingLog {
  readonly next: number;
  readonly removed: readonly number[];
  readonly added: ReadonlyMap<number, string>;
}

/** Saves a pending log. */
export function savePendingLog(log: PendingLog, isSnapshot: boolean): SavedPendingLog {
  const { texts, next } = log;
  const removed = isSnapshot ? [] : log.removed;
  const added = isSnapshot ? texts : new Map([...log.added].map((number) => [number, texts.get(number)!]));
  log.added = new Set();
  log.removed = [];
  return { next, removed, added };
}

/** Removes and adds the texts. */
export function applyPendingLog(log: PendingLog, { next, removed, added }: SavedPendingLog): void {
  for (const number of removed) log.texts.delete(number);
  for (const [number, text] of added) log.texts.set(number, text);
  log.next = next;
}

/** Works through `count` items, one block of `size` a step. */
function* inBlocks(count: number, size: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < count; from += size) {
    const to = Math.min(from + size, count);
    work(from, to);
    if (to < count) yield;
  }
}

// Loops over many in functions of their own: V8 compiles those of a generator again and again.

/** Reads a column of the rows [from, to). */
function readColumn(
  table: Table,
  rows: ArrayLike<number>,
  from: number,
  to: number,
  column: number,
  into: Float64Array,
): void {
  for (let i = from; i < to; i++) into[i] = chunkOf(table, rows[i]!)[valuesAt(table, rows[i]!) + column]!;
}

/** Finds or makes the rows of the keys [from, to). */
function placeRows(
  table: Table,
  [k0, k1, k2, k3]: readonly [Float64Array, Float64Array, Float64Array, Float64Array],
  from: number,
  to: number,
  places: Uint32Array,
  listener: RowListener | undefined,
): void {
  for (let i = from; i < to; i++) {
    const { size } = table;
    const row = rowOf(table, k0[i]!, k1[i]!, k2[i]!, k3[i]!);
    places[i] = row;
    if (table.size > size) listener?.added(row);
    listener?.leaves(row);
  }
}

/** Writes a column of the rows [from, to). */
function writeColumn(
  table: Table,
  rows: Uint32Array,
  from: number,
  to: number,
  column: number,
  numbers: Float64Array,
): void {
  for (let i = from; i < to; i++) chunkOf(table, rows[i]!)[valuesAt(table, rows[i]!) + column] = numbers[i]!;
}

function enterIds(ids: Ids, words: Uint32Array, times: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) enter(ids, words, 4 * i, times[i]!, times.length / segmentCount);
}

/** Copies the ids in slots[from, to), those from a floor on; returns their number with the ones before. */
function copyIds(
  segment: IdSegment,
  from: number,
  to: number,
  floor: number,
  into: { readonly words: Uint32Array; readonly times: Float64Array },
  before: number,
): number {
  const { words, times } = into;
  let at = before;
  for (let slot = from; slot < to; slot++) {
    if (!isTaken(segment, slot, floor)) continue;
    for (let word = 0; word < 4; word++) words[4 * at + word] = segment.words[6 * slot + word]!;
    times[at++] = timeIn(segment, slot);
  }
  return at;
}

/** Returns whether a step ends at a column of a table with these rows. */
function endsStep(column: number, rows: number): boolean {
  return Math.floor((column * rows) / stepCells) !== Math.floor(((column + 1) * rows) / stepCells);
}
