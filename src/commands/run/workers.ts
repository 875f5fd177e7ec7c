import { Worker } from 'node:worker_threads';
import { systemClock } from '../../adapters/system-clock.ts';
import { UsageError } from '../../errors.ts';
import type { Hearing } from '../../service/hear-scorer.ts';
import { sizeOf } from '../../service/scorer-messages.ts';
import type { WorkerMessage, WorkerOrder, WorkerRequest } from './messages.ts';

export interface WorkersOptions {
  readonly count: number;
  readonly request: Omit<WorkerRequest, 'worker'>;
  readonly hearing: Hearing;
  /** How long those that still run are waited for at the end. */
  readonly graceMs: number;
  /** Aborted when a stop takes too long. */
  readonly stopping: AbortController;
}

/** Threads that score, each a member of the group with its own partitions. */
export interface Workers {
  stop(): void;
  /** Resolves with the exit status of each; rejects with what one failed of. */
  readonly ended: Promise<number[]>;
  /** Waits for those that still run, for the grace period at most. */
  end(): Promise<void>;
}

/**
 * Megabytes of the young generation of a worker. Nearly all that scoring makes is garbage at once: the larger it is, the less of it is copied. Measured:
 * docs/decisions/0008-one-read-model.md.
 */
const youngMegabytes = 64;

/** Starts workers, and hears what they tell. */
export function startWorkers({ count, request, hearing, graceMs, stopping }: WorkersOptions): Workers {
  const workers = Array.from({ length: count }, (_, at) => startWorker({ ...request, worker: at + 1 }, hearing));
  const order = (given: WorkerOrder): void => {
    for (const { thread } of workers) thread.postMessage(given);
  };
  stopping.signal.addEventListener('abort', () => order('give up'));
  const ended = workers.map((worker) => worker.ended);
  return {
    stop: () => order('stop'),
    ended: Promise.all(ended),
    async end() {
      await Promise.race([Promise.allSettled(ended), systemClock.sleep(graceMs, stopping.signal)]);
      stopping.abort();
      await Promise.all(workers.map(({ thread }) => thread.terminate()));
    },
  };
}

function startWorker(
  request: WorkerRequest,
  hearing: Hearing,
): { readonly thread: Worker; readonly ended: Promise<number> } {
  const thread = new Worker(new URL('./scoring-worker.js', import.meta.url), {
    workerData: request,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
  const ended = new Promise<number>((resolve, reject) => {
    const hear = async (message: WorkerMessage): Promise<void> => {
      if (message.kind === 'ended') resolve(message.status);
      else if (message.kind === 'failed') reject(failureOf(message));
      else {
        const size = sizeOf(message);
        await hearing.hear(request.worker, message);
        thread.postMessage(size satisfies WorkerOrder);
      }
    };
    thread.on('message', (message: WorkerMessage) => void hear(message).catch(reject));
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error(`thread ${request.worker} ended without an error`)));
  });
  ended.catch(() => undefined);
  return { thread, ended };
}

function failureOf({ isUsage, message }: Extract<WorkerMessage, { kind: 'failed' }>): Error {
  return isUsage ? new UsageError(message) : new Error(message);
}
