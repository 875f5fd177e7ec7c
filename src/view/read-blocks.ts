import { declarations } from '../scoring/families.ts';
import { readBlock, type TallyReader } from '../scoring/family.ts';
import type { Block, BreakdownEntry } from '../scoring/metric.ts';
import type { RateOf } from '../scoring/reading.ts';
import { histogramLabels, type StabilityReader } from '../scoring/stability/histograms.ts';
import { cellReader } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { alwaysRate } from './always-rate.ts';
import { compareValues } from './compare-values.ts';
import type { GroupParts } from './fold-groups.ts';
import { addColumns, type Entries, type MergedSlices } from './merge-slices.ts';
import type { Blocks } from './summary.ts';

export interface BlockOptions {
  readonly rate: RateOf;
  readonly withBreakdowns: boolean;
  /** Window `all`: breakdowns and groups of runs are known of it alone. */
  readonly isAll: boolean;
}

/** The blocks of a group, of which `row` holds the cells. */
export function readBlocks(
  cells: MergedSlices,
  group: GroupParts,
  row: Float64Array,
  { layout, stability }: Settings,
  { rate: plain, withBreakdowns, isAll }: BlockOptions,
): Blocks {
  const rate = isAll ? alwaysRate(plain) : plain;
  const blocks = new Map<string, Block | null>();
  layout.families.forEach((family, index) => {
    const reader: TallyReader = {
      ...cellReader(layout, index, row),
      entries: (breakdown) =>
        isAll && withBreakdowns
          ? entriesOf(group, layout.firstBreakdown[index]! + breakdown, family.breakdowns[breakdown]!)
          : undefined,
    };
    blocks.set(family.name, readBlock(family, reader, rate));
  });
  if (stability !== undefined && isAll)
    blocks.set(stability.name, readBlock(stability, runsReader(group, cells), rate));
  return Object.fromEntries(inOrder([...blocks.keys()]).map((name) => [name, blocks.get(name)]));
}

/** The names of the blocks of a group. */
export function blockNames({ layout, stability }: Settings, isAll: boolean): readonly string[] {
  const names = layout.families.map(({ name }) => name);
  return inOrder(stability !== undefined && isAll ? [...names, stability.name] : names);
}

/** The counts of the runs of a group, by kind. */
function runsOf({ slices }: GroupParts, { list }: MergedSlices['kinds']): Float64Array {
  const sums = new Float64Array(list.length);
  for (const { totals } of slices) for (let kind = 0; kind < totals.length; kind++) sums[kind]! += totals[kind]!;
  return sums;
}

/** Names in the order of every report; families that no report knows come last. */
function inOrder(names: readonly string[]): readonly string[] {
  const known = declarations.map(({ name }) => name).filter((name) => names.includes(name));
  return [...new Set([...known, ...names])];
}

function entriesOf(group: GroupParts, number: number, columns: number): BreakdownEntry[] {
  const merged: Entries = new Map();
  for (const { entries } of group.slices)
    for (const [key, subkeys] of entries.get(number) ?? [])
      for (const [subkey, from] of subkeys) addColumns(merged, number, key, subkey, from, 0, columns);
  const list: BreakdownEntry[] = [];
  for (const [key, subkeys] of merged.get(number) ?? [])
    for (const [subkey, values] of subkeys) list.push({ key, subkey, columns: [...values] });
  return list.sort((a, b) => compareValues([a.key, a.subkey], [b.key, b.subkey]));
}

function runsReader(group: GroupParts, { kinds }: MergedSlices): StabilityReader {
  const { numbers } = kinds;
  const sums = runsOf(group, kinds);
  return {
    counts: (histogram, gold) =>
      new Map([...(numbers.get(histogramLabels * histogram + gold) ?? [])].map(([key, kind]) => [key, sums[kind]!])),
  };
}
