import { type BegunTruth, beginTruth as begin } from '../adapters/truth/truth-thread.ts';
import type { Config } from '../config/config.ts';

/** Begins to read the truth of a service, which takes about as long as to load its program. Undefined where it has no truth files. */
export function beginTruth({ truth, limits }: Config, signal: AbortSignal): BegunTruth | undefined {
  if (truth.paths.length === 0) return undefined;
  return begin(truth.paths, { deadlineMs: limits.truth_load.ms, signal });
}
