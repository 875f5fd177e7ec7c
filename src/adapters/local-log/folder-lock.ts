import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../errors.ts';
import { codeOf, ignore } from '../object-store/object-store.ts';

/** The right to write into a folder, which one process has at a time. */
export interface FolderLock {
  release(): Promise<void>;
}

/** A holder on another machine that does not touch its file for so long is gone. */
const usualStaleMs = 15_000;
/** Touches in that time. */
const touches = 3;

/**
 * Takes the lock of a folder. A holder on this machine that has ended is known at once; one on another machine when its file has not been touched for
 * some seconds. Throws a `UsageError` that names the holder where there is one. `onLost`: another process took the folder, so that this one must not
 * go on writing.
 */
export async function lockFolder(
  folder: string,
  onLost: (error: Error) => void,
  staleMs: number = usualStaleMs,
): Promise<FolderLock> {
  const path = join(folder, 'lock');
  const own: Holder = { token: randomUUID(), machine: machine(), pid: process.pid, start: startOf(process.pid) };
  while (!(await created(path, own))) {
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (await isAlive(path, holder, staleMs))
      throw new UsageError(
        `${folder} is in use by process ${holder.pid} on ${hostOf(holder)}: stop it, or name another folder with state.dir`,
      );
    await takeAway(path, holder);
  }
  const timer = setInterval(() => {
    // A disk that fails now and then takes no lock away.
    void touch(path, own, onLost).catch(() => undefined);
  }, staleMs / touches);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await holderOf(path).catch(() => undefined))?.token === own.token) await rm(path, { force: true });
    },
  };
}

interface Holder {
  readonly token: string;
  /** Host, and the name space of its process ids. */
  readonly machine: string;
  readonly pid: number;
  /** Tells two processes with one id apart; undefined where the system does not say. */
  readonly start: string | undefined;
}

function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function hostOf({ machine }: Holder): string {
  return machine.split(' ')[0]!;
}

/** When a process started, in ticks of its system; undefined where it has ended, or the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')')).split(' ');
    return fields[1] === 'Z' ? undefined : fields[20];
  } catch {
    return undefined;
  }
}

async function created(path: string, holder: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(JSON.stringify(holder));
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The holder that a lock names; undefined where it is gone. Undefined too where it died as it wrote its name. */
async function holderOf(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(ignore('ENOENT'));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return { token: text, machine: 'another machine', pid: 0, start: undefined };
  }
}

async function isAlive(path: string, { machine: other, pid, start }: Holder, staleMs: number): Promise<boolean> {
  if (other === machine()) return isRunning(pid) && startOf(pid) === start;
  const before = (await stat(path).catch(ignore('ENOENT')))?.mtimeMs;
  await sleep(staleMs);
  return (await stat(path).catch(ignore('ENOENT')))?.mtimeMs !== before;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Moves the lock of a dead process away. Of two processes that do so, the later may have moved the lock of the earlier: it puts that back. */
async function takeAway(path: string, dead: Holder): Promise<void> {
  const moved = `${path}.${randomUUID()}`;
  await rename(path, moved).catch(ignore('ENOENT'));
  const holder = await holderOf(moved);
  if (holder !== undefined && holder.token !== dead.token) await rename(moved, path);
  else await rm(moved, { force: true });
}

async function touch(path: string, own: Holder, onLost: (error: Error) => void): Promise<void> {
  const holder = await holderOf(path);
  if (holder?.token !== own.token) {
    const how = holder === undefined ? 'was removed' : `was taken by process ${holder.pid} on ${hostOf(holder)}`;
    return onLost(new Error(`${path} ${how}: two processes must not write one log`));
  }
  const now = new Date();
  await utimes(path, now, now);
}
