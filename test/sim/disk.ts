import { encodeFull, peek, restoreStore } from '../../src/formats/checkpoint/checkpoint.ts';
import { type CutFile, checkpointFileName } from '../../src/formats/checkpoint/names.ts';
import { type CutTree, cutsByPreference, cutTree, prunableFiles } from '../../src/formats/checkpoint/tree.ts';
import type { CheckpointFile } from '../../src/ports.ts';

/** A file on the disk that all processes share, as the file store writes them. */
export interface DiskFile extends CutFile {
  bytes: Uint8Array;
}

/** The checkpoint folder of one partition. */
export type Folder = DiskFile[];

/** Puts a file under its name, whole. */
export function put(folder: Folder, file: CheckpointFile, bytes: Uint8Array = file.bytes): DiskFile {
  const { id, parent, nextOffset } = file;
  const name = checkpointFileName(file);
  const at = folder.findIndex((there) => there.name === name);
  const entry: DiskFile = { name, id, parent, nextOffset, bytes };
  if (at < 0) folder.push(entry);
  else folder[at] = entry;
  return entry;
}

export function treeOf(folder: Folder): CutTree {
  return cutTree(folder);
}

/** Files from a full state to the best cut, by the file store's own order of preference; undefined where nothing can be restored. */
export function bestChain(folder: Folder): CheckpointFile[] | undefined {
  const tree = treeOf(folder);
  for (const id of cutsByPreference(tree)) {
    const chain = chainTo(tree, id);
    if (chain !== undefined) return chain;
  }
  return undefined;
}

/** Files from the nearest intact full state to a cut. */
export function chainTo(tree: CutTree, id: string): CheckpointFile[] | undefined {
  const chain: CheckpointFile[] = [];
  const passed = new Set<string>();
  for (let cut: string | undefined = id; cut !== undefined && !passed.has(cut); ) {
    passed.add(cut);
    const found: CutFile | undefined = (tree.byId.get(cut) ?? []).find(isIntact);
    if (found === undefined) return undefined;
    chain.push({ id: found.id, parent: found.parent, nextOffset: found.nextOffset, bytes: bytesOf(found) });
    if (found.parent === undefined) return chain.reverse();
    cut = found.parent;
  }
  return undefined;
}

/**
 * What the file store's worker does: makes a full state of a cut at the end of a chain, and removes what is older than the full
 * state that the chain began with. False where the cut cannot be restored.
 */
export function tidy(folder: Folder, id: string): boolean {
  const tree = treeOf(folder);
  const chain = chainTo(tree, id);
  if (chain === undefined) return false;
  if (chain.length === 1) return true;
  const { store, head } = restoreStore(chain.map(({ bytes }) => bytes));
  put(folder, { id: head.id, parent: undefined, nextOffset: head.nextOffset, bytes: encodeFull(store, head) });
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
export function isIntact(file: CutFile): boolean {
  const head = peek(bytesOf(file));
  return (
    head !== undefined && head.id === file.id && head.parent === file.parent && head.nextOffset === file.nextOffset
  );
}

export function fullStates(folder: Folder): number {
  return folder.filter((file) => file.parent === undefined && isIntact(file)).length;
}

function bytesOf(file: CutFile): Uint8Array {
  return (file as DiskFile).bytes;
}
