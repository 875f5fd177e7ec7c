import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refuseLake } from './lakes.ts';

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
  if (status?.isFile()) await refuseLake(dirname(path));
  if (!status?.isDirectory()) return [path];
  const files = await filesBelow(path);
  if (files.length === 0) throw new Error(`${path}: the folder holds no files; name another, or a file`);
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  await refuseLake(folder);
  const names = (await readdir(folder)).filter((name) => !/^[._]/.test(name)).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const status = await stat(path);
      return status.isDirectory() ? filesBelow(path) : status.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}
