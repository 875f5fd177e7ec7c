import { getOrPut } from '../state/containers/get-or-put.ts';
import { rowsOfZeros } from '../state/containers/shared-arrays.ts';
import { chunkOf, findRow, keyOf, liveRows, valuesAt } from '../state/containers/table.ts';
import { type Breakdowns, breakdownKeys, type HistogramKinds, kindOf, noKinds, totalsOf } from '../state/breakdowns.ts';
import type { PartitionState } from '../state/partition.ts';
import { addRow } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import type { SliceValues } from '../state/slices.ts';
import { forWindows } from '../state/window-sums.ts';

/** The cells of one finest slice, over all partitions. */
export interface SliceCells {
  readonly values: SliceValues;
  /** Row of `all`, then rows of the windows ascending; undefined or with nothing scored where nothing fell into it. */
  readonly rows: (Float64Array | undefined)[];
  /** Breakdowns: number -> key -> subkey -> columns. */
  readonly entries: Entries;
  /** Totals of histograms by kind. */
  readonly totals: Float64Array;
}

export type Entries = Map<number, Map<string, Map<string, Float64Array>>>;

/** The finest slices of all partitions. */
export interface MergedSlices {
  readonly slices: readonly SliceCells[];
  readonly kinds: HistogramKinds;
}

/** Merges what the partitions hold, with windows where there is a T. */
export function mergeSlices(
  states: readonly PartitionState[],
  { layout }: Settings,
  asOfMs: number | undefined,
  withBreakdowns: boolean,
): MergedSlices {
  const kinds = noKinds();
  const kindsOf = states.map(({ breakdowns: { histograms } }) =>
    histograms.known.list.map(({ histogram, key }) => kindOf(kinds, histogram, key)),
  );
  const newRow = rowsOfZeros(layout.width);
  const newTotals = rowsOfZeros(kinds.list.length);
  const slices = new Map<string, SliceCells>();
  const newSlice = (text: string): SliceCells => ({
    ...{ values: JSON.parse(text) as SliceValues, rows: [], entries: new Map(), totals: newTotals() },
  });
  const bySlice = states.map(({ slices: { dictionary } }) =>
    dictionary.list.map((text) => getOrPut(slices, text, () => newSlice(text))),
  );
  for (const [index, state] of states.entries()) {
    mergeTallies(state, bySlice[index]!, newRow, asOfMs);
    mergeHistograms(state.breakdowns, bySlice[index]!, kindsOf[index]!);
    if (withBreakdowns) mergeBreakdowns(state.breakdowns, bySlice[index]!);
  }
  return { slices: [...slices.values()], kinds };
}

function mergeTallies(
  state: PartitionState,
  bySlice: readonly SliceCells[],
  newRow: () => Float64Array,
  asOfMs: number | undefined,
): void {
  const { table, layout } = state.panes;
  bySlice.forEach(({ rows }, slice) => {
    const row = findRow(table, slice, 0, 0, 0);
    if (row >= 0) addRow(layout, (rows[0] ??= newRow()), 0, chunkOf(table, row), valuesAt(table, row));
  });
  if (asOfMs === undefined) return;
  forWindows(state.sums, asOfMs, (slice, window, from, at, sign) => {
    const { rows } = bySlice[slice]!;
    const into = (rows[window + 1] ??= newRow());
    addRow(layout, into, 0, from, at, sign);
  });
}

function mergeHistograms(from: Breakdowns, bySlice: readonly SliceCells[], kinds: readonly number[]): void {
  const { histograms } = from;
  const totals = totalsOf(from);
  for (let index = 0; index < totals.length; index++)
    bySlice[histograms.slices[index]!]!.totals[kinds[histograms.kinds[index]!]!]! += totals[index]!;
}

function mergeBreakdowns({ table, names, layout }: Breakdowns, bySlice: readonly SliceCells[]): void {
  for (const row of liveRows(table)) {
    const number = keyOf(table, row, breakdownKeys.breakdown);
    if (number >= layout.breakdownCount) continue;
    const key = names.list[keyOf(table, row, breakdownKeys.key)]!;
    const subkey = names.list[keyOf(table, row, breakdownKeys.subkey)]!;
    if (isZero(chunkOf(table, row), valuesAt(table, row), table.values)) continue;
    const { entries } = bySlice[keyOf(table, row, breakdownKeys.slice)]!;
    addColumns(entries, number, key, subkey, chunkOf(table, row), valuesAt(table, row), table.values);
  }
}

/** Adds to the columns of an entry. */
export function addColumns(
  into: Entries,
  number: number,
  key: string,
  subkey: string,
  from: Float64Array,
  at: number,
  width: number,
): void {
  const keys = getOrPut(into, number, () => new Map<string, Map<string, Float64Array>>());
  const subkeys = getOrPut(keys, key, () => new Map<string, Float64Array>());
  const columns = getOrPut(subkeys, subkey, () => new Float64Array(width));
  for (let i = 0; i < width; i++) columns[i]! += from[at + i]!;
}

/** Returns whether all that a row held was taken away again. */
function isZero(cells: Float64Array, at: number, width: number): boolean {
  for (let i = 0; i < width; i++) if (cells[at + i] !== 0) return false;
  return true;
}
