import { randomBytes } from 'node:crypto';
import type { BigIntStats, Dirent } from 'node:fs';
import { type FileHandle, open, opendir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { folderName } from '../../formats/checkpoint/names.ts';
import { makeFolder, syncFolder } from './make-folder.ts';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { codeOf, ignore, type ObjectStore } from './object-store.ts';
import { withRemedy } from './remedies.ts';
import { programName } from '../../name.ts';

/** Marks the unfinished files of this process; its threads have the same. */
export const processToken: string = tokenOfProcess();

function tokenOfProcess(): string {
  const key = `${programName}.process-token`;
  const given = getEnvironmentData(key);
  if (typeof given === 'string') return given;
  const token = randomBytes(6).toString('hex');
  setEnvironmentData(key, token);
  return token;
}

/**
 * The files under a folder. Several processes, on several hosts, may read and write it at once without locks: a file appears whole under a name
 * of its own.
 */
export function folderStore(root: string, token: string): ObjectStore {
  const at = (path: string): string => join(root, path);
  return {
    name: root,
    files: (folder) => namesIn(at(folder)),
    async filesBefore(folder, timeMs, isLater = () => false) {
      const old: string[] = [];
      for await (const { name } of entriesOf(at(folder))) {
        if (isLater(name)) continue;
        const found = await stat(join(at(folder), name)).catch(ignore('ENOENT'));
        if (found?.isFile() && found.mtimeMs < timeMs) old.push(name);
      }
      return old;
    },
    folders: async (folder) => {
      const names: string[] = [];
      for await (const entry of await opendir(at(folder), { bufferSize }))
        if (entry.isDirectory()) names.push(entry.name);
      return names.sort();
    },
    read: (path) => readWhole(at(path)).catch(ignore('ENOENT', 'ESTALE')),
    size: async (path) => (await stat(at(path)).catch(ignore('ENOENT')))?.size,
    async mark(path) {
      const found = await stat(at(path), { bigint: true }).catch(ignore('ENOENT'));
      return found && markOf(found);
    },
    async write(path, bytes, pace) {
      try {
        await makeDurably(dirname(at(path)));
        await writeDurably(at(path), bytes, token, pace);
      } catch (error) {
        throw inFolder(error, dirname(at(path)));
      }
    },
    remove: (path) => removeFile(at(path)),
    removeFolder: (path) => dropFolder(at(path)),
    removeUnfinished: (folder) => removeStale(at(folder), token),
  };
}

/** An error of writing that names its folder and its remedy: the system names neither where a disk is full. */
function inFolder(error: unknown, folder: string): Error {
  const { message } = error as Error;
  const named = message.includes(folder) ? message : `${message} in ${folder}`;
  return Object.assign(new Error(withRemedy(named, error), { cause: error }), { code: codeOf(error) });
}

/** A text that differs between two states of a file. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Makes a folder and those above it, all durable. */
async function makeDurably(folder: string): Promise<void> {
  const first = await makeFolder(folder);
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function writeDurably(
  path: string,
  bytes: Uint8Array,
  token: string,
  pace: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const folder = dirname(path);
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
    await rename(temporary, path);
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
const staleAfterMs = 3_600_000;

/** Removes the files of dead writers of this host, and those of any host that are an hour old. */
async function removeStale(folder: string, token: string): Promise<void> {
  for await (const { name } of entriesOf(folder)) {
    const match = /^\.tmp-(.+)-(\d+)-([0-9a-f]+)-[0-9a-f]+$/.exec(name);
    if (match === null) continue;
    const [, host, pid, writer] = match;
    const ours = host === folderName(hostname());
    const dead = ours && (Number(pid) === process.pid ? writer !== token : !isAlive(Number(pid)));
    if (dead || (await isStale(join(folder, name)))) await removeFile(join(folder, name));
  }
}

/** Removes a folder at once for readers: it is renamed, then its files are removed. */
async function dropFolder(folder: string): Promise<void> {
  const dropped = '.dropped-';
  const parent = dirname(folder);
  await rename(folder, join(parent, dropped + randomBytes(8).toString('hex'))).catch(ignore('ENOENT'));
  for await (const { name } of entriesOf(parent)) if (name.startsWith(dropped)) await removeTree(join(parent, name));
}

/** Some files at once, where `rm` begins with all of them; another process may do the same. */
async function removeTree(folder: string): Promise<void> {
  const removing: Promise<void>[] = [];
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(path);
    else removing.push(removeFile(path));
    if (removing.length === removedAtOnce) await Promise.all(removing.splice(0));
  }
  await Promise.all(removing);
  await rmdir(folder).catch(ignore('ENOENT', 'ENOTEMPTY'));
}

/** One for each of two threads of the pool: with all of them busy for the whole of a million, what else there is waits for a processor. */
const removedAtOnce = 2;

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ignore('ENOENT'));
}

/** The entries of a folder, one after the other: a million names at once would hold the event loop for seconds. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const entries = await opendir(folder, { bufferSize }).catch(ignore('ENOENT'));
  if (entries !== undefined) yield* entries;
}

/** Names that are read at once. */
const bufferSize = 256;

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignore('ENOENT'));
  return (names ?? []).sort();
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
