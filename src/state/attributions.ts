import { type AttributedName, type AttributionSet, othersOf, textOf } from './attribution-set.ts';
import { codeOf, type Dictionary } from './containers/dictionary.ts';
import { getOrPut } from './containers/get-or-put.ts';
import { chunkOf, keyOf, liveRows, markRow, rowOf, type Table, valuesAt } from './containers/table.ts';
import type { LimitHits } from './limit-hits.ts';
import { type Panes, raiseFloor } from './panes.ts';
import type { Settings } from './settings.ts';
import { paneOf } from './windows.ts';

/**
 * The attributions of bad cases, in the panes of every tier: breakdowns are kept since the beginning, and an alarm must tell what has grown
 * since it began. A bad event adds one row a tier, of all its attributions, and another none; rows go with the panes, or before
 * them where there are too many.
 */
export interface Attributions {
  readonly panes: Panes;
  /** (slice, tier, pane, set) -> events. */
  readonly table: Table;
  /** Sets by code, as texts. */
  readonly sets: Dictionary;
  /** As many again are names alone. */
  readonly setsMost: number;
  /** By tier: pane -> rows. */
  readonly rows: readonly Map<number, number[]>[];
  /** By tier: how many rows. */
  readonly sizes: number[];
  /** Most rows of a tier. */
  readonly rowsMost: number;
  /** By tier: panes below are gone; those from it on hold all. */
  readonly floors: number[];
  readonly limitHits: LimitHits;
}

/** Keys of a row. */
export const attributionKeys = { slice: 0, tier: 1, pane: 2, set: 3 } as const;

/** Characters of a set: names are few in one, but may be long. */
const setCharacters = 4_000;

/** Attributions of a table that has no rows, or of one whose rows are indexed next. */
export function createAttributions(
  { limits, windows: { tiers } }: Pick<Settings, 'limits' | 'windows'>,
  limitHits: LimitHits,
  panes: Panes,
  table: Table,
  sets: Dictionary,
): Attributions {
  return {
    panes,
    table,
    sets,
    setsMost: limits.names,
    rows: tiers.map(() => new Map()),
    sizes: tiers.map(() => 0),
    rowsMost: Math.max(1, Math.floor(limits.attributions / tiers.length)),
    floors: tiers.map(() => Number.NEGATIVE_INFINITY),
    limitHits,
  };
}

/** Indexes what was restored, with the floors that it had; the panes are there already. The limit may have become smaller. */
export function restoreAttributions(attributions: Attributions, floors: readonly number[]): void {
  const { table } = attributions;
  for (const row of liveRows(table))
    fileRow(attributions, row, keyOf(table, row, attributionKeys.tier), keyOf(table, row, attributionKeys.pane));
  floors.forEach((floor, tier) => void dropBelow(attributions, tier, floor));
  dropAttributions(attributions);
  for (const tier of floors.keys()) makeRoom(attributions, tier);
}

/** Adds the attributions of an event to the panes of its time that are kept, or with sign -1 takes them away. */
export function addAttributions(
  attributions: Attributions,
  set: AttributionSet,
  slice: number,
  ts: number,
  sign: 1 | -1 = 1,
): void {
  const { panes, floors } = attributions;
  const { tiers } = panes.plan;
  const codes = codesFor(attributions, set);
  for (let tier = 0; tier < tiers.length; tier++) {
    const pane = paneOf(tiers[tier]!, ts);
    for (let i = 0; i < codes.length; i++)
      if (pane >= floors[tier]!) addEvent(attributions, slice, tier, pane, codes[i]!, sign);
  }
}

/** Drops the rows of panes that are gone. */
export function dropAttributions(attributions: Attributions): void {
  const { floors } = attributions.panes;
  for (let tier = 0; tier < floors.length; tier++) dropBelow(attributions, tier, floors[tier]!);
}

/** Events of a slice with a set of attributions. */
export type AttributedEvents = (slice: number, set: number, events: number) => void;

/** Gives the attributions in a pane. */
export function forAttributions(
  { table, rows }: Attributions,
  tier: number,
  pane: number,
  each: AttributedEvents,
): void {
  for (const row of rows[tier]!.get(pane) ?? []) {
    const events = chunkOf(table, row)[valuesAt(table, row)]!;
    // None is left of those that were taken away.
    if (events > 0) each(keyOf(table, row, attributionKeys.slice), keyOf(table, row, attributionKeys.set), events);
  }
}

function addEvent(
  attributions: Attributions,
  slice: number,
  tier: number,
  pane: number,
  set: number,
  sign: 1 | -1,
): void {
  const { table, limitHits } = attributions;
  const { size } = table;
  const row = rowOf(table, slice, tier, pane, set);
  chunkOf(table, row)[valuesAt(table, row)]! += sign;
  markRow(table, row);
  if (table.size === size) return;
  fileRow(attributions, row, tier, pane);
  if (makeRoom(attributions, tier)) limitHits.blames++;
}

/** Drops the oldest panes of a tier until it has no more rows than it may have. Returns whether it had. It depends on what was added alone. */
function makeRoom(attributions: Attributions, tier: number): boolean {
  const { rows, sizes, rowsMost } = attributions;
  const isFull = sizes[tier]! > rowsMost;
  while (sizes[tier]! > rowsMost) dropBelow(attributions, tier, Math.min(...rows[tier]!.keys()) + 1);
  return isFull;
}

function dropBelow(attributions: Attributions, tier: number, floor: number): void {
  attributions.sizes[tier]! -= raiseFloor(attributions, tier, floor);
}

function fileRow({ rows, sizes }: Attributions, row: number, tier: number, pane: number): void {
  getOrPut(rows[tier]!, pane, () => []).push(row);
  sizes[tier]! += 1;
}

/** The code of a set, new where the set was unknown. A set too many, or too long, has those of its names, each a set of its own; names too many are `__other__`. */
function codesFor({ sets, setsMost, limitHits }: Attributions, set: AttributionSet): number[] {
  const known = (text: string, most: number): number | undefined =>
    sets.codes.get(text) ?? (sets.list.length < most ? codeOf(sets, text) : undefined);
  const text = textOf(set.names);
  const code = text.length > setCharacters ? undefined : known(text, setsMost);
  if (code !== undefined) return [code];
  const unknown: AttributedName[] = [];
  const codes = set.names.flatMap((name) => {
    const own = known(textOf([name]), 2 * setsMost);
    if (own === undefined) unknown.push(name);
    return own ?? [];
  });
  if (unknown.length === 0) return codes;
  limitHits.names++;
  return [...codes, codeOf(sets, textOf(othersOf(unknown)))];
}
