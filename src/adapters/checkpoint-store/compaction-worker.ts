import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { encode, restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, checkpointFileName } from '../../formats/checkpoint/names.ts';
import { prunableFiles } from '../../formats/checkpoint/tree.ts';
import type { Checkpoint } from '../../ports.ts';
import { finish } from '../../state/steps.ts';
import { yieldToOthers } from '../thread-priority.ts';
import {
  chainTo,
  countSnapshots,
  type FolderScan,
  readIntact,
  removeFile,
  scanFolder,
  writeDurably,
} from './checkpoint-folder.ts';

/**
 * A thread that compacts one partition's folder once: it writes a snapshot of a checkpoint, then removes what is older than the snapshot
 * before that. Two snapshots, each with the deltas after it, stay. It fails where the checkpoint cannot be restored from the folder.
 */
export interface CompactionRequest {
  readonly folder: string;
  /** The checkpoint to make a snapshot of; one that is a snapshot already is left as it is. */
  readonly id: string;
  /** Marks the temporary files of the process. */
  readonly token: string;
}

export interface CompactionResult {
  readonly snapshotBytes: number;
  readonly snapshots: number;
  /** Files removed. */
  readonly removed: number;
}

/** Bytes a second: a large state must not keep the disk from the deltas of those that score. */
const pace = 5e6;

yieldToOthers();
parentPort?.postMessage(await compact(workerData as CompactionRequest));

async function compact({ folder, id, token }: CompactionRequest): Promise<CompactionResult> {
  const scan = await scanFolder(folder);
  const chain = await chainTo(scan, id, new Set());
  if (chain === undefined) throw new Error(`files that checkpoint ${id} needs are gone or damaged`);
  const snapshot = chain.length === 1 ? chain[0]! : snapshotOf(chain);
  if (chain.length > 1) await writeDurably(folder, checkpointFileName(snapshot), snapshot.bytes, token, pace);
  const oldest = await newestSnapshotBefore(scan, snapshot);
  const removed = oldest === undefined ? 0 : await prune(folder, oldest, snapshot.id);
  const { tree } = await scanFolder(folder);
  return { snapshotBytes: snapshot.bytes.length, snapshots: countSnapshots(tree, scan.damaged), removed };
}

/** The checkpoint at the end of a chain as a snapshot. */
function snapshotOf(chain: readonly Checkpoint[]): Checkpoint {
  const { store, head } = finish(restoreStore(chain.map(({ bytes }) => bytes)));
  return {
    id: head.id,
    base: undefined,
    nextOffset: head.nextOffset,
    bytes: finish(encode(store, head, undefined)),
  };
}

async function newestSnapshotBefore(
  scan: FolderScan,
  { id, nextOffset }: Checkpoint,
): Promise<CheckpointFile | undefined> {
  const older = scan.tree.files.filter(
    (file) => file.base === undefined && file.id !== id && file.nextOffset <= nextOffset,
  );
  for (const file of older.toSorted((a, b) => b.nextOffset - a.nextOffset || (a.id < b.id ? 1 : -1))) {
    if ((await readIntact(scan, file)) !== undefined) return file;
  }
  return undefined;
}

/** Removes what two snapshots make needless, once the newest reads back intact. */
async function prune(folder: string, oldest: CheckpointFile, newestId: string): Promise<number> {
  const scan = await scanFolder(folder);
  const newest = scan.tree.byId.get(newestId)?.[0];
  if (newest === undefined || (await readIntact(scan, newest)) === undefined) return 0;
  const old = prunableFiles(scan.tree, oldest);
  // Newest first: what is left if this stops half way still restores.
  for (const file of old.toReversed()) await removeFile(join(folder, file.name));
  return old.length;
}
