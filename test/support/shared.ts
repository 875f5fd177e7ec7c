import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Absolute path of a file of the shared conformance cases and data, which lie in a folder beside the checkout; undefined where
 * they are absent. Tests run with the checkout as their working folder.
 */
export function shared(path: string): string | undefined {
  const full = resolve('..', 'shared', path);
  return existsSync(full) ? full : undefined;
}
