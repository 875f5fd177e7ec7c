import { totalsOf } from '../state/breakdowns.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { histogramAt, histogramLabels } from '../scoring/stability/histograms.ts';
import { forSlices } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { type SliceValues, sliceValues } from '../state/slices.ts';
import type { Steps } from '../state/steps.ts';
import { paneOf, paneSlot } from '../state/windows.ts';
import { valuesIn } from './fold-groups.ts';
import { readCells, type WatchableRate } from './watched-rates.ts';

/** Counts of one group by pane, over all partitions. */
export interface WatchedGroup {
  readonly dimensions: readonly string[];
  readonly values: readonly string[];
  /** By tier: at `paneSlot` of a pane, for each rate its cases and bad cases. */
  readonly counts: readonly Uint32Array[];
  /** By tier: the earliest pane that is not what it was when this was last set to Infinity. */
  readonly changed: number[];
  /** How often a pane of the longest tier has changed that was no longer the newest. */
  revision: number;
  /** Complete groups of runs by number of right runs. */
  readonly correct: Float64Array;
}

/**
 * Panes of every group, kept from one reading to the next, so that a reading costs what has changed. Nothing of it is state: made anew from the
 * same partitions it is the same.
 */
export interface WatchPanes {
  readonly settings: Settings;
  readonly rates: readonly WatchableRate[];
  readonly sets: readonly (readonly string[])[];
  partitions: readonly PartitionRead[];
  /** By tier: the newest pane when everything was read. */
  newest: readonly number[];
  /** By set: groups by their values as JSON. */
  byValues: readonly Map<string, WatchedGroup>[];
  /** All of them; replaced when they are others. */
  groups: readonly WatchedGroup[];
  /** By tier and `paneSlot`: those that the pane there has cases of. */
  present: readonly (readonly WatchedGroup[])[][];
  /** The groups of which a pane or the runs have changed since this was last cleared. */
  readonly touched: Set<WatchedGroup>;
  /** How often everything was read. A reading in steps that meets another number has panes that are gone, and gives up. */
  readCount: number;
}

/** The state of a partition when it was read. */
interface PartitionRead {
  readonly state: PartitionState;
  /** By tier and `paneSlot`: the pane that was read, and its stamp then. */
  readonly panes: readonly Float64Array[];
  readonly stamps: readonly Float64Array[];
  /** By set and slice. */
  readonly groups: (readonly WatchedGroup[] | undefined)[];
  /** The totals of histograms that the groups have. */
  readonly totals: number[];
  /** `revisionOf` the state when everything was read. */
  revision: number;
}

/** Panes of which nothing is read. */
export function createWatchPanes(
  settings: Settings,
  rates: readonly WatchableRate[],
  sets: readonly (readonly string[])[],
): WatchPanes {
  return {
    settings,
    rates,
    sets,
    partitions: [],
    newest: [],
    touched: new Set(),
    readCount: 0,
    ...noGroups(settings, sets),
  };
}

/** Where more panes have changed, the others are read before, in steps: the last step reads what has changed since. */
const panesAtOnce = 8;

/**
 * Brings the panes up to the partitions at time T, which `asOf` tells, in steps; the last step leaves nothing out. Events that come while it runs
 * are in.
 */
export function* readWatchPanes(
  watched: WatchPanes,
  states: readonly PartitionState[],
  asOf: () => number,
): Steps<void> {
  const { partitions, settings, sets } = watched;
  if (partitions.length !== states.length || partitions.some(({ state }, index) => state !== states[index])) {
    Object.assign(watched, { partitions: states.map(unread), ...noGroups(settings, sets) });
    watched.touched.clear();
  }
  let asOfMs = asOf();
  if (isAsRead(watched, asOfMs)) return;
  let changed = changedPanes(watched, asOfMs);
  if (changed.length > panesAtOnce) {
    const { readCount } = watched;
    for (const [tier, pane] of changed.slice(0, -panesAtOnce)) {
      if (watched.readCount !== readCount) break;
      readPaneOf(watched, tier, pane, asOf());
      yield;
    }
    asOfMs = asOf();
    changed = changedPanes(watched, asOfMs);
  }
  for (const [tier, pane] of changed) readPaneOf(watched, tier, pane, asOfMs);
  readCorrect(watched);
  noteAsRead(watched, asOfMs);
}

/** Where the cases of a rate in a pane lie in the counts of its tier; the bad ones follow. */
export function cellAt({ settings, rates }: WatchPanes, tier: number, pane: number, rate: number): number {
  return 2 * (paneSlot(settings.windows.tiers[tier]!, pane) * rates.length + rate);
}

function noGroups(
  { windows }: Settings,
  sets: WatchPanes['sets'],
): Pick<WatchPanes, 'byValues' | 'groups' | 'present'> {
  const present = windows.tiers.map(({ panes }) => Array.from({ length: panes }, () => []));
  return { byValues: sets.map(() => new Map()), groups: [], present };
}

function unread(state: PartitionState): PartitionRead {
  const rings = () => state.panes.plan.tiers.map(({ panes }) => new Float64Array(panes).fill(Number.NaN));
  return { state, panes: rings(), stamps: rings(), groups: [], totals: [], revision: Number.NaN };
}

/** A stamp that changes whenever a pane does: how often a settled one has grown; below 0, all that was accepted or scored. */
function stampOf({ sums, numbers }: PartitionState, tier: number, pane: number, slot: number): number {
  return pane <= sums.settled[tier]! ? sums.grown[tier]![slot]! : -1 - numbers.read - numbers.scored;
}

/** Panes up to that of T that differ from what was read: the oldest first, tier by tier. */
function changedPanes({ settings, partitions }: WatchPanes, asOfMs: number): [tier: number, pane: number][] {
  const changed: [number, number][] = [];
  settings.windows.tiers.forEach((tier, index) => {
    const newest = paneOf(tier, asOfMs);
    for (let pane = newest - tier.panes + 1; pane <= newest; pane++) {
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

function newestOf({ windows }: Settings, asOfMs: number): number[] {
  return windows.tiers.map((tier) => paneOf(tier, asOfMs));
}

/** Returns whether nothing can have changed since everything was read: there is no need to look at each pane. */
function isAsRead({ partitions, newest, settings }: WatchPanes, asOfMs: number): boolean {
  return (
    newestOf(settings, asOfMs).every((pane, tier) => pane === newest[tier]) &&
    partitions.every(({ state, revision }) => revision === revisionOf(state))
  );
}

function noteAsRead(watched: WatchPanes, asOfMs: number): void {
  watched.newest = newestOf(watched.settings, asOfMs);
  watched.readCount++;
  for (const partition of watched.partitions) partition.revision = revisionOf(partition.state);
}

/** A number that grows whenever anything does. */
function revisionOf({ numbers, sums }: PartitionState): number {
  return numbers.read + numbers.scored + sums.grownInAll;
}

function readPaneOf(watched: WatchPanes, tier: number, pane: number, asOfMs: number): void {
  const { settings, partitions, rates, present, touched } = watched;
  const { tiers } = settings.windows;
  const slot = paneSlot(tiers[tier]!, pane);
  const width = 2 * rates.length;
  const start = slot * width;
  const held = present[tier]![slot]!;
  const before = new Uint32Array(held.length * width);
  for (const [index, { counts }] of held.entries()) {
    const cells = counts[tier]!;
    for (let i = 0; i < width; i++) before[index * width + i] = cells[start + i]!;
    cells.fill(0, start, start + width);
  }
  const found = new Set(held);
  for (const partition of partitions) addPane(watched, partition, { tier, pane, start, found });
  const isOld = tier === tiers.length - 1 && pane < paneOf(tiers[tier]!, asOfMs);
  const kept: WatchedGroup[] = [];
  for (const [index, group] of [...found].entries()) {
    const cells = group.counts[tier]!;
    let isSame = true;
    let isEmpty = true;
    for (let i = 0; i < width; i++) {
      const now = cells[start + i]!;
      isSame &&= now === (index < held.length ? before[index * width + i]! : 0);
      isEmpty &&= now === 0;
    }
    if (!isEmpty) kept.push(group);
    if (isSame) continue;
    group.changed[tier] = Math.min(group.changed[tier]!, pane);
    if (isOld) group.revision++;
    touched.add(group);
  }
  present[tier]![slot] = kept;
}

/** A pane whose counts are read to `start`; `found` has every group that may have some. */
interface PaneRead {
  readonly tier: number;
  readonly pane: number;
  readonly start: number;
  readonly found: Set<WatchedGroup>;
}

function addPane(watched: WatchPanes, partition: PartitionRead, { tier, pane, start, found }: PaneRead): void {
  const { rates } = watched;
  const { state, panes, stamps } = partition;
  const slot = start / (2 * rates.length);
  forSlices(state.panes, tier, pane, (slice, chunk, from) => {
    const groups = (partition.groups[slice] ??= groupsOf(watched, sliceValues(state.slices, slice)));
    for (const group of groups) found.add(group);
    rates.forEach((rate, index) => {
      const n = readCells(rate.n, chunk, from);
      if (n === 0) return;
      const bad = readCells(rate.bad, chunk, from);
      for (const { counts } of groups) {
        counts[tier]![start + 2 * index]! += n;
        counts[tier]![start + 2 * index + 1]! += bad;
      }
    });
  });
  panes[tier]![slot] = pane;
  stamps[tier]![slot] = stampOf(state, tier, pane, slot);
}

/** The groups that a slice belongs to, one of each set whose dimensions were read then. A new one counts as changed from the beginning. */
function groupsOf(watched: WatchPanes, slice: SliceValues): WatchedGroup[] {
  const { settings, sets, byValues, rates } = watched;
  const { tiers } = settings.windows;
  return sets.flatMap((dimensions, set) => {
    const values = valuesIn(dimensions, settings.dimensions, slice);
    if (values === undefined) return [];
    return getOrPut(byValues[set]!, JSON.stringify(values), () => {
      const group = {
        dimensions,
        values,
        counts: tiers.map(({ panes }) => new Uint32Array(panes * 2 * rates.length)),
        changed: tiers.map(() => Number.NEGATIVE_INFINITY),
        revision: 0,
        correct: new Float64Array((settings.stability?.k ?? 0) + 1),
      };
      watched.groups = [...watched.groups, group];
      return group;
    });
  });
}

/** Adds what the histograms of right runs have grown by. */
function readCorrect({ settings, partitions, touched }: WatchPanes): void {
  if (settings.stability === undefined) return;
  for (const { state, totals, groups } of partitions) {
    const { slices, kinds, known } = state.breakdowns.histograms;
    const current = totalsOf(state.breakdowns);
    while (totals.length < current.length) totals.push(0);
    for (let index = 0; index < totals.length; index++) {
      const grown = current[index]! - totals[index]!;
      const ofSlice = grown === 0 ? undefined : groups[slices[index]!];
      if (ofSlice === undefined) continue;
      totals[index]! += grown;
      const { histogram, key } = known.list[kinds[index]!]!;
      if (Math.floor(histogram / histogramLabels) !== histogramAt.correct) continue;
      for (const group of ofSlice) {
        group.correct[key]! += grown;
        touched.add(group);
      }
    }
  }
}
