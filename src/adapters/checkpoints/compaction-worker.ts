import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeFull, headOf, restoreStore } from '../../codec/checkpoint.ts';
import { type CutFile, checkpointFileName } from '../../codec/checkpoint-names.ts';
import { prunableFiles } from '../../codec/checkpoint-tree.ts';
import type { CheckpointFile } from '../../ports.ts';
import { yieldToOthers } from '../thread-priority.ts';
import {
  chainTo,
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

yieldToOthers();
parentPort?.postMessage(await tidy(workerData as TidyRequest));

async function tidy({ folder, id, token }: TidyRequest): Promise<TidyResult> {
  const look = await lookInto(folder);
  const chain = await chainTo(look, id, new Set());
  if (chain === undefined) return { done: false, why: `files that cut ${id} needs are gone or damaged` };
  const full = chain.length > 1 ? compact(chain) : chain[0]!;
  if (typeof full === 'string') return { done: false, why: full };
  const base = chain.length > 1 ? look.tree.byId.get(chain[0]!.id)![0]! : await newestFullBefore(look, full);
  const name = checkpointFileName(full);
  if (chain.length > 1) await writeDurably(folder, name, full.bytes, token);
  const written = await stat(join(folder, name));
  const removed = base === undefined ? 0 : await prune(folder, base, { ...full, name });
  await removeStale(folder, token, written.mtimeMs);
  const { tree } = await lookInto(folder);
  const fulls = tree.files.filter(
    (file) => file.parent === undefined && !look.damaged.some(({ name }) => name === file.name),
  );
  return { done: true, fullBytes: full.bytes.length, fulls: fulls.length, removed };
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
