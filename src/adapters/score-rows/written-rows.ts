import {
  type EndedFile,
  filesUpTo,
  isManifestName,
  type Manifest,
  manifestFolder,
  manifestName,
  manifestText,
  parseManifest,
  revisedName,
  type RowFile,
  type RowsKey,
  type RowsNote,
} from '../../formats/snapshot/row-files.ts';
import { parseCheckpointFileName, partitionFolder } from '../../formats/checkpoint/names.ts';
import { type MergedFile, withMerged } from '../../formats/snapshot/merged-files.ts';
import type { Log } from '../../ports.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { type MergedRecords, manifests, mergedRecords } from './merged-rows.ts';
import { rowFile } from './row-file.ts';

/** Where the score rows of a group lie. */
export interface RowStores {
  readonly group: string;
  /** Of checkpoints: segments, and the manifests for whoever comes next. */
  readonly state: ObjectStore;
  /** Of files, and the manifests for readers. */
  readonly files: ObjectStore;
  /** What every file says of itself: program and configuration. */
  readonly about: Readonly<Record<string, string>>;
  /** Files are deleted after this time. */
  readonly keepMs: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Where files are written, and how. */
export interface RowWriting extends RowStores {
  /** Whether a file is to be made though the thread that scores could use the processor. */
  readonly isUrgent: (file: RowFile) => boolean;
  /**
   * The file that is made last: one at a time is read and made, as malloc keeps an arena for each thread that there ever was at once, as large as that
   * thread needed.
   */
  readonly made: { last: Promise<unknown> | undefined };
}

/** The files of a partition that count, in order. */
export interface WrittenRows {
  readonly key: RowsKey;
  readonly merged: MergedRecords;
  files: readonly RowFile[];
}

/** Files of a partition that were found. */
export function writtenRows({ files: store }: RowStores, key: RowsKey, files: readonly RowFile[]): WrittenRows {
  return { key, merged: mergedRecords(store, rowsFolder({ key })), files };
}

/** Where the segments and manifests of a partition lie in the store of checkpoints. */
export function rowsFolder({ key }: Pick<WrittenRows, 'key'>): string {
  return partitionFolder(key.group, key);
}

/** What a checkpoint's note says is written, with what whoever was before wrote of its ended files meanwhile. */
export async function restoredFiles(
  { state, log }: RowStores,
  key: RowsKey,
  { last, ended }: Pick<RowsNote, 'last' | 'ended'>,
): Promise<{ readonly files: readonly RowFile[]; readonly ended: readonly EndedFile[] }> {
  if (last === undefined && ended.length === 0) return { files: [], ended };
  let best: readonly RowFile[] | undefined = last === undefined ? [] : undefined;
  let left = ended;
  for (const { files } of await manifests(state, rowsFolder({ key }))) {
    const known = last === undefined ? [] : filesUpTo(files, last);
    if (known === undefined) continue;
    best ??= known;
    const names = new Set(files.map(({ name }) => name));
    const from = ended.findIndex(({ name }) => !names.has(name));
    const open = from < 0 ? [] : ended.slice(from);
    if (open.length < left.length) left = open;
  }
  if (best === undefined) log.warn({ ...key, last }, 'the manifest of the score rows is gone: it begins anew');
  return { files: [...(best ?? []), ...ended.slice(0, ended.length - left.length).map(plain)], ended: left };
}

/** Files that were written before checkpoints kept note of them, up to an offset. */
export async function filesBefore({ state }: RowStores, key: RowsKey, nextOffset: number): Promise<readonly RowFile[]> {
  const found = await manifests(state, rowsFolder({ key }));
  return found.find((manifest) => manifest.nextOffset <= nextOffset)?.files ?? [];
}

/**
 * Removes all files of a partition that manifests name: its log is read from the beginning. Not where somebody has a checkpoint meanwhile: a file is
 * written behind one, so that those found before are of the time before, however late whoever was suspended here removes them.
 */
export async function forgetFiles({ state, files: store }: RowStores, key: RowsKey): Promise<void> {
  const folder = manifestFolder(key);
  const merged = mergedRecords(store, rowsFolder({ key }));
  const records = await merged.read();
  const found = await manifests(store, folder);
  if ((await state.files(rowsFolder({ key }))).some((name) => parseCheckpointFileName(name) !== undefined)) return;
  for (const { file, of } of records) for (const name of [file.name, ...of]) await store.remove(name);
  await merged.drop(() => true);
  for (const { name, files } of found) {
    for (const file of files) await store.remove(file.name);
    await store.remove(`${folder}/${name}`);
  }
}

/**
 * Writes an ended file, unless it is there, and the manifests that name it; then removes what is old, and what no manifest counts any more. Resolves
 * with the files that count now. What failed may be tried again.
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
  const before = await written.merged.read();
  const all = withMerged(written.files, before);
  const kept = [...all.filter(({ endedMs }) => endedMs >= oldestMs), plain(ended)];
  const manifest: Manifest = { name: manifestName(ended), nextOffset: ended.nextOffset, files: kept };
  const bytes = new TextEncoder().encode(manifestText(key, manifest));
  // Whoever comes next goes by the checkpoints' manifest: what it names, readers must have been told of.
  await store.write(`${manifestFolder(key)}/${manifest.name}`, bytes);
  await state.write(`${rowsFolder({ key })}/${manifest.name}`, bytes);
  const newest = await revisedWhole(store, written, manifest);
  const { files } = newest;
  for (const { name, endedMs } of all) if (endedMs < oldestMs) await store.remove(name);
  await removeBehind(state, rowsFolder({ key }), manifest);
  await removeLost(store, manifestFolder(key), newest);
  const names = new Set(files.map(({ name }) => name));
  await written.merged.drop(
    ({ file, of }) => file.endedMs < oldestMs && ![file.name, ...of].some((name) => names.has(name)),
  );
  return files;
}

/**
 * A manifest that was just written, revised until nothing was merged between the last look at the records and the last manifest: what was may
 * be gone already, and whoever merged it may have seen no later manifest.
 */
async function revisedWhole(store: ObjectStore, { key, merged }: WrittenRows, manifest: Manifest): Promise<Manifest> {
  for (let last = manifest; ; ) {
    const next = await revised(store, key, last, await merged.read());
    if (next === last) return last;
    last = next;
  }
}

/** A manifest with merged files in the places of theirs: written under the next name where that changes it. */
export async function revised(
  store: ObjectStore,
  key: RowsKey,
  manifest: Manifest,
  merged: readonly MergedFile[],
): Promise<Manifest> {
  const files = withMerged(manifest.files, merged);
  if (files === manifest.files) return manifest;
  const next = { ...manifest, name: revisedName(manifest.name), files };
  await store.write(`${manifestFolder(key)}/${next.name}`, new TextEncoder().encode(manifestText(key, next)));
  return next;
}

/** Whether the rows are in a file now; where their segments are gone, whoever removed them has written one, into another folder. */
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
  const listed = (await manifests(state, folder)).some((manifest) => filesUpTo(manifest.files, ended.name));
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
  const offsets = { 'assay.first_offset': String(firstOffset), 'assay.next_offset': String(nextOffset) };
  const place = { 'assay.group': key.group, 'assay.topic': key.topic, 'assay.partition': String(key.partition) };
  const version = truth === undefined ? {} : { 'assay.truth_version': truth };
  const metadata = { ...about, ...version, ...place, ...offsets, 'assay.rows': String(rows) };
  return await rowFile(name.endsWith('.parquet') ? 'parquet' : 'arrow', segments, metadata, isUrgent(ended));
}

/** Rows of short events have 450 bytes, of long ones several times that: more of them may be so much that, allocated together, it makes V8 collect all its garbage in one step. */
const manyRows = 20_000;
const segmentsOfMany = 2;

async function readSegments(
  store: ObjectStore,
  folder: string,
  { segments: names, rows }: EndedFile,
): Promise<Uint8Array[] | undefined> {
  const atOnce = rows > manyRows ? segmentsOfMany : names.length;
  const segments: Uint8Array[] = [];
  while (segments.length < names.length) {
    const next = names.slice(segments.length, segments.length + atOnce);
    for (const bytes of await Promise.all(next.map((name) => store.read(`${folder}/${name}`)))) {
      if (bytes === undefined) return undefined;
      segments.push(bytes);
    }
  }
  return segments;
}

/** Manifests that stay besides the newest: whoever listed them just now still finds one. */
const manifestsKept = 2;

/** Manifests of a folder that lie behind one, but for the last few. */
async function behind(store: ObjectStore, folder: string, newest: Manifest): Promise<string[]> {
  const names = (await store.files(folder)).filter(isManifestName);
  return names.filter((name) => name < newest.name).slice(0, -manifestsKept);
}

async function removeBehind(store: ObjectStore, folder: string, newest: Manifest): Promise<void> {
  for (const name of await behind(store, folder, newest)) await store.remove(`${folder}/${name}`);
}

/**
 * Of another owner, whose checkpoints lost, there may be files that no later manifest names: they cannot count any more when they lie behind one
 * that was accepted.
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

/** Does the work when what went before is over, whether or not that went well. */
export async function after<Result>(
  before: Promise<unknown> | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await before?.catch(() => undefined);
  return await work();
}
