import { join } from 'node:path';
import { type NewFile, newFile, writeWhole } from './new-file.ts';

/** What `latest.json` names: files of the folder, null where there is none. */
export interface Latest {
  readonly as_of: string | null;
  readonly aggregates: string | null;
  readonly scores: string | null;
}

/** A folder of Arrow snapshots (spec: outputs, section 4). Every file has its name only when it is whole. */
export interface SnapshotFolder {
  /** Writes the aggregates at a time. Resolves with the file's name. */
  writeAggregates(asOfMs: number, pieces: readonly Uint8Array[]): Promise<string>;
  /** Begins a file of score rows, which gets its name from `scoresName`. */
  beginScores(): Promise<NewFile>;
  writeLatest(latest: Latest): Promise<void>;
}

/** The snapshots in a folder, which is made where it is missing. */
export function snapshotFolder(folder: string): SnapshotFolder {
  return {
    async writeAggregates(asOfMs, pieces) {
      const name = `aggregates-${timeName(asOfMs)}.arrow`;
      await writeWhole(join(folder, name), pieces);
      return name;
    },
    beginScores: () => newFile(folder, 'scores'),
    writeLatest: (latest) => writeWhole(join(folder, 'latest.json'), [Buffer.from(`${JSON.stringify(latest)}\n`)]),
  };
}

/** Name of the score rows of a replay that ends at a time. */
export function scoresName(asOfMs: number): string {
  return `scores-${timeName(asOfMs)}.arrow`;
}

/** 20260501T040959Z */
export function timeName(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '');
}
