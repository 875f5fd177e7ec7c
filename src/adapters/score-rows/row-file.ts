import { Worker } from 'node:worker_threads';
import { mergedScores } from '../../formats/snapshot/scores.ts';
import type { RowFileRequest } from './row-file-worker.ts';

export type RowFormat = 'arrow' | 'parquet';

/** The bytes of a file of segments: Arrow at once, Parquet in a thread, which lets the one that scores go first unless it is `urgent`. */
export async function rowFile(
  format: RowFormat,
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>>,
  urgent: boolean,
): Promise<Uint8Array> {
  if (format === 'arrow') return Buffer.concat(mergedScores(files, metadata));
  const workerData: RowFileRequest = { files, metadata, urgent };
  const worker = new Worker(new URL('./row-file-worker.js', import.meta.url), { workerData });
  return await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that writes Parquet ended with code ${code}`)));
  });
}
