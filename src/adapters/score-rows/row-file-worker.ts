import { parentPort, workerData } from 'node:worker_threads';
import { parquetOfArrow } from '../../formats/files/arrow-to-parquet.ts';
import { yieldToOthers } from '../thread-priority.ts';

/** What the thread is asked: one Parquet file of some Arrow files. */
export interface RowFileRequest {
  readonly files: readonly Uint8Array[];
  readonly metadata: Readonly<Record<string, string>>;
  /** It does not let the thread that scores go first. */
  readonly urgent: boolean;
}

const { files, metadata, urgent } = workerData as RowFileRequest;
if (!urgent) yieldToOthers();
const bytes = new Uint8Array(parquetOfArrow(files, metadata));
parentPort!.postMessage(bytes, [bytes.buffer]);
