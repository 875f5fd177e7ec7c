import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { paneOf, paneSlot } from '../state/windows.ts';

/** The state of a partition when it was read. */
export interface PartitionRead {
  readonly state: PartitionState;
  /** By tier and `paneSlot`: the pane that was read, and its stamp then. */
  readonly panes: readonly Float64Array[];
  readonly stamps: readonly Float64Array[];
  /** When everything was read: `revisionOf` the state, how often its settled panes had grown, and by tier the last of them. */
  revision: number;
  grown: number;
  settled: readonly number[];
}

/** Panes of partitions that were read. */
export interface PanesRead {
  readonly settings: Settings;
  partitions: readonly PartitionRead[];
  /** By tier: the newest pane when everything was read. */
  newest: readonly number[];
}

/** A partition of which nothing is read. */
export function unread(state: PartitionState): PartitionRead {
  const rings = () => state.panes.plan.tiers.map(({ panes }) => new Float64Array(panes).fill(Number.NaN));
  return { state, panes: rings(), stamps: rings(), revision: Number.NaN, grown: Number.NaN, settled: [] };
}

/** A stamp that changes whenever a pane does: how often a settled one has grown; below 0, all that was accepted or scored. */
export function stampOf({ sums, numbers, openRuns }: PartitionState, tier: number, pane: number, slot: number): number {
  return pane <= sums.settled[tier]! ? sums.grown[tier]![slot]! : -1 - revisionOfEvents({ numbers, openRuns });
}

/** Panes up to that of T that differ from what was read: the oldest first, tier by tier. */
export function changedPanes(watched: PanesRead, asOfMs: number): [tier: number, pane: number][] {
  const { settings, partitions } = watched;
  const changed: [number, number][] = [];
  settings.windows.tiers.forEach((tier, index) => {
    const newest = paneOf(tier, asOfMs);
    for (let pane = Math.max(newest - tier.panes, asRead(watched, index, newest)) + 1; pane <= newest; pane++) {
      const slot = paneSlot(tier, pane);
      const differs = ({ state, panes, stamps }: PartitionRead): boolean => {
        if (panes[index]![slot] !== pane) return true;
        return (
          stamps[index]![slot] !== stampOf(state, index, pane, slot) && pane <= paneOf(tier, state.numbers.greatestTs)
        );
      };
      if (partitions.some(differs)) changed.push([index, pane]);
    }
  });
  return changed;
}

/**
 * The last pane of a tier up to which all are as they were when everything was read: those settled by then, if no settled one has grown. A
 * reading for an earlier time needs panes whose places later ones have taken.
 */
function asRead({ partitions, newest }: PanesRead, tier: number, newestNow: number): number {
  let last = newestNow < newest[tier]! ? Number.NEGATIVE_INFINITY : newest[tier]!;
  for (const { state, grown, settled } of partitions)
    last = grown === state.sums.grownInAll ? Math.min(last, settled[tier]!) : Number.NEGATIVE_INFINITY;
  return last;
}

function newestOf({ windows }: Settings, asOfMs: number): number[] {
  return windows.tiers.map((tier) => paneOf(tier, asOfMs));
}

/** Returns whether nothing can have changed since everything was read: there is no need to look at each pane. */
export function isAsRead({ partitions, newest, settings }: PanesRead, asOfMs: number): boolean {
  return (
    newestOf(settings, asOfMs).every((pane, tier) => pane === newest[tier]) &&
    partitions.every(({ state, revision }) => revision === revisionOf(state))
  );
}

/** Notes that everything was read at time T. */
export function noteAsRead(watched: PanesRead, asOfMs: number): void {
  watched.newest = newestOf(watched.settings, asOfMs);
  for (const partition of watched.partitions) {
    const { state } = partition;
    const [grown, settled] = [state.sums.grownInAll, [...state.sums.settled]];
    Object.assign(partition, { revision: revisionOf(state), grown, settled });
  }
}

/** A number that grows whenever anything does. */
function revisionOf({ numbers, sums, openRuns }: PartitionState): number {
  return revisionOfEvents({ numbers, openRuns }) + sums.grownInAll;
}

/** A number that grows whenever an event is accepted or scored: one that is read, one whose truth came, a run that ends. */
function revisionOfEvents({ numbers, openRuns }: Pick<PartitionState, 'numbers' | 'openRuns'>): number {
  return numbers.read + numbers.scored - openRuns.runs.size;
}
