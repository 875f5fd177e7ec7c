import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ignore, namesIn } from './checkpoint-folder.ts';
import { type LoadedFolder, loadFolder } from './load-folder.ts';
import { resultOf } from './thread-result.ts';

/** Loads folders: small ones here, each large one in a thread, as many at once as there are processors. */
export interface LoadThreads {
  load(folder: string): Promise<LoadedFolder>;
  close(): Promise<void>;
}

/** Below this a thread takes longer to begin, on busy processors, than the files to be read. */
const threadFromBytes: number = 2 ** 24;

/** No thread yet. */
export function loadThreads(): LoadThreads {
  const workers = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let closed = false;

  async function loadInThread(folder: string): Promise<LoadedFolder> {
    while (workers.size >= availableParallelism() && !closed)
      await new Promise<void>((resolve) => waiting.push(resolve));
    if (closed) throw new Error(`${folder} is not loaded: the service stops`);
    const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: folder });
    workers.add(worker);
    try {
      return await resultOf(worker);
    } finally {
      workers.delete(worker);
      waiting.shift()?.();
    }
  }

  return {
    load: async (folder) => ((await bytesIn(folder)) < threadFromBytes ? loadFolder(folder) : loadInThread(folder)),
    async close() {
      closed = true;
      for (const wake of waiting.splice(0)) wake();
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder))
    bytes += (await stat(join(folder, name)).catch(ignore('ENOENT')))?.size ?? 0;
  return bytes;
}
