import type { Fates } from './fates.ts';
import { unscoredIn } from './panes.ts';
import type { PartitionState } from './partition.ts';
import { scoredSlot } from './row-layout.ts';
import type { Settings } from './settings.ts';
import { forWindows } from './window-sums.ts';
import { paneOf } from './windows.ts';

/** Predictions of a window by what became of them. */
export interface WindowCounts extends Fates {
  readonly window: string;
}

type Counting = { -readonly [Fate in keyof WindowCounts]: WindowCounts[Fate] };

/** Counts of window `all`, then of each window ascending, over all partitions at time T. */
export function windowCounts(
  states: readonly PartitionState[],
  { windows }: Settings,
  asOfMs: number | undefined,
): WindowCounts[] {
  const counts = ['all', ...windows.windows.map(({ name }) => name)].map((window) => ({
    window,
    scored: 0,
    pending: 0,
    expired: 0,
    rejected: 0,
  }));
  for (const state of states) {
    const { numbers, pending, rejected } = state;
    counts[0]!.scored += numbers.scored - numbers.judgements;
    counts[0]!.rejected += rejected.reduce((sum, count) => sum + count, 0);
    counts[0]!.expired += numbers.expired;
    counts[0]!.pending += pending.waiting.size;
    if (asOfMs !== undefined) addWindows(state, asOfMs, counts.slice(1));
  }
  return counts;
}

function addWindows({ sums, panes, pending }: PartitionState, asOfMs: number, counts: readonly Counting[]): void {
  const { tiers, windows } = panes.plan;
  forWindows(sums, asOfMs, (_slice, window, from, at, sign) => {
    counts[window]!.scored += sign * from[at + scoredSlot]!;
  });
  windows.forEach(({ tier, panes: length }, window) => {
    const newest = paneOf(tiers[tier]!, asOfMs);
    const count = counts[window]!;
    for (let pane = newest - length + 1; pane <= newest; pane++) {
      count.expired += unscoredIn(panes, 'expired', tier, pane);
      count.rejected += unscoredIn(panes, 'rejected', tier, pane);
      count.pending += pending.byPane[tier]!.get(pane) ?? 0;
    }
  });
}
