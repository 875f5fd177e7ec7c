import type { AnyFamily } from '../scoring/family.ts';
import { groupCounts } from '../scoring/stability/counts.ts';
import { namesIn, textOf } from './attribution-set.ts';
import { attributionKeys } from './attributions.ts';
import { breakdownKeys } from './breakdowns.ts';
import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import { addSum } from './containers/exact-sum.ts';
import { chunkOf, createTable, keyOf, liveRows, rowOf, type Table, valuesAt } from './containers/table.ts';
import type { Layout } from './row-layout.ts';
import type { Steps } from './steps.ts';

/** Where the cells of families that go on lie in another layout. */
export interface CarriedCells {
  readonly counts: readonly (readonly [from: number, to: number])[];
  /** First slots of sums. */
  readonly sums: readonly (readonly [from: number, to: number])[];
  /** By number of a breakdown before: its number now, and its columns; undefined where it is dropped. */
  readonly breakdowns: readonly ({ readonly number: number; readonly columns: number } | undefined)[];
}

/** The cells of the families that `goesOn` names, and those beside the families. */
export function carriedCells(
  before: Layout,
  after: Layout,
  goesOn: (family: AnyFamily) => boolean,
  runsGoOn: boolean,
): CarriedCells {
  const counts: [number, number][] = [[0, 0]];
  const sums: [number, number][] = [];
  const breakdowns: ({ number: number; columns: number } | undefined)[] = new Array(before.breakdownCount);
  before.families.forEach((family, index) => {
    const now = after.families.findIndex(({ name }) => name === family.name);
    if (now < 0 || !goesOn(family)) return;
    family.cells.forEach((kind, cell) => {
      (kind === 'sum' ? sums : counts).push([before.slots[index]![cell]!, after.slots[now]![cell]!]);
    });
    family.breakdowns.forEach((columns, place) => {
      const number = after.firstBreakdown[now]! + place;
      breakdowns[before.firstBreakdown[index]! + place] = { number, columns };
    });
  });
  if (before.judged !== undefined && after.judged !== undefined) {
    const { judgements, traffic, right } = before.judged;
    counts.push([judgements, after.judged.judgements]);
    const judges = before.families.filter(({ unit }) => unit === 'judgement');
    if (judges.every(goesOn)) counts.push([traffic, after.judged.traffic], [right, after.judged.right]);
  }
  if (runsGoOn) for (const name of groupCounts) counts.push([before.runs![name], after.runs![name]]);
  return { counts, sums, breakdowns };
}

/** Where a row of panes goes: keys of the new row, undefined where no window reaches it any more. */
export type PlacePane = (tier: number, pane: number) => readonly (readonly [tier: number, pane: number])[];

/** Rows of panes, each added to the rows that it is part of. */
export function* migratedPanes(
  table: Table,
  width: number,
  { counts, sums }: CarriedCells,
  sliceOf: (slice: number) => number,
  placesOf: PlacePane,
): Steps<Table> {
  const made = createTable(width);
  for (const [index, row] of liveRows(table).entries()) {
    const [slice, tier, pane] = [keyOf(table, row, 0), keyOf(table, row, 1), keyOf(table, row, 2)];
    const from = chunkOf(table, row);
    const fromAt = valuesAt(table, row);
    for (const [newTier, newPane] of placesOf(tier, pane)) {
      const into = rowOf(made, sliceOf(slice), newTier, newPane, 0);
      const cells = chunkOf(made, into);
      const at = valuesAt(made, into);
      for (const [was, is] of counts) cells[at + is]! += from[fromAt + was]!;
      for (const [was, is] of sums) addSum(cells, at + is, from[fromAt + was]!, from[fromAt + was + 1]!);
    }
    if (index % stepRows === stepRows - 1) yield;
  }
  return made;
}

const stepRows = 1024;

/** Rows of breakdowns, and those of histograms where they go on. */
export function* migratedBreakdowns(
  table: Table,
  layouts: { readonly before: Layout; readonly after: Layout },
  { breakdowns }: CarriedCells,
  sliceOf: (slice: number) => number,
  withHistograms: boolean,
): Steps<Table> {
  const { before, after } = layouts;
  const made = createTable(after.breakdownColumns);
  const placeOf = (number: number): { readonly number: number; readonly columns: number } | undefined => {
    if (number < before.breakdownCount) return breakdowns[number];
    return withHistograms ? { number: number - before.breakdownCount + after.breakdownCount, columns: 1 } : undefined;
  };
  for (const [index, row] of liveRows(table).entries()) {
    const place = placeOf(keyOf(table, row, breakdownKeys.breakdown));
    if (place === undefined) continue;
    const slice = sliceOf(keyOf(table, row, breakdownKeys.slice));
    const [key, subkey] = [keyOf(table, row, breakdownKeys.key), keyOf(table, row, breakdownKeys.subkey)];
    const into = rowOf(made, slice, place.number, key, subkey);
    const cells = chunkOf(made, into);
    for (let column = 0; column < place.columns; column++)
      cells[valuesAt(made, into) + column]! += chunkOf(table, row)[valuesAt(table, row) + column]!;
    if (index % stepRows === stepRows - 1) yield;
  }
  return made;
}

/** Rows of attributions by cells that go on, in panes that are kept; and the sets, as the cells lie now. */
export function* migratedAttributions(
  table: Table,
  { list }: Dictionary,
  { counts }: CarriedCells,
  sliceOf: (slice: number) => number,
  placesOf: PlacePane,
  floors: readonly number[],
): Steps<{ readonly table: Table; readonly sets: Dictionary }> {
  const made = createTable(1);
  const sets = createDictionary();
  const codes = movedSets(list, new Map(counts)).map((text) => (text === '' ? undefined : codeOf(sets, text)));
  for (const [index, row] of liveRows(table).entries()) {
    const code = codes[keyOf(table, row, attributionKeys.set)];
    if (code === undefined) continue;
    const slice = sliceOf(keyOf(table, row, attributionKeys.slice));
    for (const [tier, pane] of placesOf(
      keyOf(table, row, attributionKeys.tier) + 1,
      keyOf(table, row, attributionKeys.pane),
    )) {
      if (pane < floors[tier - 1]!) continue;
      const into = rowOf(made, slice, tier - 1, pane, code);
      chunkOf(made, into)[valuesAt(made, into)]! += chunkOf(table, row)[valuesAt(table, row)]!;
    }
    if (index % stepRows === stepRows - 1) yield;
  }
  return { table: made, sets };
}

/** Sets of attributions by cells that go on; `""` where none does. */
function movedSets(list: readonly string[], slots: ReadonlyMap<number, number>): string[] {
  return list.map((text) => {
    const names = namesIn(text).map((name) => ({
      ...name,
      slots: name.slots.flatMap((slot) => slots.get(slot) ?? []),
    }));
    return textOf(names.filter((name) => name.slots.length > 0));
  });
}
