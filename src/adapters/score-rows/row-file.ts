import { joinedScores } from '../../formats/snapshot/scores.ts';
import { type StandingThread, standingThread } from '../standing-thread.ts';
import type { RowFileRequest, RowFormat } from './row-file-worker.ts';

/** Bytes of Arrow that are joined at once: a file of a minute at 20,000 events/s held the event loop for 190 to 560 ms. */
const joinedAtOnce = 8e6;

/**
 * Makes the bytes of a file of segments, in a thread that yields to the scoring thread unless the file is `urgent`; the memory of the segments is
 * transferred. A small Arrow file is made at once.
 */
export async function rowFile(
  format: RowFormat,
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>>,
  urgent: boolean,
): Promise<Uint8Array> {
  const bytes = files.reduce((total, { length }) => total + length, 0);
  if (format === 'arrow' && bytes <= joinedAtOnce) return Buffer.concat(joinedScores(files, metadata));
  // Small buffers share their memory.
  const transferred = files.filter(({ buffer, length }) => length === buffer.byteLength).map(({ buffer }) => buffer);
  const thread = urgent ? threads.urgent : threads.calm;
  return await thread.ask({ format, files, metadata, urgent }, transferred as ArrayBuffer[]);
}

/** A thread that lowered its priority cannot raise it again. */
const threads = { calm: rowFileThread(), urgent: rowFileThread() };

function rowFileThread(): StandingThread<RowFileRequest, Uint8Array> {
  return standingThread(new URL('./row-file-worker.js', import.meta.url));
}
