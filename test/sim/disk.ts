import { headOf } from '../../src/formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, checkpointFileName } from '../../src/formats/checkpoint/names.ts';
import {
  type CheckpointTree,
  checkpointTree,
  idsByPreference,
  prunableFiles,
} from '../../src/formats/checkpoint/tree.ts';
import type { Checkpoint } from '../../src/ports.ts';
import { encodeSnapshot, restored } from '../support/encoded.ts';

/** A file on the disk that all processes share, as the file store writes them. */
export interface DiskFile extends CheckpointFile {
  bytes: Uint8Array;
}

/** The checkpoint folder of one partition. */
export type Folder = DiskFile[];

/** Puts a file under its name, whole. */
export function put(folder: Folder, file: Checkpoint, bytes: Uint8Array = file.bytes): DiskFile {
  const { id, base, nextOffset } = file;
  const name = checkpointFileName(file);
  const at = folder.findIndex((there) => there.name === name);
  const entry: DiskFile = { name, id, base, nextOffset, bytes };
  if (at < 0) folder.push(entry);
  else folder[at] = entry;
  return entry;
}

export function treeOf(folder: Folder): CheckpointTree {
  return checkpointTree(folder);
}

/** Files from a snapshot to the best checkpoint, by the file store's own order of preference; undefined where nothing can be restored. */
export function bestChain(folder: Folder): Checkpoint[] | undefined {
  const tree = treeOf(folder);
  for (const id of idsByPreference(tree)) {
    const chain = chainTo(tree, id);
    if (chain !== undefined) return chain;
  }
  return undefined;
}

/** Files from the nearest intact snapshot to a checkpoint. */
export function chainTo(tree: CheckpointTree, id: string): Checkpoint[] | undefined {
  const chain: Checkpoint[] = [];
  const passed = new Set<string>();
  for (let next: string | undefined = id; next !== undefined && !passed.has(next); ) {
    passed.add(next);
    const found: CheckpointFile | undefined = (tree.byId.get(next) ?? []).find(isIntact);
    if (found === undefined) return undefined;
    chain.push({ id: found.id, base: found.base, nextOffset: found.nextOffset, bytes: bytesOf(found) });
    if (found.base === undefined) return chain.reverse();
    next = found.base;
  }
  return undefined;
}

/**
 * What the file store's worker does: makes a snapshot of a checkpoint at the end of a chain, and removes what is older than the
 * snapshot that the chain began with. False where the checkpoint cannot be restored.
 */
export function compact(folder: Folder, id: string): boolean {
  const tree = treeOf(folder);
  const chain = chainTo(tree, id);
  if (chain === undefined) return false;
  if (chain.length === 1) return true;
  const { store, head } = restored(chain.map(({ bytes }) => bytes));
  put(folder, { id: head.id, base: undefined, nextOffset: head.nextOffset, bytes: encodeSnapshot(store, head) });
  const base = tree.byId.get(chain[0]!.id)![0]!;
  const old = prunableFiles(treeOf(folder), base).map(({ name }) => name);
  for (const name of old)
    folder.splice(
      folder.findIndex((file) => file.name === name),
      1,
    );
  return true;
}

/** Whether a file says what its name says, to the last bit. */
export function isIntact(file: CheckpointFile): boolean {
  const head = headOf(bytesOf(file));
  return head !== undefined && head.id === file.id && head.base === file.base && head.nextOffset === file.nextOffset;
}

export function snapshotsIn(folder: Folder): number {
  return folder.filter((file) => file.base === undefined && isIntact(file)).length;
}

function bytesOf(file: CheckpointFile): Uint8Array {
  return (file as DiskFile).bytes;
}
