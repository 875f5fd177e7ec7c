import type { TruthLoadOptions } from '../adapters/truth-files/truth-thread.ts';
import type { Config } from '../config/config.ts';
import { s3Of } from './s3-of.ts';

/** How long truth may take to load, what a row may hold, and how buckets are reached. */
export function truthLoading(config: Config) {
  const { limits } = config;
  return { deadlineMs: limits.truth_load.ms, limits, s3: s3Of(config) } satisfies TruthLoadOptions;
}
