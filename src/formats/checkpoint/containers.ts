import type { PendingLog } from '../../state/containers/pending-log.ts';
import {
  clearIdChanges,
  enter,
  forgetBelow,
  type Ids,
  segmentCount,
  takenSegments,
} from '../../state/containers/ids.ts';
import { isTaken, slotsIn, timeIn } from '../../state/containers/id-segment.ts';
import {
  chunkOf,
  clearChanges,
  findRow,
  isLive,
  keyColumns,
  removeRow,
  reserveRows,
  rowOf,
  type Table,
  valuesAt,
} from '../../state/containers/table.ts';
import { codeOf, type Dictionary } from '../../state/containers/dictionary.ts';
import {
  putFloat,
  putText,
  putUint32,
  type Reader,
  takeFloat,
  takeText,
  takeUint32,
  type Writer,
} from '../bytes/byte-io.ts';
import { type Head, unfit } from './head.ts';
import { putBlocks, takeBlocks, tileStride } from '../bytes/columns.ts';
import { sortedRows } from './sorted-rows.ts';
import type { Steps } from '../../state/steps.ts';

/** Texts of a collection in a step. */
const stepTexts = 64;

/** Writes a dictionary: its texts from a code on. */
export function putDictionary(writer: Writer, dictionary: Dictionary, isSnapshot: boolean): void {
  const from = isSnapshot ? 0 : dictionary.saved;
  putUint32(writer, from);
  putUint32(writer, dictionary.list.length - from);
  for (let i = from; i < dictionary.list.length; i++) putText(writer, dictionary.list[i]!);
  dictionary.saved = dictionary.list.length;
}

/** Reads what `putDictionary` wrote; throws where the codes do not go on from those of the dictionary. */
export function takeDictionary(reader: Reader, head: Head, name: string, dictionary: Dictionary): void {
  const from = takeUint32(reader);
  const end = from + takeUint32(reader);
  for (let code = from; code < end; code++) {
    const text = takeText(reader);
    if (codeOf(dictionary, text) !== code) unfit(head, `dictionary ${name} has another code than ${code} for ${text}`);
  }
  if (dictionary.list.length !== end)
    unfit(head, `dictionary ${name} has ${dictionary.list.length} texts, ${end} expected`);
  dictionary.saved = end;
}

/** Writes a table: keys of rows removed, then rows. */
export function* putTable(writer: Writer, table: Table, isSnapshot: boolean): Steps<void> {
  const removed = isSnapshot ? [] : table.changes.removedKeys;
  const kept = isSnapshot ? yield* sortedRows(table) : table.changes.rows.filter((row) => isLive(table, row));
  putUint32(writer, table.values);
  putUint32(writer, removed.length / keyColumns);
  putUint32(writer, kept.length);
  for (const key of removed) putFloat(writer, key);
  yield* putBlocks(writer, kept.length, table.stride, (tile, from, count) => fillRows(table, kept, tile, from, count));
  clearChanges(table);
}

/** The table for rows of so many values. */
type TableOf = (values: number) => Table;

/** Reads what `putTable` wrote; throws where it does not fit the table. */
export function takeTable(reader: Reader, head: Head, name: string, tableOf: TableOf): void {
  const values = takeUint32(reader);
  const table = tableOf(values);
  if (values !== table.values) unfit(head, `table ${name} has ${values} values a row, ${table.values} before`);
  const removed = takeUint32(reader);
  const rows = takeUint32(reader);
  for (let i = 0; i < removed; i++) {
    const row = findRow(table, takeFloat(reader), takeFloat(reader), takeFloat(reader), takeFloat(reader));
    if (row >= 0) removeRow(table, row);
  }
  reserveRows(table, rows);
  takeBlocks(reader, rows, table.stride, (tile, count) => drainRows(table, tile, count));
  clearChanges(table);
}

/** Four words and a time. */
const idColumns = 5;

/** Writes the floor, then ids and times as rows: all that are remembered, in their order, or those met since the last checkpoint. */
export function* putIds(writer: Writer, ids: Ids, isSnapshot: boolean): Steps<void> {
  const { floor, changes } = ids;
  const all = isSnapshot || ids.changedAll;
  const rows = all ? ids.size : changes.used;
  const lists = all ? takenSegments(ids) : [changes];
  let list = 0;
  let slot = 0;
  putFloat(writer, floor);
  putUint32(writer, rows);
  yield* putBlocks(writer, rows, idColumns, (tile, _from, count) => {
    for (let i = 0; i < count; slot++) {
      const slots = lists[list]!;
      if (slot === slotsIn(slots)) {
        list++;
        slot = -1;
      } else if (!all || isTaken(slots, slot, floor)) {
        for (let c = 0; c < 4; c++) tile[c * tileStride + i] = slots.words[6 * slot + c]!;
        tile[4 * tileStride + i++] = timeIn(slots, slot);
      }
    }
  });
  clearIdChanges(ids);
}

/** Reads what `putIds` wrote. */
export function takeIds(reader: Reader, ids: Ids): void {
  forgetBelow(ids, takeFloat(reader));
  const rows = takeUint32(reader);
  const words = new Uint32Array(4);
  takeBlocks(reader, rows, idColumns, (tile, count) => {
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 4; c++) words[c] = tile[c * tileStride + i]!;
      enter(ids, words, 0, tile[4 * tileStride + i]!, rows / segmentCount);
    }
  });
}

/** Writes a collection: numbers removed, then numbers and their texts. */
export function* putPendingLog(writer: Writer, log: PendingLog, isSnapshot: boolean): Steps<void> {
  const added = (isSnapshot ? [...log.texts.keys()] : [...log.added]).sort((a, b) => a - b);
  const removed = isSnapshot ? [] : log.removed;
  putFloat(writer, log.next);
  putUint32(writer, removed.length);
  putUint32(writer, added.length);
  for (const number of removed) putFloat(writer, number);
  for (let at = 0; at < added.length; at++) {
    putFloat(writer, added[at]!);
    putText(writer, log.texts.get(added[at]!)!);
    if (at % stepTexts === 0) yield;
  }
  log.added = new Set();
  log.removed = [];
}

/** Reads what `putPendingLog` wrote. */
export function takePendingLog(reader: Reader, log: PendingLog): void {
  const next = takeFloat(reader);
  const removed = takeUint32(reader);
  const added = takeUint32(reader);
  for (let i = 0; i < removed; i++) log.texts.delete(takeFloat(reader));
  for (let i = 0; i < added; i++) log.texts.set(takeFloat(reader), takeText(reader));
  log.next = next;
  log.added = new Set();
  log.removed = [];
}

function fillRows(table: Table, rows: ArrayLike<number>, tile: Float64Array, from: number, count: number): void {
  const { stride } = table;
  for (let i = 0; i < count; i++) {
    const row = rows[from + i]!;
    const chunk = chunkOf(table, row);
    const at = valuesAt(table, row) - keyColumns;
    for (let c = 0; c < stride; c++) tile[c * tileStride + i] = chunk[at + c]!;
    // A key of -0 is found as 0: it makes the same bytes as 0.
    for (let c = 0; c < keyColumns; c++) tile[c * tileStride + i]! += 0;
  }
}

/** Rows that the table holds are written over, others added. */
function drainRows(table: Table, tile: Float64Array, count: number): void {
  const { values } = table;
  for (let i = 0; i < count; i++) {
    const row = rowOf(table, tile[i]!, tile[tileStride + i]!, tile[2 * tileStride + i]!, tile[3 * tileStride + i]!);
    const chunk = chunkOf(table, row);
    const at = valuesAt(table, row);
    for (let c = 0; c < values; c++) chunk[at + c] = tile[(keyColumns + c) * tileStride + i]!;
  }
}
