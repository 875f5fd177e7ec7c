import { addRow, applyContribution, subtractRow } from './row-layout.ts';
import { paneOf, type WindowPlan } from './windows.ts';
import { evictionTimeOf } from './event-time.ts';
import type { PartitionState } from './partition.ts';
import { sharedDoubles } from './containers/shared-arrays.ts';
import { chunkOf, isLive, valuesAt } from './containers/table.ts';

/**
 * Running sums of the windows, so that a view need not add up every pane: the panes of a window but its newest. They move with event
 * time, one pane in and one out; exact cells can be taken away again. Worked out from the panes, never saved.
 */
export interface WindowSums {
  /** By tier: the newest pane that is in the sums; those above are hot. -Infinity before the first event. */
  readonly settled: number[];
  /** Of each slice and window, at `slice * windows + window`. */
  readonly rows: (Float64Array | undefined)[];
}

/** Sums of nothing. */
export function createWindowSums({ tiers }: WindowPlan): WindowSums {
  return { settled: tiers.map(() => Number.NEGATIVE_INFINITY), rows: [] };
}

/** Moves the sums on to the newest pane but one. Called when event time has moved, before panes are dropped. */
export function advanceSums(state: PartitionState): void {
  const { windowSums } = state.derived;
  const { tiers } = state.settings.windows;
  for (let tier = 0; tier < tiers.length; tier++) {
    const before = windowSums.settled[tier]!;
    const after = paneOf(tiers[tier]!, evictionTimeOf(state)) - 1;
    if (after <= before) continue;
    windowSums.settled[tier] = after;
    const windows = windowsOf(state, tier);
    for (const [window, panes] of windows) {
      // Of the window that ends with the pane after the settled one.
      const left = after - panes + 1;
      for (const pane of panesBetween(state, tier, before - panes + 2, Math.min(before, left)))
        forRows(state, tier, pane, (slice, chunk, at) => change(state, slice, window, subtractRow, chunk, at));
      for (const pane of panesBetween(state, tier, Math.max(before, left) + 1, after))
        forRows(state, tier, pane, (slice, chunk, at) => change(state, slice, window, addRow, chunk, at));
    }
  }
}

/** Adds the contribution in hand to the sums too, where its pane has settled. */
export function tallySettled(state: PartitionState, slice: number, tier: number, pane: number): void {
  const { windowSums, contribution } = state.derived;
  const settled = windowSums.settled[tier]!;
  if (pane > settled) return;
  for (const [window, panes] of windowsOf(state, tier))
    if (pane > settled - panes + 1) applyContribution(contribution, sumsOf(state, slice, window), 0);
}

/** Makes the sums again after a restore; the panes are indexed. */
export function indexSums(state: PartitionState): void {
  const { windowSums } = state.derived;
  windowSums.rows.length = 0;
  windowSums.settled.fill(Number.NEGATIVE_INFINITY);
  advanceSums(state);
}

/** One addend of a window of a slice: cells at `from[at…]`, to be added (sign 1) or taken away (-1). */
export type AddWindow = (slice: number, window: number, from: Float64Array, at: number, sign: 1 | -1) => void;

/**
 * Gives the addends of every window of every slice at time T. Those to be taken away come after those that they are part of. A sum may be
 * left with nothing scored: then nothing fell into that window.
 */
export function forWindows(state: PartitionState, asOfMs: number, add: AddWindow): void {
  const { tiers, windows } = state.settings.windows;
  const newest = tiers.map((tier) => paneOf(tier, asOfMs));
  const { settled, rows } = state.derived.windowSums;
  if (newest.some((pane, tier) => pane <= settled[tier]!)) {
    forEveryPane(state, newest, add);
    return;
  }
  rows.forEach((row, at) => {
    if (row !== undefined) add(Math.floor(at / windows.length), at % windows.length, row, 0, 1);
  });
  windows.forEach(({ tier, panes }, window) => {
    const last = settled[tier]!;
    const left = newest[tier]! - panes;
    for (const pane of panesBetween(state, tier, Math.max(last, left) + 1, newest[tier]!))
      forRows(state, tier, pane, (slice, chunk, at) => add(slice, window, chunk, at, 1));
    for (const pane of panesBetween(state, tier, last - panes + 2, Math.min(last, left)))
      forRows(state, tier, pane, (slice, chunk, at) => add(slice, window, chunk, at, -1));
  });
}

/** The same by definition: for a T before the newest event. */
function forEveryPane(state: PartitionState, newest: readonly number[], add: AddWindow): void {
  const { tallies, settings } = state;
  for (let row = 0; row < tallies.taken; row++) {
    if (!isLive(tallies, row)) continue;
    const chunk = chunkOf(tallies, row);
    const at = valuesAt(tallies, row);
    const tier = chunk[at - 3]! - 1;
    if (tier < 0 || chunk[at - 4]! < 0) continue;
    const age = newest[tier]! - chunk[at - 2]!;
    settings.windows.windows.forEach((window, index) => {
      if (window.tier === tier && age >= 0 && age < window.panes) add(chunk[at - 4]!, index, chunk, at, 1);
    });
  }
}

/** Number and panes of the windows of a tier. */
function windowsOf(state: PartitionState, tier: number): (readonly [number, number])[] {
  return state.settings.windows.windows.flatMap((window, index) =>
    window.tier === tier ? [[index, window.panes] as const] : [],
  );
}

/** The panes from first to last that hold anything, in any order. */
function panesBetween(state: PartitionState, tier: number, first: number, last: number): number[] {
  const byPane = state.derived.paneRows[tier]!;
  const panes: number[] = [];
  if (last - first < byPane.size) {
    for (let pane = first; pane <= last; pane++) if (byPane.has(pane)) panes.push(pane);
  } else {
    for (const pane of byPane.keys()) if (pane >= first && pane <= last) panes.push(pane);
  }
  return panes;
}

/** Cells of each slice in a pane; what expired there is no slice. */
function forRows(
  state: PartitionState,
  tier: number,
  pane: number,
  each: (slice: number, chunk: Float64Array, at: number) => void,
): void {
  const { tallies, derived } = state;
  for (const row of derived.paneRows[tier]!.get(pane) ?? []) {
    const chunk = chunkOf(tallies, row);
    const at = valuesAt(tallies, row);
    if (chunk[at - 4]! >= 0) each(chunk[at - 4]!, chunk, at);
  }
}

function change(
  state: PartitionState,
  slice: number,
  window: number,
  how: typeof addRow,
  chunk: Float64Array,
  at: number,
): void {
  how(state.settings.layout, sumsOf(state, slice, window), 0, chunk, at);
}

function sumsOf(state: PartitionState, slice: number, window: number): Float64Array {
  const { settings, derived } = state;
  const at = slice * settings.windows.windows.length + window;
  return (derived.windowSums.rows[at] ??= sharedDoubles(settings.layout.width));
}
