import { readBlock } from '../scoring/family.ts';
import type { Block } from '../scoring/metric.ts';
import { addRow, cellReader } from '../state/row-layout.ts';
import type { RateOf } from '../scoring/reading.ts';
import type { PartitionState } from '../state/partition.ts';
import { chunkOf, findRow, valuesAt } from '../state/containers/table.ts';

/**
 * One family's numbers over everything that a partition has scored, without breakdowns: a small part of a view, cheap enough for several
 * times a second. Null where nothing was scored, undefined where the family is off.
 */
export function totalOf(state: PartitionState, name: string, rate: RateOf): Block | null | undefined {
  const { settings, slices, panes } = state;
  const { layout } = settings;
  const index = layout.families.findIndex((family) => family.name === name);
  if (index < 0) return undefined;
  const total = new Float64Array(layout.width);
  for (const slice of slices.dictionary.list.keys()) {
    const row = findRow(panes.table, slice, 0, 0, 0);
    if (row >= 0) addRow(layout, total, 0, chunkOf(panes.table, row), valuesAt(panes.table, row));
  }
  const reader = { entries: () => undefined, ...cellReader(layout, index, total) };
  return readBlock(layout.families[index]!, reader, rate);
}
