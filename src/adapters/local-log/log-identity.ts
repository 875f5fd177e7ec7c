import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { syncFolder } from '../object-store/make-folder.ts';
import { ignore } from '../object-store/object-store.ts';

/** Properties of a log that never change. */
export interface LogIdentity {
  readonly id: string;
  readonly partitions: number;
}

/** The identity of the log in a folder; a new one with so many partitions where there is no log. */
export async function identityOf(folder: string, partitions: number): Promise<LogIdentity> {
  const path = join(folder, 'log.json');
  const text = await readFile(path, 'utf8').catch(ignore('ENOENT'));
  if (text !== undefined) return read(text, path);
  const identity: LogIdentity = { id: randomUUID(), partitions };
  const file = await open(`${path}.new`, 'w');
  await file.writeFile(JSON.stringify(identity));
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  await syncFolder(folder);
  return identity;
}

function read(text: string, path: string): LogIdentity {
  try {
    return JSON.parse(text) as LogIdentity;
  } catch (error) {
    throw new UsageError(`${path} is damaged: put a good copy in its place, or move the folder away and begin anew`, {
      cause: error,
    });
  }
}
