import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, ignore } from './object-store.ts';

/**
 * Makes a folder and those above it; resolves with the topmost that was made, undefined where all were there. Node's own way
 * (`recursive`) tries for ever, and holds up the end of the process, where a folder that is there takes none: /proc, for one.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const above = dirname(folder);
  try {
    return await made(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || above === folder) throw error;
  }
  const first = await makeFolder(above);
  const last = await made(folder);
  return first ?? last;
}

async function made(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    const there = await stat(folder).catch(() => undefined);
    if (there?.isDirectory()) return undefined;
    throw error;
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    // Some network file systems have no such operation for folders.
    await handle.sync().catch(ignore('EINVAL', 'ENOTSUP'));
  } finally {
    await handle.close();
  }
}
