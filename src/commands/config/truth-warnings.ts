import { isBucket } from '../../adapters/object-store/object-store.ts';
import { markedFiles, unreadFolders } from '../../adapters/truth-files/truth-files.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';

/** Why `assay run` would wait for its truth, files and folders that cannot be read, and folders that it would not read. Buckets are not asked. */
export async function truthWarnings({ truth }: Config): Promise<readonly string[]> {
  const problemOf = (path: string): Promise<readonly string[]> =>
    markedFiles(path).then(
      async () => (await unreadFolders(path)).map((folder) => `${folder} is not read: name it in truth.paths too`),
      (error: unknown) => [`${messageOf(error)}; assay run waits for it`],
    );
  return (await Promise.all(truth.paths.filter((path) => !isBucket(path)).map(problemOf))).flat();
}
