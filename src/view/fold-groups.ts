import { getOrPut } from '../state/containers/get-or-put.ts';
import { addRow, isEmptyRow, type Layout, scoredSlot } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { other, type SliceValues } from '../state/slices.ts';
import { compareValues } from './compare-values.ts';
import type { SliceCells } from './merge-slices.ts';
import type { Group } from './summary.ts';

/** The parts of a group. */
export interface GroupParts extends Pick<Group, 'dimensions' | 'values'> {
  /** `groupKey` of it. */
  readonly key: string;
  readonly slices: readonly SliceCells[];
}

/** A group in one window: only slices of which something is in it. */
export interface PresentGroup extends GroupParts {
  readonly scored: number;
}

/** The key of a group among all of a window. */
export function groupKey({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): string {
  return JSON.stringify([dimensions, values]);
}

/** Groups of one set, values by code unit. The total is there whatever there is. */
export function groupsOf(slices: readonly SliceCells[], settings: Settings, set: readonly string[]): GroupParts[] {
  if (set.length === 0) return [partsOf(set, [], slices)];
  return merged(
    slices.flatMap((slice) => {
      const values = valuesIn(set, settings.dimensions, slice.values);
      return values === undefined ? [] : [partsOf(set, values, [slice])];
    }),
  );
}

/** Values of a set of dimensions; undefined where one of them was not read then, so that the slice is in no group of the set. */
export function valuesIn(
  set: readonly string[],
  dimensions: readonly string[],
  values: SliceValues,
): string[] | undefined {
  const found = set.map((dimension) => values[dimensions.indexOf(dimension)] ?? null);
  return found.every((value) => value !== null) ? found : undefined;
}

function partsOf(dimensions: readonly string[], values: readonly string[], slices: readonly SliceCells[]): GroupParts {
  return { dimensions, values, key: groupKey({ dimensions, values }), slices };
}

/** The groups of a window that hold anything; and the total. */
export function presentGroups(groups: readonly GroupParts[], layout: Layout, window: number): PresentGroup[] {
  const present: PresentGroup[] = [];
  const isIn = ({ rows }: SliceCells): boolean => rows[window] !== undefined && !isEmptyRow(layout, rows[window]);
  for (const { dimensions, values, key, slices: all } of groups) {
    const slices = all.every(isIn) ? all : all.filter(isIn);
    if (slices.length === 0 && values.length > 0) continue;
    let scored = 0;
    for (const { rows } of slices) scored += rows[window]![scoredSlot]!;
    present.push({ dimensions, values, key, slices, scored });
  }
  return present;
}

/** The groups with the most scored predictions. */
export function mostScored(groups: readonly PresentGroup[], groupsMax: number | undefined): readonly PresentGroup[] {
  if (groupsMax === undefined || groups.length <= groupsMax) return groups;
  const byScored = [...groups].sort((a, b) => b.scored - a.scored || compareValues(a.values, b.values));
  return byScored.slice(0, groupsMax);
}

/** The groups themselves, or those that are shown with the rest as `__other__`. */
export function foldedGroups(groups: readonly PresentGroup[], shown: readonly PresentGroup[]): readonly GroupParts[] {
  if (shown.length === groups.length) return groups;
  const own = new Set(shown);
  const { dimensions, values } = groups[0]!;
  const rest = groups.filter((group) => !own.has(group)).flatMap(({ slices }) => slices);
  const others = values.map(() => other);
  return merged([...shown, partsOf(dimensions, others, rest)]);
}

/** The sum of a group's rows in a window; of a single slice its own row, which must not be changed. */
export function rowOf(
  { slices }: GroupParts,
  layout: Layout,
  newRow: () => Float64Array,
  window: number,
): Float64Array {
  if (slices.length === 1) return slices[0]!.rows[window]!;
  const row = newRow();
  for (const { rows } of slices) addRow(layout, row, 0, rows[window]!, 0);
  return row;
}

/** Groups of equal values are one, values by code unit. */
function merged(parts: readonly GroupParts[]): GroupParts[] {
  const groups = new Map<string, GroupParts & { readonly slices: SliceCells[] }>();
  for (const { slices, ...named } of parts)
    getOrPut(groups, named.key, () => ({ ...named, slices: [] })).slices.push(...slices);
  return [...groups.values()].sort((a, b) => compareValues(a.values, b.values));
}
