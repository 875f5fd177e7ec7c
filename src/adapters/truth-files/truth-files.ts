import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { sharedCopy } from '../../formats/bytes/shared-copy.ts';
import { TruthError, truthError } from '../../formats/truth/error.ts';
import { refuseLake } from '../files/lakes.ts';
import { markOf } from '../object-store/folder-store.ts';

/** A truth file, and what tells one state of it from another. */
export interface MarkedFile {
  readonly file: string;
  readonly mark: string;
}

/** The truth files that a path stands for. Throws TruthError where there is nothing. */
export async function markedFiles(path: string): Promise<readonly MarkedFile[]> {
  if (path === '-') return [{ file: path, mark: '' }];
  const files = await filesOf(path);
  return await Promise.all(files.map(async (file) => ({ file, mark: markOf(await stat(file, { bigint: true })) })));
}

/** The truth files among the names in a folder. Throws TruthError where there are none. */
export function truthNames(folder: string, names: readonly string[]): readonly string[] {
  for (const kind of fileNames) {
    const chosen = names.filter((name) => !name.startsWith('.') && kind.test(name));
    if (chosen.length > 0) return chosen;
  }
  throw truthError(
    { file: folder },
    'the folder holds no *.arrow, *.arrows, *.ndjson or *.jsonl, and no *.feather, *.parquet, *.csv, *.tsv or *.json, also *.gz or *.zst; put one in, or name another folder (folders below it are not read)',
  );
}

/** Folders directly below a folder of truth that hold files of truth, which nothing reads. */
export async function unreadFolders(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const found = below.map(async ({ name }) => {
    const folder = join(path, name);
    const names = await readdir(folder).catch((): string[] => []);
    return names.some((each) => fileNames.some((kind) => kind.test(each))) ? [folder] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Names of truth files in a folder: the first kind of which there are any. */
const fileNames = [
  /\.arrows?$/,
  /\.(ndjson|jsonl)$/,
  /\.(arrows?|feather|parquet|csv|tsv|json|ndjson|jsonl)(\.gz|\.zstd?)?$/,
] as const;

/**
 * Bytes of a file over a SharedArrayBuffer. Reads in chunks: a single read ends at 2 GiB. Throws TruthError naming the
 * file.
 */
export function readShared(file: string): Uint8Array {
  if (file === '-') return sharedCopy([readFileSync(0)]);
  let open: number | undefined;
  try {
    // To open a pipe waits for its writer.
    open = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(open);
    if (!status.isFile()) throw truthError({ file }, 'is no file (a folder, a pipe or a device); name a file');
    return readSized(file, open, status.size);
  } catch (error) {
    throw error instanceof TruthError ? error : truthError({ file }, `cannot be read (${messageOf(error)})`);
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const status = await stat(path).catch((error) => {
    throw truthError({ file: path }, `cannot be read (${messageOf(error)}); check truth.paths or --truth`);
  });
  await refuseLake(path).catch(asTruthError);
  if (!status.isDirectory()) {
    if (!status.isFile())
      throw truthError({ file: path }, 'is no file (a pipe or a device); write the table to a file and name that');
    return [path];
  }
  return truthNames(path, (await readdir(path)).sort()).map((name) => join(path, name));
}

function asTruthError(error: Error): never {
  throw new TruthError(error.message, { cause: error });
}

const chunkBytes = 64 * 1024 * 1024;

function readSized(file: string, open: number, size: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let at = 0;
  while (at < size) {
    const read = readSync(open, bytes, at, Math.min(chunkBytes, size - at), null);
    if (read === 0) break;
    at += read;
  }
  if (at < size || fstatSync(open).size !== size) {
    throw truthError({ file }, 'changed while it was read; write to another name, then rename');
  }
  return bytes;
}
