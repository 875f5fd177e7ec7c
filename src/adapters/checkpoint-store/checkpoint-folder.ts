import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { headOf } from '../../formats/checkpoint/checkpoint.ts';
import { type CheckpointFile, folderName, parseCheckpointFileName } from '../../formats/checkpoint/names.ts';
import { type CheckpointTree, checkpointTree, idsByPreference } from '../../formats/checkpoint/tree.ts';
import type { Checkpoint, TopicPartition } from '../../ports.ts';

/**
 * The folder of one partition's checkpoints. Several processes, on several hosts, may read and write it at once without locks: a
 * file appears whole under a name of its own and never changes.
 */

/** Marks the temporary files of this process; a worker thread is given its parent's. */
export const processToken: string = randomBytes(6).toString('hex');

const staleAfterMs = 3_600_000;

/** Where a partition's files lie: `dir/<group>/<topic>/<partition>`, names escaped. */
export function partitionFolder(dir: string, group: string, { topic, partition }: TopicPartition): string {
  return join(dir, folderName(group), folderName(topic), String(partition));
}

/** The checkpoint files of a folder, by their names alone; none where there is no folder. */
async function listCheckpoints(folder: string): Promise<CheckpointTree> {
  const files = (await namesIn(folder)).map(parseCheckpointFileName).filter((file) => file !== undefined);
  return checkpointTree(files);
}

/** The files of a folder at a moment, and what was read of them since. */
export interface FolderScan {
  readonly folder: string;
  readonly tree: CheckpointTree;
  /** Bytes of files found intact, undefined for those that are damaged or gone. */
  readonly read: Map<CheckpointFile, Uint8Array | undefined>;
  readonly damaged: CheckpointFile[];
  /** Whether a listed file was gone when it was to be read: another process prunes. */
  gone: boolean;
}

/** How many snapshots a folder holds, but for the files known to be damaged. */
export function countSnapshots({ files }: CheckpointTree, damaged: readonly CheckpointFile[]): number {
  const names = new Set(damaged.map(({ name }) => name));
  return files.filter(({ base, name }) => base === undefined && !names.has(name)).length;
}

/** Lists a folder, to read files of it later. */
export async function scanFolder(folder: string): Promise<FolderScan> {
  return { folder, tree: await listCheckpoints(folder), read: new Map(), damaged: [], gone: false };
}

/** From a snapshot to the best checkpoint of a folder that can be restored, read and intact; none where there is no such. */
export async function bestChain(folder: string): Promise<{ readonly scan: FolderScan; readonly chain: Checkpoint[] }> {
  // Another process may prune what was listed.
  for (let attempt = 1; ; attempt++) {
    const scan = await scanFolder(folder);
    const broken = new Set<string>();
    let chain: Checkpoint[] | undefined;
    for (const id of idsByPreference(scan.tree)) chain ??= await chainTo(scan, id, broken);
    if (!scan.gone || attempt === 5) return { scan, chain: chain ?? [] };
  }
}

/** From the nearest intact snapshot to a checkpoint; `broken` takes the ids of those that cannot be restored. */
export async function chainTo(scan: FolderScan, id: string, broken: Set<string>): Promise<Checkpoint[] | undefined> {
  const chain: Checkpoint[] = [];
  const passed = new Set<string>();
  for (let next: string | undefined = id; next !== undefined && !passed.has(next) && !broken.has(next); ) {
    passed.add(next);
    const found = await firstIntact(scan, scan.tree.byId.get(next) ?? []);
    if (found === undefined) break;
    chain.push(found);
    if (found.base === undefined) return chain.reverse();
    next = found.base;
  }
  for (const each of passed) broken.add(each);
  return undefined;
}

/** Bytes of an intact file whose content fits its name and its folder, undefined otherwise. */
export async function readIntact(scan: FolderScan, file: CheckpointFile): Promise<Uint8Array | undefined> {
  if (scan.read.has(file)) return scan.read.get(file);
  const bytes = await readOrGone(scan, file);
  const intact = bytes !== undefined && fits(scan.folder, file, bytes) ? bytes : undefined;
  if (bytes !== undefined && intact === undefined) scan.damaged.push(file);
  scan.read.set(file, intact);
  return intact;
}

/** Creates a folder and those above it, all durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/**
 * Writes a file that is whole and durable under its name when the promise resolves, or leaves nothing under it; no faster than at the pace
 * given, in bytes a second.
 */
export async function writeDurably(
  folder: string,
  name: string,
  bytes: Uint8Array,
  token: string,
  pace: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const suffix = randomBytes(4).toString('hex');
  const temporary = join(folder, `.tmp-${folderName(hostname())}-${process.pid}-${token}-${suffix}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      if (pace === Number.POSITIVE_INFINITY) await file.writeFile(bytes);
      else await writeSlowly(file, bytes, pace);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** In pieces, each of which is on the disk before the next: the system would gather all and write it at once. */
async function writeSlowly(file: FileHandle, bytes: Uint8Array, pace: number): Promise<void> {
  const start = performance.now();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    await file.writeFile(piece);
    await file.datasync();
    await setTimeout(start + (1_000 * (at + piece.length)) / pace - performance.now());
  }
}

const pieceBytes: number = 2 ** 20;

/** Removes what writers that are no more left half written: this host's whose process is dead, anybody's that is an hour old. */
export async function removeStale(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const match = /^\.tmp-(.+)-(\d+)-([0-9a-f]+)-[0-9a-f]+$/.exec(name);
    if (match === null) continue;
    const [, host, pid, writer] = match;
    const ours = host === folderName(hostname());
    const dead = ours && (Number(pid) === process.pid ? writer !== processToken : !isAlive(Number(pid)));
    if (dead || (await isStale(join(folder, name)))) await removeFile(join(folder, name));
  }
}

/** Removes a partition's folder: it is there whole or not at all. */
export async function dropFolder(folder: string): Promise<void> {
  const dropped = '.dropped-';
  const parent = dirname(folder);
  await rename(folder, join(parent, dropped + randomBytes(8).toString('hex'))).catch(ignore('ENOENT'));
  for (const name of await namesIn(parent)) {
    if (name.startsWith(dropped)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes a file that may be gone already. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ignore('ENOENT'));
}

/** Names in a folder, sorted; none where there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignore('ENOENT'));
  return (names ?? []).sort();
}

/** A catch for errors of the codes given: the promise resolves with undefined. */
export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error;
    return undefined;
  };
}

/** The code of a system error, '' where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function firstIntact(scan: FolderScan, files: readonly CheckpointFile[]): Promise<Checkpoint | undefined> {
  for (const file of files) {
    const bytes = await readIntact(scan, file);
    if (bytes !== undefined) return { id: file.id, base: file.base, nextOffset: file.nextOffset, bytes };
  }
  return undefined;
}

async function readOrGone(scan: FolderScan, file: CheckpointFile): Promise<Uint8Array | undefined> {
  try {
    return await readWhole(join(scan.folder, file.name));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESTALE') scan.gone = true;
    // A sector that cannot be read, or a folder in the place of a file, is damage; anything else is an outage.
    else if (code === 'EIO' || code === 'EISDIR') scan.damaged.push(file);
    else throw error;
    return undefined;
  }
}

/** In one piece, where `readFile` takes a turn of the event loop for every half megabyte. */
async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.allocUnsafeSlow(size);
    let read = 0;
    for (let more = -1; more !== 0 && read < size; read += more)
      more = (await file.read(bytes, read, Math.min(size - read, readMax), read)).bytesRead;
    return bytes.subarray(0, read);
  } finally {
    await file.close();
  }
}

/** The system reads less than 2 GiB at once. */
const readMax: number = 2 ** 30;

function fits(folder: string, file: CheckpointFile, bytes: Uint8Array): boolean {
  const head = headOf(bytes);
  if (head === undefined) return false;
  const placed = folderName(head.topic) === basename(dirname(folder)) && String(head.partition) === basename(folder);
  return placed && head.id === file.id && head.base === file.base && head.nextOffset === file.nextOffset;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    // Some network file systems have no such operation for folders.
    await handle.sync().catch(ignore('EINVAL', 'ENOTSUP'));
  } finally {
    await handle.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(ignore('ENOENT'));
  return found !== undefined && found.mtimeMs < Date.now() - staleAfterMs;
}
