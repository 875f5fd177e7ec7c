import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is gone after the test; after those of a file with `{ after }` of node:test. */
export function temporaryFolder(context: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  // Hooks run in the order they were given in: a program may still write into the folder, until a later hook ends it.
  context.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}
