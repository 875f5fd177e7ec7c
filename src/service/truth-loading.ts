import type { TruthLoadOptions } from '../adapters/truth-files/truth-thread.ts';
import type { TruthInfo } from '../formats/truth/table.ts';
import type { Config } from '../config/config.ts';
import { s3Of } from './s3-of.ts';

/** How long truth may take to load, what a row may hold, and how buckets are reached. */
export function truthLoading(config: Config) {
  const { limits } = config;
  return { deadlineMs: limits.truth_load.ms, limits, s3: s3Of(config) } satisfies TruthLoadOptions;
}

/** The hint where a file of events was given as truth; empty where any row has an expectation. */
export function emptyTruthText({ rows, labels, expected_tool_calls, reference }: TruthInfo): string {
  if (rows === 0 || labels['none'] !== rows || expected_tool_calls + reference > 0) return '';
  return 'no row of the truth has a label, expected_tool_calls or a reference: are these files of events?\n';
}
