/** Limits that count when reached. */
export const limitNames = [
  'pending',
  'open_runs',
  'run_steps',
  'plain_spans',
  'revisable',
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
  return Object.fromEntries(limitNames.map((name) => [name, 0])) as LimitHits;
}
