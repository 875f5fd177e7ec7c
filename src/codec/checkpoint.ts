import type { Blobs } from '../core/state/blobs.ts';
import { createBlobs } from '../core/state/blobs.ts';
import type { Store } from '../core/state/store.ts';
import { clearChanges, createTable, findRow, isLive, keyColumns, removeRow, type Table } from '../core/state/table.ts';
import { codeOf, createTexts, type Texts } from '../core/state/texts.ts';
import { createReader, createWriter, putFloat, putText, putUint32, type Reader, reserve } from './byte-io.ts';
import { takeFloat, takeText, takeUint32, type Writer } from './byte-io.ts';
import { checksum, checksumBytes } from './checksum.ts';
import { putList, putRows, sortedRows, takeList, takeRows } from './columns.ts';
import { finish, type Steps } from './steps.ts';

/**
 * A checkpoint file, little endian:
 *
 *     magic "ASSAYCUT" (8 bytes), format version (uint32), length of the file (float64), head (JSON text), body, checksum (8 bytes)
 *
 * All but the body is the same in every version, so that any release can tell a file that it does not read from a damaged one.
 * Body of version 1: header, numbers, texts, tables, blobs; containers in the order of their names. A full state is a change
 * of nothing.
 */
const magic = 'ASSAYCUT';
const formatVersion = 1;
const headAt = 20;
/** Texts of a collection in a step. */
const stepTexts = 64;

/** A cut: the state of a partition between two records. */
export interface Cut {
  /** Unique name of the cut. */
  readonly id: string;
  readonly nextOffset: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** What a checkpoint file says of itself. */
export interface Head extends Cut {
  /** Id of the cut that the file changes, undefined for a full state. */
  readonly parent: string | undefined;
  readonly format: number;
}

/**
 * The whole state as a file; equal contents and cut give equal bytes. What changed up to here counts as saved: the next
 * `encodeChanges` starts from this cut.
 */
export function encodeFull(store: Store, cut: Cut): Uint8Array {
  return finish(encode(store, cut, undefined));
}

/** What changed since the cut `parent`, the last one encoded from or applied to the store; the next starts from this one. */
export function encodeChanges(store: Store, cut: Cut, parent: string): Uint8Array {
  return finish(encode(store, cut, parent));
}

/** `encodeChanges`, or `encodeFull` where there is no parent, in steps. The store must not change before the last. */
export function* encode(store: Store, cut: Cut, parent: string | undefined): Steps<Uint8Array> {
  const writer = createWriter(1 << 16);
  writer.at = 8;
  for (let i = 0; i < magic.length; i++) writer.bytes[i] = magic.charCodeAt(i);
  putUint32(writer, formatVersion);
  putFloat(writer, 0);
  const { id, nextOffset, group, topic, partition } = cut;
  putText(writer, JSON.stringify({ id, parent, nextOffset, group, topic, partition }));
  const full = parent === undefined;
  putText(writer, store.header);
  yield* putAll(writer, store.numbers, (value) => putFloat(writer, value));
  yield* putAll(writer, store.texts, (texts) => putTexts(writer, texts, full));
  yield* putAll(writer, store.tables, (table) => putTable(writer, table, full));
  yield* putAll(writer, store.blobs, (blobs) => putBlobs(writer, blobs, full));
  return seal(writer);
}

/** The head of a file, undefined where the file is torn, cut or damaged anywhere. */
export function peek(bytes: Uint8Array): Head | undefined {
  const end = bytes.length - checksumBytes;
  if (end < headAt || !hasMagic(bytes)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getFloat64(12, true) !== bytes.length) return undefined;
  const [low, high] = checksum(bytes, end);
  if (view.getUint32(end, true) !== low || view.getUint32(end + 4, true) !== high) return undefined;
  return headOf(bytes);
}

/** The head of a file that is known to be intact: its checksum is not looked at. Undefined where there is no head. */
export function headOf(bytes: Uint8Array): Head | undefined {
  if (bytes.length < headAt + checksumBytes || !hasMagic(bytes)) return undefined;
  try {
    const reader = createReader(bytes, 8, bytes.length - checksumBytes);
    const format = takeUint32(reader);
    reader.at = headAt;
    const { id, parent, nextOffset, group, topic, partition } = JSON.parse(takeText(reader));
    const named = [id, group, topic].every((text) => typeof text === 'string');
    if (!named || !Number.isSafeInteger(nextOffset) || !Number.isSafeInteger(partition)) return undefined;
    return { id, parent: typeof parent === 'string' ? parent : undefined, nextOffset, group, topic, partition, format };
  } catch {
    return undefined;
  }
}

/**
 * Brings a store to the cut of a file: an empty store for a full state, one that stands at the cut's parent for changes. The
 * store has the containers that the file was made from; afterwards nothing in it counts as changed.
 *
 * Throws where the file is damaged, of a format that this release does not read, or does not fit the store.
 */
export function applyCheckpoint(store: Store, bytes: Uint8Array): Head {
  return finish(applySteps(store, bytes));
}

/** `applyCheckpoint` in steps. The store is whole after the last. */
export function applySteps(store: Store, bytes: Uint8Array): Steps<Head> {
  return apply(bytes, (head) => ({
    store,
    text: (name) => store.texts.get(name) ?? missing(head, 'dictionary', name),
    table: (name) => store.tables.get(name) ?? missing(head, 'table', name),
    blob: (name) => store.blobs.get(name) ?? missing(head, 'collection', name),
  }));
}

/** The store that a full state and the changes after it describe, whatever its containers; and the head of the last file. */
export function restoreStore(files: readonly Uint8Array[]): { readonly store: Store; readonly head: Head } {
  const [texts, tables, blobs] = [new Map<string, Texts>(), new Map<string, Table>(), new Map<string, Blobs>()];
  const store: Store = { header: '', numbers: new Map(), texts, tables, blobs };
  const target: Target = {
    store,
    text: (name) => getOrAdd(texts, name, createTexts),
    table: (name, values) => getOrAdd(tables, name, () => createTable(values)),
    blob: (name) => getOrAdd(blobs, name, createBlobs),
  };
  let head: Head | undefined;
  for (const bytes of files) head = finish(apply(bytes, () => target));
  if (head === undefined) throw new Error('a store is restored from one file at least');
  return { store, head };
}

/** Where the containers of a file lie. */
interface Target {
  readonly store: Store;
  text(name: string): Texts;
  table(name: string, values: number): Table;
  blob(name: string): Blobs;
}

function seal(writer: Writer): Uint8Array {
  reserve(writer, checksumBytes);
  const { bytes, view, at } = writer;
  view.setFloat64(12, at + checksumBytes, true);
  const [low, high] = checksum(bytes, at);
  view.setUint32(at, low, true);
  view.setUint32(at + 4, high, true);
  return bytes.subarray(0, at + checksumBytes);
}

function* apply(bytes: Uint8Array, targetOf: (head: Head) => Target): Steps<Head> {
  const head = peek(bytes);
  if (head === undefined) throw new Error('a checkpoint is damaged: its checksum does not fit; use the one before');
  // A version that replaces this one adds its case here; those of the two releases before stay.
  if (head.format !== 1) {
    const remedy = 'use the release that wrote it or a later one';
    throw new Error(`checkpoint ${nameOf(head)} has format ${head.format}, this release reads 1; ${remedy}`);
  }
  const target = targetOf(head);
  const reader = createReader(bytes, headAt, bytes.length - checksumBytes);
  takeText(reader);
  target.store.header = takeText(reader);
  yield* takeAll(reader, (name) => void target.store.numbers.set(name, takeFloat(reader)));
  yield* takeAll(reader, (name) => takeTexts(reader, head, name, target.text(name)));
  yield* takeAll(reader, (name) => takeTable(reader, head, name, target));
  yield* takeAll(reader, (name) => takeBlobs(reader, head, name, target.blob(name)));
  return head;
}

function* putAll<Item>(
  writer: Writer,
  items: ReadonlyMap<string, Item>,
  put: (item: Item) => Steps<void> | void,
): Steps<void> {
  putUint32(writer, items.size);
  // By code units, not by locale: the order must not depend on the machine.
  const names = [...items.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    putText(writer, name);
    yield* put(items.get(name)!) ?? [];
  }
}

function* takeAll(reader: Reader, take: (name: string) => Steps<void> | void): Steps<void> {
  for (let left = takeUint32(reader); left > 0; left--) yield* take(takeText(reader)) ?? [];
}

function putTexts(writer: Writer, texts: Texts, full: boolean): void {
  const from = full ? 0 : texts.cut;
  putUint32(writer, from);
  putUint32(writer, texts.list.length - from);
  for (let i = from; i < texts.list.length; i++) putText(writer, texts.list[i]!);
  texts.cut = texts.list.length;
}

function takeTexts(reader: Reader, head: Head, name: string, texts: Texts): void {
  const from = takeUint32(reader);
  const end = from + takeUint32(reader);
  for (let code = from; code < end; code++) {
    const text = takeText(reader);
    if (codeOf(texts, text) !== code) unfit(head, `dictionary ${name} has another code than ${code} for ${text}`);
  }
  if (texts.list.length !== end) unfit(head, `dictionary ${name} has ${texts.list.length} texts, ${end} expected`);
  texts.cut = end;
}

function* putTable(writer: Writer, table: Table, full: boolean): Steps<void> {
  const { rows, removedKeys } = table.changes;
  const removed = full ? [] : removedKeys;
  const kept = full ? yield* sortedRows(table) : removed.length === 0 ? rows : rows.filter((row) => isLive(table, row));
  putUint32(writer, table.values);
  putUint32(writer, removed.length / keyColumns);
  putUint32(writer, kept.length);
  yield* putList(writer, removed, keyColumns);
  yield* putRows(writer, table, kept);
  clearChanges(table);
}

function* takeTable(reader: Reader, head: Head, name: string, target: Target): Steps<void> {
  const values = takeUint32(reader);
  const table = target.table(name, values);
  if (values !== table.values) unfit(head, `table ${name} has ${table.values} values a row, ${values} expected`);
  if (head.parent === undefined && table.size > 0) unfit(head, `table ${name} is not empty`);
  const removed = takeUint32(reader);
  const rows = takeUint32(reader);
  const keys = yield* takeList(reader, removed, keyColumns);
  for (let i = 0; i < keys.length; i += keyColumns) {
    const row = findRow(table, keys[i]!, keys[i + 1]!, keys[i + 2]!, keys[i + 3]!);
    if (row >= 0) removeRow(table, row);
  }
  yield* takeRows(reader, table, rows);
  clearChanges(table);
}

function* putBlobs(writer: Writer, blobs: Blobs, full: boolean): Steps<void> {
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

function* takeBlobs(reader: Reader, head: Head, name: string, blobs: Blobs): Steps<void> {
  const next = takeFloat(reader);
  if (head.parent === undefined && blobs.texts.size > 0) unfit(head, `collection ${name} is not empty`);
  const removed = takeUint32(reader);
  const added = takeUint32(reader);
  for (const number of yield* takeList(reader, removed, 1)) blobs.texts.delete(number);
  const addedNumbers = yield* takeList(reader, added, 1);
  for (let at = 0; at < added; at++) {
    blobs.texts.set(addedNumbers[at]!, takeText(reader));
    if (at % stepTexts === 0) yield;
  }
  blobs.next = next;
  blobs.added = new Set();
  blobs.removed = [];
}

function hasMagic(bytes: Uint8Array): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[i] !== magic.charCodeAt(i)) return false;
  return true;
}

function getOrAdd<Item>(items: Map<string, Item>, name: string, create: () => Item): Item {
  const found = items.get(name) ?? create();
  items.set(name, found);
  return found;
}

function missing(head: Head, what: string, name: string): never {
  return unfit(head, `the state has no ${what} ${JSON.stringify(name)}`);
}

function unfit(head: Head, why: string): never {
  throw new Error(
    `checkpoint ${nameOf(head)} does not fit the state: ${why}; it was written under other settings or releases`,
  );
}

function nameOf(head: Head): string {
  return `${head.group} ${head.topic}/${head.partition} at ${head.nextOffset} (${head.id})`;
}
