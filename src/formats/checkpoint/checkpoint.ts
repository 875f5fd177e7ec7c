import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { createPendingLog } from '../../state/containers/pending-log.ts';
import { createIds } from '../../state/containers/ids.ts';
import type { Store } from '../../state/containers/store.ts';
import { createTable } from '../../state/containers/table.ts';
import { createDictionary } from '../../state/containers/dictionary.ts';
import { createReader, createWriter, putFloat, putText, putUint32, type Reader, reserve } from '../bytes/byte-io.ts';
import { takeFloat, takeText, takeUint32, type Writer } from '../bytes/byte-io.ts';
import { asBuffer } from '../bytes/utf8.ts';
import { type CheckpointKey, type Head, nameOf, unfit } from './head.ts';
import {
  putPendingLog,
  putIds,
  putTable,
  putDictionary,
  takePendingLog,
  takeIds,
  takeTable,
  takeDictionary,
} from './containers.ts';
import { finish, type Steps } from '../../state/steps.ts';

/**
 * A checkpoint file, little endian:
 *
 *     magic "ASSAYCKP" (8 bytes), format version (uint32), length of the file (float64), head (JSON text), body, CRC-32 (uint32)
 *
 * All but the body is the same in every version from 2 on, so that any release can tell a file that it does not read from a damaged one.
 * Body of version 2: header, numbers, dictionaries, tables, ids, pending logs; containers in the order of their names. A snapshot is a delta from
 * nothing.
 */
const magic = Buffer.from('ASSAYCKP', 'latin1');
export const formatVersion = 2;
const headAt = 20;
const checksumBytes = 4;

/**
 * The whole state as a file; equal contents and keys give equal bytes. What changed up to here counts as saved: the next `encodeDelta`
 * builds on this checkpoint.
 */
export function encodeSnapshot(store: Store, key: CheckpointKey): Uint8Array {
  return finish(encode(store, key, undefined));
}

/** What changed since the checkpoint `base`, the last one encoded from the store or restored to it; the next builds on this one. */
export function encodeDelta(store: Store, key: CheckpointKey, base: string): Uint8Array {
  return finish(encode(store, key, base));
}

/** `encodeDelta`, or `encodeSnapshot` where there is no base, in steps. The store must not change before the last. */
export function* encode(store: Store, key: CheckpointKey, base: string | undefined): Steps<Uint8Array> {
  const writer = createWriter(1 << 16);
  writer.bytes.set(magic);
  writer.at = magic.length;
  putUint32(writer, formatVersion);
  putFloat(writer, 0);
  const { id, nextOffset, group, topic, partition } = key;
  putText(writer, JSON.stringify({ id, base, nextOffset, group, topic, partition }));
  const isSnapshot = base === undefined;
  putText(writer, store.header);
  yield* putAll(writer, store.numbers, (value) => putFloat(writer, value));
  yield* putAll(writer, store.dictionaries, (dictionary) => putDictionary(writer, dictionary, isSnapshot));
  yield* putAll(writer, store.tables, (table) => putTable(writer, table, isSnapshot));
  yield* putAll(writer, store.ids, (ids) => putIds(writer, ids, isSnapshot));
  yield* putAll(writer, store.pendingLogs, (log) => putPendingLog(writer, log, isSnapshot));
  return seal(writer);
}

/** The head of a file, undefined where the file is torn, cut short or damaged anywhere. */
export function headOf(bytes: Uint8Array): Head | undefined {
  const end = bytes.length - checksumBytes;
  if (end < headAt || !asBuffer(bytes).subarray(0, magic.length).equals(magic)) return undefined;
  const reader = createReader(bytes, magic.length, bytes.length);
  const format = takeUint32(reader);
  if (takeFloat(reader) !== bytes.length) return undefined;
  if (reader.view.getUint32(end, true) !== crc32(bytes.subarray(0, end))) return undefined;
  const { id, base, nextOffset, group, topic, partition } = JSON.parse(takeText(reader));
  return { id, base, nextOffset, group, topic, partition, format };
}

/**
 * The store that a snapshot and the deltas after it describe, and the head of the last file. Nothing in it counts as changed.
 *
 * Throws where a file is damaged, of a format that this release does not read, or does not follow from the one before it.
 */
export function restoreStore(files: readonly Uint8Array[]): { readonly store: Store; readonly head: Head } {
  const [dictionaries, tables, ids, pendingLogs] = [new Map(), new Map(), new Map(), new Map()];
  const store: Store = { header: '', numbers: new Map(), dictionaries, tables, ids, pendingLogs };
  let last: Head | undefined;
  for (const bytes of files) last = apply(bytes, store, last);
  if (last === undefined) throw new Error('a store is restored from one file at least');
  return { store, head: last };
}

function seal(writer: Writer): Uint8Array {
  reserve(writer, checksumBytes);
  const { bytes, view, at } = writer;
  view.setFloat64(12, at + checksumBytes, true);
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes.subarray(0, at + checksumBytes);
}

/** Adds to a store what a file says; returns its head. */
function apply(bytes: Uint8Array, store: Store, last: Head | undefined): Head {
  const head = headOf(bytes);
  if (head === undefined) throw new Error('a checkpoint is damaged: its checksum does not fit; use the one before');
  if (head.format !== formatVersion) {
    const remedy = 'use the release that wrote it or a later one';
    throw new Error(
      `checkpoint ${nameOf(head)} has format ${head.format}, this release reads ${formatVersion}; ${remedy}`,
    );
  }
  if (head.base !== last?.id)
    unfit(head, `its base is ${head.base ?? 'nothing'}, and it follows ${last?.id ?? 'nothing'}`);
  const reader = createReader(bytes, headAt, bytes.length - checksumBytes);
  takeText(reader);
  store.header = takeText(reader);
  takeAll(reader, (name) => void store.numbers.set(name, takeFloat(reader)));
  takeAll(reader, (name) => takeDictionary(reader, head, name, getOrPut(store.dictionaries, name, createDictionary)));
  takeAll(reader, (name) =>
    takeTable(reader, head, name, (values) => getOrPut(store.tables, name, () => createTable(values))),
  );
  takeAll(reader, (name) => takeIds(reader, getOrPut(store.ids, name, createIds)));
  takeAll(reader, (name) => takePendingLog(reader, getOrPut(store.pendingLogs, name, createPendingLog)));
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

function takeAll(reader: Reader, take: (name: string) => void): void {
  for (let left = takeUint32(reader); left > 0; left--) take(takeText(reader));
}
