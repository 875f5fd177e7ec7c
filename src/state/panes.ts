import { getOrPut } from './containers/get-or-put.ts';
import { applyContribution, scoredSlot } from './row-layout.ts';
import { paneOf } from './windows.ts';
import { evictionTimeOf } from './event-time.ts';
import type { LastPanes, PartitionState } from './partition.ts';
import { advanceSums, indexSums, tallySettled } from './window-sums.ts';
import { sharedDoubles, sharedIntegers } from './containers/shared-arrays.ts';
import { chunkOf, findRow, insertRow, liveRows, markRow, removeRow, valuesAt } from './containers/table.ts';

/** Adds the contribution in hand to window `all` of a slice, and to the panes of `ts` that are still kept. */
export function tallyEvent(state: PartitionState, slice: number, ts: number): void {
  const { settings, numbers, derived } = state;
  addTo(state, slice, 0, 0);
  const { tiers, longestMs } = settings.windows;
  if (longestMs > 0 && ts < numbers.greatestTs - longestMs) {
    numbers.late++;
    return;
  }
  for (let tier = 0; tier < tiers.length; tier++) {
    const pane = paneOf(tiers[tier]!, ts);
    if (pane < derived.paneFloor[tier]!) continue;
    addTo(state, slice, tier + 1, pane);
    tallySettled(state, slice, tier, pane);
  }
}

/** Rows of this slice count what expired, in their first slot; no group sees them. */
const expiredSlice = -1;

/** Counts an expired prediction in window `all` and in the panes of its event time that are still kept. */
export function tallyExpired(state: PartitionState, ts: number): void {
  const { tiers } = state.settings.windows;
  const add = (tier: number, pane: number): void => {
    const row = tallyRow(state, expiredSlice, tier, pane);
    chunkOf(state.tallies, row)[valuesAt(state.tallies, row) + scoredSlot]! += 1;
  };
  add(0, 0);
  tiers.forEach((tier, index) => {
    const pane = paneOf(tier, ts);
    if (pane >= state.derived.paneFloor[index]!) add(index + 1, pane);
  });
}

/** Predictions with event time in a pane that expired. */
export function expiredIn(state: PartitionState, tier: number, pane: number): number {
  const { tallies } = state;
  const row = findRow(tallies, expiredSlice, tier + 1, pane, 0);
  return row < 0 ? 0 : chunkOf(tallies, row)[valuesAt(tallies, row) + scoredSlot]!;
}

/** Drops the panes that no window reaches any more. Called when the greatest event time has moved. */
export function evictPanes(state: PartitionState): void {
  advanceSums(state);
  const { tiers } = state.settings.windows;
  const { paneFloor, paneRows } = state.derived;
  for (let tier = 0; tier < tiers.length; tier++) {
    const floor = paneOf(tiers[tier]!, evictionTimeOf(state)) - tiers[tier]!.panes + 1;
    if (floor <= paneFloor[tier]!) continue;
    paneFloor[tier] = floor;
    for (const [pane, rows] of paneRows[tier]!) {
      if (pane >= floor) continue;
      for (const row of rows) removeRow(state.tallies, row);
      paneRows[tier]!.delete(pane);
    }
  }
}

/** Makes the index by pane again after a restore. */
export function indexPanes(state: PartitionState): void {
  const { tallies, derived, settings } = state;
  for (const rows of derived.paneRows) rows.clear();
  derived.lastPanes.panes.fill(Number.NaN);
  for (const row of liveRows(tallies)) {
    const chunk = chunkOf(tallies, row);
    const at = valuesAt(tallies, row);
    const tier = chunk[at - 3]!;
    if (tier > 0) filePane(state, tier, chunk[at - 2]!, row);
  }
  settings.windows.tiers.forEach((tier, index) => {
    derived.paneFloor[index] = paneOf(tier, evictionTimeOf(state)) - tier.panes + 1;
  });
  indexSums(state);
}

function addTo(state: PartitionState, slice: number, tier: number, pane: number): void {
  const { tallies, derived } = state;
  const { lastPanes } = derived;
  const at = slice * (derived.paneRows.length + 1) + tier;
  if (at >= lastPanes.panes.length) growLastPanes(lastPanes, at);
  let row = lastPanes.rows[at]!;
  // The row is still there: a pane that was dropped is not asked for again.
  if (lastPanes.panes[at] === pane) markRow(tallies, row);
  else {
    row = tallyRow(state, slice, tier, pane);
    lastPanes.panes[at] = pane;
    lastPanes.rows[at] = row;
  }
  applyContribution(state.derived.contribution, chunkOf(tallies, row), valuesAt(tallies, row));
}

function growLastPanes(lastPanes: LastPanes, at: number): void {
  const panes = sharedDoubles(2 * at + 16).fill(Number.NaN);
  panes.set(lastPanes.panes);
  const rows = sharedIntegers(panes.length);
  rows.set(lastPanes.rows);
  lastPanes.panes = panes;
  lastPanes.rows = rows;
}

/** The row of a slice in a pane, marked as changed. */
function tallyRow(state: PartitionState, slice: number, tier: number, pane: number): number {
  const { tallies } = state;
  const known = findRow(tallies, slice, tier, pane, 0);
  if (known >= 0) {
    markRow(tallies, known);
    return known;
  }
  const row = insertRow(tallies, slice, tier, pane, 0);
  if (tier > 0) filePane(state, tier, pane, row);
  return row;
}

function filePane(state: PartitionState, tier: number, pane: number, row: number): void {
  getOrPut(state.derived.paneRows[tier - 1]!, pane, () => []).push(row);
}
