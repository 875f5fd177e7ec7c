import { type BegunTruth, beginTruth } from '../adapters/truth-files/truth-thread.ts';
import type { Config } from '../config/config.ts';

/** Begins to read the truth of a service while its program is still being loaded; undefined where there are no truth files. */
export function beginRun({ truth, limits }: Config, signal: AbortSignal): BegunTruth | undefined {
  if (truth.paths.length === 0) return undefined;
  return beginTruth(truth.paths, { deadlineMs: limits.truth_load.ms, limits, signal });
}
