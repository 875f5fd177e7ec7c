import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type FileCheckpoints, fileCheckpoints } from '../../src/adapters/checkpoint-store/file-checkpoints.ts';
import type { OpenStore } from '../../src/adapters/object-store/open-store.ts';
import type { Checkpoint, Log, TopicPartition } from '../../src/ports.ts';
import { advance, type Counting, group, isRight, takeCheckpoint } from './counting-store.ts';
import { storeIn } from './folder-store.ts';
import { type SavedState, savedState } from './saved-state.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const partition: TopicPartition = { topic: 'predictions', partition: 4 };
export const groupFolder: string = 'a%20group%2Fof%20%22one%22';

export interface Bench {
  readonly dir: string;
  readonly folder: string;
  readonly store: OpenStore;
  /** The partition's folder in the store. */
  readonly path: string;
  readonly checkpoints: FileCheckpoints;
  /** The state that is loaded. */
  saved(of?: TopicPartition): Promise<SavedState | undefined>;
  /** Messages logged. */
  readonly logged: string[];
  /** File names of the partition. */
  names(): string[];
}

export function bench(context: TestContext, compactAfterFiles = 1000, givenDir?: string): Bench {
  // Hooks run in the order of their making: compaction ends before its folder goes.
  context.after(() => checkpoints.close());
  const dir = givenDir ?? temporaryFolder(context);
  const logged: string[] = [];
  const write = (_fields: object, message: string) => void logged.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const store = storeIn(dir);
  const checkpoints = fileCheckpoints(store, group, { log, compactAfterFiles });
  const path = `${groupFolder}/predictions/4`;
  const folder = join(dir, path);
  const saved = async (of = partition) => savedState(await checkpoints.load(of));
  return { dir, folder, store, path, checkpoints, saved, logged, names: () => readdirSync(folder).sort() };
}

/** Saves the state `progress` records further on, as a snapshot where the store asks for it. */
export async function saveNext(
  { checkpoints }: Bench,
  counting: Counting,
  id: string,
  progress = 3,
): Promise<Checkpoint> {
  advance(counting, counting.nextOffset + progress);
  const file = takeCheckpoint(counting, partition, id, checkpoints.wantsSnapshot(partition));
  await checkpoints.save(partition, file);
  return file;
}

export async function saveMany(made: Bench, counting: Counting, ids: readonly string[]): Promise<void> {
  for (const id of ids) await saveNext(made, counting, id);
}

export async function bestId(made: Bench): Promise<string | undefined> {
  const saved = await made.saved();
  if (saved !== undefined) assert.ok(isRight(saved), `${saved.id} restores another state`);
  return saved?.id;
}
