import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ignore, listCuts } from './checkpoint-folder.ts';
import { type LoadedFolder, loadFolder } from './load-folder.ts';

/** Loads folders: small ones here, large ones in threads, as many at once as there are processors. What is in memory then is shared. */
export interface LoadThreads {
  /** `bytes`, where the caller has asked already: what `bytesToLoad` says of the folder. */
  load(folder: string, bytes?: number): Promise<LoadedFolder>;
  close(): Promise<void>;
}

/** What a thread says of a folder. */
export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly loaded: LoadedFolder }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string };

/** Below this a thread takes longer to begin, on busy processors, than the files to be read. */
export const threadFromBytes: number = 2 ** 23;

interface Job {
  readonly folder: string;
  readonly bytes: number;
  readonly resolve: (loaded: LoadedFolder) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that begin when there is a folder for them, and end when there is none. */
export function loadThreads(): LoadThreads {
  const waiting: Job[] = [];
  const workers = new Set<Worker>();
  let closed = false;

  async function work(): Promise<void> {
    const worker = new Worker(new URL('./load-worker.js', import.meta.url));
    workers.add(worker);
    // What befalls it while nothing is asked of it shows when something is.
    worker.on('error', () => undefined);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        job.resolve(await ask(worker, job.folder));
      } catch (error) {
        job.reject(error as Error);
        break;
      }
    }
    workers.delete(worker);
    await worker.terminate();
    if (waiting.length > 0 && !closed) start();
  }

  function start(): void {
    if (workers.size < availableParallelism()) void work();
  }

  return {
    async load(folder, known) {
      const bytes = known ?? (await bytesToLoad(folder));
      if (bytes < threadFromBytes) return loadFolder(folder);
      if (closed) throw new Error(`${folder} is not loaded: the service stops`);
      return new Promise((resolve, reject) => {
        waiting.push({ folder, bytes, resolve, reject });
        // The largest first: it would keep one thread busy when the others have nothing left to do.
        waiting.sort((a, b) => b.bytes - a.bytes);
        start();
      });
    },
    async close() {
      closed = true;
      for (const { folder, reject } of waiting.splice(0))
        reject(new Error(`${folder} is not loaded: the service stops`));
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

/** Bytes of the newest full state of a folder and of what was written since: what is to be read of it, about. */
export async function bytesToLoad(folder: string): Promise<number> {
  const { files } = await listCuts(folder);
  const newest = Math.max(0, ...files.filter(({ parent }) => parent === undefined).map(({ nextOffset }) => nextOffset));
  let bytes = 0;
  for (const { name, nextOffset } of files)
    if (nextOffset >= newest) bytes += (await stat(join(folder, name)).catch(ignore('ENOENT')))?.size ?? 0;
  return bytes;
}

function ask(worker: Worker, folder: string): Promise<LoadedFolder> {
  return new Promise((resolve, reject) => {
    const told = (answer: LoadAnswer): void => {
      if (answer.kind === 'loaded') settle(() => resolve(answer.loaded));
      else settle(() => reject(Object.assign(new Error(answer.message), { code: answer.code })));
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const ended = (code: number): void => failed(new Error(`the thread that loads ${folder} ended with code ${code}`));
    worker.on('message', told).on('error', failed).on('exit', ended);
    worker.postMessage(folder);

    function settle(then: () => void): void {
      worker.off('message', told).off('error', failed).off('exit', ended);
      then();
    }
  });
}
