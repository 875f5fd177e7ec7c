import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { paneSlot } from '../state/windows.ts';
import type { Reference } from '../statistics/learning.ts';
import type { WatchReading } from './summary.ts';
import {
  type AttributedNames,
  createAttributedNames,
  fillBefore,
  noSums,
  type Sums,
  type Tally,
} from './watch-tallies.ts';
import type { WatchableRate } from './watched-rates.ts';

/** A watch that fires, and what is known of the time before. */
export interface FiringWatch {
  readonly reading: WatchReading;
  readonly rate: WatchableRate;
  readonly reference: Reference;
}

/** The memory between two readings. */
export interface CauseMemory {
  /** The baseline sums of alarms, by the reference: valid while no pane of it grows. */
  readonly baselines: WeakMap<Reference, { readonly stamp: string; readonly sums: Sums }>;
  readonly names: AttributedNames;
}

/** An empty memory. */
export function createCauseMemory(): CauseMemory {
  return { baselines: new WeakMap(), names: createAttributedNames() };
}

/** Adds up what alarms had before, where it is not known. */
export function cacheBaselines(
  settings: Settings,
  states: readonly PartitionState[],
  firing: readonly FiringWatch[],
  { baselines, names }: CauseMemory,
): void {
  const stamps = stampsBefore(states);
  const unknown = firing
    .filter(({ reference }) => baselines.get(reference)?.stamp !== stamps(reference.end))
    .map((watch) => ({ reference: watch.reference, tally: tallyOf(settings, watch) }));
  fillBefore(
    states,
    unknown.map(({ tally }) => tally),
    names,
  );
  for (const { reference, tally } of unknown)
    baselines.set(reference, { stamp: stamps(reference.end), sums: tally.before });
}

/** The sums for an alarm: of each slice its cases, bad ones, the denominator of the outcomes, and the outcomes. */
export function tallyOf({ dimensions }: Settings, { reading, rate, reference }: FiringWatch): Tally {
  const cells = [rate.n, rate.bad, rate.outcomesOf, ...rate.outcomes.map((outcome) => outcome.cells)];
  return {
    places: reading.dimensions.map((dimension) => dimensions.indexOf(dimension)),
    values: reading.values,
    cells,
    badSlots: [...rate.bad.slots],
    sinceMs: reading.span!.sinceMs,
    end: reference.end,
    fired: reference.fired,
    before: noSums(cells.length),
    since: noSums(cells.length),
  };
}

/** By `end`: a stamp that changes whenever a pane of the longest tier before it does, or its attributions are dropped. */
function stampsBefore(states: readonly PartitionState[]): (end: number) => string {
  const known = new Map<number, string>();
  return (end) => getOrPut(known, end, () => states.map((state) => stampBefore(state, end)).join());
}

function stampBefore({ sums, panes, attributions, numbers }: PartitionState, end: number): string {
  const last = panes.plan.tiers.length - 1;
  const tier = panes.plan.tiers[last]!;
  const settled = sums.settled[last]!;
  let grown = settled < end - 1 ? numbers.read + numbers.scored : 0;
  for (let pane = Math.max(settled - tier.panes + 2, end - tier.panes); pane < end; pane++)
    grown += sums.grown[last]![paneSlot(tier, pane)]!;
  return `${settled} ${grown} ${attributions.floors[last]}`;
}
