import { basename, dirname, resolve } from 'node:path';
import { lineFile } from '../adapters/files/line-file.ts';
import { type NewFile, newFile } from '../adapters/files/new-file.ts';
import { jsonText } from '../formats/json/json-text.ts';
import type { ScoreRow } from '../formats/snapshot/score-row.ts';
import { scoreFile } from '../formats/snapshot/scores.ts';

/** Where the score rows of a replay go. */
export interface RowSink {
  add(row: ScoreRow): void;
  /** Writes what was added; resolves when there is room for more. */
  flush(): Promise<void>;
  /** Ends the file. */
  finish(): Promise<void>;
  /** Leaves nothing of an Arrow file that was not finished. */
  abandon(): Promise<void>;
}

/** Score rows as NDJSON or, by its name, as an Arrow file. */
export async function rowSink(path: string): Promise<RowSink> {
  if (!path.endsWith('.arrow')) return lineSink(path);
  const full = resolve(path);
  return arrowSink(await newFile(dirname(full), basename(full)), () => full);
}

/** Score rows as an Arrow file, in memory a batch at most. `path` is asked for its name in the end. */
export function arrowSink(file: NewFile, path: () => string): RowSink {
  const scores = scoreFile();
  return {
    add: (row) => scores.add(row),
    flush: () => file.write(scores.take()),
    async finish() {
      await file.write(scores.finish());
      await file.finish(path());
    },
    abandon: () => file.abandon(),
  };
}

function lineSink(path: string): RowSink {
  const file = lineFile(path);
  const lines: string[] = [];
  return {
    add: (row) => void lines.push(jsonText({ ...row, ts: new Date(row['ts'] as number).toISOString() })),
    async flush() {
      for (const line of lines.splice(0)) await file.write(line);
    },
    finish: () => file.close(),
    abandon: async () => undefined,
  };
}
