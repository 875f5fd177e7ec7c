import type { PartitionState } from '../state/partition.ts';
import type { SliceValues } from '../state/slices.ts';
import { paneOf } from '../state/windows.ts';
import { forMovingPanes, isAhead } from '../state/window-sums.ts';

/**
 * The rows of the slices of the last view: one that has not changed since is taken as it is. Views that share them have the same settings and
 * options.
 */
export interface KeptRows {
  last: Merge | undefined;
}

/** Rows of a finest slice: `all`, then the windows ascending. */
export interface SliceRows {
  /** The same object from view to view. */
  readonly values: SliceValues;
  /** Undefined or with nothing scored where nothing fell into it. */
  readonly rows: (Float64Array | undefined)[];
  /** How often its cells have changed, in all partitions. */
  changes: number;
  /** By row: whether more is in the window than the running sums hold, or less. Such a row changes with T alone. */
  readonly moving: boolean[];
  /** By row: whether it is that of the last view. */
  readonly isKept: boolean[];
}

interface Merge {
  readonly states: readonly PartitionState[];
  /** By window: its newest pane. */
  readonly newest: readonly number[];
  /** By the text of their values. */
  readonly slices: ReadonlyMap<string, Omit<SliceRows, 'isKept'>>;
}

/** Nothing merged yet. */
export function createKeptRows(): KeptRows {
  return { last: undefined };
}

/** A slice by the text of its values, without rows. */
export function createSliceRows({ last }: KeptRows, text: string): SliceRows {
  const values = last?.slices.get(text)?.values ?? (JSON.parse(text) as SliceValues);
  return { values, rows: [], changes: 0, moving: [], isKept: [] };
}

/** A view of partitions: its slices by the text of their values, and those of each partition by number. */
export interface Merging {
  readonly states: readonly PartitionState[];
  readonly asOfMs: number | undefined;
  readonly slices: ReadonlyMap<string, SliceRows>;
  readonly bySlice: readonly (readonly SliceRows[])[];
}

/** Gives the slices those rows of the last view that are what they were, and keeps all for the next. The caller makes the others. */
export function takeRows(kept: KeptRows, merging: Merging): void {
  const { states, asOfMs, slices, bySlice } = merging;
  const { last } = kept;
  kept.last = undefined;
  if (asOfMs !== undefined && !states.every(({ sums }) => isAhead(sums, asOfMs))) return;
  for (const [index, state] of states.entries()) addChanges(state, bySlice[index]!, asOfMs);
  const now: Merge = { states: [...states], newest: newestPanes(states, asOfMs), slices: withoutKept(slices) };
  if (last !== undefined && isSame(last.states, states)) {
    // Cells and T make a row, whatever of them the running sums hold: the window of all time, and one that T has not moved.
    const isStill = [true, ...now.newest.map((pane, window) => pane === last.newest[window])];
    for (const [text, slice] of slices) takeRowsOf(slice, last.slices.get(text), isStill);
  }
  kept.last = now;
}

/** The newest pane of each window. */
function newestPanes(states: readonly PartitionState[], asOfMs: number | undefined): number[] {
  if (asOfMs === undefined || states.length === 0) return [];
  const { tiers, windows } = states[0]!.sums.panes.plan;
  return windows.map(({ tier }) => paneOf(tiers[tier]!, asOfMs));
}

/** The rows alone: a slice holds breakdowns too. */
function withoutKept(slices: Merging['slices']): Merge['slices'] {
  return new Map(
    [...slices].map(([text, { values, rows, changes, moving }]) => [text, { values, rows, changes, moving }]),
  );
}

function isSame(a: readonly PartitionState[], b: readonly PartitionState[]): boolean {
  return a.length === b.length && a.every((state, index) => state === b[index]);
}

function takeRowsOf(
  slice: SliceRows,
  before: Omit<SliceRows, 'isKept'> | undefined,
  isStill: readonly boolean[],
): void {
  if (before?.changes !== slice.changes) return;
  for (let row = 0; row < isStill.length; row++) {
    if (!isStill[row] && (before.moving[row] || slice.moving[row])) continue;
    slice.isKept[row] = true;
    slice.rows[row] = before.rows[row];
  }
}

function addChanges({ sums }: PartitionState, bySlice: readonly SliceRows[], asOfMs: number | undefined): void {
  bySlice.forEach((slice, number) => {
    slice.changes += sums.changes[number] ?? 0;
  });
  if (asOfMs === undefined) return;
  forMovingPanes(sums, asOfMs, (slice, window) => {
    bySlice[slice]!.moving[window + 1] = true;
  });
}
