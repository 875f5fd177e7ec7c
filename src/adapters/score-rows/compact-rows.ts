import { folderText } from '../../formats/checkpoint/names.ts';
import { mergedParquet, parquetMetadataOf, parquetSchemaText } from '../../formats/files/merged-parquet.ts';
import {
  type MergedFile,
  mergedFolder,
  mergedName,
  mergedRecordName,
  mergedText,
  withMerged,
} from '../../formats/snapshot/merged-files.ts';
import type { Manifest, RowFile, RowsKey } from '../../formats/snapshot/row-files.ts';
import { mergedScores, scoresMetadata, scoresSchemaText } from '../../formats/snapshot/scores.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { manifests, type MergedRecords, mergedRecords } from './merged-rows.ts';
import { revised } from './written-rows.ts';

export interface CompactOptions {
  /** Files and manifests of score rows. */
  readonly store: ObjectStore;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** What was done. */
export interface Compacted {
  partitions: number;
  /** Files that were merged, what they became, and their rows. */
  parts: number;
  files: number;
  rows: number;
  /** Partitions of which files lie elsewhere. */
  readonly passedOver: string[];
}

/** Files of an hour are merged when it has been over for so long: no checkpoint that is still restored ends within them. */
const settledMs = 3_600_000;
const hourMs = 3_600_000;
/** Bytes of the files that become one. */
const mergedBytes: number = 64 * 2 ** 20;

/**
 * Merges the small files of each hour. Whoever dies meanwhile leaves no row missing and none twice: a merged file is written under a name of its
 * own, then a record of what it stands for, then a manifest that names it, and then what it stands for is removed; the next one goes on
 * where the last one ended. A service that writes manifests meanwhile looks at the records (`written-rows.ts`).
 */
export async function compactRows(options: CompactOptions): Promise<Compacted> {
  const { store, signal } = options;
  const done: Compacted = { partitions: 0, parts: 0, files: 0, rows: 0, passedOver: [] };
  for (const path of await foldersAt(store, '_manifest', 3)) {
    signal.throwIfAborted();
    await compactPartition(options, path.slice('_manifest/'.length), done);
  }
  return done;
}

/** Paths of the folders that lie so deep in one. */
async function foldersAt(store: ObjectStore, folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [folder];
  const found: string[] = [];
  for (const name of await store.folders(folder))
    found.push(...(await foldersAt(store, `${folder}/${name}`, depth - 1)));
  return found;
}

async function compactPartition(options: CompactOptions, partition: string, done: Compacted): Promise<void> {
  const { store, signal } = options;
  const manifest = await newestManifest(store, partition);
  if (manifest === undefined) return;
  done.partitions++;
  const records = mergedRecords(store, partition);
  const files = withMerged(manifest.files, await records.read());
  for (const run of runsOf(files, options.nowMs)) {
    for await (const of of mergeable(store, run)) {
      if (of === undefined) {
        done.passedOver.push(partition);
        return;
      }
      signal.throwIfAborted();
      const file = await mergeFiles(store, partition, of);
      done.files++;
      done.parts += of.length;
      done.rows += file.rows;
    }
  }
  await putInPlace(store, partition, records);
}

/** The newest manifest; undefined where there is none, or none that is whole. */
async function newestManifest(store: ObjectStore, partition: string): Promise<Manifest | undefined> {
  return (await manifests(store, `_manifest/${partition}`, 1))[0];
}

/** Neighbours that ended in the same hour, which is long over. The newest file of all stays: checkpoints name it. */
function runsOf(files: readonly RowFile[], nowMs: number): RowFile[][] {
  const hourOf = ({ name, endedMs }: RowFile): string => `${Math.floor(endedMs / hourMs)} ${name.endsWith('.parquet')}`;
  const runs: RowFile[][] = [];
  for (const file of files.slice(0, -1)) {
    if ((Math.floor(file.endedMs / hourMs) + 1) * hourMs + settledMs > nowMs) break;
    const run = runs.at(-1);
    if (run !== undefined && hourOf(run[0]!) === hourOf(file)) run.push(file);
    else runs.push([file]);
  }
  return runs.filter((run) => run.length > 1);
}

/** A file with its bytes. */
type Part = RowFile & { readonly bytes: Uint8Array };

/** Those of a run that fit into one file, by schema and size, two at least; undefined where one of them is not there. */
async function* mergeable(store: ObjectStore, run: readonly RowFile[]): AsyncGenerator<Part[] | undefined> {
  let some: Part[] = [];
  let size = 0;
  let schema: string | undefined;
  for (const file of run) {
    const bytes = await store.read(file.name);
    if (bytes === undefined) return void (yield undefined);
    const its = file.name.endsWith('.parquet') ? parquetSchemaText(bytes) : scoresSchemaText(bytes);
    if (some.length > 0 && (its !== schema || size + bytes.length > mergedBytes)) {
      if (some.length > 1) yield some;
      some = [];
      size = 0;
    }
    schema = its;
    size += bytes.length;
    some.push({ ...file, bytes });
  }
  if (some.length > 1) yield some;
}

async function mergeFiles(store: ObjectStore, partition: string, of: readonly Part[]): Promise<RowFile> {
  const { nextOffset, endedMs } = of.at(-1)!;
  const file: RowFile = {
    name: mergedName(of),
    rows: of.reduce((sum, { rows }) => sum + rows, 0),
    nextOffset,
    endedMs,
  };
  await store.write(file.name, await bytesOf(of, file.rows));
  const record: MergedFile = { file, of: of.map(({ name }) => name) };
  await store.write(`${mergedFolder(partition)}/${mergedRecordName(file)}`, Buffer.from(mergedText(record)));
  return file;
}

/** What the last says of itself, from the offset of the first on. */
async function bytesOf(of: readonly Part[], rows: number): Promise<Uint8Array> {
  const isParquet = of[0]!.name.endsWith('.parquet');
  const said = ({ bytes }: Part): Record<string, string> =>
    isParquet ? parquetMetadataOf(bytes) : scoresMetadata(bytes);
  const first = said(of[0]!)['assay.first_offset'];
  const from = first === undefined ? {} : { 'assay.first_offset': first };
  const metadata = { ...said(of.at(-1)!), ...from, 'assay.rows': String(rows) };
  const files = of.map(({ bytes }) => bytes);
  return isParquet ? await mergedParquet(files, metadata) : Buffer.concat(mergedScores(files, metadata));
}

/** Has a manifest name what was merged, now or before, and removes what the newest one names no more. */
async function putInPlace(store: ObjectStore, partition: string, records: MergedRecords): Promise<void> {
  for (;;) {
    const merged = await records.read();
    const newest = await newestManifest(store, partition);
    if (newest === undefined || merged.length === 0) return;
    if ((await revised(store, keyOf(partition), newest, merged)) !== newest) continue;
    const named = new Set(newest.files.map(({ name }) => name));
    const there = new Map<string, ReadonlySet<string>>();
    for (const name of merged.flatMap(({ of }) => of)) {
      const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
      const names = there.get(folder) ?? new Set(await store.files(folder));
      there.set(folder, names);
      if (!named.has(name) && names.has(name.slice(name.lastIndexOf('/') + 1))) await store.remove(name);
    }
    return;
  }
}

function keyOf(partition: string): RowsKey {
  const [group = '', topic = '', number] = partition.split('/');
  return { group: folderText(group), topic: folderText(topic), partition: Number(number) };
}
