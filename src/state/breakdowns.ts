import type { BreakdownAddition } from './addition.ts';
import { assert } from './containers/assert.ts';
import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import { getOrPut } from './containers/get-or-put.ts';
import {
  changedSince,
  chunkOf,
  createTable,
  findRow,
  insertRow,
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
  /** By breakdown: the names that are known, as key -> subkey -> codes. */
  readonly known: readonly Map<string, Map<string, NameCodes>>[];
  /** By breakdown: how many names are known. */
  readonly sizes: number[];
  readonly histograms: HistogramRows;
  /** Number of rows that are no histograms. */
  rows: number;
  readonly namesMax: number;
  readonly rowsMax: number;
  readonly limitHits: LimitHits;
}

/** Codes of one (key, subkey) of a breakdown. */
interface NameCodes {
  readonly key: number;
  readonly subkey: number;
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

/** The kinds of totals; few, since all slices have the same. */
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
    rows: 0,
    namesMax: limits.names,
    rowsMax: limits.breakdowns,
    limitHits,
  };
}

/** Indexes the rows of a restored table. */
export function restoreBreakdowns(breakdowns: Breakdowns): void {
  const { table, names, layout } = breakdowns;
  for (const row of liveRows(table)) {
    const breakdown = keyOf(table, row, breakdownKeys.breakdown);
    if (breakdown >= layout.breakdownCount) continue;
    const key = keyOf(table, row, breakdownKeys.key);
    const subkey = keyOf(table, row, breakdownKeys.subkey);
    learn(breakdowns, breakdown, names.list[key]!, names.list[subkey]!, { key, subkey });
    breakdowns.rows++;
  }
}

/** Adds entries to the breakdowns of a slice. */
export function addBreakdowns(breakdowns: Breakdowns, entries: readonly BreakdownAddition[], slice: number): void {
  const { table } = breakdowns;
  for (const { breakdown, key, subkey, column, amount } of entries) {
    const row = rowFor(breakdowns, slice, breakdown, key, subkey);
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

/** The row of a name in a slice, which is added where it is new; that of `__other__` once a limit is reached. */
function rowFor(breakdowns: Breakdowns, slice: number, breakdown: number, key: string, subkey: string): number {
  const { table, names, known, sizes, namesMax, rowsMax, limitHits } = breakdowns;
  const codes = known[breakdown]!.get(key)?.get(subkey);
  const found = codes === undefined ? -1 : findRow(table, slice, breakdown, codes.key, codes.subkey);
  if (found >= 0) return found;
  const rest = subkey === '' ? '' : other;
  if (codes === undefined && sizes[breakdown]! >= namesMax && key !== other) {
    limitHits.names++;
    return rowFor(breakdowns, slice, breakdown, other, rest);
  }
  if (breakdowns.rows >= rowsMax && !(key === other && subkey === rest)) {
    limitHits.breakdowns++;
    return rowFor(breakdowns, slice, breakdown, other, rest);
  }
  const own = codes ?? { key: codeOf(names, key), subkey: codeOf(names, subkey) };
  learn(breakdowns, breakdown, key, subkey, own);
  breakdowns.rows++;
  return insertRow(table, slice, breakdown, own.key, own.subkey);
}

/** Enters a name that has a row. */
function learn(breakdowns: Breakdowns, breakdown: number, key: string, subkey: string, codes: NameCodes): void {
  const subkeys = getOrPut(breakdowns.known[breakdown]!, key, () => new Map<string, NameCodes>());
  if (subkeys.has(subkey)) return;
  subkeys.set(subkey, codes);
  breakdowns.sizes[breakdown]! += 1;
}
