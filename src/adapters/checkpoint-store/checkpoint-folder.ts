import { headOf } from '../../formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, folderName, parseCheckpointFileName } from '../../formats/checkpoint/names.ts';
import { type CheckpointTree, checkpointTree, idsByPreference } from '../../formats/checkpoint/tree.ts';
import type { Checkpoint } from '../../ports.ts';
import { codeOf, type ObjectStore } from '../object-store/object-store.ts';

/**
 * The folder of one partition's checkpoints. Several processes, on several hosts, may read and write it at once without locks: a
 * file appears whole under a name of its own and never changes.
 */

/** The files of a folder at a moment, and what was read of them since. */
export interface FolderScan {
  readonly store: ObjectStore;
  readonly folder: string;
  readonly tree: CheckpointTree;
  /** Bytes of files found intact, undefined for those that are damaged or gone. */
  readonly read: Map<CheckpointFile, Uint8Array | undefined>;
  readonly damaged: CheckpointFile[];
  /** True if a listed file was gone when it was to be read: another process prunes. */
  gone: boolean;
}

/** How many snapshots a folder holds, but for the files known to be damaged. */
export function countSnapshots({ files }: CheckpointTree, damaged: readonly CheckpointFile[]): number {
  const names = new Set(damaged.map(({ name }) => name));
  return files.filter(({ base, name }) => base === undefined && !names.has(name)).length;
}

/** Lists the checkpoint files of a folder by their names, to read them later; none where there is no folder. */
export async function scanFolder(store: ObjectStore, folder: string): Promise<FolderScan> {
  const files = (await store.files(folder)).map(parseCheckpointFileName).filter((file) => file !== undefined);
  return { store, folder, tree: checkpointTree(files), read: new Map(), damaged: [], gone: false };
}

/**
 * From a snapshot to the best checkpoint of a folder that can be restored, read and intact; none where there is no such. Where the way there leads
 * over the checkpoint `known`, what comes after that alone.
 */
export async function bestChain(
  store: ObjectStore,
  folder: string,
  known?: string,
): Promise<{ readonly scan: FolderScan; readonly chain: Checkpoint[] }> {
  // Another process may prune what was listed.
  for (let attempt = 1; ; attempt++) {
    const scan = await scanFolder(store, folder);
    const broken = new Set<string>();
    let chain: Checkpoint[] | undefined;
    for (const id of idsByPreference(scan.tree)) chain ??= await chainTo(scan, id, broken, known);
    if (!scan.gone || attempt === 5) return { scan, chain: chain ?? [] };
  }
}

/** From the nearest intact snapshot to a checkpoint, or from behind the one `known`; `broken` takes the ids of those that cannot be restored. */
export async function chainTo(
  scan: FolderScan,
  id: string,
  broken: Set<string>,
  known?: string,
): Promise<Checkpoint[] | undefined> {
  const chain: Checkpoint[] = [];
  const passed = new Set<string>();
  for (let next: string | undefined = id; next !== undefined && !passed.has(next) && !broken.has(next); ) {
    if (next === known) return chain.reverse();
    passed.add(next);
    const found = await firstIntact(scan, scan.tree.byId.get(next) ?? []);
    if (found === undefined) break;
    chain.push(found);
    if (found.base === undefined) return chain.reverse();
    next = found.base;
  }
  for (const each of passed) broken.add(each);
  return undefined;
}

/** Bytes of an intact file whose content fits its name and its folder, undefined otherwise. */
export async function readIntact(scan: FolderScan, file: CheckpointFile): Promise<Uint8Array | undefined> {
  if (scan.read.has(file)) return scan.read.get(file);
  // A copy of the file, or the way here, may have damaged what lies whole in the store.
  const first = await readFitting(scan, file, false);
  const found = first === 'damaged' ? await readFitting(scan, file, true) : first;
  if (found === 'damaged') scan.damaged.push(file);
  if (found === 'gone') scan.gone = true;
  const intact = typeof found === 'string' ? undefined : found;
  scan.read.set(file, intact);
  return intact;
}

async function firstIntact(scan: FolderScan, files: readonly CheckpointFile[]): Promise<Checkpoint | undefined> {
  for (const file of files) {
    const bytes = await readIntact(scan, file);
    if (bytes !== undefined) return { id: file.id, base: file.base, nextOffset: file.nextOffset, bytes };
  }
  return undefined;
}

async function readFitting(
  { store, folder }: FolderScan,
  file: CheckpointFile,
  anew: boolean,
): Promise<Uint8Array | 'damaged' | 'gone'> {
  try {
    const bytes = await store.read(`${folder}/${file.name}`, anew);
    if (bytes === undefined) return 'gone';
    return fits(folder, file, bytes) ? bytes : 'damaged';
  } catch (error) {
    // A sector that cannot be read, or a folder in the place of a file, is damage; anything else is an outage.
    if (!['EIO', 'EISDIR'].includes(codeOf(error))) throw error;
    return 'damaged';
  }
}

function fits(folder: string, file: CheckpointFile, bytes: Uint8Array): boolean {
  const head = headOf(bytes);
  if (head === undefined) return false;
  const [topic, partition] = folder.split('/').slice(-2);
  const placed = folderName(head.topic) === topic && String(head.partition) === partition;
  return placed && head.id === file.id && head.base === file.base && head.nextOffset === file.nextOffset;
}
