import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is gone after the test; after those of a file with `{ after }` of node:test. */
export function temporaryFolder(context: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
