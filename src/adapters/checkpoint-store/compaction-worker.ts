import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeFull, headOf, restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { type CutFile, checkpointFileName } from '../../formats/checkpoint/names.ts';
import { prunableFiles } from '../../formats/checkpoint/tree.ts';
import type { CheckpointFile } from '../../ports.ts';
import { yieldToOthers } from '../thread-priority.ts';
import {
  chainTo,
  countFulls,
  type Look,
  lookInto,
  readIntact,
  removeFile,
  removeStale,
  writeDurably,
} from './checkpoint-folder.ts';

/**
 * A thread that tidies one partition's folder once: it writes the full state of a cut that lies at the end of a chain of changes,
 * then removes what is older than the full state that the chain began with. Two full states, each with the changes after it, stay.
 */
export interface TidyRequest {
  readonly folder: string;
  /** The cut to make a full state of; one that is full already is left as it is. */
  readonly id: string;
  readonly token: string;
}

export type TidyResult =
  | { readonly done: true; readonly fullBytes: number; readonly fulls: number; readonly removed: number }
  /** The cut cannot be restored from the folder: only a full state from memory helps. */
  | { readonly done: false; readonly why: string };

/** Bytes a second: a large state must not keep the disk from the changes of those that score. */
const pace = 5e6;

yieldToOthers();
parentPort?.postMessage(await tidy(workerData as TidyRequest));

async function tidy({ folder, id, token }: TidyRequest): Promise<TidyResult> {
  const look = await lookInto(folder);
  const found = await fullStateOf(look, id);
  if (typeof found === 'string') return { done: false, why: found };
  const { full, first } = found;
  const base = first === undefined ? await newestFullBefore(look, full) : look.tree.byId.get(first)![0]!;
  const name = checkpointFileName(full);
  if (first !== undefined) await writeDurably(folder, name, full.bytes, token, pace);
  const written = await stat(join(folder, name));
  const removed = base === undefined ? 0 : await prune(folder, base, { ...full, name });
  await removeStale(folder, token, written.mtimeMs);
  const { tree } = await lookInto(folder);
  return { done: true, fullBytes: full.bytes.length, fulls: countFulls(tree, look.damaged), removed };
}

interface FullState {
  readonly full: CheckpointFile;
  /** The full state that its chain begins with, undefined where it is that itself. */
  readonly first: string | undefined;
}

/** The full state of a cut, or why there is none. */
async function fullStateOf(look: Look, id: string): Promise<FullState | string> {
  const chain = await chainTo(look, id, new Set());
  // They are large, and what follows takes long.
  look.read.clear();
  if (chain === undefined) return `files that cut ${id} needs are gone or damaged`;
  const [first] = chain;
  if (chain.length === 1) return { full: first!, first: undefined };
  const full = compact(chain);
  return typeof full === 'string' ? full : { full, first: first!.id };
}

function compact(chain: readonly CheckpointFile[]): CheckpointFile | string {
  try {
    const { store, head } = restoreStore(
      chain.map(({ bytes }) => bytes),
      headOf,
    );
    return { id: head.id, parent: undefined, nextOffset: head.nextOffset, bytes: encodeFull(store, head) };
  } catch (error) {
    return String(error);
  }
}

async function newestFullBefore(look: Look, full: CheckpointFile): Promise<CutFile | undefined> {
  const fulls = look.tree.files.filter((file) => file.parent === undefined && file.id !== full.id);
  const older = fulls.filter((file) => file.nextOffset <= full.nextOffset);
  for (const file of older.toSorted((a, b) => b.nextOffset - a.nextOffset || (a.id < b.id ? 1 : -1))) {
    if ((await readIntact(look, file)) !== undefined) return file;
  }
  return undefined;
}

/** Removes what `base` and `full` make needless, once `full` reads back intact. */
async function prune(folder: string, base: CutFile, full: CutFile): Promise<number> {
  const look = await lookInto(folder);
  if ((await readIntact(look, look.tree.byId.get(full.id)?.[0] ?? full)) === undefined) return 0;
  const old = prunableFiles(look.tree, base);
  // Newest first: what is left if this stops half way still restores.
  for (const file of old.toReversed()) await removeFile(join(folder, file.name));
  return old.length;
}
