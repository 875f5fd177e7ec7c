import { getOrPut } from '../../state/containers/get-or-put.ts';
import { createPendingLog } from '../../state/containers/pending-log.ts';
import { createIds } from '../../state/containers/ids.ts';
import type { Store } from '../../state/containers/store.ts';
import { createTable } from '../../state/containers/table.ts';
import { createDictionary } from '../../state/containers/dictionary.ts';
import { createReader, createWriter, putFloat, putText, putUint32, type Reader, reserve } from '../bytes/byte-io.ts';
import { takeFloat, takeText, takeUint32, type Writer } from '../bytes/byte-io.ts';
import { checksum, checksumBytes } from '../bytes/checksum.ts';
import { type Cut, type Head, nameOf, unfit } from './head.ts';
import { putDictionary, putPendingLog, putTable, takeDictionary, takePendingLog, takeTable } from './containers.ts';
import { enterWaiting, type IdsBeingRead, idsBeingRead, putIds, takeIds } from './id-rows.ts';
import { finish, type Steps } from '../../state/steps.ts';

/**
 * A checkpoint file, little endian:
 *
 *     magic "ASSAYCUT" (8 bytes), format version (uint32), length of the file (float64), head (JSON text), body, checksum (8 bytes)
 *
 * All but the body is the same in every version, so that any release can tell a file that it does not read from a damaged one.
 * Body of version 1: header, numbers, dictionaries, tables, ids, pending logs; containers in the order of their names. A full state is a change
 * of nothing.
 */
const magic = 'ASSAYCUT';
const formatVersion = 1;
const headAt = 20;

/**
 * The whole state as a file; equal contents and cut give equal bytes. What changed up to here counts as saved: the next
 * `encodeChanges` starts from this cut.
 */
export function encodeFull(store: Store, cut: Cut): Uint8Array {
  return finish(encode(store, cut, undefined));
}

/** What changed since the cut `parent`, the last one encoded from the store or restored to it; the next starts from this one. */
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
  yield* putAll(writer, store.dictionaries, (dictionary) => putDictionary(writer, dictionary, full));
  yield* putAll(writer, store.tables, (table) => putTable(writer, table, full));
  yield* putAll(writer, store.ids, (ids) => putIds(writer, ids, full));
  yield* putAll(writer, store.pendingLogs, (log) => putPendingLog(writer, log, full));
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
 * The store that a full state and the changes after it describe, and the head of the last file. Nothing in it counts as changed.
 *
 * Throws where a file is damaged, of a format that this release does not read, or does not follow from the one before it. `headOf` in the
 * place of `peek` saves the checksums of files that are known to be intact.
 */
export function restoreStore(
  files: readonly Uint8Array[],
  headIn: (bytes: Uint8Array) => Head | undefined = peek,
): { readonly store: Store; readonly head: Head } {
  const restored: Restored = {
    store: {
      header: '',
      numbers: new Map(),
      dictionaries: new Map(),
      tables: new Map(),
      ids: new Map(),
      pendingLogs: new Map(),
    },
    ids: new Map(),
    last: undefined,
  };
  for (const bytes of files) apply(bytes, headIn(bytes), restored);
  for (const read of restored.ids.values()) enterWaiting(read);
  const { store, last } = restored;
  if (last === undefined) throw new Error('a store is restored from one file at least');
  return { store, head: last };
}

/** A store on its way from file to file. */
interface Restored {
  readonly store: Store;
  readonly ids: Map<string, IdsBeingRead>;
  /** The last file applied. */
  last: Head | undefined;
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

function apply(bytes: Uint8Array, head: Head | undefined, restored: Restored): void {
  if (head === undefined) throw new Error('a checkpoint is damaged: its checksum does not fit; use the one before');
  // A version that replaces this one adds its case here; those of the two releases before stay.
  if (head.format !== 1) {
    const remedy = 'use the release that wrote it or a later one';
    throw new Error(`checkpoint ${nameOf(head)} has format ${head.format}, this release reads 1; ${remedy}`);
  }
  if (head.parent !== restored.last?.id)
    unfit(
      head,
      `it changes ${head.parent === undefined ? 'no cut' : `cut ${head.parent}`}, and follows ${restored.last?.id ?? 'none'}`,
    );
  restored.last = head;
  const { store, ids } = restored;
  const reader = createReader(bytes, headAt, bytes.length - checksumBytes);
  takeText(reader);
  store.header = takeText(reader);
  takeAll(reader, (name) => void store.numbers.set(name, takeFloat(reader)));
  takeAll(reader, (name) => takeDictionary(reader, head, name, getOrPut(store.dictionaries, name, createDictionary)));
  takeAll(reader, (name) =>
    takeTable(reader, head, name, (values) => getOrPut(store.tables, name, () => createTable(values))),
  );
  takeAll(reader, (name) => {
    const read = getOrPut(ids, name, () => idsBeingRead(getOrPut(store.ids, name, createIds)));
    takeIds(reader, head.parent === undefined, read);
  });
  takeAll(reader, (name) => takePendingLog(reader, getOrPut(store.pendingLogs, name, createPendingLog)));
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

function hasMagic(bytes: Uint8Array): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[i] !== magic.charCodeAt(i)) return false;
  return true;
}
