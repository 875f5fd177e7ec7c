import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { headOf } from '../../codec/checkpoint.ts';
import { checkpointFileName } from '../../codec/checkpoint-names.ts';
import {
  type CheckpointFile,
  type CheckpointStore,
  type Log,
  partitionName,
  type TopicPartition,
} from '../../ports.ts';
import { bestChain, dropFolder, type Look, lookInto, makeFolder, partitionFolder } from './checkpoint-folder.ts';
import { processToken, removeStale, writeDurably } from './checkpoint-folder.ts';
import type { TidyRequest, TidyResult } from './compaction-worker.ts';
import { listFolder, type StateFile } from './state-folder.ts';

export interface FileCheckpoints extends CheckpointStore {
  /** The partition's checkpoint files, by next offset. */
  list(partition: TopicPartition): Promise<StateFile[]>;
  /** Removes all checkpoints of a partition, at one moment. */
  drop(partition: TopicPartition): Promise<void>;
  /** Stops a compaction in work, which leaves the folder as valid as before. */
  close(): Promise<void>;
}

export interface FileCheckpointsOptions {
  readonly log: Log;
  /** Changes in a row that lead to a compaction. */
  readonly compactAfterFiles?: number;
  /** Bytes of changes below which their size leads to none. */
  readonly compactFloorBytes?: number;
}

/** A name for a cut that no other process gives; later ones of one host sort after earlier ones. */
export function newCutId(): string {
  return Date.now().toString(36).padStart(9, '0') + randomBytes(8).toString('hex');
}

/**
 * Checkpoints as files under `dir/<group>/<topic>/<partition>/`. Instances of a group may share `dir`, on one host or through a
 * network file system. Changes that pile up are made into a full state in a worker thread, one partition at a time.
 *
 * A damaged file is logged and passed over; a folder that cannot be read or written is an error of `load` and `save`.
 */
export function fileCheckpoints(dir: string, group: string, options: FileCheckpointsOptions): FileCheckpoints {
  const { log, compactAfterFiles = 50, compactFloorBytes = 4 * 2 ** 20 } = options;
  const chains = new Map<string, Chain>();
  const tidier = createTidier(log);
  const folderOf = (partition: TopicPartition) => partitionFolder(dir, group, partition);
  const isDue = (chain: Chain) =>
    chain.changes.length >= chain.attemptAt && ((chain.fulls < 2 && chain.changes.length > 0) || isLong(chain));
  const isLong = ({ changes, changesBytes, fullBytes, fullsSaved }: Chain) =>
    changes.length > compactAfterFiles || changesBytes > Math.max(compactFloorBytes, fullBytes) || fullsSaved > 2;

  return {
    async load(partition) {
      const folder = folderOf(partition);
      await removeStale(folder, processToken).catch((error: unknown) => {
        log.warn({ folder, error: String(error) }, 'half written checkpoints of a dead process cannot be removed');
      });
      const { look, files } = await loadBest(folder);
      for (const { name } of look.damaged) log.warn({ file: join(folder, name) }, 'checkpoint is damaged: passed over');
      chains.set(partitionName(partition), chainOf(folder, look, files ?? []));
      return files;
    },
    async save(partition, file) {
      const folder = folderOf(partition);
      checkHead(partition, file);
      const name = checkpointFileName(file);
      await outage(folder, async () => {
        await makeFolder(folder);
        await writeDurably(folder, name, file.bytes, processToken);
      });
      const key = partitionName(partition);
      const chain = chains.get(key) ?? emptyChain();
      chains.set(key, chain);
      if (file.parent !== undefined && file.parent === chain.lastId) await checkParent(chain);
      append(chain, file, join(folder, name));
      if (isDue(chain)) tidier.request({ folder, id: file.id, token: processToken }, chain);
    },
    // Until there are two, and where the changes would hang from files that are gone.
    wantsFull(partition) {
      const chain = chains.get(partitionName(partition));
      return chain === undefined || chain.fulls < 2 || chain.broken;
    },
    list: (partition) => listFolder(folderOf(partition)),
    async drop(partition) {
      chains.delete(partitionName(partition));
      await dropFolder(folderOf(partition));
    },
    close: () => tidier.close(),
  };
}

/** What this process knows of the branch that it writes. */
interface Chain {
  /** Full states in the folder. */
  fulls: number;
  fullBytes: number;
  /** Changes after the newest full state. */
  changes: { readonly id: string; readonly bytes: number }[];
  changesBytes: number;
  /** Full states saved since the folder was last tidied. */
  fullsSaved: number;
  lastId: string | undefined;
  lastPath: string;
  /** A compaction that failed is tried again at this number of changes. */
  attemptAt: number;
  broken: boolean;
}

function emptyChain(): Chain {
  const sizes = { fulls: 0, fullBytes: 0, changes: [], changesBytes: 0, fullsSaved: 0 };
  return { ...sizes, lastId: undefined, lastPath: '', attemptAt: 0, broken: false };
}

function chainOf(folder: string, look: Look, files: readonly CheckpointFile[]): Chain {
  const chain = emptyChain();
  for (const file of files) append(chain, file, join(folder, checkpointFileName(file)));
  chain.fulls = look.tree.files.filter((file) => file.parent === undefined && !look.damaged.includes(file)).length;
  chain.fullsSaved = 0;
  return chain;
}

function append(chain: Chain, { id, parent, bytes }: CheckpointFile, path: string): void {
  chain.lastId = id;
  chain.lastPath = path;
  if (parent === undefined) {
    Object.assign(chain, { fullBytes: bytes.length, changes: [], changesBytes: 0, attemptAt: 0, broken: false });
    chain.fulls++;
    chain.fullsSaved++;
  } else {
    chain.changes.push({ id, bytes: bytes.length });
    chain.changesBytes += bytes.length;
  }
}

/** A file that vanished from under us takes what hangs from it: say so while the whole state is in memory. */
async function checkParent(chain: Chain): Promise<void> {
  await access(chain.lastPath).catch(() => {
    chain.broken = true;
  });
}

/** Lists again while another process prunes what was listed. */
async function loadBest(folder: string): Promise<{ look: Look; files: CheckpointFile[] | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const look = await lookInto(folder);
    const files = await bestChain(look);
    if (!look.gone || attempt === 5) return { look, files };
  }
}

function checkHead({ topic, partition }: TopicPartition, file: CheckpointFile): void {
  const head = headOf(file.bytes);
  const same =
    head !== undefined && head.id === file.id && head.parent === file.parent && head.nextOffset === file.nextOffset;
  if (same && head.topic === topic && head.partition === partition) return;
  throw new Error(
    `checkpoint ${file.id} of ${topic}/${partition} at ${file.nextOffset} holds another cut: ${JSON.stringify(head)}`,
  );
}

async function outage(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const told = new Error(`no checkpoint can be written to ${folder}: ${why}; make room or make it writable`, {
      cause: error,
    });
    throw error instanceof Error && 'code' in error ? Object.assign(told, { code: error.code }) : told;
  }
}

interface Tidier {
  /** Tidies a folder when its turn comes; a later request for the same chain replaces one that waits. */
  request(job: TidyRequest, chain: Chain): void;
  close(): Promise<void>;
}

function createTidier(log: Log): Tidier {
  const waiting = new Map<Chain, TidyRequest>();
  let worker: Worker | undefined;
  let current: Chain | undefined;
  let closed = false;

  async function work(): Promise<void> {
    while (waiting.size > 0 && !closed) {
      const [chain, job] = waiting.entries().next().value!;
      waiting.delete(chain);
      current = chain;
      const { folder, id } = job;
      try {
        worker = new Worker(new URL('./compaction-worker.js', import.meta.url), { workerData: job });
        worker.unref();
        const result = await resultOf(worker);
        settle(chain, id, result);
        if (result.done)
          log.debug({ folder, removed: result.removed, bytes: result.fullBytes }, 'checkpoints compacted');
        else log.warn({ folder, id, why: result.why }, 'checkpoints do not compact: the next one is a full state');
      } catch (error) {
        chain.attemptAt = chain.changes.length + 10;
        if (!closed)
          log.warn({ folder, id, error: String(error) }, 'compaction of checkpoints failed: tried again later');
      }
    }
    current = undefined;
    worker = undefined;
  }

  return {
    request(job, chain) {
      if (closed || current === chain) return;
      waiting.set(chain, job);
      if (current === undefined) void work();
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}

function resultOf(worker: Worker): Promise<TidyResult> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the worker ended with code ${code}`)));
  });
}

function settle(chain: Chain, id: string, result: TidyResult): void {
  chain.fullsSaved = 0;
  if (!result.done) {
    chain.broken = true;
    chain.attemptAt = chain.changes.length + 10;
    return;
  }
  chain.fulls = result.fulls;
  chain.attemptAt = 0;
  const at = chain.changes.findIndex((change) => change.id === id);
  if (at < 0) return;
  chain.changes = chain.changes.slice(at + 1);
  chain.changesBytes = chain.changes.reduce((sum, change) => sum + change.bytes, 0);
  chain.fullBytes = result.fullBytes;
}
