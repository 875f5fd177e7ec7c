import type { Blamed } from '../scoring/blame.ts';
import { namesIn } from '../state/blame-set.ts';
import { forBlames } from '../state/blames.ts';
import { forSlices } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { type SliceValues, sliceValues } from '../state/slices.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { readCells, type CellSum } from './watched-rates.ts';
import type { Segment } from './watch-segments.ts';

/** What is to be added up of one group: cells and what is blamed, before and since, of each of its finest slices. */
export interface Tally {
  /** Whether a finest slice belongs to the group. */
  isIn(values: SliceValues): boolean;
  readonly cells: readonly CellSum[];
  /** By which cells cases are bad. */
  readonly badSlots: ReadonlySet<number>;
  readonly sinceMs: number;
  /** Panes of the longest tier up to, and without, `end`, but for those that `fired`. */
  readonly end: number;
  readonly fired: readonly number[];
  /** By values of the finest slice. */
  readonly found: Map<string, FoundSlice>;
}

export interface FoundSlice extends CellSums {
  readonly values: SliceValues;
  /** Of the panes that hold what is blamed. */
  readonly covered: CellSums;
  /** Bad cases by what they are blamed on. */
  readonly blamed: Map<string, BlamedCases>;
}

/** Sums of the cells of a tally. */
export interface CellSums {
  readonly before: Float64Array;
  readonly since: Float64Array;
}

/** Bad cases that are blamed on one thing. */
export interface BlamedCases {
  readonly part: Blamed;
  before: number;
  since: number;
}

/**
 * Fills tallies from the panes, all in one pass over each partition: their ends are passed one after the other, so that many alarms cost little
 * more than one. The segments are those of the charts.
 */
export function fillTallies(
  states: readonly PartitionState[],
  segments: readonly Segment[],
  tallies: readonly Tally[],
): void {
  if (tallies.length === 0) return;
  const slots = [...new Set(tallies.flatMap(({ cells }) => cells.flatMap((sum) => [...sum.slots])))];
  for (const state of states) {
    const values = state.slices.dictionary.list.map((_, slice) => sliceValues(state.slices, slice));
    const members = tallies.map(({ isIn }) => [...values.keys()].filter((slice) => isIn(values[slice]!)));
    const read: Reading = {
      state,
      slots,
      values,
      members,
      wanted: new Set(members.flat()),
      tallies,
      names: new Map(),
    };
    addSince(read, segments);
    addBefore(read);
  }
}

interface Reading {
  readonly state: PartitionState;
  /** Those that anybody asks for. */
  readonly slots: readonly number[];
  readonly values: readonly SliceValues[];
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

/** From the oldest pane on to the end of each reference; what fired is taken away again. */
function addBefore(read: Reading): void {
  const tier = read.state.panes.plan.tiers.length - 1;
  const order = [...read.tallies.keys()].sort((a, b) => read.tallies[a]!.end - read.tallies[b]!.end);
  const rows: Rows = [];
  const panes = [...read.state.panes.rows[tier]!.keys()].sort((a, b) => a - b);
  let next = 0;
  for (const pane of [...panes, Number.POSITIVE_INFINITY]) {
    for (; next < order.length && read.tallies[order[next]!]!.end <= pane; next++)
      give(read, order[next]!, rows, 'before', 1);
    if (next === order.length) break;
    addPane(read, rows, tier, pane);
  }
  for (const [tally, { fired }] of read.tallies.entries()) {
    if (fired.length === 0) continue;
    const taken: Rows = [];
    for (const pane of fired) addPane(read, taken, tier, pane);
    give(read, tally, taken, 'before', -1);
  }
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
  const { cells, badSlots, found } = read.tallies[tally]!;
  const noSums = (): CellSums => ({ before: new Float64Array(cells.length), since: new Float64Array(cells.length) });
  const named = new Map<number, readonly SetName[]>();
  const isBad = ({ slots }: SetName): boolean => slots.some((slot) => badSlots.has(slot));
  for (const slice of read.members[tally]!) {
    const row = rows[slice];
    if (row === undefined) continue;
    const values = read.values[slice]!;
    const into = getOrPut(found, JSON.stringify(values), (): FoundSlice => {
      return { values, ...noSums(), covered: noSums(), blamed: new Map() };
    });
    for (let i = 0; i < cells.length; i++) {
      const covered = readCells(cells[i]!, row.covered, 0);
      into.covered[to][i]! += sign * covered;
      into[to][i]! += sign * (covered + readCells(cells[i]!, row.others, 0));
    }
    for (const [set, events] of row.blaming)
      for (const { part, key } of getOrPut(named, set, () => namesOf(read, set).filter(isBad)))
        getOrPut(into.blamed, key, () => ({ part, before: 0, since: 0 }))[to] += sign * events;
  }
}

function namesOf({ state, names }: Reading, set: number): readonly SetName[] {
  return getOrPut(names, set, () =>
    namesIn(state.blames.sets.list[set]!).map(({ slots, ...part }) => ({ part, key: JSON.stringify(part), slots })),
  );
}
