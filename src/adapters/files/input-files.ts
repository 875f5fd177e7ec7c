import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLake, refuseLakeAt } from './lakes.ts';

/**
 * Resolves paths to files, in order: a folder to all files below it, by name, except hidden files and files whose names begin with `_`,
 * which are marks of the programs that wrote the others. Rejects where a folder holds none.
 */
export async function inputFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(filesOf));
  return found.flat();
}

async function filesOf(path: string): Promise<readonly string[]> {
  // A path that cannot be inspected fails where it is opened.
  const status = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (status !== undefined) await refuseLake(path);
  if (!status?.isDirectory()) return [path];
  const files = await filesBelow(path);
  if (files.length === 0) throw new Error(`${path}: the folder holds no files; name another, or a file`);
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  await refuseLakeAt(folder);
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !/^[._]/.test(name));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) await refuseLake(path);
      const status = await stat(path);
      return status.isDirectory() ? filesBelow(path) : status.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}
