import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../adapters/object-store/make-folder.ts';
import { codeOf } from '../adapters/object-store/object-store.ts';
import { UsageError } from '../errors.ts';

/**
 * Makes a folder that the configuration names under `key`, and writes into it. One that can never be written is a mistake of the
 * configuration, a `UsageError`; a full disk is an outage.
 */
export async function assertWritable(key: string, folder: string): Promise<void> {
  const probe = join(folder, `.probe-${randomUUID()}`);
  try {
    await makeFolder(folder);
    // Rights alone do not tell: root has them in /proc too.
    await (await open(probe, 'wx')).close();
    await rm(probe, { force: true });
  } catch (error) {
    if (['ENOSPC', 'EIO', 'EDQUOT'].includes(codeOf(error))) return;
    const { message } = error as Error;
    throw new UsageError(`${key}: ${folder} cannot be written (${message}); name a folder that this user may write`);
  }
}
