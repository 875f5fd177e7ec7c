import { access, constants, type FileHandle, open, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isBrokenPipe } from '../../errors.ts';
import { withRemedy } from '../object-store/remedies.ts';
import { newFile } from './new-file.ts';

/**
 * A file that a user names, to be written once; `-` is standard output. A file that is there stays as it is until the new one is whole;
 * devices and pipes are written directly. Errors name the path.
 */
export interface Output {
  write(pieces: readonly Uint8Array[]): Promise<void>;
  finish(): Promise<void>;
  /** Leaves nothing behind, unless it is finished. */
  abandon(): Promise<void>;
}

/** Opens an output. */
export async function output(path: string): Promise<Output> {
  const opened = await naming(path, () => openOutput(path));
  return {
    write: (pieces) => naming(path, () => opened.write(pieces)),
    finish: () => naming(path, () => opened.finish()),
    abandon: () => opened.abandon(),
  };
}

/** Throws where an output could not be opened now: what takes long need not be done first. */
export async function checkOutput(path: string): Promise<void> {
  await naming(path, () => targetOf(path));
}

/** Writes a whole output. */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const file = await output(path);
  try {
    await file.write([Buffer.from(content)]);
    await file.finish();
  } finally {
    await file.abandon();
  }
}

async function openOutput(path: string): Promise<Output> {
  const target = await targetOf(path);
  if (target === undefined) return standardOutput;
  if (await isStream(target)) return direct(await open(target, 'w'));
  const file = await newFile(dirname(target), basename(target));
  return { write: (pieces) => file.write(pieces), finish: () => file.finish(target), abandon: () => file.abandon() };
}

/** The file that a path stands for; undefined is standard output. */
async function targetOf(path: string): Promise<string | undefined> {
  // Where it is a socket the system cannot open it by that name.
  if (path === '-' || path === '/dev/stdout') return undefined;
  const target = await realpath(path).catch(() => resolve(path));
  if (await isStream(target)) return target;
  if ((await stat(target).catch(() => undefined))?.isDirectory()) throw new Error('it is a folder; name a file');
  await access(dirname(target), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`there is no folder ${dirname(path)}; make it`, { cause: error }) : error;
  });
  return target;
}

const standardOutput: Output = {
  async write(pieces) {
    for (const piece of pieces)
      await new Promise<void>((done, fail) => {
        // The reader may have read enough (`| head`).
        const written = (error?: Error | null) => (error && !isBrokenPipe(error) ? fail(error) : done());
        process.stdout.write(piece, written);
      });
  },
  finish: async () => undefined,
  abandon: async () => undefined,
};

/** Returns whether a path is one that no file may replace: a device, a pipe, or the system's name of an open file. */
async function isStream(path: string): Promise<boolean> {
  if (/^\/(dev|proc)\//.test(path)) return true;
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

function direct(file: FileHandle): Output {
  const state: { file: FileHandle | undefined } = { file };
  const close = async (): Promise<void> => {
    const { file: left } = state;
    state.file = undefined;
    await left?.close();
  };
  return {
    write: (pieces) => writeFile(file, pieces),
    finish: close,
    abandon: () => close().catch(() => undefined),
  };
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = `cannot write ${path === '-' ? 'standard output' : path}: ${(error as Error).message}`;
    throw new Error(withRemedy(message, error), { cause: error });
  }
}
