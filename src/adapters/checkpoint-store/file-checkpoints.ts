import { randomBytes } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import { headOf } from '../../formats/checkpoint/checkpoint.ts';
import { checkpointFileName, partitionFolder } from '../../formats/checkpoint/names.ts';
import { type Checkpoint, type CheckpointStore, type Log, partitionName, type TopicPartition } from '../../ports.ts';
import type { OpenStore } from '../object-store/open-store.ts';
import { bestChain, countSnapshots } from './checkpoint-folder.ts';
import { append, type CheckpointChain, createCompactor, emptyChain } from './compaction.ts';

export interface FileCheckpoints extends CheckpointStore {
  /** Stops a compaction, which leaves its folder as valid as before. */
  close(): Promise<void>;
}

export interface FileCheckpointsOptions {
  readonly log: Log;
  /** Deltas in a row that lead to a compaction. */
  readonly compactAfterFiles?: number;
}

/** A name for a checkpoint that no other process gives; later ones of one host sort after earlier ones. */
export function newCheckpointId(): string {
  return Date.now().toString(36).padStart(9, '0') + randomBytes(8).toString('hex');
}

/** When a name was given. */
export function checkpointIdMs(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}

/**
 * Checkpoints as files of a store under `<group>/<topic>/<partition>/`. Instances of a group may share it: a folder of one host or of a network
 * file system, or a bucket. Deltas that pile up are made into a snapshot in a worker thread, one partition at a time.
 *
 * A damaged file is logged and skipped; a store that cannot be read or written is an error of `load` and `save`.
 */
export function fileCheckpoints(store: OpenStore, group: string, options: FileCheckpointsOptions): FileCheckpoints {
  const { log, compactAfterFiles = 50 } = options;
  const chains = new Map<string, CheckpointChain>();
  const compactor = createCompactor(store.settings, log, compactAfterFiles);

  return {
    async load(partition) {
      const folder = partitionFolder(group, partition);
      await store.removeUnfinished(folder).catch((error: unknown) => {
        log.warn({ folder, error: String(error) }, 'incomplete checkpoints of an ended process cannot be removed');
      });
      const { scan, chain: files } = await bestChain(store, folder);
      for (const { name } of scan.damaged)
        log.warn({ file: `${store.name}/${folder}/${name}` }, 'checkpoint is damaged: skipped');
      const chain = emptyChain(folder);
      for (const file of files) append(chain, file);
      chain.snapshots = Math.min(countSnapshots(scan.tree, scan.damaged), 2);
      chains.set(partitionName(partition), chain);
      return files;
    },
    async save(partition, file) {
      const key = partitionName(partition);
      const chain = chains.get(key) ?? emptyChain(partitionFolder(group, partition));
      checkHead(partition, file);
      const path = `${chain.folder}/${checkpointFileName(file)}`;
      await store.write(path, file.bytes).catch(outage(`${store.name}/${chain.folder}`));
      chains.set(key, chain);
      if (file.base !== undefined && file.base === chain.lastId) await checkBase(store, chain);
      append(chain, file);
      compactor.compactWhereDue(chain);
    },
    // Until there are two, and where a delta would hang from files that are gone.
    wantsSnapshot(partition) {
      const chain = chains.get(partitionName(partition));
      return chain === undefined || chain.snapshots < 2 || chain.broken;
    },
    close: () => compactor.close(),
  };
}

/** A base that vanished from under us takes what hangs from it: say so while the whole state is in memory. */
async function checkBase(store: OpenStore, chain: CheckpointChain): Promise<void> {
  const size = await store.size(chain.lastPath).catch(() => undefined);
  if (size === undefined) chain.broken = true;
}

function checkHead({ topic, partition }: TopicPartition, file: Checkpoint): void {
  const head = headOf(file.bytes);
  const same =
    head !== undefined && head.id === file.id && head.base === file.base && head.nextOffset === file.nextOffset;
  if (same && head.topic === topic && head.partition === partition) return;
  throw new Error(
    `checkpoint ${file.id} of ${topic}/${partition} at ${file.nextOffset} holds another one: ${JSON.stringify(head)}`,
  );
}

function outage(place: string): (error: unknown) => never {
  return (error) => {
    const named = new Error(`no checkpoint can be written to ${place}: ${messageOf(error)}`, { cause: error });
    throw error instanceof Error && 'code' in error ? Object.assign(named, { code: error.code }) : named;
  };
}
