import type { AnyFamily, TallyReader } from '../scoring/family.ts';
import { type GroupCounts, groupCounts } from '../scoring/stability/counts.ts';
import { addSum, readSum, subtractSum } from './containers/exact-sum.ts';

/**
 * How the cells of all enabled families lie in one row of doubles: slot 0 counts the predictions scored, a count takes one slot, a
 * sum two. A row is an element of a commutative monoid; `addRow` is its addition.
 */
export interface Layout {
  readonly families: readonly AnyFamily[];
  /** Where judgements are read. */
  readonly judged: JudgedSlots | undefined;
  /** Where a family needs no truth: slot of the events that it counts when they are accepted. */
  readonly accepted: number | undefined;
  /** Where groups of runs are collected: slots of the counts of complete ones. */
  readonly runs: RunSlots | undefined;
  readonly width: number;
  /** `slots[family][cell]`. */
  readonly slots: readonly (readonly number[])[];
  /** First slots of sums. */
  readonly sums: readonly number[];
  /** Slots of counts. */
  readonly counts: readonly number[];
  /** Global number of a family's first breakdown. */
  readonly firstBreakdown: readonly number[];
  readonly breakdownCount: number;
  /** Columns of the widest breakdown. */
  readonly breakdownColumns: number;
}

export const scoredSlot = 0;

/** Counts beside the families' cells. */
export interface JudgedSlots {
  /** Judgements. */
  readonly judgements: number;
  /** Predictions that the rules have a verdict on, and those that they call right. */
  readonly traffic: number;
  readonly right: number;
}

export type RunSlots = Readonly<Record<keyof GroupCounts, number>>;

/** Lays the families' cells out, in the order given. */
export function layoutOf(families: readonly AnyFamily[], withRuns = false): Layout {
  const sums: number[] = [];
  const counts: number[] = [scoredSlot];
  let width = 1;
  const slots = families.map((family) =>
    family.cells.map((kind) => {
      const slot = width;
      (kind === 'sum' ? sums : counts).push(slot);
      width += kind === 'sum' ? 2 : 1;
      return slot;
    }),
  );
  const countSlot = (): number => counts[counts.push(width++) - 1]!;
  const judged = families.some(({ unit }) => unit === 'judgement')
    ? { judgements: countSlot(), traffic: countSlot(), right: countSlot() }
    : undefined;
  const accepted = slots[families.findIndex(({ truth }) => truth === 'none')]?.[0];
  const runs = withRuns ? (Object.fromEntries(groupCounts.map((name) => [name, countSlot()])) as RunSlots) : undefined;
  let breakdownCount = 0;
  const firstBreakdown = families.map((family) => {
    const first = breakdownCount;
    breakdownCount += family.breakdowns.length;
    return first;
  });
  const breakdownColumns = Math.max(1, ...families.flatMap((family) => family.breakdowns));
  const breakdownNumbers = { firstBreakdown, breakdownCount, breakdownColumns };
  return { families, judged, accepted, runs, width, slots, sums, counts, ...breakdownNumbers };
}

/** Adds row `from[fromAt…]` to `into[intoAt…]`, or with sign -1 takes it away, where it was added before. */
export function addRow(
  { counts, sums }: Layout,
  into: Float64Array,
  intoAt: number,
  from: Float64Array,
  fromAt: number,
  sign: 1 | -1 = 1,
): void {
  for (let i = 0; i < counts.length; i++) into[intoAt + counts[i]!]! += sign * from[fromAt + counts[i]!]!;
  const combine = sign === 1 ? addSum : subtractSum;
  for (let i = 0; i < sums.length; i++) {
    const slot = sums[i]!;
    combine(into, intoAt + slot, from[fromAt + slot]!, from[fromAt + slot + 1]!);
  }
}

/** Reads a family's cells out of a row. */
export function cellReader(layout: Layout, family: number, row: Float64Array): Omit<TallyReader, 'entries'> {
  const slotOf = layout.slots[family]!;
  const { judged } = layout;
  return {
    count: (cell) => row[slotOf[cell]!]!,
    sum: (cell) => readSum(row, slotOf[cell]!),
    traffic: judged && { n: row[judged.traffic]!, right: row[judged.right]! },
  };
}

/** Returns whether nothing was scored, judged or counted when it was accepted in a row. */
export function isEmptyRow({ judged, accepted }: Layout, row: Float64Array): boolean {
  const isEmpty = (slot: number | undefined): boolean => slot === undefined || row[slot] === 0;
  return isEmpty(scoredSlot) && isEmpty(judged?.judgements) && isEmpty(accepted);
}
