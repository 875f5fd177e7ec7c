import { shapeOf } from './histograms.ts';
import type { GroupOutcome } from './outcome.ts';

/** The counts of complete groups by the time of the run that completed them, as windows have them. */
export const groupCounts = ['complete', 'stable', 'stableCorrect', 'modeCorrect'] as const;

/** Counts of complete groups, or of one: `stable` are those all of whose runs agree, `stableCorrect` those that agree on the gold label. */
export type GroupCounts = Readonly<Record<(typeof groupCounts)[number], number>>;

/** Counts of one complete group of k runs. */
export function groupCountsOf(k: number, { shapes }: GroupOutcome): GroupCounts {
  const { counts, modeCorrect } = shapeOf(k, shapes);
  const [stable, right] = [Number(counts[0] === k), Number(modeCorrect)];
  return { complete: 1, stable, stableCorrect: stable * right, modeCorrect: right };
}
