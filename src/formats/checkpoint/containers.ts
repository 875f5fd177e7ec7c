import type { Blobs } from '../../state/containers/pending-log.ts';
import { clearChanges, findRow, keyColumns, removeRow, type Table } from '../../state/containers/table.ts';
import { codeOf, type Texts } from '../../state/containers/dictionary.ts';
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
export function putTexts(writer: Writer, texts: Texts, full: boolean): void {
  const from = full ? 0 : texts.cut;
  putUint32(writer, from);
  putUint32(writer, texts.list.length - from);
  for (let i = from; i < texts.list.length; i++) putText(writer, texts.list[i]!);
  texts.cut = texts.list.length;
}

/** Reads what `putTexts` wrote; throws where the codes do not go on from those of the dictionary. */
export function takeTexts(reader: Reader, head: Head, name: string, texts: Texts): void {
  const from = takeUint32(reader);
  const end = from + takeUint32(reader);
  for (let code = from; code < end; code++) {
    const text = takeText(reader);
    if (codeOf(texts, text) !== code) unfit(head, `dictionary ${name} has another code than ${code} for ${text}`);
  }
  if (texts.list.length !== end) unfit(head, `dictionary ${name} has ${texts.list.length} texts, ${end} expected`);
  texts.cut = end;
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
export function* putBlobs(writer: Writer, blobs: Blobs, full: boolean): Steps<void> {
  const added = (full ? [...blobs.texts.keys()] : [...blobs.added]).sort((a, b) => a - b);
  const removed = full ? [] : blobs.removed;
  putFloat(writer, blobs.next);
  putUint32(writer, removed.length);
  putUint32(writer, added.length);
  yield* putList(writer, removed, 1);
  yield* putList(writer, added, 1);
  for (let at = 0; at < added.length; at++) {
    putText(writer, blobs.texts.get(added[at]!)!);
    if (at % stepTexts === 0) yield;
  }
  blobs.added = new Set();
  blobs.removed = [];
}

/** Reads what `putBlobs` wrote. */
export function takeBlobs(reader: Reader, blobs: Blobs): void {
  const next = takeFloat(reader);
  const removed = takeUint32(reader);
  const added = takeUint32(reader);
  for (const number of takeList(reader, removed, 1)) blobs.texts.delete(number);
  const addedNumbers = takeList(reader, added, 1);
  for (let at = 0; at < added; at++) blobs.texts.set(addedNumbers[at]!, takeText(reader));
  blobs.next = next;
  blobs.added = new Set();
  blobs.removed = [];
}
