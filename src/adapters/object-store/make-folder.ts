import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './object-store.ts';

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
