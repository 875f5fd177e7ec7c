import { open, rm } from 'node:fs/promises';

const probeBytes = 2 ** 16;

/** Writes a file and removes it again; resolves with what that failed of. */
export async function writeProbe(path: string): Promise<Error | undefined> {
  try {
    const file = await open(path, 'w');
    try {
      await file.writeFile(Buffer.alloc(probeBytes, 1));
      await file.datasync();
    } finally {
      await file.close();
    }
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
