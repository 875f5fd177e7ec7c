import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';

/** How many threads the configuration has score. */
export function workersOf({ run: { threads } }: Config): number {
  return threads === 'auto' ? availableParallelism() : threads;
}
