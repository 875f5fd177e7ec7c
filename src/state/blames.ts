import { type Blamed, type BlameKind, blamedOf, blamedText } from '../scoring/blame.ts';
import { codeOf, type Dictionary } from './containers/dictionary.ts';
import { getOrPut } from './containers/get-or-put.ts';
import {
  chunkOf,
  findRow,
  keyOf,
  liveRows,
  markRow,
  removeRow,
  rowOf,
  type Table,
  valuesAt,
} from './containers/table.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Panes } from './panes.ts';
import type { BlameDelta } from './row-delta.ts';
import type { Settings, StateLimits } from './settings.ts';
import { other } from './slices.ts';
import { paneOf } from './windows.ts';

/**
 * What bad cases are blamed on, in the panes of every tier: breakdowns are kept since the beginning, and an alarm must tell what has grown since it
 * began. Rows come and go with the panes. An event that is not bad adds none.
 */
export interface Blames {
  readonly panes: Panes;
  /** (slice, pane of a tier, slot, name) -> cases; under `counted`, which is no name, how many names there are. */
  readonly table: Table;
  readonly names: Dictionary;
  /** By kind: names that are known. */
  readonly sizes: Map<string, number>;
  /** By pane of a tier: rows. */
  readonly rows: Map<number, number[]>;
  /** By tier: panes below are gone. */
  readonly floors: number[];
  readonly limits: StateLimits;
  readonly limitHits: LimitHits;
}

/** Keys of a row. */
export const blameKeys = { slice: 0, pane: 1, slot: 2, name: 3 } as const;

/** No name: the row of a slice, pane and slot that counts its names. */
export const counted = -1;

/** Names of a slice, pane and slot; beyond, new ones are `__other__`. Agents invent names without end. */
export const namesInPane = 64;

/** Blames of a table that has no rows, or of one whose rows are indexed next. */
export function createBlames(
  { limits }: Settings,
  limitHits: LimitHits,
  panes: Panes,
  table: Table,
  names: Dictionary,
): Blames {
  return { panes, table, names, sizes: new Map(), rows: new Map(), floors: [...panes.floors], limits, limitHits };
}

/** Indexes what was restored; the panes are there already. */
export function restoreBlames(blames: Blames): void {
  const { table, names, sizes, rows } = blames;
  for (const text of names.list) grow(sizes, text);
  for (const row of liveRows(table)) getOrPut(rows, keyOf(table, row, blameKeys.pane), () => []).push(row);
  dropBlames(blames);
}

/** Adds what an event blames to the panes of its time that are kept. */
export function addBlames(blames: Blames, deltas: readonly BlameDelta[], slice: number, ts: number): void {
  const { plan, floors } = blames.panes;
  for (const delta of deltas) {
    if (delta.code?.owner !== blames) delta.code = named(blames, delta);
    const { code } = delta.code!;
    plan.tiers.forEach((tier, index) => {
      const pane = paneOf(tier, ts);
      if (pane >= floors[index]!) addCase(blames, slice, paneKey(plan.tiers, index, pane), delta.slot, code);
    });
  }
}

/** Drops the rows of panes that are gone. */
export function dropBlames({ panes, table, rows, floors }: Blames): void {
  if (floors.every((floor, tier) => floor === panes.floors[tier])) return;
  for (const [key, held] of rows) {
    const [tier, pane] = paneOfKey(floors, key);
    if (pane >= panes.floors[tier]!) continue;
    for (const row of held) removeRow(table, row);
    rows.delete(key);
  }
  floors.splice(0, floors.length, ...panes.floors);
}

/** Cases of a slice that are bad by a slot and blamed on a name. */
export type BlamedCases = (slice: number, slot: number, name: number, cases: number) => void;

/** Gives what is blamed in a pane. */
export function forBlames({ panes, table, rows }: Blames, tier: number, pane: number, each: BlamedCases): void {
  for (const row of rows.get(paneKey(panes.plan.tiers, tier, pane)) ?? []) {
    const name = keyOf(table, row, blameKeys.name);
    if (name === counted) continue;
    const cases = chunkOf(table, row)[valuesAt(table, row)]!;
    each(keyOf(table, row, blameKeys.slice), keyOf(table, row, blameKeys.slot), name, cases);
  }
}

/** One number for tier and pane. */
export function paneKey(tiers: readonly unknown[], tier: number, pane: number): number {
  return pane * tiers.length + tier;
}

/** Tier and pane of such a number. */
export function paneOfKey(tiers: readonly unknown[], key: number): readonly [tier: number, pane: number] {
  const pane = Math.floor(key / tiers.length);
  return [key - pane * tiers.length, pane];
}

/** Adds cases to a row; gives the rows that are new. A new name is counted in its pane, where it is one. */
export function putCases(
  { table, names }: Pick<Blames, 'table' | 'names'>,
  slice: number,
  pane: number,
  slot: number,
  name: number,
  cases: number,
): number[] {
  const { size } = table;
  const row = rowOf(table, slice, pane, slot, name);
  chunkOf(table, row)[valuesAt(table, row)]! += cases;
  markRow(table, row);
  if (table.size === size) return [];
  const isCounted = name !== counted && !isOther(names.list[name]!);
  return isCounted ? [row, ...putCases({ table, names }, slice, pane, slot, counted, 1)] : [row];
}

function addCase(blames: Blames, slice: number, pane: number, slot: number, name: number): void {
  const { table, names, rows, limits, limitHits } = blames;
  if (findRow(table, slice, pane, slot, name) < 0) {
    const text = names.list[name]!;
    if (!isOther(text) && namesIn(table, slice, pane, slot) >= namesInPane) {
      limitHits.names++;
      addCase(blames, slice, pane, slot, codeIn(blames, othersOf(text)));
      return;
    }
    if (table.size >= limits.blames) {
      limitHits.blames++;
      return;
    }
  }
  const made = putCases(blames, slice, pane, slot, name, 1);
  if (made.length > 0) getOrPut(rows, pane, () => []).push(...made);
}

function namesIn(table: Table, slice: number, pane: number, slot: number): number {
  const row = findRow(table, slice, pane, slot, counted);
  return row < 0 ? 0 : chunkOf(table, row)[valuesAt(table, row)]!;
}

/** The code of a name, which is learnt where it was unknown; that of `__other__` once the limit is reached. */
function named(blames: Blames, blamed: Blamed): NonNullable<BlameDelta['code']> {
  const { names, sizes, limits, limitHits } = blames;
  const text = blamedText(blamed);
  const isFull = !names.codes.has(text) && (sizes.get(blamed.kind) ?? 0) >= limits.names;
  if (isFull) limitHits.names++;
  return { owner: blames, code: codeIn(blames, isFull ? othersOf(text) : text) };
}

function codeIn({ names, sizes }: Blames, text: string): number {
  if (!names.codes.has(text)) grow(sizes, text);
  return codeOf(names, text);
}

function grow(sizes: Map<string, number>, text: string): void {
  const kind = kindOf(text);
  sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
}

function kindOf(text: string): BlameKind {
  return blamedOf(text).kind;
}

/** `__other__` of the kind of a name. */
function othersOf(text: string): string {
  return blamedText({ kind: kindOf(text), tool: other, argument: '' });
}

function isOther(text: string): boolean {
  return text === othersOf(text);
}
