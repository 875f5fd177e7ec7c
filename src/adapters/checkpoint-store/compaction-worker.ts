import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeSnapshot, restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, checkpointFileName } from '../../formats/checkpoint/names.ts';
import { prunableFiles } from '../../formats/checkpoint/tree.ts';
import type { Checkpoint } from '../../ports.ts';
import { yieldToOthers } from '../thread-priority.ts';
import {
  chainTo,
  countSnapshots,
  type FolderScan,
  readIntact,
  removeFile,
  removeStale,
  scanFolder,
  writeDurably,
} from './checkpoint-folder.ts';

/**
 * A thread that compacts one partition's folder once: it writes a snapshot of the checkpoint at the end of a chain, then removes what is
 * older than the snapshot that the chain began with. Two snapshots, each with the deltas after it, stay.
 */
export interface CompactionRequest {
  readonly folder: string;
  /** The checkpoint to make a snapshot of; one that is a snapshot already is left as it is. */
  readonly id: string;
  readonly token: string;
}

export type CompactionResult =
  | { readonly done: true; readonly snapshotBytes: number; readonly snapshots: number; readonly removed: number }
  /** The checkpoint cannot be restored from the folder: only a snapshot of the state in memory helps. */
  | { readonly done: false; readonly why: string };

/** Bytes a second: a large state must not keep the disk from the deltas of those that score. */
const pace = 5e6;

yieldToOthers();
parentPort?.postMessage(await compact(workerData as CompactionRequest));

async function compact({ folder, id, token }: CompactionRequest): Promise<CompactionResult> {
  const scan = await scanFolder(folder);
  const found = await snapshotOf(scan, id);
  if (typeof found === 'string') return { done: false, why: found };
  const { snapshot, first } = found;
  const oldest = first === undefined ? await newestSnapshotBefore(scan, snapshot) : scan.tree.byId.get(first)![0]!;
  const name = checkpointFileName(snapshot);
  if (first !== undefined) await writeDurably(folder, name, snapshot.bytes, token, pace);
  const written = await stat(join(folder, name));
  const removed = oldest === undefined ? 0 : await prune(folder, oldest, { ...snapshot, name });
  await removeStale(folder, token, written.mtimeMs);
  const { tree } = await scanFolder(folder);
  const snapshots = countSnapshots(tree, scan.damaged);
  return { done: true, snapshotBytes: snapshot.bytes.length, snapshots, removed };
}

interface FoundSnapshot {
  readonly snapshot: Checkpoint;
  /** The snapshot that its chain begins with, undefined where it is that itself. */
  readonly first: string | undefined;
}

/** The snapshot of a checkpoint, or why there is none. */
async function snapshotOf(scan: FolderScan, id: string): Promise<FoundSnapshot | string> {
  const chain = await chainTo(scan, id, new Set());
  // They are large, and what follows takes long.
  scan.read.clear();
  if (chain === undefined) return `files that checkpoint ${id} needs are gone or damaged`;
  const [first] = chain;
  if (chain.length === 1) return { snapshot: first!, first: undefined };
  const snapshot = restored(chain);
  return typeof snapshot === 'string' ? snapshot : { snapshot, first: first!.id };
}

function restored(chain: readonly Checkpoint[]): Checkpoint | string {
  try {
    const { store, head } = restoreStore(chain.map(({ bytes }) => bytes));
    return { id: head.id, base: undefined, nextOffset: head.nextOffset, bytes: encodeSnapshot(store, head) };
  } catch (error) {
    return String(error);
  }
}

async function newestSnapshotBefore(scan: FolderScan, snapshot: Checkpoint): Promise<CheckpointFile | undefined> {
  const others = scan.tree.files.filter((file) => file.base === undefined && file.id !== snapshot.id);
  const older = others.filter((file) => file.nextOffset <= snapshot.nextOffset);
  for (const file of older.toSorted((a, b) => b.nextOffset - a.nextOffset || (a.id < b.id ? 1 : -1))) {
    if ((await readIntact(scan, file)) !== undefined) return file;
  }
  return undefined;
}

/** Removes what `oldest` and `newest` make needless, once `newest` reads back intact. */
async function prune(folder: string, oldest: CheckpointFile, newest: CheckpointFile): Promise<number> {
  const scan = await scanFolder(folder);
  if ((await readIntact(scan, scan.tree.byId.get(newest.id)?.[0] ?? newest)) === undefined) return 0;
  const old = prunableFiles(scan.tree, oldest);
  // Newest first: what is left if this stops half way still restores.
  for (const file of old.toReversed()) await removeFile(join(folder, file.name));
  return old.length;
}
