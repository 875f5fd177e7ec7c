import { join } from 'node:path';
import type { LoadedFile, LoadedFolder } from './load-folder.ts';

/** What this process knows of the checkpoint chain that it writes: the newest snapshot and the deltas after it. */
export interface CheckpointChain {
  /** Snapshots in the folder. */
  snapshots: number;
  snapshotBytes: number;
  deltas: { readonly id: string; readonly bytes: number }[];
  deltaBytes: number;
  /** Snapshots saved since the folder was last compacted. */
  snapshotsSaved: number;
  lastId: string | undefined;
  lastPath: string;
  /** A compaction that failed is tried again at this number of deltas. */
  attemptAt: number;
  broken: boolean;
}

/** Of a folder without files. */
export function emptyChain(): CheckpointChain {
  const sizes = { snapshots: 0, snapshotBytes: 0, deltas: [], deltaBytes: 0, snapshotsSaved: 0 };
  return { ...sizes, lastId: undefined, lastPath: '', attemptAt: 0, broken: false };
}

/** Of a folder that was loaded. */
export function chainOf(folder: string, { files, snapshots }: LoadedFolder): CheckpointChain {
  const chain = emptyChain();
  for (const file of files) append(chain, file, join(folder, file.name));
  return Object.assign(chain, { snapshots, snapshotsSaved: 0 });
}

/** Takes note of a file that was saved. */
export function append(chain: CheckpointChain, { id, base, bytes }: Omit<LoadedFile, 'name'>, path: string): void {
  chain.lastId = id;
  chain.lastPath = path;
  if (base === undefined) {
    Object.assign(chain, { snapshotBytes: bytes, deltas: [], deltaBytes: 0, attemptAt: 0, broken: false });
    chain.snapshots++;
    chain.snapshotsSaved++;
  } else {
    chain.deltas.push({ id, bytes });
    chain.deltaBytes += bytes;
  }
}

/** Whether the deltas should become a snapshot: they are many, or long, or there is only one snapshot. */
export function isDue(chain: CheckpointChain, compactAfterFiles: number): boolean {
  const { deltas, deltaBytes, snapshots, snapshotBytes, snapshotsSaved, attemptAt } = chain;
  if (deltas.length < attemptAt) return false;
  if (snapshots < 2 && deltas.length > 0) return true;
  const isLong = deltaBytes > Math.max(compactFloorBytes, deltaShare * snapshotBytes);
  return isLong || deltas.length > compactAfterFiles || snapshotsSaved > 2;
}

/** Deltas that come to more than this share of the snapshot are compacted: a byte of them takes longer to read than one of that. */
const deltaShare = 1 / 3;

/** Bytes of deltas below which their size leads to no compaction. */
const compactFloorBytes: number = 4 * 2 ** 20;
