import type { ObjectStore } from './object-store.ts';

/** What `latest.json` names: files of the store, null where there is none. */
export interface Latest {
  readonly as_of: string | null;
  readonly aggregates: string | null;
  readonly scores: string | null;
}

/** Arrow snapshots in a store (docs/reference/outputs.md). Every file has its name only when it is whole. */
export interface SnapshotStore {
  /** Writes the aggregates at a time; `by` tells those of two writers apart. Resolves with the file's name. */
  writeAggregates(asOfMs: number, pieces: readonly Uint8Array[], by?: string): Promise<string>;
  writeLatest(latest: Latest): Promise<void>;
  /** Deletes snapshots and score rows that were written before a time, but for what `latest.json` names. Resolves with their number. */
  expire(beforeMs: number): Promise<number>;
}

/** Where the service keeps its score rows, within the store of snapshots. */
export const scoresFolder = 'scores';

/** The snapshots in a store. */
export function snapshotStore(store: ObjectStore): SnapshotStore {
  const newest: { names: readonly (string | null)[] } = { names: [] };
  return {
    async writeAggregates(asOfMs, pieces, by) {
      const name = `aggregates-${timeName(asOfMs)}${by === undefined ? '' : `-${by}`}.arrow`;
      await store.write(name, Buffer.concat(pieces));
      return name;
    },
    async writeLatest(latest) {
      await store.write('latest.json', Buffer.from(`${JSON.stringify(latest)}\n`));
      newest.names = [latest.aggregates, latest.scores];
    },
    async expire(beforeMs) {
      let deleted = 0;
      for (const folder of ['', scoresFolder]) {
        await store.removeUnfinished(folder);
        for (const file of await store.filesBefore(folder, beforeMs)) {
          const name = folder === '' ? file : `${folder}/${file}`;
          if (!/^(aggregates-|scores-).*\.arrow$/.test(file) || newest.names.includes(name)) continue;
          await store.remove(name);
          deleted++;
        }
      }
      return deleted;
    },
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
