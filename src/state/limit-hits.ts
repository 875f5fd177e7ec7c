import type { PartitionState } from './partition.ts';

/** Limits that count when reached, in the order of `limitHits`. */
export const limitNames = ['pending', 'dedupe_ids', 'stability_groups', 'slices', 'names'] as const;
export type LimitName = (typeof limitNames)[number];

/** Counts that a limit was reached. */
export function hitLimit(state: PartitionState, limit: LimitName): void {
  state.limitHits[limitNames.indexOf(limit)]! += 1;
}
