import { messageOf } from '../../errors.ts';
import { readableHead } from '../../formats/checkpoint/checkpoint.ts';
import { folderText } from '../../formats/checkpoint/names.ts';
import { checkpointTree, restorableFiles } from '../../formats/checkpoint/tree.ts';
import { comparePartitions, partitionName, type TopicPartition } from '../../ports.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { readIntact, scanFolder } from './checkpoint-folder.ts';

/** A partition that `state.dir` holds checkpoints of. */
export interface StatePartition extends TopicPartition {
  readonly group: string;
  /** In the store. */
  readonly folder: string;
}

/** One checkpoint file. */
export interface StateFile {
  readonly path: string;
  readonly nextOffset: number;
  /** True if the state at `nextOffset` can be restored from it: it is intact, and so is all that it builds on. */
  readonly valid: boolean;
  readonly bytes: number;
}

/** All partitions of a store of checkpoints, of all groups, by name. Throws where it cannot be read. */
export async function statePartitions(store: ObjectStore): Promise<StatePartition[]> {
  const found: StatePartition[] = [];
  const groups = await store.folders('').catch((error: unknown) => {
    throw new Error(`${store.name} is no state folder: ${messageOf(error)}; give the state.dir of the configuration`, {
      cause: error,
    });
  });
  for (const group of groups) {
    for (const topic of await store.folders(group)) {
      for (const partition of await store.folders(`${group}/${topic}`)) {
        if (!/^\d+$/.test(partition)) continue;
        const folder = `${group}/${topic}/${partition}`;
        found.push({ group: folderText(group), topic: folderText(topic), partition: Number(partition), folder });
      }
    }
  }
  return found.sort((a, b) => compare(a.group, b.group) || comparePartitions(a, b));
}

/** The checkpoint files of a partition's folder, by next offset; reads every byte. None where there is no folder; throws where its format is another. */
export async function listFolder(store: ObjectStore, folder: string): Promise<StateFile[]> {
  const scan = await scanFolder(store, folder);
  const intact = [];
  for (const file of scan.tree.files) {
    const bytes = await readIntact(scan, file);
    if (bytes === undefined) continue;
    readableHead(bytes);
    intact.push(file);
    // The next file's bytes take the place of these.
    scan.read.clear();
  }
  const restorable = restorableFiles(checkpointTree(intact));
  const listed: StateFile[] = [];
  for (const file of scan.tree.files) {
    const path = `${folder}/${file.name}`;
    const size = await store.size(path);
    if (size !== undefined)
      listed.push({ path, nextOffset: file.nextOffset, valid: restorable.has(file), bytes: size });
  }
  return listed.sort((a, b) => a.nextOffset - b.nextOffset || compare(a.path, b.path));
}

/** `assay state list DIR`: one JSON text a checkpoint file. */
export async function* listState(store: ObjectStore): AsyncGenerator<string> {
  for (const { topic, partition, folder } of await statePartitions(store)) {
    for (const { nextOffset, valid, bytes } of await listFolder(store, folder)) {
      yield JSON.stringify({ topic, partition, next_offset: nextOffset, valid, bytes });
    }
  }
}

/**
 * The one partition that `name` means: `topic/partition`, the number alone where only one topic has it, or `group/topic/partition`.
 * Throws where none or several are meant, naming the choice.
 */
export async function findPartition(store: ObjectStore, name: string): Promise<StatePartition> {
  const all = await statePartitions(store);
  const [found, ...others] = all.filter((each) =>
    [String(each.partition), partitionName(each), longName(each)].includes(name),
  );
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined)
    throw new Error(`--partition ${name} means several in ${store.name}: say one of ${listed([found, ...others])}`);
  throw new Error(
    `--partition ${name}: ${store.name} has no such partition, ${all.length === 0 ? 'nor any other' : `only ${listed(all)}`}`,
  );
}

function listed(partitions: readonly StatePartition[]): string {
  const names = partitions.slice(0, 20).map(longName);
  return names.join(', ') + (partitions.length > 20 ? `, and ${partitions.length - 20} more` : '');
}

function longName(partition: StatePartition): string {
  return `${partition.group}/${partitionName(partition)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
