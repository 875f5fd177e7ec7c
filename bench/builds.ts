import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** A built program. */
export interface Build {
  /** Follows the name of a case: empty for this build. */
  readonly suffix: string;
  readonly dist: string;
  readonly program: string;
}

/** This build, and the one whose dist/ folder BENCH_PROGRAM names: they are measured in turn with the same traffic. */
export const builds: readonly Build[] = [
  buildOf('', fileURLToPath(new URL('..', import.meta.url))),
  ...[process.env['BENCH_PROGRAM'] ?? []].flat().map((dist) => buildOf(' (BENCH_PROGRAM)', resolve(dist))),
];

function buildOf(suffix: string, dist: string): Build {
  return { suffix, dist, program: join(dist, 'bin', 'assay.js') };
}
