import type { AnyFamily, Tally } from '../scoring/family.ts';
import { type GroupCounts, groupCounts } from '../scoring/stability/counts.ts';
import { addBlame, addBlamesTo, type BlameSet, blamesNothing, clearBlames, cutName, textOf } from './blame-set.ts';
import { addSum, unitsOf, wholeOf } from './containers/exact-sum.ts';
import { extended } from './containers/extended.ts';
import { type Layout, type RunSlots, scoredSlot } from './row-layout.ts';

/** What one outcome, or one event, adds: a short list of slots of a row, since it is added to several rows, a list for breakdowns, and what is blamed. */
export interface RowDelta {
  /** Predictions scored: 1, or 0 where it is a judgement on one. */
  scored: number;
  /** How many counts there are; the arrays may be longer. */
  counts: number;
  slots: Int32Array;
  amounts: Float64Array;
  /** How many sums there are. */
  sums: number;
  sumSlots: Int32Array;
  wholes: Float64Array;
  units: Float64Array;
  readonly breakdowns: BreakdownDelta[];
  blames: BlameSet;
}

/** An addition to one column of a breakdown. */
export interface BreakdownDelta {
  readonly breakdown: number;
  readonly key: string;
  readonly subkey: string;
  readonly column: number;
  readonly amount: number;
  /** Where it was added last: a delta that is kept is added again. */
  rows: BreakdownRows | undefined;
}

/** The rows of one (key, subkey) of a breakdown, in one partition. */
export interface BreakdownRows {
  /** The breakdowns that the rows belong to. */
  readonly owner: object;
  /** Codes of key and subkey. */
  readonly first: number;
  readonly second: number;
  /** By slice, where there is one yet. */
  readonly bySlice: (number | undefined)[];
}

/** A delta that is written anew for every event. */
export interface DeltaWriter {
  readonly delta: RowDelta;
  /** By family of the layout: adds to the delta. */
  readonly tallies: readonly Tally[];
}

/** A writer for the families of a layout. */
export function createDeltaWriter(layout: Layout): DeltaWriter {
  const delta = emptyDelta(1, layout.width);
  return { delta, tallies: layout.families.map((_, family) => tallyInto(delta, layout, family)) };
}

/** What complete groups of runs add, which were scored as events already. */
export function runsDelta(slots: RunSlots, counts: GroupCounts): RowDelta {
  const delta = emptyDelta(0, groupCounts.length);
  for (const name of groupCounts) if (counts[name] > 0) addCount(delta, slots[name], counts[name]);
  return delta;
}

/** With room for so many counts and sums. */
function emptyDelta(scored: number, room: number): RowDelta {
  return {
    scored,
    counts: 0,
    slots: new Int32Array(room),
    amounts: new Float64Array(room),
    sums: 0,
    sumSlots: new Int32Array(room),
    wholes: new Float64Array(room),
    units: new Float64Array(room),
    breakdowns: [],
    blames: blamesNothing(),
  };
}

/** Makes a delta empty. */
export function clearDelta(delta: RowDelta): void {
  delta.scored = 1;
  delta.counts = 0;
  delta.sums = 0;
  delta.breakdowns.length = 0;
  clearBlames(delta.blames);
}

/** Has a family tally an outcome into a delta, and returns a copy of what that added. */
export function tallyAndCopy(delta: RowDelta, family: AnyFamily, tally: Tally, outcome: unknown): RowDelta {
  const { counts, sums, breakdowns, blames } = delta;
  const breakdownsBefore = breakdowns.length;
  const blamed = blamesNothing();
  delta.blames = blamed;
  family.tally(outcome, tally);
  delta.blames = blames;
  addBlamesTo(blames, blamed);
  return {
    scored: 0,
    counts: delta.counts - counts,
    slots: delta.slots.slice(counts, delta.counts),
    amounts: delta.amounts.slice(counts, delta.counts),
    sums: delta.sums - sums,
    sumSlots: delta.sumSlots.slice(sums, delta.sums),
    wholes: delta.wholes.slice(sums, delta.sums),
    units: delta.units.slice(sums, delta.sums),
    breakdowns: breakdowns.slice(breakdownsBefore),
    blames: blamed,
  };
}

/** Copies of what events add, in little memory: few differ in more than their breakdowns and blames, and those share their entries. */
export interface DeltaCopies {
  copyOf(delta: RowDelta): RowDelta;
}

/** Beyond so many, copies share nothing more. */
const sharedMost = 1 << 16;

/** No copies yet. */
export function deltaCopies(): DeltaCopies {
  const deltas = new Map<string, NumbersOfDelta>();
  const entries = new Map<string, BreakdownDelta>();
  const sets = new Map<string, BlameSet>();
  return {
    copyOf(delta) {
      const numbers = shared(deltas, keyOf(delta), () => numbersOf(delta));
      const breakdowns = delta.breakdowns.map((entry) => shared(entries, entryKey(entry), () => entry));
      const text = delta.blames.text ?? textOf(delta.blames.names);
      const blames = shared(sets, text, () => ({ ...delta.blames, names: [...delta.blames.names], text }));
      return withEntries(numbers, breakdowns, blames);
    },
  };
}

type NumbersOfDelta = Omit<RowDelta, 'breakdowns' | 'blames'>;

/** Of the same shape as every other delta. */
function withEntries(
  { scored, counts, slots, amounts, sums, sumSlots, wholes, units }: NumbersOfDelta,
  breakdowns: BreakdownDelta[],
  blames: BlameSet,
): RowDelta {
  return { scored, counts, slots, amounts, sums, sumSlots, wholes, units, breakdowns, blames };
}

function shared<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = make();
  if (known.size < sharedMost) known.set(key, value);
  return value;
}

function keyOf({ scored, counts, slots, amounts, sums, sumSlots, wholes, units }: RowDelta): string {
  let key = `${scored}`;
  for (let i = 0; i < counts; i++) key += ` ${slots[i]}:${amounts[i]}`;
  for (let i = 0; i < sums; i++) key += ` ${sumSlots[i]}=${wholes[i]},${units[i]}`;
  return key;
}

function entryKey({ breakdown, column, amount, key, subkey }: BreakdownDelta): string {
  return `${breakdown} ${column} ${amount} ${key.length} ${key} ${subkey}`;
}

function numbersOf(delta: RowDelta): NumbersOfDelta {
  const { scored, counts, sums } = delta;
  return {
    scored,
    counts,
    slots: delta.slots.slice(0, counts),
    amounts: delta.amounts.slice(0, counts),
    sums,
    sumSlots: delta.sumSlots.slice(0, sums),
    wholes: delta.wholes.slice(0, sums),
    units: delta.units.slice(0, sums),
  };
}

/** Adds a delta to another. */
export function addDelta(into: RowDelta, from: RowDelta): void {
  const { slots, amounts, sumSlots, wholes, units, breakdowns, blames } = from;
  while (into.counts + from.counts > into.slots.length) growCounts(into);
  for (let i = 0; i < from.counts; i++) {
    into.slots[into.counts] = slots[i]!;
    into.amounts[into.counts++] = amounts[i]!;
  }
  while (into.sums + from.sums > into.sumSlots.length) growSums(into);
  for (let i = 0; i < from.sums; i++) {
    into.sumSlots[into.sums] = sumSlots[i]!;
    into.wholes[into.sums] = wholes[i]!;
    into.units[into.sums++] = units[i]!;
  }
  for (let i = 0; i < breakdowns.length; i++) into.breakdowns.push(breakdowns[i]!);
  if (blames.names.length > 0) addBlamesTo(into.blames, blames);
}

/** Adds a delta to the row at `row[at…]`. */
export function applyDelta(delta: RowDelta, row: Float64Array, at: number): void {
  const { counts, slots, amounts, sums, sumSlots, wholes, units } = delta;
  row[at + scoredSlot]! += delta.scored;
  for (let i = 0; i < counts; i++) row[at + slots[i]!]! += amounts[i]!;
  for (let i = 0; i < sums; i++) addSum(row, at + sumSlots[i]!, wholes[i]!, units[i]!);
}

function tallyInto(into: RowDelta, layout: Layout, family: number): Tally {
  const slotOf = layout.slots[family]!;
  const firstBreakdown = layout.firstBreakdown[family]!;
  return {
    count(cell, amount) {
      addCount(into, slotOf[cell]!, amount);
    },
    sum(cell, value) {
      if (into.sums === into.sumSlots.length) growSums(into);
      into.sumSlots[into.sums] = slotOf[cell]!;
      into.wholes[into.sums] = wholeOf(value);
      into.units[into.sums++] = unitsOf(value);
    },
    entry(breakdown, key, subkey, column, amount) {
      into.breakdowns.push({ breakdown: firstBreakdown + breakdown, key, subkey, column, amount, rows: undefined });
    },
    blame(cell, kind, tool, argument = '') {
      addBlame(into.blames, slotOf[cell]!, kind, cutName(tool), cutName(argument));
    },
  };
}

/** Adds to a count beside the families' cells. */
export function addCount(into: RowDelta, slot: number, amount: number): void {
  if (into.counts === into.slots.length) growCounts(into);
  into.slots[into.counts] = slot;
  into.amounts[into.counts++] = amount;
}

function growCounts(into: RowDelta): void {
  into.slots = extended(into.slots, new Int32Array(2 * into.slots.length));
  into.amounts = extended(into.amounts, new Float64Array(2 * into.amounts.length));
}

function growSums(into: RowDelta): void {
  into.sumSlots = extended(into.sumSlots, new Int32Array(2 * into.sumSlots.length));
  into.wholes = extended(into.wholes, new Float64Array(2 * into.wholes.length));
  into.units = extended(into.units, new Float64Array(2 * into.units.length));
}
