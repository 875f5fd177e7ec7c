import { expiredIn } from './panes.ts';
import type { PartitionState } from './partition.ts';
import { scoredSlot } from './row-layout.ts';
import type { Settings } from './settings.ts';
import { forWindows } from './window-sums.ts';
import { paneOf } from './windows.ts';

/** Predictions of a window by what became of them: coverage is a reading of it. */
export interface WindowCounts {
  readonly window: string;
  scored: number;
  pending: number;
  expired: number;
}

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
  }));
  for (const state of states) {
    const { numbers, pending } = state;
    counts[0]!.scored += numbers.scored;
    counts[0]!.expired += numbers.expired;
    counts[0]!.pending += pending.waiting.size;
    if (asOfMs !== undefined) addWindows(state, asOfMs, counts.slice(1));
  }
  return counts;
}

function addWindows({ sums, panes, pending }: PartitionState, asOfMs: number, counts: readonly WindowCounts[]): void {
  const { tiers, windows } = panes.plan;
  forWindows(sums, asOfMs, (_slice, window, from, at, sign) => {
    counts[window]!.scored += sign * from[at + scoredSlot]!;
  });
  windows.forEach(({ tier, panes: length }, window) => {
    const newest = paneOf(tiers[tier]!, asOfMs);
    const count = counts[window]!;
    for (let pane = newest - length + 1; pane <= newest; pane++) {
      count.expired += expiredIn(panes, tier, pane);
      count.pending += pending.byPane[tier]!.get(pane) ?? 0;
    }
  });
}
