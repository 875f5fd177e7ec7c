import { scoredSlot } from './layout.ts';
import { expiredSlice } from './state/panes.ts';
import type { PartitionState, Settings } from './state/partition.ts';
import { chunkOf, isLive, valuesAt } from './state/table.ts';
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
  const newest = windows.tiers.map((tier) => (asOfMs === undefined ? 0 : paneOf(tier, asOfMs)));
  const covering = (tier: number, pane: number): WindowCounts[] =>
    windows.windows.flatMap((window, index) => {
      const age = newest[tier]! - pane;
      return window.tier === tier && age >= 0 && age < window.panes ? [counts[index + 1]!] : [];
    });
  for (const state of states) {
    addTallies(state, counts[0]!, covering);
    for (const { ts } of state.derived.pendingQueue.examples.values()) {
      counts[0]!.pending++;
      windows.tiers.forEach((tier, index) => {
        for (const count of covering(index, paneOf(tier, ts))) count.pending++;
      });
    }
  }
  return counts;
}

function addTallies(
  state: PartitionState,
  all: WindowCounts,
  covering: (tier: number, pane: number) => readonly WindowCounts[],
): void {
  const { tallies } = state;
  for (let row = 0; row < tallies.taken; row++) {
    if (!isLive(tallies, row)) continue;
    const chunk = chunkOf(tallies, row);
    const at = valuesAt(tallies, row);
    const tier = chunk[at - 3]!;
    const what = chunk[at - 4] === expiredSlice ? 'expired' : 'scored';
    for (const count of tier === 0 ? [all] : covering(tier - 1, chunk[at - 2]!)) count[what] += chunk[at + scoredSlot]!;
  }
}
