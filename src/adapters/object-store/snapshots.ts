import { ignore, type ObjectStore } from './object-store.ts';

/** The content of `latest.json`: names of files of the store, null where there is none. */
export interface Latest {
  readonly as_of: string | null;
  readonly aggregates: string | null;
  readonly scores: string | null;
}

/** Snapshots in a store (docs/reference/outputs.md). Every file has its name only when it is whole. */
export interface SnapshotStore {
  /** Writes aggregates under a name that one of the functions below made. */
  writeAggregates(name: string, bytes: Uint8Array): Promise<void>;
  writeLatest(latest: Latest): Promise<void>;
  /** Deletes snapshots and score rows that were written before a time, but for what was named last. Resolves with their number. */
  expire(beforeMs: number): Promise<number>;
}

/** Where the service keeps its score rows, within the store of snapshots. */
export const scoresFolder = 'scores';
const aggregatesFolder = 'aggregates';

/** The snapshots in a store. `latestName` is the file that names the newest; `idTimeMs` says when an id in the name of score rows was given. */
export function snapshotStore(
  store: ObjectStore,
  latestName: 'latest.json' | '_latest.json',
  idTimeMs: (id: string) => number = () => Number.NaN,
): SnapshotStore {
  const newest: { names: readonly (string | null)[] } = { names: [] };
  return {
    writeAggregates: (name, bytes) => store.write(name, bytes),
    async writeLatest(latest) {
      await store.write(latestName, Buffer.from(`${JSON.stringify(latest)}\n`));
      newest.names = [latest.aggregates, latest.scores];
    },
    async expire(beforeMs) {
      let deleted = 0;
      // Of days before, whole folders go.
      for (const folder of ['', scoresFolder, `${aggregatesFolder}/${dateName(beforeMs)}`]) {
        await store.removeUnfinished(folder);
        const isLater = (name: string): boolean => idTimeMs(idIn(name)) >= beforeMs;
        for (const file of await store.filesBefore(folder, beforeMs, folder === scoresFolder ? isLater : undefined)) {
          const name = folder === '' ? file : `${folder}/${file}`;
          if (!/^(aggregates-|scores-).*\.(arrow|parquet)$/.test(file) || newest.names.includes(name)) continue;
          await store.remove(name);
          deleted++;
        }
      }
      for (const folder of await foldersBefore(store, dateName(beforeMs))) {
        if (newest.names.some((name) => name?.startsWith(`${folder}/`))) continue;
        await store.removeFolder(folder);
        deleted++;
      }
      return deleted;
    },
  };
}

/** The id in the name of score rows: they are written later than it was given. */
function idIn(name: string): string {
  return /^scores-.*-([^-_.]+)(?:_\d+)?\.arrow$/.exec(name)?.[1] ?? '';
}

/** Folders of days before one: nothing is written there any more. */
async function foldersBefore(store: ObjectStore, date: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [aggregatesFolder, scoresFolder])
    for (const name of (await store.folders(folder).catch(ignore('ENOENT'))) ?? [])
      if (isDate(name) && name < date) found.push(`${folder}/${name}`);
  return found;
}

function isDate(folder: string): boolean {
  return /^date=\d{4}-\d\d-\d\d$/.test(folder);
}

/** Name of the aggregates at a time; `by` tells those of two writers apart. */
export function aggregatesName(asOfMs: number, by?: string): string {
  return `aggregates-${timeName(asOfMs)}${by === undefined ? '' : `-${by}`}.arrow`;
}

/** Name of those for the lake, in the folder of the day on which they are written. */
export function datedAggregatesName(asOfMs: number, by: string, nowMs: number): string {
  return `${aggregatesFolder}/${dateName(nowMs)}/aggregates-${timeName(asOfMs)}-${by}.parquet`;
}

/** The parts of an aggregate snapshot's name; undefined where it is none. */
export function parseAggregatesName(name: string): { readonly timeMs: number; readonly instance: string } | undefined {
  const found = /^aggregates-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-(.+))?\.(?:arrow|parquet)$/.exec(name);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [number, ...number[]];
  return { timeMs: Date.UTC(year, month! - 1, day, hour, minute, second), instance: found[7] ?? '' };
}

/** Paths of the aggregate snapshots in a store: in its uppermost folder, and by day. */
export async function snapshotPaths(
  store: ObjectStore,
): Promise<{ readonly path: string; readonly timeMs: number; readonly instance: string }[]> {
  const names = await store.folders('');
  const days = names.includes(aggregatesFolder) ? await store.folders(aggregatesFolder) : [];
  const folders = ['', ...names.filter(isDate), ...days.filter(isDate).map((day) => `${aggregatesFolder}/${day}`)];
  const found = [];
  for (const folder of folders)
    for (const name of await store.files(folder)) {
      const said = parseAggregatesName(name);
      if (said !== undefined) found.push({ path: folder === '' ? name : `${folder}/${name}`, ...said });
    }
  return found;
}

/** Name of the score rows of a replay that ends at a time. */
export function scoresName(asOfMs: number): string {
  return `scores-${timeName(asOfMs)}.arrow`;
}

/** date=2026-05-01 */
function dateName(timeMs: number): string {
  return `date=${new Date(timeMs).toISOString().slice(0, 10)}`;
}

/** 20260501T040959Z */
function timeName(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '');
}
