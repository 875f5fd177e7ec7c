import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is gone after the test; after those of a file with `{ after }` of node:test. */
export function temporaryFolder(context: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  context.after(() => {
    try {
      remove();
    } catch {
      // Hooks run in the order they were given in: a program still writes into the folder, until a later hook ends it.
      process.once('exit', remove);
    }
  });
  return folder;
}
