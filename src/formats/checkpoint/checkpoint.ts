import { Buffer } from 'node:buffer';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { createDictionary } from '../../state/containers/dictionary.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { createIds } from '../../state/containers/ids.ts';
import { createPendingLog } from '../../state/containers/pending-log.ts';
import type { Store } from '../../state/containers/store.ts';
import { createTable, type RowListener } from '../../state/containers/table.ts';
import { entryText, isTableShown } from '../../state/saved.ts';
import type { Steps } from '../../state/steps.ts';
import { asBuffer } from '../bytes/utf8.ts';
import {
  applyDictionary,
  applyIds,
  applyPendingLog,
  applyTable,
  type SavedDictionary,
  type SavedIds,
  type SavedPendingLog,
  type SavedTable,
  saveDictionary,
  saveIds,
  savePendingLog,
  saveTable,
} from './containers.ts';

/**
 * A checkpoint file, little endian:
 *
 *     magic "ASSAYCKP" (8 bytes), format version (uint32), length of the file (float64), length of the head (uint32), head (JSON),
 *     body, CRC-32 (uint32)
 *
 * All but the body is the same in every version from 2 on, so that any release can tell a file that it does not read from a damaged one.
 * The body of version 4 is a `Body` as V8 serializes it, which later versions of V8 read. A snapshot is a delta from nothing.
 */
interface Body {
  readonly header: string;
  readonly numbers: ReadonlyMap<string, number>;
  readonly dictionaries: ReadonlyMap<string, SavedDictionary>;
  readonly tables: ReadonlyMap<string, SavedTable>;
  readonly ids: ReadonlyMap<string, SavedIds>;
  readonly pendingLogs: ReadonlyMap<string, SavedPendingLog>;
}

const magic = Buffer.from('ASSAYCKP', 'latin1');
const formatVersion = 4;
const headAt = 24;
const checksumBytes = 4;

/** The subject of a checkpoint: a partition of a group, up to an offset. */
export interface CheckpointKey {
  /** Unique name of the checkpoint. */
  readonly id: string;
  readonly nextOffset: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** The header of a checkpoint file. */
export interface Head extends CheckpointKey {
  /** Id of the checkpoint that a delta builds on, undefined for a snapshot. */
  readonly base: string | undefined;
  readonly format: number;
}

/**
 * The state as a file: all of it, or the changes since the checkpoint `base`, the last one encoded of the store or restored to it. The
 * next delta builds on this one. The store must not change before the last step.
 */
export function* encode(store: Store, key: CheckpointKey, base: string | undefined): Steps<Uint8Array> {
  const isSnapshot = base === undefined;
  const body: Body = {
    header: store.header,
    numbers: store.numbers,
    dictionaries: mapped(store.dictionaries, (dictionary) => saveDictionary(dictionary, isSnapshot)),
    tables: yield* mappedInSteps(store.tables, (table) => saveTable(table, isSnapshot)),
    ids: yield* mappedInSteps(store.ids, (ids) => saveIds(ids, isSnapshot)),
    pendingLogs: mapped(store.pendingLogs, (log) => savePendingLog(log, isSnapshot)),
  };
  const { id, nextOffset, group, topic, partition } = key;
  return sealed(JSON.stringify({ id, base, nextOffset, group, topic, partition }), serialize(body));
}

/** The head of a file, undefined where the file is torn, cut short or damaged anywhere. */
export function headOf(bytes: Uint8Array): Head | undefined {
  const file = asBuffer(bytes);
  const end = file.length - checksumBytes;
  if (end < headAt || !file.subarray(0, magic.length).equals(magic)) return undefined;
  if (file.readDoubleLE(12) !== file.length || file.readUInt32LE(end) !== crc32(file.subarray(0, end)))
    return undefined;
  const { id, base, nextOffset, group, topic, partition } = JSON.parse(file.toString('utf8', headAt, bodyAt(file)));
  return { id, base, nextOffset, group, topic, partition, format: file.readUInt32LE(8) };
}

/** The head of a file that this release reads. Throws where it is damaged, or of another format. */
export function readableHead(bytes: Uint8Array): Head {
  const head = headOf(bytes);
  if (head === undefined) throw new Error('a checkpoint is damaged: its checksum does not fit; use the one before');
  if (head.format === formatVersion) return head;
  const remedy =
    'use the release that wrote it, another kafka.group_id, or start once with --rebuild to score the topics again';
  throw new Error(
    `checkpoint ${nameOf(head)} has format ${head.format}, this release reads ${formatVersion}; ${remedy}`,
  );
}

/**
 * The store that a snapshot and the deltas after it describe, and the head of the last file; or that deltas make of a store that was restored
 * before, `onto`, which is used up. Nothing in it counts as changed. `isShown`: of a reader that shows the state and folds nothing. Ids and groups that
 * are open then stay empty, and texts lose their content. `listenerOf` gives the listener to the rows of a table, by its name and the numbers of the file.
 *
 * Throws where a file is damaged, of a format that this release does not read, or does not follow from the one before it.
 */
export function* restoreStore(
  files: readonly Uint8Array[],
  onto?: RestoredStore,
  isShown = false,
  listenerOf?: ListenerOf,
): Steps<RestoredStore> {
  const store = onto?.store ?? emptyStore();
  let last = onto?.head;
  for (const bytes of files) {
    const head = readableHead(bytes);
    try {
      if (head.base !== last?.id)
        throw new Error(`its base is ${head.base ?? 'nothing'}, and it follows ${last?.id ?? 'nothing'}`);
      const body = deserialize(asBuffer(bytes).subarray(bodyAt(asBuffer(bytes)), -checksumBytes)) as Body;
      yield* apply(store, body, isShown, listenerOf);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const remedy = 'it was written under other settings or releases';
      throw new Error(`checkpoint ${nameOf(head)} does not fit the state: ${why}; ${remedy}`, { cause: error });
    }
    last = head;
  }
  if (last === undefined) throw new Error('a store is restored from one file at least');
  return { store, head: last };
}

type ListenerOf = (name: string, numbers: Body['numbers']) => RowListener | undefined;

/** A store, and the checkpoint that it was restored from. */
export interface RestoredStore {
  readonly store: Store;
  readonly head: Head;
}

function emptyStore(): Store {
  const [dictionaries, tables, ids, pendingLogs] = [new Map(), new Map(), new Map(), new Map()];
  return { header: '', numbers: new Map(), dictionaries, tables, ids, pendingLogs };
}

function mapped<Container, Saved>(
  containers: ReadonlyMap<string, Container>,
  saveOne: (container: Container) => Saved,
): Map<string, Saved> {
  return new Map([...containers].map(([name, container]) => [name, saveOne(container)]));
}

function* mappedInSteps<Container, Saved>(
  containers: ReadonlyMap<string, Container>,
  saveOne: (container: Container) => Steps<Saved>,
): Steps<Map<string, Saved>> {
  const saved = new Map<string, Saved>();
  for (const [name, container] of containers) saved.set(name, yield* saveOne(container));
  return saved;
}

/** Adds the content of a file to a store. */
function* apply(store: Store, body: Body, isShown: boolean, listenerOf?: ListenerOf): Steps<void> {
  store.header = body.header;
  for (const [name, value] of body.numbers) store.numbers.set(name, value);
  for (const [name, saved] of body.dictionaries)
    yield* applyDictionary(name, getOrPut(store.dictionaries, name, createDictionary), saved);
  for (const [name, saved] of body.tables) {
    const table = getOrPut(store.tables, name, () => createTable(saved.values));
    if (!isShown || isTableShown(name)) yield* applyTable(name, table, saved, listenerOf?.(name, body.numbers));
  }
  for (const [name, saved] of body.ids) {
    const ids = getOrPut(store.ids, name, createIds);
    if (!isShown) yield* applyIds(ids, saved);
  }
  for (const [name, saved] of body.pendingLogs) {
    const log = getOrPut(store.pendingLogs, name, createPendingLog);
    if (isShown && !isTableShown(name)) continue;
    applyPendingLog(log, isShown ? { ...saved, added: entriesOf(saved.added) } : saved);
  }
}

/** The entries of texts without their content: copies, as a part of a text keeps all of it. */
function entriesOf(texts: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  return new Map([...texts].map(([number, text]) => [number, Buffer.from(entryText(text)).toString()]));
}

function sealed(head: string, body: Buffer): Uint8Array {
  const prefix = Buffer.alloc(headAt);
  const headBytes = Buffer.from(head);
  const file = Buffer.concat([prefix, headBytes, body, Buffer.alloc(checksumBytes)]);
  magic.copy(file);
  file.writeUInt32LE(formatVersion, 8);
  file.writeDoubleLE(file.length, 12);
  file.writeUInt32LE(headBytes.length, 20);
  const end = file.length - checksumBytes;
  file.writeUInt32LE(crc32(file.subarray(0, end)), end);
  // Not as a Buffer, the `slice` of which is no copy.
  return new Uint8Array(file.buffer, file.byteOffset, file.length);
}

/** Where the body of a file begins. */
function bodyAt(file: Buffer): number {
  return headAt + file.readUInt32LE(20);
}

function nameOf({ id, nextOffset, group, topic, partition }: Head): string {
  return `${group} ${topic}/${partition} at ${nextOffset} (${id})`;
}
