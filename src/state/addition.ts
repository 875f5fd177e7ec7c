import type { Tally } from '../scoring/family.ts';
import { type GroupCounts, groupCounts } from '../scoring/stability/counts.ts';
import { addAttribution, type AttributionSet, noAttributions, clearAttributions, cutName } from './attribution-set.ts';
import { addSum, unitsOf } from './containers/exact-sum.ts';
import { type Layout, type RunSlots, scoredSlot } from './row-layout.ts';

/** Everything that one event adds to the state: a row of cells, entries of breakdowns, and its attributions. */
export interface Addition {
  /** A row of the layout. */
  readonly row: Float64Array;
  readonly entries: BreakdownAddition[];
  readonly attributions: AttributionSet;
}

/** An addition to one column of a breakdown; `subkey` is empty where the breakdown has one key. */
export interface BreakdownAddition {
  readonly breakdown: number;
  readonly key: string;
  readonly subkey: string;
  readonly column: number;
  readonly amount: number;
}

/** An addition that is written anew for every event. */
export interface AdditionWriter {
  readonly addition: Addition;
  /** By family of the layout: adds to the addition. */
  readonly tallies: readonly Tally[];
}

/** A writer for the families of a layout. */
export function createAdditionWriter(layout: Layout): AdditionWriter {
  const addition: Addition = { row: new Float64Array(layout.width), entries: [], attributions: noAttributions() };
  return { addition, tallies: layout.families.map((_, family) => tallyInto(addition, layout, family)) };
}

/** Empties an addition; `scored` predictions are counted in its row: 1, or 0 where it is a judgement on one, or one that waits for its truth. */
export function clearAddition({ row, entries, attributions }: Addition, scored: 0 | 1): void {
  row.fill(0);
  row[scoredSlot] = scored;
  entries.length = 0;
  clearAttributions(attributions);
}

/** The row of a complete group of runs, whose predictions were counted as events already. */
export function runsRow({ width }: Layout, slots: RunSlots, counts: GroupCounts): Float64Array {
  const row = new Float64Array(width);
  for (const name of groupCounts) row[slots[name]] = counts[name];
  return row;
}

function tallyInto({ row, entries, attributions }: Addition, layout: Layout, family: number): Tally {
  const slotOf = layout.slots[family]!;
  const firstBreakdown = layout.firstBreakdown[family]!;
  return {
    count(cell, amount) {
      row[slotOf[cell]!]! += amount;
    },
    sum(cell, value) {
      addSum(row, slotOf[cell]!, Math.floor(value), unitsOf(value));
    },
    entry(breakdown, key, subkey, column, amount) {
      entries.push({ breakdown: firstBreakdown + breakdown, key, subkey, column, amount });
    },
    attribute(cell, kind, tool, argument = '') {
      addAttribution(attributions, slotOf[cell]!, kind, cutName(tool), cutName(argument));
    },
  };
}
