import { parentPort, workerData } from 'node:worker_threads';
import { parquetOfArrow } from '../../formats/files/arrow-to-parquet.ts';
import { mergedScores } from '../../formats/snapshot/scores.ts';
import { yieldToOthers } from '../thread-priority.ts';

export type RowFormat = 'arrow' | 'parquet';

/** What the thread is asked: one file of some Arrow files. */
export interface RowFileRequest {
  readonly format: RowFormat;
  readonly files: readonly Uint8Array[];
  readonly metadata: Readonly<Record<string, string>>;
  /** It does not let the thread that scores go first. */
  readonly urgent: boolean;
}

const { format, files, metadata, urgent } = workerData as RowFileRequest;
if (!urgent) yieldToOthers();
const bytes = format === 'parquet' ? parquetOfArrow(files, metadata) : Buffer.concat(mergedScores(files, metadata));
parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
