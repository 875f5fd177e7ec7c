import type { PendingLog } from '../../state/containers/pending-log.ts';
import { clearChanges, findRow, keyColumns, removeRow, type Table } from '../../state/containers/table.ts';
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
import { putList, putRows, takeList, takeRows } from '../bytes/columns.ts';
import { changedRows, sortedRows } from './key-order.ts';
import type { Steps } from '../../state/steps.ts';

/** Texts of a collection in a step. */
const stepTexts = 64;

/** Writes a dictionary: its texts from a code on. */
export function putDictionary(writer: Writer, dictionary: Dictionary, full: boolean): void {
  const from = full ? 0 : dictionary.saved;
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
export function* putTable(writer: Writer, table: Table, full: boolean): Steps<void> {
  const removed = full ? [] : table.changes.removedKeys;
  const kept = yield* full ? sortedRows(table) : changedRows(table);
  putUint32(writer, table.values);
  putUint32(writer, removed.length / keyColumns);
  putUint32(writer, kept.length);
  yield* putList(writer, removed, keyColumns);
  yield* putRows(writer, table, kept);
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
  const keys = takeList(reader, removed, keyColumns);
  for (let i = 0; i < keys.length; i += keyColumns) {
    const row = findRow(table, keys[i]!, keys[i + 1]!, keys[i + 2]!, keys[i + 3]!);
    if (row >= 0) removeRow(table, row);
  }
  takeRows(reader, table, rows);
  clearChanges(table);
}

/** Writes a collection: numbers removed, then texts by their numbers. */
export function* putPendingLog(writer: Writer, log: PendingLog, full: boolean): Steps<void> {
  const added = (full ? [...log.texts.keys()] : [...log.added]).sort((a, b) => a - b);
  const removed = full ? [] : log.removed;
  putFloat(writer, log.next);
  putUint32(writer, removed.length);
  putUint32(writer, added.length);
  yield* putList(writer, removed, 1);
  yield* putList(writer, added, 1);
  for (let at = 0; at < added.length; at++) {
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
  for (const number of takeList(reader, removed, 1)) log.texts.delete(number);
  const addedNumbers = takeList(reader, added, 1);
  for (let at = 0; at < added; at++) log.texts.set(addedNumbers[at]!, takeText(reader));
  log.next = next;
  log.added = new Set();
  log.removed = [];
}
