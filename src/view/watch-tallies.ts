import type { Blamed } from '../scoring/blame.ts';
import { namesIn } from '../state/blame-set.ts';
import { forBlames } from '../state/blames.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { forSlices } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { type SliceValues, sliceValues } from '../state/slices.ts';
import { readCells, type CellSum } from './watched-rates.ts';
import type { Segment } from './watch-segments.ts';

/** What is to be added up of one group: cells and what is blamed, before and since. */
export interface Tally {
  /** The group: finest slices with these values at these places. */
  readonly places: readonly number[];
  readonly values: readonly string[];
  readonly cells: readonly CellSum[];
  /** By which cells cases are bad. */
  readonly badSlots: ReadonlySet<number>;
  readonly sinceMs: number;
  /** Panes of the longest tier up to, and without, `end`, but for those that `fired`, in order. */
  readonly end: number;
  readonly fired: readonly number[];
  readonly before: Sums;
  readonly since: Sums;
}

/** What was added up over some panes. */
export interface Sums {
  /** By values of the finest slice. */
  readonly slices: Map<string, SliceSums>;
  /** Cells of all slices, in the panes that hold what is blamed. */
  readonly covered: Float64Array;
  /** Bad cases by what they are blamed on. */
  readonly blamed: Map<string, BlamedCases>;
}

export interface SliceSums {
  readonly values: SliceValues;
  readonly cells: Float64Array;
}

/** Bad cases that are blamed on one thing. */
export interface BlamedCases {
  readonly part: Blamed;
  cases: number;
}

/** Nothing of so many cells. */
export function noSums(cells: number): Sums {
  return { slices: new Map(), covered: new Float64Array(cells), blamed: new Map() };
}

/**
 * Adds what tallies have since they began, all in one pass over each partition: their begins are passed one after the other, so that many alarms
 * cost little more than one. The segments are those of the charts.
 */
export function fillSince(
  states: readonly PartitionState[],
  segments: readonly Segment[],
  tallies: readonly Tally[],
): void {
  for (const read of readingsOf(states, tallies)) addSince(read, segments);
}

/** Adds what tallies have before. */
export function fillBefore(states: readonly PartitionState[], tallies: readonly Tally[]): void {
  for (const read of readingsOf(states, tallies)) addBefore(read);
}

interface Reading {
  readonly state: PartitionState;
  /** Those that anybody asks for. */
  readonly slots: readonly number[];
  /** By slice, also as text. */
  readonly values: readonly SliceValues[];
  readonly keys: readonly string[];
  /** Slices of each tally. */
  readonly members: readonly (readonly number[])[];
  /** Slices of any tally. */
  readonly wanted: ReadonlySet<number>;
  readonly tallies: readonly Tally[];
  /** What sets blame, once it was asked for. */
  readonly names: Map<number, readonly SetName[]>;
}

interface SetName {
  readonly part: Blamed;
  readonly key: string;
  readonly slots: readonly number[];
}

function readingsOf(states: readonly PartitionState[], tallies: readonly Tally[]): Reading[] {
  if (tallies.length === 0) return [];
  const slots = [...new Set(tallies.flatMap(({ cells }) => cells.flatMap((sum) => [...sum.slots])))];
  return states.map((state) => {
    const values = state.slices.dictionary.list.map((_, slice) => sliceValues(state.slices, slice));
    const keys = values.map((own) => JSON.stringify(own));
    const members = membersOf(tallies, values);
    return { state, slots, values, keys, members, wanted: new Set(members.flat()), tallies, names: new Map() };
  });
}

/** Slices of each tally: those of one set of dimensions are looked at once. */
function membersOf(tallies: readonly Tally[], values: readonly SliceValues[]): (readonly number[])[] {
  const bySet = new Map<string, Map<string, number[]>>();
  return tallies.map(({ places, values: own }) => {
    const groups = getOrPut(bySet, places.join(), () => {
      const found = new Map<string, number[]>();
      for (const [slice, all] of values.entries())
        getOrPut(found, JSON.stringify(places.map((place) => all[place])), () => []).push(slice);
      return found;
    });
    return groups.get(JSON.stringify(own)) ?? [];
  });
}

/** By slice. */
type Rows = (SliceRow | undefined)[];

interface SliceRow {
  /** Of panes that hold what is blamed, and of those that do not. */
  readonly covered: Float64Array;
  readonly others: Float64Array;
  /** Events by set of what they blame. */
  readonly blaming: Map<number, number>;
}

/** From the newest pane back: where a tally begins, what was added up until then is its own. */
function addSince(read: Reading, segments: readonly Segment[]): void {
  const order = [...read.tallies.keys()].sort((a, b) => read.tallies[b]!.sinceMs - read.tallies[a]!.sinceMs);
  const rows: Rows = [];
  let next = 0;
  for (const { tier, paneMs, first, last } of [...segments].reverse())
    for (let pane = last; pane >= first && next < order.length; pane--) {
      addPane(read, rows, tier, pane);
      for (; next < order.length && pane * paneMs <= read.tallies[order[next]!]!.sinceMs; next++)
        give(read, order[next]!, rows, 'since', 1);
    }
}

/** From the oldest pane on: at the end of each span, what was added up until then is added to it, and what was at its begin is taken away. */
function addBefore(read: Reading): void {
  const tier = read.state.panes.plan.tiers.length - 1;
  const edges = read.tallies.flatMap(edgesOf).sort((a, b) => a.pane - b.pane);
  const rows: Rows = [];
  const panes = [...read.state.panes.rows[tier]!.keys()].sort((a, b) => a - b);
  let next = 0;
  for (const pane of [...panes, Number.POSITIVE_INFINITY]) {
    for (; next < edges.length && edges[next]!.pane <= pane; next++)
      give(read, edges[next]!.tally, rows, 'before', edges[next]!.sign);
    if (next === edges.length) break;
    addPane(read, rows, tier, pane);
  }
}

/** Where a span that a tally has before ends (1), or begins (-1): spans lie between panes that fired. */
interface Edge {
  readonly tally: number;
  readonly pane: number;
  readonly sign: 1 | -1;
}

function edgesOf({ end, fired }: Tally, tally: number): Edge[] {
  const known = new Set(fired);
  const begins = fired
    .filter((pane) => !known.has(pane + 1))
    .map((pane): Edge => ({ tally, pane: pane + 1, sign: -1 }));
  const ends = fired.filter((pane) => !known.has(pane - 1)).map((pane): Edge => ({ tally, pane, sign: 1 }));
  return [...begins, ...ends, { tally, pane: end, sign: 1 }];
}

function addPane({ state, slots, wanted }: Reading, rows: Rows, tier: number, pane: number): void {
  const { width } = state.panes.layout;
  const isCovered = pane >= state.blames.floors[tier]!;
  forSlices(state.panes, tier, pane, (slice, chunk, at) => {
    if (!wanted.has(slice)) return;
    const row = (rows[slice] ??= {
      covered: new Float64Array(width),
      others: new Float64Array(width),
      blaming: new Map(),
    });
    const cells = isCovered ? row.covered : row.others;
    for (let i = 0; i < slots.length; i++) cells[slots[i]!]! += chunk[at + slots[i]!]!;
  });
  forBlames(state.blames, tier, pane, (slice, set, events) => {
    const blaming = rows[slice]?.blaming;
    blaming?.set(set, (blaming.get(set) ?? 0) + events);
  });
}

function give(read: Reading, tally: number, rows: Rows, to: 'before' | 'since', sign: 1 | -1): void {
  const { cells, badSlots, [to]: into } = read.tallies[tally]!;
  const blaming = new Map<number, number>();
  for (const slice of read.members[tally]!) {
    const row = rows[slice];
    if (row === undefined) continue;
    const sums = getOrPut(into.slices, read.keys[slice]!, (): SliceSums => {
      return { values: read.values[slice]!, cells: new Float64Array(cells.length) };
    });
    for (let i = 0; i < cells.length; i++) {
      const covered = readCells(cells[i]!, row.covered, 0);
      into.covered[i]! += sign * covered;
      sums.cells[i]! += sign * (covered + readCells(cells[i]!, row.others, 0));
    }
    for (const [set, events] of row.blaming) blaming.set(set, (blaming.get(set) ?? 0) + events);
  }
  for (const [set, events] of blaming)
    for (const { part, key, slots } of namesOf(read, set))
      if (slots.some((slot) => badSlots.has(slot)))
        getOrPut(into.blamed, key, () => ({ part, cases: 0 })).cases += sign * events;
}

function namesOf({ state, names }: Reading, set: number): readonly SetName[] {
  return getOrPut(names, set, () =>
    namesIn(state.blames.sets.list[set]!).map(({ slots, ...part }) => ({ part, key: JSON.stringify(part), slots })),
  );
}
