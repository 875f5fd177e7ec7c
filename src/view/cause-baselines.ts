import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { paneSlot } from '../state/windows.ts';
import type { Reference } from '../statistics/learning.ts';
import type { WatchAlarm, WatchReading } from './summary.ts';
import {
  type AttributedNames,
  createAttributedNames,
  fillBefore,
  noSums,
  type Sums,
  type Tally,
} from './watch-tallies.ts';
import type { WatchableRate } from './watched-rates.ts';

/** A watch that has alarms, and what is known of the time before. */
export interface AlarmedWatch {
  readonly reading: WatchReading;
  readonly rate: WatchableRate;
  readonly reference: Reference;
}

/** The memory between two readings. */
export interface CauseMemory {
  /** The sets of dimensions that are watched. */
  readonly sets: readonly (readonly string[])[];
  /** The baseline sums of alarms, by the reference: valid while no pane of it grows. */
  readonly baselines: WeakMap<Reference, { readonly stamp: string; readonly sums: Sums }>;
  /** By alarm as it was read: the same one with its causes, valid while its reference is. */
  readonly alarms: WeakMap<
    WatchAlarm,
    { readonly reference: Reference; readonly stamp: string; readonly explained: WatchAlarm }
  >;
  /** By reading: the same one with the causes of its alarms. */
  readonly readings: WeakMap<WatchReading, WatchReading>;
  readonly names: AttributedNames;
}

/** An empty memory. */
export function createCauseMemory(sets: CauseMemory['sets']): CauseMemory {
  const [baselines, alarms, readings] = [new WeakMap(), new WeakMap(), new WeakMap()];
  return { sets, baselines, alarms, readings, names: createAttributedNames() };
}

/** Adds up what alarms had before, where it is not known. */
export function cacheBaselines(
  settings: Settings,
  states: readonly PartitionState[],
  watches: readonly AlarmedWatch[],
  { baselines, names }: CauseMemory,
): void {
  const stamps = stampsOf(states);
  const byReference = new Map(watches.map((watch) => [watch.reference, watch]));
  const unknown = [...byReference.values()]
    .filter(({ reference }) => baselines.get(reference)?.stamp !== stamps(reference.end))
    .map((watch) => ({ reference: watch.reference, tally: tallyOf(settings, watch, nowhere) }));
  fillBefore(
    states,
    unknown.map(({ tally }) => tally),
    names,
  );
  for (const { reference, tally } of unknown)
    baselines.set(reference, { stamp: stamps(reference.end), sums: tally.before });
}

const nowhere = { sinceMs: Number.NaN, untilMs: Number.NaN };

/** The sums for an alarm: of each slice its cases, bad ones, then of each outcome its cases and those that could have come to it. */
export function tallyOf(
  { dimensions }: Settings,
  { reading, rate, reference }: AlarmedWatch,
  { sinceMs, untilMs }: Pick<WatchAlarm, 'sinceMs' | 'untilMs'>,
): Tally {
  const cells = [rate.n, rate.bad, ...rate.outcomes.flatMap((outcome) => [outcome.cells, outcome.possible])];
  return {
    places: reading.dimensions.map((dimension) => dimensions.indexOf(dimension)),
    values: reading.values,
    cells,
    badSlots: [...rate.bad.slots],
    sinceMs,
    untilMs,
    end: reference.end,
    fired: reference.fired,
    before: noSums(cells.length),
    since: noSums(cells.length),
  };
}

/** By `end`: a stamp that changes whenever a pane of the longest tier before it does, or attributions are dropped. */
export function stampsOf(states: readonly PartitionState[]): (end: number) => string {
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
  return `${settled} ${grown} ${attributions.floors.join(' ')}`;
}
