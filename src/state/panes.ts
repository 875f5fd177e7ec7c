import { getOrPut } from './containers/get-or-put.ts';
import { keysBetween } from './containers/keys-between.ts';
import {
  chunkOf,
  createTable,
  findRow,
  isLive,
  keyOf,
  markRow,
  removeRow,
  rowOf,
  type Table,
  valuesAt,
} from './containers/table.ts';
import { addRow, type Layout, scoredSlot } from './row-layout.ts';
import type { Settings } from './settings.ts';
import { paneOf, type WindowPlan } from './windows.ts';

/** The scored, expired and rejected predictions: by slice for window `all`, and by slice and pane for each tier. */
export interface Panes {
  readonly layout: Layout;
  readonly plan: WindowPlan;
  /** (slice, 0, 0) for window `all`, (slice, tier + 1, pane) -> a row of the layout. */
  readonly table: Table;
  /** By tier: pane -> rows. */
  readonly rows: readonly Map<number, number[]>[];
  /** By tier: panes below are gone. */
  readonly floors: number[];
}

/** Keys of a row. */
export const paneKeys = { slice: 0, tier: 1, pane: 2 } as const;

/** Slices whose rows count, in their first slot, what was not scored; no group sees them. */
const unscoredSlices = { expired: -1, rejected: -2 } as const;

/** Fates of an event that is not scored. A rejected one counts at the event time that its partition had. */
export type Unscored = keyof typeof unscoredSlices;

/** Panes of a table that has no rows, or of one whose rows are indexed next. */
export function createPanes({ layout, windows }: Settings, table: Table = createTable(layout.width)): Panes {
  return {
    layout,
    plan: windows,
    table,
    rows: windows.tiers.map(() => new Map()),
    floors: windows.tiers.map(() => Number.NEGATIVE_INFINITY),
  };
}

/** Indexes the rows of a restored table, and drops those that windows no longer reach: they may have become shorter. */
export function restorePanes(panes: Panes, evictionMs: number): void {
  const { rows, floors } = panes;
  for (const byPane of rows) byPane.clear();
  fileRows(panes);
  floors.fill(Number.NEGATIVE_INFINITY);
  dropPanes(panes, evictionMs);
}

/** Adds a row to a slice, or with sign -1 takes it away: of a tier (from 1) in one of its panes, or of window `all` (tier 0, pane 0). */
export function addToPane(
  panes: Panes,
  added: Float64Array,
  slice: number,
  tier: number,
  pane: number,
  sign: 1 | -1,
): void {
  const { table } = panes;
  const row = rowIn(panes, slice, tier, pane);
  markRow(table, row);
  addRow(panes.layout, chunkOf(table, row), valuesAt(table, row), added, 0, sign);
}

/** Counts an event that is not scored in window `all` and in the panes of its time that are still kept, or with sign -1 one less. */
export function addUnscored(panes: Panes, fate: Unscored, ts: number, sign: 1 | -1 = 1): void {
  const { table, plan, floors } = panes;
  const add = (tier: number, pane: number): void => {
    const row = rowIn(panes, unscoredSlices[fate], tier, pane);
    chunkOf(table, row)[valuesAt(table, row) + scoredSlot]! += sign;
    markRow(table, row);
  };
  add(0, 0);
  plan.tiers.forEach((tier, index) => {
    const pane = paneOf(tier, ts);
    if (pane >= floors[index]!) add(index + 1, pane);
  });
}

/** Events in a pane that are not scored. */
export function unscoredIn({ table }: Panes, fate: Unscored, tier: number, pane: number): number {
  const row = findRow(table, unscoredSlices[fate], tier + 1, pane, 0);
  return row < 0 ? 0 : chunkOf(table, row)[valuesAt(table, row) + scoredSlot]!;
}

/** Drops the panes that no window reaches any more. */
export function dropPanes(panes: Panes, evictionMs: number): void {
  panes.plan.tiers.forEach((tier, index) => void raiseFloor(panes, index, paneOf(tier, evictionMs) - tier.panes + 1));
}

/** Drops the panes of a tier below a floor, with their rows; how many rows. */
export function raiseFloor(
  { table, rows, floors }: Pick<Panes, 'table' | 'rows' | 'floors'>,
  tier: number,
  floor: number,
): number {
  if (floor <= floors[tier]!) return 0;
  let dropped = 0;
  for (const pane of keysBetween(rows[tier]!, floors[tier]!, floor - 1)) {
    const held = rows[tier]!.get(pane)!;
    for (const row of held) removeRow(table, row);
    dropped += held.length;
    rows[tier]!.delete(pane);
  }
  floors[tier] = floor;
  return dropped;
}

/** The panes of a tier from first to last that hold anything, in any order. */
export function panesBetween({ rows }: Panes, tier: number, first: number, last: number): number[] {
  return keysBetween(rows[tier]!, first, last);
}

/** Cells of a slice, at `chunk[at…]`. */
export type SliceCells = (slice: number, chunk: Float64Array, at: number) => void;

/** Gives the cells of each slice in a pane; what was not scored there is no slice. */
export function forSlices({ table, rows }: Panes, tier: number, pane: number, each: SliceCells): void {
  for (const row of rows[tier]!.get(pane) ?? []) {
    const slice = keyOf(table, row, paneKeys.slice);
    if (slice >= 0) each(slice, chunkOf(table, row), valuesAt(table, row));
  }
}

function rowIn(panes: Panes, slice: number, tier: number, pane: number): number {
  const { table } = panes;
  const { size } = table;
  const row = rowOf(table, slice, tier, pane, 0);
  if (table.size > size) fileRow(panes, tier, row);
  return row;
}

/** Files all rows. Those of a pane lie together mostly, so that few lists are looked up: there may be a million, after each checkpoint. */
function fileRows({ table, rows }: Panes): void {
  let [tier, pane] = [-1, Number.NaN];
  let list: number[] = [];
  for (let row = 0; row < table.taken; row++) {
    if (!isLive(table, row)) continue;
    const [ofTier, ofPane] = [keyOf(table, row, paneKeys.tier), keyOf(table, row, paneKeys.pane)];
    if (ofTier === 0) continue;
    if (ofTier !== tier || ofPane !== pane) {
      [tier, pane] = [ofTier, ofPane];
      list = getOrPut(rows[tier - 1]!, pane, () => []);
    }
    list.push(row);
  }
}

/** Files a row of a tier (from 1) under its pane. */
export function fileRow({ table, rows }: Panes, tier: number, row: number): void {
  if (tier > 0) getOrPut(rows[tier - 1]!, keyOf(table, row, paneKeys.pane), () => []).push(row);
}
