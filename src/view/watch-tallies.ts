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

export interface FoundSlice {
  readonly values: SliceValues;
  readonly before: Float64Array;
  readonly since: Float64Array;
  /** Bad cases by what they are blamed on, as a text (scoring/blame.ts). */
  readonly blamed: Map<string, BlamedCases>;
}

/** Bad cases that are blamed on one thing. */
export interface BlamedCases {
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
  const badSlots = new Set(tallies.flatMap((tally) => [...tally.badSlots]));
  for (const state of states) {
    const values = state.slices.dictionary.list.map((_, slice) => sliceValues(state.slices, slice));
    const members = tallies.map(({ isIn }) => [...values.keys()].filter((slice) => isIn(values[slice]!)));
    const read: Reading = { state, slots, badSlots, values, members, wanted: new Set(members.flat()), tallies };
    addSince(read, segments);
    addBefore(read);
  }
}

interface Reading {
  readonly state: PartitionState;
  /** Those that anybody asks for. */
  readonly slots: readonly number[];
  readonly badSlots: ReadonlySet<number>;
  readonly values: readonly SliceValues[];
  /** Slices of each tally. */
  readonly members: readonly (readonly number[])[];
  /** Slices of any tally. */
  readonly wanted: ReadonlySet<number>;
  readonly tallies: readonly Tally[];
}

/** By slice: its cells, and its bad cases at `name * width + slot`. */
type Rows = ({ readonly cells: Float64Array; readonly blamed: Map<number, number> } | undefined)[];

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

function addPane({ state, slots, badSlots, wanted }: Reading, rows: Rows, tier: number, pane: number): void {
  const { width } = state.panes.layout;
  forSlices(state.panes, tier, pane, (slice, chunk, at) => {
    if (!wanted.has(slice)) return;
    const { cells } = (rows[slice] ??= { cells: new Float64Array(width), blamed: new Map() });
    for (let i = 0; i < slots.length; i++) cells[slots[i]!]! += chunk[at + slots[i]!]!;
  });
  forBlames(state.blames, tier, pane, (slice, slot, name, cases) => {
    const row = rows[slice];
    if (row === undefined || !badSlots.has(slot)) return;
    const key = name * width + slot;
    row.blamed.set(key, (row.blamed.get(key) ?? 0) + cases);
  });
}

function give(
  { state, tallies, members, values }: Reading,
  tally: number,
  rows: Rows,
  to: 'before' | 'since',
  sign: 1 | -1,
) {
  const { cells, badSlots, found } = tallies[tally]!;
  const { width } = state.panes.layout;
  for (const slice of members[tally]!) {
    const row = rows[slice];
    if (row === undefined) continue;
    const foundSlice = getOrPut(found, JSON.stringify(values[slice]), () => ({
      values: values[slice]!,
      before: new Float64Array(cells.length),
      since: new Float64Array(cells.length),
      blamed: new Map<string, BlamedCases>(),
    }));
    const into = foundSlice[to];
    for (let i = 0; i < cells.length; i++) into[i]! += sign * readCells(cells[i]!, row.cells, 0);
    for (const [key, cases] of row.blamed) {
      if (!badSlots.has(key % width)) continue;
      const name = state.blames.names.list[Math.floor(key / width)]!;
      getOrPut(foundSlice.blamed, name, () => ({ before: 0, since: 0 }))[to] += sign * cases;
    }
  }
}
