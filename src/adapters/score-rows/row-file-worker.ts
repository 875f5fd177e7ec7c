import { parquetOfArrow } from '../../formats/files/arrow-to-parquet.ts';
import { joinedScores } from '../../formats/snapshot/scores.ts';
import { answerRequests } from '../standing-worker.ts';
import { yieldToOthers } from '../thread-priority.ts';

export type RowFormat = 'arrow' | 'parquet';

/** Request to the thread: one file to be made of some Arrow files. */
export interface RowFileRequest {
  readonly format: RowFormat;
  readonly files: readonly Uint8Array[];
  readonly metadata: Readonly<Record<string, string>>;
  /** The work does not yield to the scoring thread; a thread that yielded once cannot be used for it. */
  readonly urgent: boolean;
}

answerRequests<RowFileRequest, Uint8Array>(({ format, files, metadata, urgent }) => {
  if (!urgent) yieldToOthers();
  const bytes = format === 'parquet' ? parquetOfArrow(files, metadata) : Buffer.concat(joinedScores(files, metadata));
  return { answer: bytes, transferred: [bytes.buffer as ArrayBuffer] };
});
