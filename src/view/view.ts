import { declarations } from '../scoring/families.ts';
import { readBlock, type TallyReader } from '../scoring/family.ts';
import type { Block, BreakdownEntry } from '../scoring/metric.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { addRow, cellReader, scoredSlot, subtractRow } from '../state/row-layout.ts';
import type { Rate, RateOf } from '../scoring/reading.ts';
import { type InputCounts, inputKinds, noInputCounts } from '../state/input.ts';
import { rejectCodes } from '../state/reject.ts';
import { rowsOfZeros } from '../state/containers/shared-arrays.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { breakdownKeys } from '../state/breakdowns.ts';
import { chunkOf, findRow, keyOf, liveRows, valuesAt } from '../state/containers/table.ts';
import { forWindows } from '../state/window-sums.ts';
import { finish, type Steps } from '../state/steps.ts';
import { alwaysRate } from './always-rate.ts';
import { compareValues } from './compare-values.ts';
import {
  candidatesOf,
  foldedGroups,
  groupKey,
  groupsOf,
  type MergedGroup,
  mostScored,
  type NewRow,
  type SliceCells,
} from './fold-groups.ts';
import type { Blocks, ChooseGroups, Group, RecordCounts, View } from './summary.ts';
import { type Watcher, watchReadings } from './watches.ts';

export interface ViewOptions {
  /** Configured sets of dimensions, without the total. */
  readonly sets: readonly (readonly string[])[];
  readonly rate: RateOf;
  /** Read the windows too, or `all` only. */
  readonly withWindows: boolean;
  /** Read the families' breakdowns too; those of stability are always read. */
  readonly withBreakdowns: boolean;
  /** Groups shown of each set, the rest summed as `__other__`; undefined shows all. */
  readonly groupsMax: number | undefined;
  /** Chooses those shown instead: the same ones in every window. */
  readonly choose?: ChooseGroups | undefined;
  /** Read the watches too. */
  readonly watcher?: Watcher | undefined;
}

/**
 * Reads the merge of partitions at time T: `view = read(merge over partitions and panes)`. T is a parameter of the view, never of
 * the state. All states must share the settings.
 */
export function viewOf(
  states: readonly PartitionState[],
  settings: Settings,
  asOfMs: number | undefined,
  options: ViewOptions,
): View {
  return finish(viewSteps(states, settings, asOfMs, options));
}

/** `viewOf` in steps: what the states hold is merged in the first; the rest is a reading of that. */
export function* viewSteps(
  states: readonly PartitionState[],
  settings: Settings,
  asOfMs: number | undefined,
  options: ViewOptions,
): Steps<View> {
  const newRow = rowsOfZeros(settings.layout.width);
  const cells = mergeSlices(states, newRow, asOfMs, options);
  const { watcher } = options;
  const watches = watcher === undefined || asOfMs === undefined ? [] : watchReadings(watcher, states, asOfMs);
  const records = countRecords(states);
  const windowNames = ['all', ...(options.withWindows ? settings.windows.windows.map(({ name }) => name) : [])];
  const sets = [[], ...options.sets];
  const mergedOf: (readonly MergedGroup[])[][] = [];
  for (const [window] of windowNames.entries()) {
    yield;
    mergedOf.push(sets.map((set) => groupsOf(cells, settings, newRow, set, window)));
  }
  const read = (index: number, set: readonly string[], group: MergedGroup): Group => {
    const { values, row } = group;
    const blocks = blocksOf(settings, group, index === 0, options);
    return { dimensions: set, values, window: windowNames[index]!, scored: row[scoredSlot]!, blocks, row };
  };
  const totals = mergedOf.map(([merged], index) => read(index, [], merged![0]!));
  const chosen = options.choose?.({ totals, watches, sets: candidatesOf(options.sets, mergedOf[0]!.slice(1)) });
  const ownOf = (dimensions: readonly string[], merged: readonly MergedGroup[]): readonly MergedGroup[] =>
    chosen === undefined
      ? mostScored(merged, options.groupsMax)
      : merged.filter(({ values }) => chosen.has(groupKey({ dimensions, values })));
  const groups: Group[] = [];
  let folded = false;
  for (const [index, bySet] of mergedOf.entries()) {
    groups.push(totals[index]!);
    for (const [position, set] of options.sets.entries()) {
      yield;
      const merged = bySet[position + 1]!;
      const shown = foldedGroups(merged, ownOf(set, merged), settings, newRow);
      folded ||= shown !== merged;
      for (const group of shown) {
        groups.push(read(index, set, group));
        yield;
      }
    }
  }
  const coverage = coverageOf(records, alwaysRate(options.rate));
  return { asOfMs, records, coverage, input: countInput(states), groups, folded, watches };
}

/** Scored predictions of those read: judgements need no truth, and are left out. */
function coverageOf({ scored, read, duplicates, judgements }: RecordCounts, rate: RateOf): Rate {
  return rate(scored - judgements, read - duplicates - judgements);
}

/** Adds up the record counts of partitions. */
export function countRecords(states: readonly PartitionState[]): RecordCounts {
  const sum = (of: (state: PartitionState) => number): number => states.reduce((total, state) => total + of(state), 0);
  const rejected: Partial<Record<(typeof rejectCodes)[number], number>> = {};
  rejectCodes.forEach((code, index) => {
    const count = sum((state) => state.rejected[index]!);
    if (count > 0) rejected[code] = count;
  });
  const pending = sum((state) => state.pending.waiting.size);
  const expired = sum(({ numbers }) => numbers.expired);
  const refused = Object.values(rejected).reduce((total, count) => total + count, 0);
  return {
    read: sum(({ numbers }) => numbers.read),
    scored: sum(({ numbers }) => numbers.scored),
    pending,
    expired,
    duplicates: sum(({ numbers }) => numbers.duplicates),
    late: sum(({ numbers }) => numbers.late),
    unverified: sum(({ numbers }) => numbers.unverified),
    judgements: sum(({ numbers }) => numbers.judgements),
    calls_not_recorded: sum(({ numbers }) => numbers.callsNotRecorded),
    malformed_calls: sum(({ input }) => input.malformed_calls),
    unscored: refused + pending + expired,
    rejected,
  };
}

/** Adds up what was off with the input of partitions. */
function countInput(states: readonly PartitionState[]): InputCounts {
  const counts = noInputCounts();
  for (const { input } of states) for (const kind of inputKinds) counts[kind] += input[kind];
  return counts;
}

function mergeSlices(
  states: readonly PartitionState[],
  newRow: NewRow,
  asOfMs: number | undefined,
  options: ViewOptions,
): SliceCells[] {
  const slices = new Map<string, SliceCells>();
  for (const state of states) {
    const bySlice = state.slices.dictionary.list.map((text) =>
      getOrPut(slices, text, () => ({ values: JSON.parse(text) as string[], rows: [], entries: new Map() })),
    );
    mergeTallies(state, bySlice, newRow, options.withWindows ? asOfMs : undefined);
    mergeBreakdowns(state, bySlice, options.withBreakdowns);
  }
  return [...slices.values()];
}

function mergeTallies(
  state: PartitionState,
  bySlice: readonly SliceCells[],
  newRow: NewRow,
  asOfMs: number | undefined,
): void {
  const { table, layout } = state.panes;
  bySlice.forEach(({ rows }, slice) => {
    const row = findRow(table, slice, 0, 0, 0);
    if (row >= 0) addRow(layout, (rows[0] ??= newRow()), 0, chunkOf(table, row), valuesAt(table, row));
  });
  if (asOfMs === undefined) return;
  forWindows(state.sums, asOfMs, (slice, window, from, at, sign) => {
    const into = (bySlice[slice]!.rows[window + 1] ??= newRow());
    (sign > 0 ? addRow : subtractRow)(layout, into, 0, from, at);
  });
}

function mergeBreakdowns(state: PartitionState, bySlice: readonly SliceCells[], withBreakdowns: boolean): void {
  const { table, names, layout } = state.breakdowns;
  for (const row of liveRows(table)) {
    const number = keyOf(table, row, breakdownKeys.breakdown);
    const isHistogram = number >= layout.breakdownCount;
    if (!isHistogram && !withBreakdowns) continue;
    const first = keyOf(table, row, breakdownKeys.key);
    const key = isHistogram ? String(first) : names.list[first]!;
    const subkey = isHistogram ? '' : names.list[keyOf(table, row, breakdownKeys.subkey)]!;
    const { entries } = bySlice[keyOf(table, row, breakdownKeys.slice)]!;
    addColumns(entries, number, key, subkey, chunkOf(table, row), valuesAt(table, row), table.values);
  }
}

function addColumns(
  into: SliceCells['entries'],
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

function blocksOf(settings: Settings, group: MergedGroup, isAll: boolean, options: ViewOptions): Blocks {
  const { withBreakdowns } = options;
  const rate = isAll ? alwaysRate(options.rate) : options.rate;
  const { layout, stability } = settings;
  const blocks = new Map<string, Block | null>();
  layout.families.forEach((family, index) => {
    const reader: TallyReader = {
      ...cellReader(layout, index, group.row),
      entries: (breakdown) =>
        isAll && withBreakdowns
          ? entriesOf(group, layout.firstBreakdown[index]! + breakdown, family.breakdowns[breakdown]!)
          : undefined,
    };
    blocks.set(family.name, readBlock(family, reader, rate));
  });
  if (stability !== undefined && isAll) {
    const counts = (histogram: number, gold: number) => countsOf(group, layout.breakdownCount + 4 * histogram + gold);
    blocks.set(stability.name, readBlock(stability, { counts }, rate));
  }
  return inOrder(blocks);
}

/** Blocks in the order of every report; families that no report knows come last. */
function inOrder(blocks: ReadonlyMap<string, Block | null>): Blocks {
  const known = declarations.map(({ name }) => name).filter((name) => blocks.has(name));
  return Object.fromEntries([...new Set([...known, ...blocks.keys()])].map((name) => [name, blocks.get(name)]));
}

function entriesOf(group: MergedGroup, number: number, columns: number): BreakdownEntry[] {
  const merged: SliceCells['entries'] = new Map();
  for (const { entries } of group.slices)
    for (const [key, subkeys] of entries.get(number) ?? [])
      for (const [subkey, from] of subkeys) addColumns(merged, number, key, subkey, from, 0, columns);
  const list: BreakdownEntry[] = [];
  for (const [key, subkeys] of merged.get(number) ?? [])
    for (const [subkey, values] of subkeys) list.push({ key, subkey, columns: [...values] });
  return list.sort((a, b) => compareValues([a.key, a.subkey], [b.key, b.subkey]));
}

function countsOf(group: MergedGroup, number: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { entries } of group.slices)
    for (const [key, subkeys] of entries.get(number) ?? [])
      counts.set(Number(key), (counts.get(Number(key)) ?? 0) + subkeys.get('')![0]!);
  return counts;
}
