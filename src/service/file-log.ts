import { type FileOptions, type FileRecords, fileRecords, type RecordBatch } from '../adapters/files/file-records.ts';
import type { Config } from '../config/config.ts';
import { columnsOf } from '../config/settings.ts';

/** Files of records as one log: the offsets of a file go on behind those of the file before it, so that a run may lie in several. */
export interface FileLog {
  /** Reads the records of the next file in batches of some hundred. */
  batches(file: string): AsyncGenerator<RecordBatch>;
  /** Names of folders `name=value` above the files so far that are no field. */
  readonly unreadFolders: ReadonlySet<string>;
  /** The place of a record that was read. */
  placeOf(offset: number): FilePlace;
}

/** A record of a file; `line` as the file counts. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
}

/** How files are opened that are no records of traffic: results of a benchmark. */
export interface FileOpening {
  /** Longest record. */
  readonly recordBytesMax: number;
  readonly open: (
    file: string,
    options: FileOptions,
  ) => Promise<Pick<FileRecords, 'batches'> & Partial<Pick<FileRecords, 'unreadFolders'>>>;
}

/** A log of which nothing was read. */
export function fileLog(config: Config, signal: AbortSignal, opening?: FileOpening): FileLog {
  const { open, recordBytesMax } = opening ?? { open: fileRecords, recordBytesMax: config.limits.record_bytes };
  const input = { recordBytesMax, isColumn: columnsOf(config), signal };
  const begun: { readonly file: string; readonly base: number }[] = [];
  const unreadFolders = new Set<string>();
  let next = 0;
  return {
    unreadFolders,
    async *batches(file) {
      const base = next;
      begun.push({ file, base });
      const { batches, unreadFolders: unread = [] } = await open(file, input);
      for (const name of unread) unreadFolders.add(name);
      for await (const { records, bytesRead } of batches) {
        signal.throwIfAborted();
        const placed = base === 0 ? records : records.map((record) => ({ ...record, offset: base + record.offset }));
        next = Math.max(next, ...placed.slice(-1).map(({ offset }) => offset + 1));
        yield { records: placed, bytesRead };
      }
    },
    placeOf(offset) {
      const { file, base } = begun.findLast((each) => each.base <= offset)!;
      return { file, line: offset - base };
    },
  };
}
