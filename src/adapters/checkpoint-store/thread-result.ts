import type { Worker } from 'node:worker_threads';

/** The first message of a thread. Rejects where the thread fails, or ends without one. */
export function resultOf<Result>(worker: Worker): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with code ${code}`)));
  });
}
