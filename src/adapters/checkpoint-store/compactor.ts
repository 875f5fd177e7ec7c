import { Worker } from 'node:worker_threads';
import type { Log } from '../../ports.ts';
import type { CheckpointChain } from './chain.ts';
import type { CompactionRequest, CompactionResult } from './compaction-worker.ts';
import { resultOf } from './thread-result.ts';

/** Makes snapshots of deltas in a thread, one folder after the other. */
export interface Compactor {
  /** Compacts a folder when its turn comes; a later request for the same chain replaces one that waits. */
  request(job: CompactionRequest, chain: CheckpointChain): void;
  close(): Promise<void>;
}

/** One that has nothing to do yet. */
export function createCompactor(log: Log): Compactor {
  const waiting = new Map<CheckpointChain, CompactionRequest>();
  let worker: Worker | undefined;
  let current: CheckpointChain | undefined;
  let closed = false;

  async function work(): Promise<void> {
    while (waiting.size > 0 && !closed) {
      const [chain, job] = waiting.entries().next().value!;
      waiting.delete(chain);
      current = chain;
      const { folder, id } = job;
      try {
        worker = new Worker(new URL('./compaction-worker.js', import.meta.url), { workerData: job });
        worker.unref();
        const result = await resultOf<CompactionResult>(worker);
        settle(chain, id, result);
        if (result.done)
          log.debug({ folder, removed: result.removed, bytes: result.snapshotBytes }, 'checkpoints compacted');
        else log.warn({ folder, id, why: result.why }, 'checkpoints do not compact: the next one is a snapshot');
      } catch (error) {
        chain.attemptAt = chain.deltas.length + 10;
        if (!closed)
          log.warn({ folder, id, error: String(error) }, 'compaction of checkpoints failed: tried again later');
      }
    }
    current = undefined;
    worker = undefined;
  }

  return {
    request(job, chain) {
      if (closed || current === chain) return;
      waiting.set(chain, job);
      if (current === undefined) void work();
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}

function settle(chain: CheckpointChain, id: string, result: CompactionResult): void {
  chain.snapshotsSaved = 0;
  if (!result.done) {
    chain.broken = true;
    chain.attemptAt = chain.deltas.length + 10;
    return;
  }
  chain.snapshots = result.snapshots;
  chain.attemptAt = 0;
  const at = chain.deltas.findIndex((delta) => delta.id === id);
  if (at < 0) return;
  chain.deltas = chain.deltas.slice(at + 1);
  chain.deltaBytes = chain.deltas.reduce((sum, delta) => sum + delta.bytes, 0);
  chain.snapshotBytes = result.snapshotBytes;
}
