import type { TruthLoadOptions } from '../adapters/truth-files/truth-thread.ts';
import { type FindingCounts, findingKinds } from '../scoring/truth.ts';
import type { TruthInfo } from '../formats/truth/table.ts';
import type { Config } from '../config/config.ts';
import { s3Of } from './s3-of.ts';

/** How long truth may take to load, what a row may hold, and how buckets are reached. */
export function truthLoading(config: Config) {
  const { limits, truth } = config;
  return {
    deadlineMs: limits.truth_load.ms,
    limits,
    fields: truth.fields,
    rename: config.tools.rename,
    s3: s3Of(config),
  } satisfies TruthLoadOptions;
}

/** The keys of truth that nothing reads, in a line; empty where there are none. */
export function unreadTruthText({ unread }: Pick<TruthInfo, 'unread'>): string {
  return unread.length === 0 ? '' : `the truth has keys that nothing reads: ${unread.join(', ')}\n`;
}

/** Contradictions in the truth, in words; empty where there are none. */
export function findingsText(findings: FindingCounts): string {
  const found = findingKinds.filter((kind) => findings[kind] > 0);
  return found.length === 0
    ? ''
    : `${found.map((kind) => `${kind} ${findings[kind]}`).join(', ')}; see them with assay truth check`;
}
