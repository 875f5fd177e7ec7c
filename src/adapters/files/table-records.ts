import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogRecord } from '../../stream/event.ts';
import type { RowsAnswer, TableAnswer, TableRequest } from './table-worker.ts';

/** Some rows as records, and the part of the file that was read for them, in [0, 1]. */
export interface RowRecords {
  readonly records: readonly LogRecord[];
  readonly share: number;
}

/** A thread that says nothing for so long reads a damaged file: a row group of a million rows takes some ten seconds. */
const silenceMs = 120_000;

/**
 * Rows of a Parquet or Arrow file as records, some hundred at a time; the offset is the row's number, from 0, as data frames count. They
 * are read in a thread of their own: a damaged file could be read for ever, or take all memory. Throws where the file cannot be read, naming it.
 */
export async function* tableRecords(request: TableRequest, signal?: AbortSignal): AsyncGenerator<RowRecords> {
  const worker = new Worker(new URL('./table-worker.js', import.meta.url), { workerData: request });
  // The waiting caller receives the error.
  worker.on('error', () => undefined);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const stop = AbortSignal.any(signal === undefined ? [silence.signal] : [silence.signal, signal]);
  try {
    for (;;) {
      timer.refresh();
      worker.postMessage('more');
      const asked = once(worker, 'message', { signal: stop }) as Promise<[TableAnswer]>;
      const [answer] = await asked.catch((error) => {
        signal?.throwIfAborted();
        throw new Error(`${request.path}: ${problemOf(error, silence.signal.aborted)}`, { cause: error });
      });
      if (answer.kind === 'refused') throw new Error(answer.message);
      if (answer.kind === 'done') return;
      yield { records: recordsOf(answer), share: answer.share };
    }
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function problemOf({ code, message }: Error & { readonly code?: unknown }, isSilent: boolean): string {
  if (isSilent) return `not read within ${silenceMs} ms; it is probably damaged: write it again`;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return `cannot be read (${message}); it is damaged: write it again`;
  return 'takes more memory than there is; write it with smaller row groups, such as row_group_size=50000 in pyarrow';
}

function recordsOf({ first, bytes, ends }: RowsAnswer): LogRecord[] {
  let start = 0;
  return Array.from(ends, (end, at) => {
    const record = { bytes, start, end, offset: first + at, timestamp: Number.NaN };
    start = end;
    return record;
  });
}
