import { Worker } from 'node:worker_threads';
import type { Log } from '../../ports.ts';
import type { Chain } from './chain.ts';
import type { TidyRequest, TidyResult } from './compaction-worker.ts';
import { resultOf } from './thread-result.ts';

/** Makes full states of changes in a thread, one folder after the other. */
export interface Tidier {
  /** Tidies a folder when its turn comes; a later request for the same chain replaces one that waits. */
  request(job: TidyRequest, chain: Chain): void;
  close(): Promise<void>;
}

/** One that has nothing to do yet. */
export function createTidier(log: Log): Tidier {
  const waiting = new Map<Chain, TidyRequest>();
  let worker: Worker | undefined;
  let current: Chain | undefined;
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
        const result = await resultOf<TidyResult>(worker);
        settle(chain, id, result);
        if (result.done)
          log.debug({ folder, removed: result.removed, bytes: result.fullBytes }, 'checkpoints compacted');
        else log.warn({ folder, id, why: result.why }, 'checkpoints do not compact: the next one is a full state');
      } catch (error) {
        chain.attemptAt = chain.changes.length + 10;
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

function settle(chain: Chain, id: string, result: TidyResult): void {
  chain.fullsSaved = 0;
  if (!result.done) {
    chain.broken = true;
    chain.attemptAt = chain.changes.length + 10;
    return;
  }
  chain.fulls = result.fulls;
  chain.attemptAt = 0;
  const at = chain.changes.findIndex((change) => change.id === id);
  if (at < 0) return;
  chain.changes = chain.changes.slice(at + 1);
  chain.changesBytes = chain.changes.reduce((sum, change) => sum + change.bytes, 0);
  chain.fullBytes = result.fullBytes;
}
