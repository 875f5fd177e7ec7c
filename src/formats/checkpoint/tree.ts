import type { CutFile } from './names.ts';

/**
 * The cuts of a partition form a tree: a full state is a root, changes hang from their parent. Two owners of one partition grow
 * two branches. Compaction adds a full state under the id of a cut that has changes already.
 */
export interface CutTree {
  readonly files: readonly CutFile[];
  /** Files of each cut, full states first. */
  readonly byId: ReadonlyMap<string, readonly CutFile[]>;
}

/** The tree that file names tell. */
export function cutTree(files: readonly CutFile[]): CutTree {
  const byId = new Map<string, CutFile[]>();
  const fullFirst = files.toSorted((a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined));
  for (const file of fullFirst) {
    const same = byId.get(file.id);
    if (same === undefined) byId.set(file.id, [file]);
    else same.push(file);
  }
  return { files, byId };
}

/**
 * Ids of all cuts, the best to restore first: greatest next offset; among equals the one with most cuts before it (a change of
 * truth makes a cut without a record), then the greatest id.
 */
export function cutsByPreference(tree: CutTree): string[] {
  const rank = (id: string) => ({
    id,
    nextOffset: tree.byId.get(id)![0]!.nextOffset,
    depth: ancestors(tree, id).length,
  });
  const ranked = [...tree.byId.keys()].map(rank);
  ranked.sort((a, b) => b.nextOffset - a.nextOffset || b.depth - a.depth || (a.id < b.id ? 1 : -1));
  return ranked.map(({ id }) => id);
}

/** Of the files given, which are all intact, those whose changes reach back to a full state. */
export function restorableFiles(tree: CutTree): Set<CutFile> {
  const children = new Map<string | undefined, CutFile[]>();
  for (const file of tree.files) {
    const siblings = children.get(file.parent);
    if (siblings === undefined) children.set(file.parent, [file]);
    else siblings.push(file);
  }
  const found = new Set(children.get(undefined) ?? []);
  // The set grows while it is walked.
  for (const { id } of found) for (const child of children.get(id) ?? []) found.add(child);
  return found;
}

/**
 * Files that nobody needs once `base`, a full state known to be intact, has a second one after it: those before `base`. Kept
 * are the branches that reach `base` or go beyond, whoever writes them, each back to its second full state.
 */
export function prunableFiles(tree: CutTree, base: CutFile): CutFile[] {
  const parents = new Set(tree.files.map((file) => file.parent));
  const kept = new Set<CutFile>();
  for (const file of tree.files) {
    if (file.nextOffset >= base.nextOffset && !parents.has(file.id)) keepBranch(tree, file.id, kept);
  }
  const upToBase = new Set([base.id, ...ancestors(tree, base.id)]);
  return tree.files.filter((file) => {
    const older = file.nextOffset < base.nextOffset || (file.nextOffset === base.nextOffset && upToBase.has(file.id));
    return older && !kept.has(file) && file.name !== base.name;
  });
}

/** Adds the files of a cut and of the cuts before it, up to the second full state. */
function keepBranch(tree: CutTree, leaf: string, kept: Set<CutFile>): void {
  let fulls = 0;
  for (const id of [leaf, ...ancestors(tree, leaf)]) {
    const [first, ...others] = tree.byId.get(id) ?? [];
    if (first === undefined) continue;
    kept.add(first);
    if (first.parent === undefined && ++fulls === 2) return;
    for (const file of others) kept.add(file);
  }
}

/** Ids of the cuts before a cut, nearest first, as far as file names tell. */
function ancestors(tree: CutTree, id: string): string[] {
  const found = new Set([id]);
  for (let parent = parentOf(tree, id); parent !== undefined && !found.has(parent); parent = parentOf(tree, parent)) {
    found.add(parent);
  }
  found.delete(id);
  return [...found];
}

function parentOf(tree: CutTree, id: string): string | undefined {
  return tree.byId.get(id)?.at(-1)?.parent;
}
