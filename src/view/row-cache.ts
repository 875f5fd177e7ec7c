import type { PartitionState } from '../state/partition.ts';
import type { SliceValues } from '../state/slices.ts';
import { paneOf } from '../state/windows.ts';
import { forMovingPanes, isAhead } from '../state/window-sums.ts';

/**
 * The rows of the slices of the last view: one that has not changed since is taken as it is. Views that share them have the same settings and
 * options.
 */
export interface RowCache {
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
  /** By window: whether more is in it than the running sums hold, or less. Its row changes with T alone. */
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

/** An empty cache. */
export function createRowCache(): RowCache {
  return { last: undefined };
}

/** A slice by the text of its values, without rows. */
export function createSliceRows({ last }: RowCache, text: string): SliceRows {
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
export function takeRows(kept: RowCache, merging: Merging): void {
  const { states, asOfMs, slices, bySlice } = merging;
  const { last } = kept;
  kept.last = undefined;
  if (states.length === 0) return;
  let newest: readonly number[] = [];
  if (asOfMs !== undefined) {
    if (!states.every(({ sums }) => isAhead(sums, asOfMs))) return;
    newest = newestPanes(states, asOfMs);
    for (const [index, state] of states.entries()) noteMoving(state, bySlice[index]!, asOfMs);
  }
  for (const [index, state] of states.entries()) addChanges(state, bySlice[index]!);
  const now: Merge = { states: [...states], newest, slices: withoutKept(slices) };
  if (last !== undefined && isSame(last.states, states)) {
    const hasMoved = newest.map((pane, window) => pane !== last.newest[window]);
    for (const [text, slice] of slices) takeRowsOf(slice, last.slices.get(text), hasMoved);
  }
  kept.last = now;
}

/** The newest pane of each window. */
function newestPanes(states: readonly PartitionState[], asOfMs: number): readonly number[] {
  const { tiers, windows } = states[0]!.sums.panes.plan;
  return windows.map(({ tier }) => paneOf(tiers[tier]!, asOfMs));
}

/** The rows alone: a slice holds breakdowns too. */
function withoutKept(slices: Merging['slices']): Merge['slices'] {
  return new Map(
    [...slices].map(([text, { values, rows, changes, moving }]) => [text, { values, rows, changes, moving }]),
  );
}

/** Changes are counted since a partition was made or restored: one that comes may have none, and rows. */
function isSame(a: readonly PartitionState[], b: readonly PartitionState[]): boolean {
  return a.length === b.length && a.every((state, index) => state === b[index]);
}

/** Cells and T make a row, whatever of them the running sums hold: that of all time, and that of a window which T has not moved. */
function takeRowsOf(
  slice: SliceRows,
  before: Omit<SliceRows, 'isKept'> | undefined,
  hasMoved: readonly boolean[],
): void {
  if (before?.changes !== slice.changes) return;
  for (let row = 0; row <= hasMoved.length; row++) {
    const window = row - 1;
    if (hasMoved[window] && (before.moving[window] || slice.moving[window])) continue;
    slice.isKept[row] = true;
    slice.rows[row] = before.rows[row];
  }
}

function addChanges({ sums }: PartitionState, bySlice: readonly SliceRows[]): void {
  bySlice.forEach((slice, number) => {
    slice.changes += sums.changes[number] ?? 0;
  });
}

function noteMoving({ sums }: PartitionState, bySlice: readonly SliceRows[], asOfMs: number): void {
  forMovingPanes(sums, asOfMs, (slice, window) => {
    bySlice[slice]!.moving[window] = true;
  });
}
