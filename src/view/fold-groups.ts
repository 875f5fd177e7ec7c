import { getOrPut } from '../state/containers/get-or-put.ts';
import { addRow, isEmptyRow, scoredSlot } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { other } from '../state/slices.ts';
import { compareValues } from './compare-values.ts';
import type { Candidate, Group } from './summary.ts';

/** What was remembered of one finest slice, over all partitions. */
export interface SliceCells {
  readonly values: readonly string[];
  /** A row by window: `all`, then the windows ascending; undefined or with nothing scored where nothing fell into it. */
  readonly rows: (Float64Array | undefined)[];
  /** Breakdowns and histograms: number -> key -> subkey -> columns. Keys of histograms are decimal. */
  readonly entries: Map<number, Map<string, Map<string, Float64Array>>>;
}

export type NewRow = () => Float64Array;

export interface MergedGroup {
  readonly values: readonly string[];
  readonly row: Float64Array;
  readonly slices: SliceCells[];
}

/** What tells a group from all others of a window. */
export function groupKey({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): string {
  return JSON.stringify([dimensions, values]);
}

/** Groups of one set in one window, values by code unit. */
export function groupsOf(
  slices: readonly SliceCells[],
  settings: Settings,
  newRow: NewRow,
  set: readonly string[],
  window: number,
): readonly MergedGroup[] {
  const positions = set.map((dimension) => settings.dimensions.indexOf(dimension));
  const parts = slices.flatMap((slice) => {
    const row = slice.rows[window];
    if (row === undefined || isEmptyRow(settings.layout, row)) return [];
    return [{ values: positions.map((position) => slice.values[position]!), row, slices: [slice] }];
  });
  const total = set.length === 0 ? [{ values: [], row: newRow(), slices: [] }] : [];
  return mergedGroups([...total, ...parts], settings, newRow);
}

/** The groups that may be shown, from those of window `all`. */
export function candidatesOf(
  sets: readonly (readonly string[])[],
  merged: readonly (readonly MergedGroup[])[],
): readonly Candidate[] {
  return sets.flatMap((dimensions, set) =>
    merged[set]!.map(({ values, row }) => ({ dimensions, values, scored: row[scoredSlot]! })),
  );
}

/** The groups with the most scored predictions. */
export function mostScored(groups: readonly MergedGroup[], groupsMax: number | undefined): readonly MergedGroup[] {
  if (groupsMax === undefined || groups.length <= groupsMax) return groups;
  const byScored = [...groups].sort(
    (a, b) => b.row[scoredSlot]! - a.row[scoredSlot]! || compareValues(a.values, b.values),
  );
  return byScored.slice(0, groupsMax);
}

/** The groups themselves, or those that are shown with the rest as `__other__`. */
export function foldedGroups(
  groups: readonly MergedGroup[],
  shown: readonly MergedGroup[],
  settings: Settings,
  newRow: NewRow,
): readonly MergedGroup[] {
  if (shown.length === groups.length) return groups;
  const own = new Set(shown);
  const parts = groups.map((group) => (own.has(group) ? group : { ...group, values: group.values.map(() => other) }));
  return mergedGroups(parts, settings, newRow);
}

/** Sums groups of equal values, values by code unit. */
function mergedGroups(parts: readonly MergedGroup[], { layout }: Settings, newRow: NewRow): readonly MergedGroup[] {
  const groups = new Map<string, MergedGroup>();
  for (const { values, row, slices } of parts) {
    const group = getOrPut(groups, JSON.stringify(values), () => ({ values, row: newRow(), slices: [] }));
    addRow(layout, group.row, 0, row, 0);
    group.slices.push(...slices);
  }
  return [...groups.values()].sort((a, b) => compareValues(a.values, b.values));
}
