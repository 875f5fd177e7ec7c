import type { Attributed } from '../scoring/attribution.ts';
import { namesIn } from '../state/attribution-set.ts';
import { forAttributions } from '../state/attributions.ts';
import type { Dictionary } from '../state/containers/dictionary.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { forSlices } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { type SliceValues, sliceValues } from '../state/slices.ts';
import { readCells, type CellSum } from './watched-rates.ts';
import type { Segment } from './watch-segments.ts';

/** The sums of one group: cells and attributions, before and since. */
export interface Tally {
  /** The group: finest slices with these values at these places. */
  readonly places: readonly number[];
  readonly values: readonly string[];
  readonly cells: readonly CellSum[];
  /** By which cells cases are bad. */
  readonly badSlots: readonly number[];
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Panes of the longest tier up to, and without, `end`, but for those that `fired`, in order. */
  readonly end: number;
  readonly fired: readonly number[];
  readonly before: Sums;
  readonly since: Sums;
}

/** The sums over some panes. */
export interface Sums {
  /** By values of the finest slice. */
  readonly slices: Map<string, SliceSums>;
  /** Cells of all slices, in the panes that hold attributions. */
  readonly covered: Float64Array;
  /** Bad cases by number of the name that they are attributed to; no place where there are none. */
  readonly attributed: number[];
}

export interface SliceSums {
  readonly values: SliceValues;
  readonly cells: Float64Array;
}

/** Names that bad cases are attributed to, with their numbers, and what sets of them hold: kept, since to read the sets takes longer than to count. */
export interface AttributedNames {
  readonly list: { readonly part: Attributed; readonly key: string }[];
  readonly numbers: Map<string, number>;
  /** By the cells by which cases are bad, as text: by dictionary and code of a set, its attributions by them. */
  readonly sets: Map<string, WeakMap<Dictionary, (readonly number[])[]>>;
}

/** No names yet. */
export function createAttributedNames(): AttributedNames {
  return { list: [], numbers: new Map(), sets: new Map() };
}

/** Sums of so many cells, all 0. */
export function noSums(cells: number): Sums {
  return { slices: new Map(), covered: new Float64Array(cells), attributed: [] };
}

/**
 * Adds what tallies have from since to until, all in one pass over each partition: their borders are passed one after the other, so that many alarms
 * cost little more than one. The segments are those of the charts.
 */
export function fillSince(
  states: readonly PartitionState[],
  segments: readonly Segment[],
  tallies: readonly Tally[],
  names: AttributedNames,
): void {
  for (const read of readingsOf(states, tallies, names)) addSince(read, segments);
}

/** Adds what tallies have before, pane by pane. */
export function fillBefore(states: readonly PartitionState[], tallies: readonly Tally[], names: AttributedNames): void {
  for (const read of readingsOf(states, tallies, names)) addBefore(read);
}

interface Reading {
  readonly state: PartitionState;
  /** The slots that any watch reads. */
  readonly slots: readonly number[];
  /** By slice, also as text. */
  readonly values: readonly SliceValues[];
  readonly keys: readonly string[];
  readonly groups: readonly Members[];
  /** By slice: the groups that it belongs to. */
  readonly groupsOf: ReadonlyMap<number, readonly number[]>;
  readonly tallies: readonly Tally[];
  /** By tally. */
  readonly groupOf: readonly number[];
  readonly names: AttributedNames;
}

/** Slices of all tallies with the same values. */
type Members = readonly number[];

function readingsOf(states: readonly PartitionState[], tallies: readonly Tally[], names: AttributedNames): Reading[] {
  if (tallies.length === 0) return [];
  const slots = [...new Set(tallies.flatMap(({ cells }) => cells.flatMap((sum) => [...sum.slots])))];
  return states.map((state) => {
    const values = state.slices.dictionary.list.map((_, slice) => sliceValues(state.slices, slice));
    const keys = values.map((own) => JSON.stringify(own));
    return { state, slots, values, keys, tallies, names, ...groupsIn(tallies, values) };
  });
}

/** Slices of one set of dimensions are looked at once. */
function groupsIn(tallies: readonly Tally[], values: readonly SliceValues[]) {
  const bySet = new Map<string, Map<string, number[]>>();
  const groups = new Map<Members, number>();
  const groupsOf = new Map<number, number[]>();
  const none: Members = [];
  const groupOf = tallies.map(({ places, values: own }) => {
    const byValues = getOrPut(bySet, places.join(), () => {
      const found = new Map<string, number[]>();
      for (const [slice, all] of values.entries())
        getOrPut(found, JSON.stringify(places.map((place) => all[place])), () => []).push(slice);
      return found;
    });
    const group = byValues.get(JSON.stringify(own)) ?? none;
    return getOrPut(groups, group, () => {
      for (const slice of group) getOrPut(groupsOf, slice, () => []).push(groups.size);
      return groups.size;
    });
  });
  return { groups: [...groups.keys()], groupsOf, groupOf };
}

/** The sums of panes. */
interface Added {
  /** By slice: of panes that hold attributions, and of the others. */
  readonly rows: { covered?: Float64Array; others?: Float64Array }[];
  /** By group: events by set of attributions. */
  readonly attributing: readonly Map<number, number>[];
}

function nothingAdded({ groups }: Reading): Added {
  return { rows: [], attributing: groups.map(() => new Map()) };
}

/** From the newest pane back: where a tally begins, what was added up until then is added to it, and what was where it ends is taken away. */
function addSince(read: Reading, segments: readonly Segment[]): void {
  const borders = read.tallies
    .flatMap(({ sinceMs, untilMs }, tally) => [
      { tally, ms: untilMs, sign: -1 as const },
      { tally, ms: sinceMs, sign: 1 as const },
    ])
    .sort((a, b) => b.ms - a.ms);
  const added = nothingAdded(read);
  let next = 0;
  const pass = (downToMs: number): void => {
    for (; next < borders.length && borders[next]!.ms >= downToMs; next++)
      give(read, borders[next]!.tally, added, 'since', borders[next]!.sign);
  };
  for (const { tier, paneMs, first, last } of [...segments].reverse())
    for (let pane = last; pane >= first; pane--) {
      pass((pane + 1) * paneMs);
      if (next === borders.length) return;
      addPane(read, added, tier, pane);
    }
  pass(Number.NEGATIVE_INFINITY);
}

/** From the oldest pane on: at the end of each span, what was added up until then is added to it, and what was at its begin is taken away. */
function addBefore(read: Reading): void {
  const tier = read.state.panes.plan.tiers.length - 1;
  const edges = read.tallies.flatMap(edgesOf).sort((a, b) => a.pane - b.pane);
  const added = nothingAdded(read);
  const panes = [...read.state.panes.rows[tier]!.keys()].sort((a, b) => a - b);
  let next = 0;
  for (const pane of [...panes, Number.POSITIVE_INFINITY]) {
    for (; next < edges.length && edges[next]!.pane <= pane; next++)
      give(read, edges[next]!.tally, added, 'before', edges[next]!.sign);
    if (next === edges.length) break;
    addPane(read, added, tier, pane);
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

function addPane({ state, slots, groupsOf }: Reading, { rows, attributing }: Added, tier: number, pane: number): void {
  const { width } = state.panes.layout;
  const isCovered = pane >= state.attributions.floors[tier]!;
  forSlices(state.panes, tier, pane, (slice, chunk, at) => {
    if (!groupsOf.has(slice)) return;
    const row = (rows[slice] ??= {});
    const cells = (row[isCovered ? 'covered' : 'others'] ??= new Float64Array(width));
    for (let i = 0; i < slots.length; i++) cells[slots[i]!]! += chunk[at + slots[i]!]!;
  });
  forAttributions(state.attributions, tier, pane, (slice, set, events) => {
    for (const group of groupsOf.get(slice) ?? [])
      attributing[group]!.set(set, (attributing[group]!.get(set) ?? 0) + events);
  });
}

function give(read: Reading, tally: number, { rows, attributing }: Added, to: 'before' | 'since', sign: 1 | -1): void {
  const { cells, badSlots, [to]: into } = read.tallies[tally]!;
  const group = read.groupOf[tally]!;
  for (const slice of read.groups[group]!) {
    const row = rows[slice];
    if (row === undefined) continue;
    const sums = getOrPut(into.slices, read.keys[slice]!, (): SliceSums => {
      return { values: read.values[slice]!, cells: new Float64Array(cells.length) };
    });
    for (let i = 0; i < cells.length; i++) {
      const covered = row.covered === undefined ? 0 : readCells(cells[i]!, row.covered, 0);
      const others = row.others === undefined ? 0 : readCells(cells[i]!, row.others, 0);
      into.covered[i]! += sign * covered;
      sums.cells[i]! += sign * (covered + others);
    }
  }
  const { attributed } = into;
  const bySlots = getOrPut(read.names.sets, badSlots.join(), () => new WeakMap());
  const known = getOrPut(bySlots, read.state.attributions.sets, () => []);
  for (const [set, events] of attributing[group]!)
    for (const number of (known[set] ??= namesOf(read, set, badSlots)))
      attributed[number] = (attributed[number] ?? 0) + sign * events;
}

/** Numbers of the names in a set by these cells. */
function namesOf({ state, names }: Reading, set: number, badSlots: readonly number[]): number[] {
  return namesIn(state.attributions.sets.list[set]!).flatMap(({ slots, ...part }) => {
    if (!slots.some((slot) => badSlots.includes(slot))) return [];
    const key = JSON.stringify(part);
    return getOrPut(names.numbers, key, () => names.list.push({ part, key }) - 1);
  });
}
