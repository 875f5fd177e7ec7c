import { availableSinceOf } from '../state/available-since.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { paneOf } from '../state/windows.ts';

/** Event times by family, of those whose numbers do not reach back as far as their window does. */
export type Since = Readonly<Record<string, number>>;

/** Tells since when the numbers of a group hold all: `window` 0 is `all`. Undefined where each family reaches back as far as the window. */
export type SinceOf = (dimensions: readonly string[], window: number, families: readonly string[]) => Since | undefined;

/** Reads what has availableSince later in any of the partitions. */
export function sinceReader(
  states: readonly PartitionState[],
  { windows: { windows, tiers } }: Settings,
  asOfMs: number | undefined,
): SinceOf {
  const availableSince = states.flatMap((state) => state.availableSince).sort((a, b) => b.sinceMs - a.sinceMs);
  if (availableSince.length === 0 || asOfMs === undefined) return () => undefined;
  return (dimensions, window, families) => {
    const shown = windows[window - 1];
    const from = shown === undefined ? Number.NEGATIVE_INFINITY : beginOf(shown, tiers[shown.tier]!.paneMs, asOfMs);
    const ofGroup = [
      ...dimensions.map((dimension) => availableSinceOf(availableSince, 'dimension', dimension)),
      shown && availableSinceOf(availableSince, 'window', `${shown.lengthMs}`),
    ];
    const since = families.flatMap((family) => {
      const times = [...ofGroup, availableSinceOf(availableSince, 'family', family)].filter(
        (ms) => ms !== undefined && ms > from,
      );
      return times.length === 0 ? [] : [[family, Math.max(...(times as number[]))] as const];
    });
    return since.length === 0 ? undefined : Object.fromEntries(since);
  };
}

/** Event time from which on a window reaches to T. */
function beginOf({ panes }: { readonly panes: number }, paneMs: number, asOfMs: number): number {
  return (paneOf({ paneMs, panes }, asOfMs) - panes + 1) * paneMs;
}
