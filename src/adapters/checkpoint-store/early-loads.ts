import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { folderName } from '../../formats/checkpoint/names.ts';
import { listCuts, namesIn } from './checkpoint-folder.ts';
import type { LoadedFolder } from './load-folder.ts';
import { bytesToLoad, type LoadThreads, loadThreads, threadFromBytes } from './load-threads.ts';

/** Large states that are loaded before they are asked for: an instance that starts again is likely to get the partitions that it had. */
export interface EarlyLoads {
  /** Where they are loaded, and all that is asked for later. */
  readonly threads: LoadThreads;
  /**
   * What was loaded of a folder; undefined where that was not begun or failed, or where the folder holds other files by now. What nobody
   * asks for in the turn of the first question is let go.
   */
  take(folder: string): Promise<LoadedFolder | undefined>;
}

/**
 * Begins to load the largest of the partitions of a group that were written to last, one for each processor: where instances share the
 * folder, some may be those of others.
 */
export function loadEarly(dir: string, group: string, threads: LoadThreads = loadThreads()): EarlyLoads {
  const begun = begin(join(dir, folderName(group)), threads);
  const wanted = new Set<string>();
  return {
    threads,
    async take(folder) {
      if (wanted.size === 0) setImmediate(() => void letGo(begun, wanted));
      wanted.add(folder);
      const loads = await begun;
      const loaded = await loads.get(folder);
      loads.delete(folder);
      return loaded !== undefined && (await isCurrent(folder, loaded)) ? loaded : undefined;
    },
  };
}

type Loads = Map<string, Promise<LoadedFolder | undefined>>;

/** A partition that was written to so much earlier than the last one belongs to another instance by now, or has no traffic. */
const lateMs = 60_000;

/** An early load that fails is none: whoever asks for the state hears why. */
async function begin(groupFolder: string, threads: LoadThreads): Promise<Loads> {
  const loads: Loads = new Map();
  const folders = await writtenFolders(groupFolder).catch(() => []);
  const lastMs = Math.max(...folders.map(({ writtenMs }) => writtenMs));
  const recent = folders.filter(({ writtenMs }) => writtenMs >= lastMs - lateMs);
  const sized = await Promise.all(
    recent.map(async ({ folder }) => ({ folder, bytes: await bytesToLoad(folder).catch(() => 0) })),
  );
  const large = sized.filter(({ bytes }) => bytes >= threadFromBytes).sort((a, b) => b.bytes - a.bytes);
  for (const { folder, bytes } of large.slice(0, availableParallelism()))
    loads.set(
      folder,
      threads.load(folder, bytes).catch(() => undefined),
    );
  return loads;
}

/** The folders of partitions, and when something was last put into them. */
async function writtenFolders(groupFolder: string): Promise<{ folder: string; writtenMs: number }[]> {
  const topics = (await namesIn(groupFolder)).map((topic) => join(groupFolder, topic));
  const partitions = await Promise.all(
    topics.map(async (topic) => (await namesIn(topic)).filter(isNumber).map((name) => join(topic, name))),
  );
  return Promise.all(partitions.flat().map(async (folder) => ({ folder, writtenMs: (await stat(folder)).mtimeMs })));
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

async function letGo(begun: Promise<Loads>, wanted: ReadonlySet<string>): Promise<void> {
  const loads = await begun;
  for (const folder of [...loads.keys()]) if (!wanted.has(folder)) loads.delete(folder);
}

/** Files never change: the same names are the same state. */
async function isCurrent(folder: string, { names }: LoadedFolder): Promise<boolean> {
  const { files } = await listCuts(folder);
  return files.length === names.length && files.every(({ name }) => names.includes(name));
}
