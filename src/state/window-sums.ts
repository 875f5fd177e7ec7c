import { sharedDoubles } from './containers/shared-arrays.ts';
import { chunkOf, keyOf, liveRows, type RowListener, valuesAt } from './containers/table.ts';
import { addToPane, dropPanes, fileRow, forSlices, type Panes, paneKeys, panesBetween } from './panes.ts';
import { addRow } from './row-layout.ts';
import { paneOf, paneSlot } from './windows.ts';

/**
 * Running sums of the windows, so that a view need not add up every pane: the panes of a window but its newest. They move with event
 * time, one pane in and one out; exact cells can be taken away again. Worked out from the panes, never saved.
 */
export interface WindowSums {
  readonly panes: Panes;
  /** By tier: the newest pane that is in the sums; those above are hot. -Infinity before the first event. */
  readonly settled: number[];
  /** By slice and window, at `slice * windows + window`; undefined where there is none yet. */
  readonly rows: Float64Array[];
  /** By tier, at `paneSlot`: how often a settled pane has grown. Readings that are kept compare it; it is no part of the state. */
  readonly grown: readonly Float64Array[];
  /** How often any has. */
  grownInAll: number;
}

/** Sums of nothing. */
export function createWindowSums(panes: Panes): WindowSums {
  const { tiers } = panes.plan;
  return {
    panes,
    settled: tiers.map(() => Number.NEGATIVE_INFINITY),
    rows: [],
    grown: tiers.map((tier) => new Float64Array(tier.panes)),
    grownInAll: 0,
  };
}

/** Makes the sums of restored panes, which are indexed. */
export function restoreSums(sums: WindowSums, evictionMs: number): void {
  advance(sums, evictionMs);
}

/**
 * Adds the row of an event to window `all` of its slice, and to the panes and sums that are still kept, or with sign -1 takes it away, where it was
 * added before. Returns false where it is too late for any window.
 */
export function tallyEvent(
  sums: WindowSums,
  row: Float64Array,
  slice: number,
  ts: number,
  greatestTs: number,
  sign: 1 | -1 = 1,
): boolean {
  const { panes } = sums;
  const { tiers } = panes.plan;
  addToPane(panes, row, slice, 0, 0, sign);
  if (!isInTime(sums, ts, greatestTs)) return false;
  for (let tier = 0; tier < tiers.length; tier++) {
    const pane = paneOf(tiers[tier]!, ts);
    if (pane < panes.floors[tier]!) continue;
    addToPane(panes, row, slice, tier + 1, pane, sign);
    if (pane <= sums.settled[tier]!) addSettled(sums, { slice, tier, pane }, row, 0, sign);
  }
  return true;
}

/** Returns whether a time is not too late for any window. */
export function isInTime({ panes }: WindowSums, ts: number, greatestTs: number): boolean {
  const { longestMs } = panes.plan;
  return longestMs === 0 || ts >= greatestTs - longestMs;
}

/** Moves the sums on, and drops the panes that no window reaches any more. Called when event time has moved. */
export function evictPanes(sums: WindowSums, evictionMs: number): void {
  advance(sums, evictionMs);
  dropPanes(sums.panes, evictionMs);
}

/** Moves the sums on to the time of a delta, and keeps them and the index up with its rows while they are read into the table. */
export function paneRows(sums: WindowSums, evictionMs: number): RowListener {
  evictPanes(sums, evictionMs);
  const { panes, settled } = sums;
  const { table, rows } = panes;
  const keysOf = (row: number): { slice: number; tier: number; pane: number } => ({
    slice: keyOf(table, row, paneKeys.slice),
    tier: keyOf(table, row, paneKeys.tier) - 1,
    pane: keyOf(table, row, paneKeys.pane),
  });
  const add = (row: number, sign: 1 | -1): void => {
    const keys = keysOf(row);
    if (keys.tier < 0 || keys.slice < 0 || keys.pane > settled[keys.tier]!) return;
    addSettled(sums, keys, chunkOf(table, row), valuesAt(table, row), sign);
  };
  return {
    added: (row) => void fileRow(panes, keysOf(row).tier + 1, row),
    removed(row) {
      add(row, -1);
      const { tier, pane } = keysOf(row);
      const held = rows[tier]?.get(pane);
      held?.splice(held.indexOf(row), 1);
    },
    leaves: (row) => void add(row, -1),
    comes: (row) => void add(row, 1),
  };
}

/** One addend of a window of a slice: cells at `from[at…]`, to be added (sign 1) or taken away (-1). */
export type AddWindow = (slice: number, window: number, from: Float64Array, at: number, sign: 1 | -1) => void;

/**
 * Gives the addends of every window of every slice at time T. Those to be taken away come after those that they are part of. A sum may be
 * left with nothing scored: then nothing fell into that window.
 */
export function forWindows(sums: WindowSums, asOfMs: number, add: AddWindow): void {
  const { panes, rows } = sums;
  if (!isAhead(sums, asOfMs)) {
    forEveryPane(panes, asOfMs, add);
    return;
  }
  const { length } = panes.plan.windows;
  rows.forEach((row, at) => void add(Math.floor(at / length), at % length, row, 0, 1));
  forMovingPanes(sums, asOfMs, add);
}

/** Returns whether T is later than every pane in the running sums. */
function isAhead({ panes, settled }: WindowSums, asOfMs: number): boolean {
  return panes.plan.tiers.every((tier, index) => paneOf(tier, asOfMs) > settled[index]!);
}

/** As `forWindows`, at a T that is ahead: what is added to the running sums, or taken away from them. */
function forMovingPanes({ panes, settled }: WindowSums, asOfMs: number, add: AddWindow): void {
  const { tiers, windows } = panes.plan;
  windows.forEach((window, index) => {
    const { tier } = window;
    const newest = paneOf(tiers[tier]!, asOfMs);
    const last = settled[tier]!;
    const left = newest - window.panes;
    for (const pane of panesBetween(panes, tier, Math.max(last, left) + 1, newest))
      forSlices(panes, tier, pane, (slice, chunk, at) => add(slice, index, chunk, at, 1));
    for (const pane of panesBetween(panes, tier, last - window.panes + 2, Math.min(last, left)))
      forSlices(panes, tier, pane, (slice, chunk, at) => add(slice, index, chunk, at, -1));
  });
}

/** The same by definition: for a T before the newest event. */
function forEveryPane({ table, plan }: Panes, asOfMs: number, add: AddWindow): void {
  const newest = plan.tiers.map((tier) => paneOf(tier, asOfMs));
  for (const row of liveRows(table)) {
    const slice = keyOf(table, row, paneKeys.slice);
    const tier = keyOf(table, row, paneKeys.tier) - 1;
    if (slice < 0) continue;
    const age = newest[tier]! - keyOf(table, row, paneKeys.pane);
    plan.windows.forEach((window, index) => {
      if (window.tier === tier && age >= 0 && age < window.panes)
        add(slice, index, chunkOf(table, row), valuesAt(table, row), 1);
    });
  }
}

/** Moves the sums on to the newest pane but one. */
function advance(sums: WindowSums, evictionMs: number): void {
  const { panes, settled } = sums;
  const { tiers, windows } = panes.plan;
  for (let tier = 0; tier < tiers.length; tier++) {
    const before = settled[tier]!;
    const after = paneOf(tiers[tier]!, evictionMs) - 1;
    if (after <= before) continue;
    settled[tier] = after;
    windows.forEach((window, index) => {
      if (window.tier !== tier) return;
      const change = (pane: number, sign: 1 | -1): void =>
        forSlices(panes, tier, pane, (slice, chunk, at) => {
          addRow(panes.layout, sumsOf(sums, slice, index), 0, chunk, at, sign);
        });
      // Of the window that ends with the pane after the settled one.
      const left = after - window.panes + 1;
      for (const pane of panesBetween(panes, tier, before - window.panes + 2, Math.min(before, left))) change(pane, -1);
      for (const pane of panesBetween(panes, tier, Math.max(before, left) + 1, after)) change(pane, 1);
    });
  }
}

/** Adds cells at `from[at…]` to the sums of the windows that reach a settled pane. */
function addSettled(
  sums: WindowSums,
  { slice, tier, pane }: { readonly slice: number; readonly tier: number; readonly pane: number },
  from: Float64Array,
  at: number,
  sign: 1 | -1,
): void {
  const settled = sums.settled[tier]!;
  sums.grown[tier]![paneSlot(sums.panes.plan.tiers[tier]!, pane)]! += 1;
  sums.grownInAll++;
  sums.panes.plan.windows.forEach((window, index) => {
    if (window.tier === tier && pane > settled - window.panes + 1)
      addRow(sums.panes.layout, sumsOf(sums, slice, index), 0, from, at, sign);
  });
}

function sumsOf({ panes, rows }: WindowSums, slice: number, window: number): Float64Array {
  return (rows[slice * panes.plan.windows.length + window] ??= sharedDoubles(panes.layout.width));
}
