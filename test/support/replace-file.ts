import { renameSync, writeFileSync } from 'node:fs';

/** Puts a whole file in the place of what is there: nobody reads half of it. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
