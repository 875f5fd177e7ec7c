import { Worker } from 'node:worker_threads';
import { mergedScores } from '../../formats/snapshot/scores.ts';
import type { RowFileRequest } from './row-file-worker.ts';

export type RowFormat = 'arrow' | 'parquet';

/** The bytes of a file of segments: Arrow at once, Parquet in a thread, which the one that scores goes before unless it is `alone`. */
export async function rowFile(
  format: RowFormat,
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>>,
  alone: boolean = false,
): Promise<Uint8Array> {
  if (format === 'arrow') return Buffer.concat(mergedScores(files, metadata));
  const written = lastThread.then(() => inThread({ files, metadata, alone }));
  lastThread = written.catch(() => undefined);
  return await written;
}

/**
 * One thread at a time, whoever asks: malloc keeps an arena for each thread that there ever was at once, as large as that thread needed. With
 * a thread for each of six partitions, memory grew to a gigabyte.
 */
let lastThread: Promise<unknown> = Promise.resolve();

function inThread(workerData: RowFileRequest): Promise<Uint8Array> {
  const worker = new Worker(new URL('./row-file-worker.js', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    let bytes: Uint8Array | undefined;
    worker.once('message', (message: Uint8Array) => void (bytes = message));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (bytes !== undefined) resolve(bytes);
      else reject(new Error(`the thread that writes Parquet ended with code ${code}`));
    });
  });
}
