import type { BreakdownAddition } from './addition.ts';
import { assert } from './containers/assert.ts';
import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import { getOrPut } from './containers/get-or-put.ts';
import {
  changedSince,
  chunkOf,
  createTable,
  keyOf,
  liveRows,
  markRow,
  rowOf,
  type Table,
  valuesAt,
} from './containers/table.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Layout } from './row-layout.ts';
import type { Settings } from './settings.ts';
import { other } from './slices.ts';

/** Sums by names from the data, and the histograms of groups of runs. They are kept for window `all` only. */
export interface Breakdowns {
  readonly layout: Layout;
  /** (slice, breakdown, key, subkey) -> columns. Histograms are numbered behind the families' breakdowns; their keys are no names. */
  readonly table: Table;
  /** Keys and subkeys by code. */
  readonly names: Dictionary;
  /** By breakdown: the names that are known, as key -> subkey -> rows. */
  readonly known: readonly Map<string, Map<string, BreakdownRows>>[];
  /** By breakdown: how many names are known. */
  readonly sizes: number[];
  readonly histograms: HistogramRows;
  readonly namesMax: number;
  readonly limitHits: LimitHits;
}

/** The rows of one (key, subkey) of a breakdown. */
interface BreakdownRows {
  /** Codes of key and subkey. */
  readonly first: number;
  readonly second: number;
  /** By slice, undefined before its first entry. */
  readonly bySlice: (number | undefined)[];
}

/** Where the totals of histograms lie: their rows stay where they are once they are there. Made by readings, so that it costs an event nothing. */
export interface HistogramRows {
  /** Rows of the table below are looked through. */
  looked: number;
  readonly rows: number[];
  /** Slice, kind and total of each. */
  readonly slices: number[];
  readonly kinds: number[];
  readonly totals: number[];
  /** How often the table had forgotten its changes when the totals were read. */
  readAt: number;
  readonly known: HistogramKinds;
}

/** What there are totals of; few, since all slices have the same. */
export interface HistogramKinds {
  readonly list: { readonly histogram: number; readonly key: number }[];
  /** Histogram -> key -> kind. */
  readonly numbers: Map<number, Map<number, number>>;
}

/** Keys of a row. */
export const breakdownKeys = { slice: 0, breakdown: 1, key: 2, subkey: 3 } as const;

/** Breakdowns of a table that has no rows, or of one whose rows are indexed next. */
export function createBreakdowns(
  { layout, limits }: Settings,
  limitHits: LimitHits,
  table: Table = createTable(layout.breakdownColumns),
  names: Dictionary = createDictionary(),
): Breakdowns {
  return {
    layout,
    table,
    names,
    known: Array.from({ length: layout.breakdownCount }, () => new Map()),
    sizes: new Array<number>(layout.breakdownCount).fill(0),
    histograms: { looked: 0, rows: [], slices: [], kinds: [], totals: [], readAt: 0, known: noKinds() },
    namesMax: limits.names,
    limitHits,
  };
}

/** Indexes the rows of a restored table. */
export function restoreBreakdowns(breakdowns: Breakdowns): void {
  const { table, names, layout } = breakdowns;
  for (const row of liveRows(table)) {
    const breakdown = keyOf(table, row, breakdownKeys.breakdown);
    if (breakdown >= layout.breakdownCount) continue;
    const first = keyOf(table, row, breakdownKeys.key);
    const second = keyOf(table, row, breakdownKeys.subkey);
    learn(breakdowns, breakdown, names.list[first]!, names.list[second]!, first, second);
  }
}

/** Adds entries to the breakdowns of a slice. */
export function addBreakdowns(breakdowns: Breakdowns, entries: readonly BreakdownAddition[], slice: number): void {
  const { table } = breakdowns;
  for (const { breakdown, key, subkey, column, amount } of entries) {
    const { first, second, bySlice } = rowsFor(breakdowns, breakdown, key, subkey);
    const row = (bySlice[slice] ??= rowOf(table, slice, breakdown, first, second));
    chunkOf(table, row)[valuesAt(table, row) + column]! += amount;
    markRow(table, row);
  }
}

/** Adds to one key of a histogram of a slice. */
export function addToHistogram(
  { table, layout }: Breakdowns,
  slice: number,
  histogram: number,
  key: number,
  amount: number,
): void {
  const row = rowOf(table, slice, layout.breakdownCount + histogram, key, 0);
  const chunk = chunkOf(table, row);
  const at = valuesAt(table, row);
  chunk[at]! += amount;
  assert(chunk[at]! >= 0, 'a total of a histogram is negative');
  markRow(table, row);
}

/** No kinds. */
export function noKinds(): HistogramKinds {
  return { list: [], numbers: new Map() };
}

/** Number of a key of a histogram; where there is none, it has the next. */
export function kindOf({ list, numbers }: HistogramKinds, histogram: number, key: number): number {
  const keys = getOrPut(numbers, histogram, () => new Map<number, number>());
  return getOrPut(keys, key, () => list.push({ histogram, key }) - 1);
}

/** The totals of histograms as they are now: those that have changed are read, wherever they lie. */
export function histogramRows({ table, layout, histograms }: Breakdowns): HistogramRows {
  const { rows, slices, kinds, totals, known } = histograms;
  const hasChanged = changedSince(table, histograms.readAt);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    if (hasChanged(row)) totals[index] = chunkOf(table, row)[valuesAt(table, row)]!;
  }
  histograms.readAt = table.changes.forgotten;
  for (; histograms.looked < table.taken; histograms.looked++) {
    const row = histograms.looked;
    const histogram = keyOf(table, row, breakdownKeys.breakdown) - layout.breakdownCount;
    if (histogram < 0) continue;
    rows.push(row);
    slices.push(keyOf(table, row, breakdownKeys.slice));
    kinds.push(kindOf(known, histogram, keyOf(table, row, breakdownKeys.key)));
    totals.push(chunkOf(table, row)[valuesAt(table, row)]!);
  }
  return histograms;
}

/** The rows of a name, which is added where it is new; those of `__other__` once the limit is reached. */
function rowsFor(breakdowns: Breakdowns, breakdown: number, key: string, subkey: string): BreakdownRows {
  const { known, sizes, names, namesMax, limitHits } = breakdowns;
  const rows = known[breakdown]!.get(key)?.get(subkey);
  if (rows !== undefined) return rows;
  if (sizes[breakdown]! < namesMax || key === other)
    return learn(breakdowns, breakdown, key, subkey, codeOf(names, key), codeOf(names, subkey));
  limitHits.names++;
  return rowsFor(breakdowns, breakdown, other, subkey === '' ? '' : other);
}

function learn(
  breakdowns: Breakdowns,
  breakdown: number,
  key: string,
  subkey: string,
  first: number,
  second: number,
): BreakdownRows {
  const subkeys = getOrPut(breakdowns.known[breakdown]!, key, () => new Map<string, BreakdownRows>());
  return getOrPut(subkeys, subkey, () => {
    breakdowns.sizes[breakdown]! += 1;
    return { first, second, bySlice: [] };
  });
}
