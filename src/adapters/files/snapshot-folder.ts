import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type NewFile, newFile, writeWhole } from './new-file.ts';

/** What `latest.json` names: files of the folder, null where there is none. */
export interface Latest {
  readonly as_of: string | null;
  readonly aggregates: string | null;
  readonly scores: string | null;
}

/** A folder of Arrow snapshots (docs/reference/outputs.md). Every file has its name only when it is whole. */
export interface SnapshotFolder {
  /** Writes the aggregates at a time. Resolves with the file's name. */
  writeAggregates(asOfMs: number, pieces: readonly Uint8Array[]): Promise<string>;
  /** Begins a file of score rows, which gets its name from `scoresName`. */
  beginScores(): Promise<NewFile>;
  writeLatest(latest: Latest): Promise<void>;
  /** Deletes snapshots and score rows that were written before a time, but for what `latest.json` names. Resolves with their number. */
  expire(beforeMs: number): Promise<number>;
}

/** Where the service keeps its score rows, within the folder of snapshots. */
export const scoresFolder = 'scores';

/** The snapshots in a folder, which is made where it is missing. */
export function snapshotFolder(folder: string): SnapshotFolder {
  const newest: { names: readonly (string | null)[] } = { names: [] };
  return {
    async writeAggregates(asOfMs, pieces) {
      const name = `aggregates-${timeName(asOfMs)}.arrow`;
      await writeWhole(join(folder, name), pieces);
      return name;
    },
    beginScores: () => newFile(folder, 'scores'),
    async writeLatest(latest) {
      await writeWhole(join(folder, 'latest.json'), [Buffer.from(`${JSON.stringify(latest)}\n`)]);
      newest.names = [latest.aggregates, latest.scores];
    },
    async expire(beforeMs) {
      const names = [
        ...(await namesIn(folder)),
        ...(await namesIn(join(folder, scoresFolder))).map((name) => `${scoresFolder}/${name}`),
      ];
      let deleted = 0;
      for (const name of names) {
        if (!isOurs(name) || newest.names.includes(name)) continue;
        const path = join(folder, name);
        const status = await stat(path).catch(unlessAbsent);
        const isLeftOver = name.endsWith('.tmp');
        if (status === undefined || status.mtimeMs >= (isLeftOver ? beforeMs - unfinishedMs : beforeMs)) continue;
        await rm(path, { force: true });
        deleted++;
      }
      return deleted;
    },
  };
}

/** A temporary file that has not grown for so long past its time is what a dead process left; a younger one may be another's, under way. */
const unfinishedMs = 3_600_000;

/** Name of the score rows of a replay that ends at a time. */
export function scoresName(asOfMs: number): string {
  return `scores-${timeName(asOfMs)}.arrow`;
}

/** 20260501T040959Z */
export function timeName(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Snapshots, score rows, and what a process left of them when it died. */
function isOurs(name: string): boolean {
  return /^(scores\/)?(aggregates-|scores-).*\.arrow$|^(scores\/)?\.(aggregates-|scores|latest).*\.tmp$/.test(name);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessAbsent)) ?? [];
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
