import { addSum, readSum, subtractSum, unitsOf, wholeOf } from './containers/exact-sum.ts';
import type { AnyFamily, Tally } from '../scoring/family.ts';

/**
 * How the cells of all enabled families lie in one row of doubles: slot 0 counts the predictions scored, a count takes one slot, a
 * sum two. A row is an element of a commutative monoid; `addRow` is its addition.
 */
export interface Layout {
  readonly families: readonly AnyFamily[];
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
  readonly entryColumns: number;
}

export const scoredSlot = 0;

/** Lays the families' cells out, in the order given. */
export function layoutOf(families: readonly AnyFamily[]): Layout {
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
  let breakdownCount = 0;
  const firstBreakdown = families.map((family) => {
    const first = breakdownCount;
    breakdownCount += family.breakdowns.length;
    return first;
  });
  const entryColumns = Math.max(1, ...families.flatMap((family) => family.breakdowns));
  return { families, width, slots, sums, counts, firstBreakdown, breakdownCount, entryColumns };
}

/** Adds row `from[fromAt…]` to `into[intoAt…]`. */
export function addRow(layout: Layout, into: Float64Array, intoAt: number, from: Float64Array, fromAt: number): void {
  const { counts, sums } = layout;
  for (let i = 0; i < counts.length; i++) into[intoAt + counts[i]!]! += from[fromAt + counts[i]!]!;
  for (let i = 0; i < sums.length; i++) {
    const slot = sums[i]!;
    addSum(into, intoAt + slot, from[fromAt + slot]!, from[fromAt + slot + 1]!);
  }
}

/** One event's addition to rows, kept as a short list of slots: it is applied to several rows. */
export interface Contribution {
  readonly tallies: readonly Tally[];
  length: number;
  slots: Int32Array;
  amounts: Float64Array;
  sumLength: number;
  sumSlots: Int32Array;
  wholes: Float64Array;
  units: Float64Array;
  readonly entries: Entry[];
}

/** Takes row `from[fromAt…]`, which was added before, away from `into[intoAt…]`. */
export function subtractRow(
  layout: Layout,
  into: Float64Array,
  intoAt: number,
  from: Float64Array,
  fromAt: number,
): void {
  const { counts, sums } = layout;
  for (let i = 0; i < counts.length; i++) into[intoAt + counts[i]!]! -= from[fromAt + counts[i]!]!;
  for (let i = 0; i < sums.length; i++) {
    const slot = sums[i]!;
    subtractSum(into, intoAt + slot, from[fromAt + slot]!, from[fromAt + slot + 1]!);
  }
}

/** Where the additions to one (key, subkey) of a breakdown go, in the state of one partition. */
export interface Place {
  readonly owner: object;
  /** Codes of key and subkey. */
  readonly first: number;
  readonly second: number;
  /** Row of each slice, where there is one yet. */
  readonly rows: (number | undefined)[];
}

/** An addition to one column of a breakdown entry. `place` is where it went last. */
export interface Entry {
  readonly breakdown: number;
  readonly key: string;
  readonly subkey: string;
  readonly column: number;
  readonly amount: number;
  place: Place | undefined;
}

/** What an outcome that comes again has added to a contribution. */
export interface Memo {
  readonly outcome: unknown;
  readonly slots: Int32Array;
  readonly amounts: Float64Array;
  readonly sumSlots: Int32Array;
  readonly wholes: Float64Array;
  readonly units: Float64Array;
  readonly entries: readonly Entry[];
}

/** An empty contribution with a tally for each family of the layout; reused for every event. */
export function createContribution(layout: Layout): Contribution {
  const tallies: Tally[] = [];
  const into: Contribution = {
    tallies,
    length: 0,
    slots: new Int32Array(layout.width),
    amounts: new Float64Array(layout.width),
    sumLength: 0,
    sumSlots: new Int32Array(layout.width),
    wholes: new Float64Array(layout.width),
    units: new Float64Array(layout.width),
    entries: [],
  };
  for (let family = 0; family < layout.families.length; family++) tallies.push(tallyInto(into, layout, family));
  return into;
}

/** Makes it empty again. */
export function clearContribution(contribution: Contribution): void {
  contribution.length = 0;
  contribution.sumLength = 0;
  contribution.entries.length = 0;
}

/** Has the family tally an outcome, and remembers what that added. */
export function memorise(contribution: Contribution, family: AnyFamily, tally: Tally, outcome: unknown): Memo {
  const { length, sumLength, entries } = contribution;
  const entriesBefore = entries.length;
  family.tally(outcome, tally);
  return {
    outcome,
    slots: contribution.slots.slice(length, contribution.length),
    amounts: contribution.amounts.slice(length, contribution.length),
    sumSlots: contribution.sumSlots.slice(sumLength, contribution.sumLength),
    wholes: contribution.wholes.slice(sumLength, contribution.sumLength),
    units: contribution.units.slice(sumLength, contribution.sumLength),
    entries: entries.slice(entriesBefore),
  };
}

/** Adds what a remembered outcome adds. */
export function recall(into: Contribution, memo: Memo): void {
  const { slots, amounts, sumSlots, wholes, units, entries } = memo;
  while (into.length + slots.length > into.slots.length) growCounts(into);
  for (let i = 0; i < slots.length; i++) {
    into.slots[into.length] = slots[i]!;
    into.amounts[into.length++] = amounts[i]!;
  }
  while (into.sumLength + sumSlots.length > into.sumSlots.length) growSums(into);
  for (let i = 0; i < sumSlots.length; i++) {
    into.sumSlots[into.sumLength] = sumSlots[i]!;
    into.wholes[into.sumLength] = wholes[i]!;
    into.units[into.sumLength++] = units[i]!;
  }
  for (let i = 0; i < entries.length; i++) into.entries.push(entries[i]!);
}

/** Adds a contribution, and one scored prediction, to the row at `row[at…]`. */
export function applyContribution(contribution: Contribution, row: Float64Array, at: number): void {
  const { length, slots, amounts, sumLength, sumSlots, wholes, units } = contribution;
  row[at + scoredSlot]! += 1;
  for (let i = 0; i < length; i++) row[at + slots[i]!]! += amounts[i]!;
  for (let i = 0; i < sumLength; i++) addSum(row, at + sumSlots[i]!, wholes[i]!, units[i]!);
}

function tallyInto(into: Contribution, layout: Layout, family: number): Tally {
  const slotOf = layout.slots[family]!;
  const firstBreakdown = layout.firstBreakdown[family]!;
  return {
    count(cell, amount) {
      if (into.length === into.slots.length) growCounts(into);
      into.slots[into.length] = slotOf[cell]!;
      into.amounts[into.length++] = amount;
    },
    sum(cell, value) {
      if (into.sumLength === into.sumSlots.length) growSums(into);
      into.sumSlots[into.sumLength] = slotOf[cell]!;
      into.wholes[into.sumLength] = wholeOf(value);
      into.units[into.sumLength++] = unitsOf(value);
    },
    entry(breakdown, key, subkey, column, amount) {
      into.entries.push({ breakdown: firstBreakdown + breakdown, key, subkey, column, amount, place: undefined });
    },
  };
}

function growCounts(into: Contribution): void {
  into.slots = doubled(into.slots, new Int32Array(into.slots.length * 2));
  into.amounts = doubled(into.amounts, new Float64Array(into.amounts.length * 2));
}

function growSums(into: Contribution): void {
  into.sumSlots = doubled(into.sumSlots, new Int32Array(into.sumSlots.length * 2));
  into.wholes = doubled(into.wholes, new Float64Array(into.wholes.length * 2));
  into.units = doubled(into.units, new Float64Array(into.units.length * 2));
}

function doubled<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Reads a family's cells out of a row. */
export function cellReader(
  layout: Layout,
  family: number,
  row: Float64Array,
): { count(cell: number): number; sum(cell: number): number } {
  const slotOf = layout.slots[family]!;
  return { count: (cell) => row[slotOf[cell]!]!, sum: (cell) => readSum(row, slotOf[cell]!) };
}
