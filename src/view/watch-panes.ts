import { totalOf } from '../state/breakdowns.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { histogramAt, histogramLabels } from '../scoring/stability/histograms.ts';
import { forSlices } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { type SliceValues, sliceValues } from '../state/slices.ts';
import { paneSlot } from '../state/windows.ts';
import {
  changedPanes,
  isAsRead,
  noteAsRead,
  type PanesRead,
  type PartitionRead,
  stampOf,
  unread,
} from './changed-panes.ts';
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
  /** By rate: 1 where a pane of any tier has changed since this was last cleared. */
  readonly changedRates: Uint8Array;
  /** The earliest pane of the longest tier that has changed since this was last set to Infinity. */
  unlearned: number;
  /** Complete groups of runs by number of right runs. */
  readonly correct: Float64Array;
}

/**
 * Panes of every group, kept from one reading to the next, so that a reading costs what has changed. Nothing of it is state: made anew from the
 * same partitions it is the same.
 */
export interface WatchPanes extends PanesRead {
  readonly rates: readonly WatchableRate[];
  readonly sets: readonly (readonly string[])[];
  partitions: readonly WatchedPartition[];
  /** By set: groups by their values as JSON. */
  byValues: readonly Map<string, WatchedGroup>[];
  /** All of them; replaced when they are others. */
  groups: readonly WatchedGroup[];
  /** By tier and `paneSlot`: those that the pane there has cases of. */
  present: readonly (readonly WatchedGroup[])[][];
  /** The groups of which a pane or the runs have changed since this was last cleared. */
  readonly touched: Set<WatchedGroup>;
}

/** A partition with its groups. */
interface WatchedPartition extends PartitionRead {
  /** By set and slice. */
  readonly groups: (readonly WatchedGroup[] | undefined)[];
  /** The histograms of right runs among the first so many of its rows. */
  readonly correct: CorrectRuns[];
  histograms: number;
}

/** Groups of runs of a slice with so many right ones. */
interface CorrectRuns {
  /** Index among the rows of histograms. */
  readonly index: number;
  readonly slice: number;
  readonly right: number;
  /** The total that the groups have. */
  total: number;
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
    ...noGroups(settings, sets),
  };
}

/** Brings the panes up to the partitions at time T. Returns whether the sums of the states are others than those that were read before. */
export function readWatchPanes(watched: WatchPanes, states: readonly PartitionState[], asOfMs: number): boolean {
  const { partitions, settings, sets } = watched;
  const isOf = (is: (a: PartitionState, b: PartitionState) => boolean): boolean =>
    partitions.length === states.length && partitions.every(({ state }, index) => is(state, states[index]!));
  // A state that was restored onto the one before has its sums, and they know which panes have changed.
  const areOthers = !isOf((a, b) => a.sums === b.sums);
  if (areOthers) {
    const nothing = () => ({ groups: [], correct: [], histograms: 0 });
    watched.partitions = states.map((state) => ({ ...unread(state), ...nothing() }));
    Object.assign(watched, noGroups(settings, sets));
    watched.touched.clear();
  } else if (!isOf(Object.is)) {
    const next = () => ({ revision: Number.NaN, correct: [], histograms: 0 });
    watched.partitions = partitions.map((read, index) => ({ ...read, ...next(), state: states[index]! }));
    for (const { correct } of watched.groups) correct.fill(0);
  }
  if (isAsRead(watched, asOfMs)) return areOthers;
  for (const [tier, pane] of changedPanes(watched, asOfMs)) readPaneOf(watched, tier, pane);
  const groups = watched.byValues.reduce((sum, { size }) => sum + size, 0);
  if (groups > watched.groups.length) watched.groups = watched.byValues.flatMap((byValues) => [...byValues.values()]);
  readCorrect(watched);
  noteAsRead(watched, asOfMs);
  return areOthers;
}

/** Where the cases of a rate in a pane lie in the counts of its tier; the bad ones follow. */
export function cellAt(panes: WatchPanes, tier: number, pane: number, rate: number): number {
  return paneSlot(panes.settings.windows.tiers[tier]!, pane) * cellsOf(panes) + 2 * rate;
}

/** Cells of a pane: cases and bad cases of each rate. */
export function cellsOf({ rates }: WatchPanes): number {
  return 2 * rates.length;
}

function noGroups(
  { windows }: Settings,
  sets: WatchPanes['sets'],
): Pick<WatchPanes, 'byValues' | 'groups' | 'present'> {
  const present = windows.tiers.map(({ panes }) => Array.from({ length: panes }, () => []));
  return { byValues: sets.map(() => new Map()), groups: [], present };
}

function readPaneOf(watched: WatchPanes, tier: number, pane: number): void {
  const { settings, partitions, present, touched } = watched;
  const { tiers } = settings.windows;
  const slot = paneSlot(tiers[tier]!, pane);
  const width = cellsOf(watched);
  const start = slot * width;
  const held = present[tier]![slot]!;
  const before: number[] = [];
  for (const { counts } of held) {
    const cells = counts[tier]!;
    for (let i = 0; i < width; i++) before.push(cells[start + i]!);
    cells.fill(0, start, start + width);
  }
  const found = new Set(held);
  for (const partition of partitions) addPane(watched, partition, { tier, pane, start, found });
  const isLongest = tier === tiers.length - 1;
  const kept: WatchedGroup[] = [];
  for (const [index, group] of [...found].entries()) {
    const cells = group.counts[tier]!;
    let isSame = true;
    let isEmpty = true;
    for (let i = 0; i < width; i++) {
      const now = cells[start + i]!;
      isEmpty &&= now === 0;
      if (now === (index < held.length ? before[index * width + i]! : 0)) continue;
      isSame = false;
      group.changedRates[i >> 1] = 1;
    }
    if (!isEmpty) kept.push(group);
    if (isSame) continue;
    group.changed[tier] = Math.min(group.changed[tier]!, pane);
    if (isLongest) group.unlearned = Math.min(group.unlearned, pane);
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

function addPane(watched: WatchPanes, partition: WatchedPartition, { tier, pane, start, found }: PaneRead): void {
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
      return {
        dimensions,
        values,
        counts: tiers.map(({ panes }) => new Uint32Array(panes * 2 * rates.length)),
        changed: tiers.map(() => Number.NEGATIVE_INFINITY),
        changedRates: new Uint8Array(rates.length).fill(1),
        unlearned: Number.NEGATIVE_INFINITY,
        correct: new Float64Array((settings.stability?.k ?? 0) + 1),
      };
    });
  });
}

/** Adds what the histograms of right runs have grown by. */
function readCorrect({ settings, partitions, touched }: WatchPanes): void {
  if (settings.stability === undefined) return;
  for (const partition of partitions) {
    const { state, groups, correct } = partition;
    findCorrect(partition);
    for (const runs of correct) {
      const total = totalOf(state.breakdowns, runs.index);
      if (total === runs.total) continue;
      for (const group of groups[runs.slice] ?? []) {
        group.correct[runs.right]! += total - runs.total;
        touched.add(group);
      }
      if (groups[runs.slice] !== undefined) runs.total = total;
    }
  }
}

/** Finds the histograms of right runs among rows that are new. */
function findCorrect(partition: WatchedPartition): void {
  const { rows, slices, kinds, known } = partition.state.breakdowns.histograms;
  for (; partition.histograms < rows.length; partition.histograms++) {
    const index = partition.histograms;
    const { histogram, key } = known.list[kinds[index]!]!;
    if (Math.floor(histogram / histogramLabels) === histogramAt.correct)
      partition.correct.push({ index, slice: slices[index]!, right: key, total: 0 });
  }
}
