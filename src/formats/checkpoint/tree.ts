import type { CheckpointFile } from './names.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';

/**
 * The checkpoints of a partition form a tree: a snapshot is a root, a delta hangs from its base. Two owners of one partition grow
 * two branches. Compaction adds a snapshot under the id of a checkpoint that is there as a delta.
 */
export interface CheckpointTree {
  readonly files: readonly CheckpointFile[];
  /** Files of each checkpoint, the snapshot first. */
  readonly byId: ReadonlyMap<string, readonly CheckpointFile[]>;
}

/** The tree of the checkpoints with these file names. */
export function checkpointTree(files: readonly CheckpointFile[]): CheckpointTree {
  const byId = new Map<string, CheckpointFile[]>();
  const snapshotsFirst = files.toSorted((a, b) => Number(a.base !== undefined) - Number(b.base !== undefined));
  for (const file of snapshotsFirst) getOrPut(byId, file.id, () => []).push(file);
  return { files, byId };
}

/**
 * Ids of all checkpoints, the best to restore first: greatest next offset; among equals the one with most checkpoints before it (a
 * change of truth makes one without a record), then the greatest id.
 */
export function idsByPreference(tree: CheckpointTree): string[] {
  const rank = (id: string) => ({
    id,
    nextOffset: tree.byId.get(id)![0]!.nextOffset,
    depth: ancestors(tree, id).length,
  });
  const ranked = [...tree.byId.keys()].map(rank);
  ranked.sort((a, b) => b.nextOffset - a.nextOffset || b.depth - a.depth || (a.id < b.id ? 1 : -1));
  return ranked.map(({ id }) => id);
}

/** The intact files whose chain reaches back to a snapshot. */
export function restorableFiles(tree: CheckpointTree): Set<CheckpointFile> {
  const children = new Map<string | undefined, CheckpointFile[]>();
  for (const file of tree.files) getOrPut(children, file.base, () => []).push(file);
  const found = new Set(children.get(undefined) ?? []);
  // The set grows while it is walked.
  for (const { id } of found) for (const child of children.get(id) ?? []) found.add(child);
  return found;
}

/**
 * Files that are superfluous once `oldest`, a snapshot that was found intact, has a second one after it: those before `oldest`. Kept
 * are the branches that reach `oldest` or go beyond, of any writer, each back to its second snapshot.
 */
export function prunableFiles(tree: CheckpointTree, oldest: CheckpointFile): CheckpointFile[] {
  const bases = new Set(tree.files.map((file) => file.base));
  const kept = new Set<CheckpointFile>();
  for (const file of tree.files) {
    if (file.nextOffset >= oldest.nextOffset && !bases.has(file.id)) addBranch(tree, file.id, kept);
  }
  const upToOldest = new Set([oldest.id, ...ancestors(tree, oldest.id)]);
  return tree.files.filter((file) => {
    const older =
      file.nextOffset < oldest.nextOffset || (file.nextOffset === oldest.nextOffset && upToOldest.has(file.id));
    return older && !kept.has(file) && file.name !== oldest.name;
  });
}

/** Adds the files of a checkpoint and of those before it, up to the second snapshot. */
function addBranch(tree: CheckpointTree, leaf: string, kept: Set<CheckpointFile>): void {
  let snapshots = 0;
  for (const id of [leaf, ...ancestors(tree, leaf)]) {
    const [first, ...others] = tree.byId.get(id) ?? [];
    if (first === undefined) continue;
    kept.add(first);
    if (first.base === undefined && ++snapshots === 2) return;
    for (const file of others) kept.add(file);
  }
}

/** Ids of the checkpoints before one, nearest first, as far as there are files. */
function ancestors(tree: CheckpointTree, id: string): string[] {
  const found = new Set([id]);
  for (let base = baseOf(tree, id); base !== undefined && !found.has(base); base = baseOf(tree, base)) found.add(base);
  found.delete(id);
  return [...found];
}

function baseOf(tree: CheckpointTree, id: string): string | undefined {
  return tree.byId.get(id)?.at(-1)?.base;
}
