import type { BreakdownAddition } from './addition.ts';
import { assert } from './containers/assert.ts';
import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import { getOrPut } from './containers/get-or-put.ts';
import {
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

/** The rows of histograms, in the order in which they began: none is ever removed. */
export interface HistogramRows {
  readonly rows: number[];
  /** Slice and kind of each. */
  readonly slices: number[];
  readonly kinds: number[];
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
    histograms: { rows: [], slices: [], kinds: [], known: noKinds() },
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
    if (breakdown >= layout.breakdownCount) {
      noteHistogramRow(breakdowns, row);
      continue;
    }
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
  breakdowns: Breakdowns,
  slice: number,
  histogram: number,
  key: number,
  amount: number,
): void {
  const { table, layout } = breakdowns;
  const { size } = table;
  const row = rowOf(table, slice, layout.breakdownCount + histogram, key, 0);
  if (table.size > size) noteHistogramRow(breakdowns, row);
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

function noteHistogramRow({ table, layout, histograms }: Breakdowns, row: number): void {
  const { rows, slices, kinds, known } = histograms;
  const histogram = keyOf(table, row, breakdownKeys.breakdown) - layout.breakdownCount;
  rows.push(row);
  slices.push(keyOf(table, row, breakdownKeys.slice));
  kinds.push(kindOf(known, histogram, keyOf(table, row, breakdownKeys.key)));
}

/** The totals of histograms as they are now, in the order of their rows. */
export function totalsOf({ table, histograms }: Breakdowns): Float64Array {
  const totals = new Float64Array(histograms.rows.length);
  for (let index = 0; index < totals.length; index++) totals[index] = totalOf({ table, histograms }, index);
  return totals;
}

/** The total of the histogram in a row, by its index. */
export function totalOf({ table, histograms }: Pick<Breakdowns, 'table' | 'histograms'>, index: number): number {
  const row = histograms.rows[index]!;
  return chunkOf(table, row)[valuesAt(table, row)]!;
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
