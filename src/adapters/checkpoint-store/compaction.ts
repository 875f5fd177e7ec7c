import { checkpointFileName } from '../../formats/checkpoint/names.ts';
import type { Checkpoint, Log } from '../../ports.ts';
import { codeOf, type StoreSettings } from '../object-store/object-store.ts';
import { standingThread } from '../standing-thread.ts';
import type { CompactionRequest, CompactionResult } from './compaction-worker.ts';

/** The state of the chain of checkpoints that it writes: the newest snapshot and the deltas after it. */
export interface CheckpointChain {
  readonly folder: string;
  /** Snapshots in the folder. */
  snapshots: number;
  snapshotBytes: number;
  deltas: number;
  deltaBytes: number;
  /** The last checkpoint, and the file of it. */
  lastId: string | undefined;
  lastPath: string;
  compacting: boolean;
  /** Files that the next delta would build on are gone or damaged. */
  broken: boolean;
}

/** The chain of a folder that was not looked at yet. */
export function emptyChain(folder: string): CheckpointChain {
  const sizes = { snapshots: 0, snapshotBytes: 0, deltas: 0, deltaBytes: 0 };
  return { folder, ...sizes, lastId: undefined, lastPath: '', compacting: false, broken: false };
}

/** Takes note of a file that was saved, or restored. */
export function append(chain: CheckpointChain, file: Checkpoint): void {
  chain.lastId = file.id;
  chain.lastPath = `${chain.folder}/${checkpointFileName(file)}`;
  if (file.base === undefined) {
    Object.assign(chain, { snapshotBytes: file.bytes.length, deltas: 0, deltaBytes: 0, broken: false });
    chain.snapshots++;
  } else {
    chain.deltas++;
    chain.deltaBytes += file.bytes.length;
  }
}

/** Makes snapshots of deltas in a thread, one folder after the other. */
export interface Compactor {
  /** Compacts the folder of a chain in its turn, where its deltas are many, or long, or it has more snapshots than two. */
  compactWhereDue(chain: CheckpointChain): void;
  close(): Promise<void>;
}

/** One that has nothing to do yet. */
export function createCompactor(store: StoreSettings, log: Log, compactAfterFiles: number): Compactor {
  let last = Promise.resolve();
  const thread = standingThread<CompactionRequest, CompactionResult>(
    new URL('./compaction-worker.js', import.meta.url),
  );
  let closed = false;

  async function compact(chain: CheckpointChain): Promise<void> {
    if (closed) return;
    const { folder } = chain;
    const id = chain.lastId!;
    // Those that come meanwhile are deltas from the snapshot that is made.
    Object.assign(chain, { deltas: 0, deltaBytes: 0 });
    try {
      const { snapshotBytes, snapshots, removed } = await thread.ask({ store, folder, id });
      Object.assign(chain, { snapshotBytes, snapshots: Math.min(snapshots, 2) });
      log.debug({ folder, removed, bytes: snapshotBytes }, 'checkpoints compacted');
    } catch (error) {
      // After an outage the deltas that come are reason enough to try again.
      const isOutage = codeOf(error) !== '';
      if (!isOutage) chain.broken = true;
      const next = isOutage ? 'tried again later' : 'the next one is a snapshot';
      if (!closed) log.warn({ folder, id, why: String(error) }, `checkpoints do not compact: ${next}`);
    }
    chain.compacting = false;
  }

  return {
    compactWhereDue(chain) {
      const { snapshots, snapshotBytes, deltas, deltaBytes } = chain;
      const isLong = deltaBytes > Math.max(compactFloorBytes, deltaShare * snapshotBytes);
      if (chain.compacting || !(isLong || deltas > compactAfterFiles || snapshots > 2)) return;
      chain.compacting = true;
      last = last.then(() => compact(chain));
    },
    async close() {
      closed = true;
      await thread.close();
    },
  };
}

/** Deltas that come to more than this share of the snapshot are compacted: a byte of them takes four times as long to read. */
const deltaShare = 1 / 3;

/** Bytes of deltas below which their size leads to no compaction. */
const compactFloorBytes: number = 4 * 2 ** 20;
