/** Limits that count when reached. */
export const limitNames = [
  'pending',
  'dedupe_ids',
  'stability_groups',
  'slices',
  'names',
  'breakdowns',
  'blames',
] as const;

/** How often each limit was reached since the last look. */
export type LimitHits = Record<(typeof limitNames)[number], number>;

/** No limit was reached. */
export function noLimitHits(): LimitHits {
  return { pending: 0, dedupe_ids: 0, stability_groups: 0, slices: 0, names: 0, breakdowns: 0, blames: 0 };
}
