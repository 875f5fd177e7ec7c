import {
  type EndedFile,
  isManifestName,
  type Manifest,
  manifestFolder,
  manifestName,
  manifestText,
  parseManifest,
  type RowFile,
  type RowsKey,
  type RowsNote,
} from '../../formats/snapshot/row-files.ts';
import { parseCheckpointFileName, partitionFolder } from '../../formats/checkpoint/names.ts';
import {
  type MergedFile,
  mergedFolder,
  mergedName,
  parseMerged,
  withMerged,
} from '../../formats/snapshot/merged-files.ts';
import { programName } from '../../name.ts';
import type { Log } from '../../ports.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { rowFile } from './row-file.ts';

/** Stores of the score rows of a group. */
export interface RowStores {
  readonly group: string;
  /** Store of checkpoints: segments, and the manifests for the next owner. */
  readonly state: ObjectStore;
  /** Store of the files, and of the manifests for readers. */
  readonly files: ObjectStore;
  /** Metadata of every file: program and configuration. */
  readonly about: Readonly<Record<string, string>>;
  /** Files are deleted after this time. */
  readonly keepMs: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Stores, and how files are made. */
export interface RowWriting extends RowStores {
  /** Returns whether a file is to be made at the priority of the scoring thread. */
  readonly isUrgent: (file: RowFile) => boolean;
  /**
   * The last file that was begun. One file at a time is read and made: malloc keeps an arena for each thread that ran at the same time, as large as
   * that thread needed.
   */
  readonly made: { last: Promise<unknown> | undefined };
}

/** The files of a partition that count, in order. */
export interface WrittenRows {
  readonly key: RowsKey;
  files: readonly RowFile[];
}

/** Folder of the segments and manifests of a partition, in the store of checkpoints. */
export function rowsFolder({ key }: Pick<WrittenRows, 'key'>): string {
  return partitionFolder(key.group, key);
}

/** Finds the written files that a checkpoint's note counts, and the ended ones that an earlier owner has not written since. */
export async function restoredFiles(
  stores: RowStores,
  key: RowsKey,
  { last, ended }: Pick<RowsNote, 'last' | 'ended'>,
): Promise<{ readonly files: readonly RowFile[]; readonly ended: readonly EndedFile[] }> {
  if (last === undefined && ended.length === 0) return { files: [], ended };
  const merged = await mergedFiles(stores.files, key);
  const lastNow = last && mergedName(last, merged);
  let best: readonly RowFile[] | undefined = last === undefined ? [] : undefined;
  let left = ended;
  for (const manifest of await manifests(stores.state, rowsFolder({ key }))) {
    const files = withMerged(manifest.files, merged);
    const at = files.findIndex(({ name }) => name === lastNow);
    if (last !== undefined && at < 0) continue;
    best ??= files.slice(0, at + 1);
    const names = new Set(files.map(({ name }) => name));
    const from = ended.findIndex(({ name }) => !names.has(mergedName(name, merged)));
    const open = from < 0 ? [] : ended.slice(from);
    if (open.length < left.length) left = open;
  }
  if (best === undefined) stores.log.warn({ ...key, last }, 'the manifest of the score rows is gone: it begins anew');
  const files = best ?? [];
  const later = withMerged(ended.slice(0, ended.length - left.length).map(plain), merged);
  return { files: [...files, ...later.filter(({ name }) => !files.some((file) => file.name === name))], ended: left };
}

/** Finds files that were written before checkpoints kept note of them, up to an offset. */
export async function filesBefore(
  { state, files }: RowStores,
  key: RowsKey,
  nextOffset: number,
): Promise<readonly RowFile[]> {
  const found = await manifests(state, rowsFolder({ key }));
  const before = found.find((manifest) => manifest.nextOffset <= nextOffset)?.files ?? [];
  return withMerged(before, await mergedFiles(files, key));
}

/** Reads the manifests of a folder, the newest first; damaged ones are skipped. */
async function manifests(store: ObjectStore, folder: string): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const name of (await store.files(folder)).filter(isManifestName).reverse()) {
    const bytes = await store.read(`${folder}/${name}`);
    const manifest = bytes && parseManifest(name, bytes);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}

/** Reads the records of files that an earlier version merged, in order; damaged ones are skipped. */
async function mergedFiles(store: ObjectStore, key: RowsKey): Promise<MergedFile[]> {
  const folder = mergedFolder(rowsFolder({ key }));
  const found: MergedFile[] = [];
  for (const name of await store.files(folder)) {
    const bytes = await store.read(`${folder}/${name}`);
    const merged = bytes && parseMerged(bytes);
    if (merged !== undefined) found.push(merged);
  }
  return found;
}

/**
 * Removes all files of a partition that manifests name: its log is read from the beginning. Not where there is a checkpoint meanwhile: a file is
 * written behind a checkpoint, so that the files found before it are old, however late a suspended process removes them.
 */
export async function forgetFiles({ state, files: store }: RowStores, key: RowsKey): Promise<void> {
  const folder = manifestFolder(key);
  const merged = await mergedFiles(store, key);
  const found = await manifests(store, folder);
  if ((await state.files(rowsFolder({ key }))).some((name) => parseCheckpointFileName(name) !== undefined)) return;
  for (const { file } of merged) await store.remove(file.name);
  for (const { name, files } of found) {
    for (const file of files) await store.remove(file.name);
    await store.remove(`${folder}/${name}`);
  }
}

/**
 * Writes an ended file, unless it is there, and the manifests that name it; then removes old files, and files that no manifest counts any more. Resolves
 * with the files that count now. A failed call may be repeated.
 */
export async function writeFile(
  stores: RowWriting,
  written: WrittenRows,
  ended: EndedFile,
): Promise<readonly RowFile[]> {
  const { state, files: store } = stores;
  const { key } = written;
  const isThere = (await store.size(ended.name)) !== undefined || (await writeRows(stores, written, ended));
  if (!isThere) return written.files;
  const oldestMs = stores.nowMs() - stores.keepMs;
  const files = [...written.files.filter(({ endedMs }) => endedMs >= oldestMs), plain(ended)];
  const manifest: Manifest = { name: manifestName(ended), nextOffset: ended.nextOffset, files };
  const bytes = new TextEncoder().encode(manifestText(key, manifest));
  // The next owner goes by the checkpoints' manifest: readers must have seen the files that it names.
  await store.write(`${manifestFolder(key)}/${manifest.name}`, bytes);
  await state.write(`${rowsFolder({ key })}/${manifest.name}`, bytes);
  for (const { name, endedMs } of written.files) if (endedMs < oldestMs) await store.remove(name);
  await removeBehind(state, rowsFolder({ key }), manifest);
  await removeLost(store, manifestFolder(key), manifest);
  return files;
}

/** Writes the rows into a file. Returns whether they are in one: where their segments are gone, the process that removed them wrote it, maybe into another folder. */
async function writeRows(stores: RowWriting, { key }: WrittenRows, ended: EndedFile): Promise<boolean> {
  const { state, files, log, made } = stores;
  const folder = rowsFolder({ key });
  const bytes = after(made.last, () => fileOf(stores, key, ended));
  made.last = bytes;
  const whole = await bytes;
  if (whole !== undefined) {
    await files.write(ended.name, whole);
    return true;
  }
  const listed = (await manifests(state, folder)).some((manifest) =>
    manifest.files.some(({ name }) => name === ended.name),
  );
  if (!listed) log.error({ ...key, file: ended.name }, 'score rows are lost: their segments are gone');
  return listed;
}

/** The bytes of an ended file; undefined where a segment is gone. */
async function fileOf(
  { state, about, isUrgent }: RowWriting,
  key: RowsKey,
  ended: EndedFile,
): Promise<Uint8Array | undefined> {
  const { name, rows, nextOffset, firstOffset, truth } = ended;
  const segments = await readSegments(state, rowsFolder({ key }), ended);
  if (segments === undefined) return undefined;
  const offsets = {
    [`${programName}.first_offset`]: String(firstOffset),
    [`${programName}.next_offset`]: String(nextOffset),
  };
  const place = {
    [`${programName}.group`]: key.group,
    [`${programName}.topic`]: key.topic,
    [`${programName}.partition`]: String(key.partition),
  };
  const version = truth === undefined ? {} : { [`${programName}.truth_version`]: truth };
  const metadata = { ...about, ...version, ...place, ...offsets, [`${programName}.rows`]: String(rows) };
  return await rowFile(name.endsWith('.parquet') ? 'parquet' : 'arrow', segments, metadata, isUrgent(ended));
}

/** The segments of an ended file, one after the other; undefined where one is gone. Many rows read at once make V8 collect all garbage in one step. */
async function readSegments(
  store: ObjectStore,
  folder: string,
  { segments }: EndedFile,
): Promise<Uint8Array[] | undefined> {
  const found: Uint8Array[] = [];
  for (const name of segments) {
    const bytes = await store.read(`${folder}/${name}`);
    if (bytes === undefined) return undefined;
    found.push(bytes);
  }
  return found;
}

/** Manifests that stay besides the newest: a reader that has listed them still finds one. */
const manifestsKept = 2;

/** Names of the manifests before the newest, except the last few. */
async function behind(store: ObjectStore, folder: string, newest: Manifest): Promise<string[]> {
  const names = (await store.files(folder)).filter(isManifestName);
  return names.filter((name) => name < newest.name).slice(0, -manifestsKept);
}

async function removeBehind(store: ObjectStore, folder: string, newest: Manifest): Promise<void> {
  for (const name of await behind(store, folder, newest)) await store.remove(`${folder}/${name}`);
}

/**
 * Removes old manifests, and files that only they name: files of another owner, whose checkpoints lost. They cannot count any more when they end before
 * a manifest that was accepted.
 */
async function removeLost(store: ObjectStore, folder: string, newest: Manifest): Promise<void> {
  const counted = new Set(newest.files.map(({ name }) => name));
  for (const name of await behind(store, folder, newest)) {
    const bytes = await store.read(`${folder}/${name}`);
    const lost = (bytes && parseManifest(name, bytes)?.files) ?? [];
    for (const file of lost)
      if (!counted.has(file.name) && file.nextOffset < newest.nextOffset) await store.remove(file.name);
    await store.remove(`${folder}/${name}`);
  }
}

function plain({ name, rows, nextOffset, endedMs }: RowFile): RowFile {
  return { name, rows, nextOffset, endedMs };
}

/** Runs work after earlier work has ended or failed. */
export async function after<Result>(
  before: Promise<unknown> | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await before?.catch(() => undefined);
  return await work();
}
