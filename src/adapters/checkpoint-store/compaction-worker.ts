import { encode, restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, checkpointFileName } from '../../formats/checkpoint/names.ts';
import { prunableFiles } from '../../formats/checkpoint/tree.ts';
import type { Checkpoint } from '../../ports.ts';
import { finish } from '../../state/steps.ts';
import type { ObjectStore, StoreSettings } from '../object-store/object-store.ts';
import { openStore } from '../object-store/open-store.ts';
import { answerRequests } from '../standing-worker.ts';
import { yieldToOthers } from '../thread-priority.ts';
import { chainTo, countSnapshots, type FolderScan, readIntact, scanFolder } from './checkpoint-folder.ts';

/**
 * A thread that compacts one partition's folder after the other: it writes a snapshot of a checkpoint, then removes what is older than the snapshot
 * before that. Two snapshots, each with the deltas after it, stay. It fails where the checkpoint cannot be restored from the folder.
 */
export interface CompactionRequest {
  readonly store: StoreSettings;
  readonly folder: string;
  /** The checkpoint to make a snapshot of; one that is a snapshot already is left as it is. */
  readonly id: string;
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
answerRequests<CompactionRequest, CompactionResult>(async (request) => ({ answer: await compact(request) }));

async function compact({ store: settings, folder, id }: CompactionRequest): Promise<CompactionResult> {
  const store = await openStore(settings);
  const scan = await scanFolder(store, folder);
  const chain = await chainTo(scan, id, new Set());
  if (chain === undefined) throw new Error(`files that checkpoint ${id} needs are gone or damaged`);
  const snapshot = chain.length === 1 ? chain[0]! : snapshotOf(chain);
  if (chain.length > 1) await store.write(`${folder}/${checkpointFileName(snapshot)}`, snapshot.bytes, pace);
  const oldest = await newestSnapshotBefore(scan, snapshot);
  const removed = oldest === undefined ? 0 : await prune(store, folder, oldest, snapshot.id);
  const { tree } = await scanFolder(store, folder);
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
async function prune(store: ObjectStore, folder: string, oldest: CheckpointFile, newestId: string): Promise<number> {
  const scan = await scanFolder(store, folder);
  const newest = scan.tree.byId.get(newestId)?.[0];
  if (newest === undefined || (await readIntact(scan, newest)) === undefined) return 0;
  const old = prunableFiles(scan.tree, oldest);
  // Newest first: what is left if this stops half way still restores.
  for (const file of old.toReversed()) await store.remove(`${folder}/${file.name}`);
  return old.length;
}
