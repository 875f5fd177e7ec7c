import type { LabelCode } from '../../scoring/label.ts';
import { type GroupCounts, groupCounts, groupCountsOf } from '../../scoring/stability/counts.ts';
import { counterKeys, histogramAt } from '../../scoring/stability/histograms.ts';
import type { GroupOutcome, Stability, Verdict } from '../../scoring/stability/index.ts';
import { addToHistogram, type Breakdowns } from '../breakdowns.ts';
import { fillHeap, heapOfRows, takeOldest } from '../containers/aged-rows.ts';
import { type Heap, pushItem } from '../containers/heap.ts';
import { chunkOf, createTable, findRow, markRow, removeRow, rowOf, type Table, valuesAt } from '../containers/table.ts';
import type { LimitHits } from '../limit-hits.ts';
import type { Settings } from '../settings.ts';
import { column, goldOfHome, homeOf, type RunLayout, runLayout, sliceOfHome } from './layout.ts';

/**
 * Collects the runs of an example by the same model and agent until their group is complete, which the family `stability` then scores.
 * What groups come to is kept in histograms; a group that is dropped stays counted there.
 */
export interface RunGroups {
  readonly family: Stability;
  readonly layout: RunLayout;
  readonly keepMs: number;
  readonly groupsMax: number;
  readonly limitHits: LimitHits;
  /** Key of the group -> a row of the layout. */
  readonly table: Table;
  /**
   * Rows by a time that their last run was at or after; ties go by key, so what is dropped does not depend on where rows lie. A run does not
   * touch it: a row is moved when it comes to the top.
   */
  readonly byLastRun: Heap;
  readonly histograms: Breakdowns;
  /** Labels and verdicts of a complete group, in run order, while it is scored. */
  readonly labels: Uint8Array;
  readonly verdicts: Uint8Array;
}

/** One scored prediction that has a run index. */
export interface Run {
  /** Run index, 0 to 2^53. */
  readonly index: number;
  readonly label: LabelCode;
  readonly verdict: Verdict;
  /** Gold label, 0..3; without one the run counts for its success alone. */
  readonly gold: number | undefined;
  /** Code of the event's finest slice. */
  readonly slice: number;
  readonly ts: number;
}

/** Groups of a table that has no rows, or of one whose rows are indexed next. */
export function createRunGroups(
  family: Stability,
  { keepGroupsMs, limits }: Pick<Settings, 'keepGroupsMs' | 'limits'>,
  limitHits: LimitHits,
  histograms: Breakdowns,
  table: Table = createGroupTable(family),
): RunGroups {
  const { form, k } = family;
  return {
    family,
    layout: runLayout(form, k),
    keepMs: keepGroupsMs,
    groupsMax: limits.groups,
    limitHits,
    table,
    byLastRun: heapOfRows(table),
    histograms,
    labels: new Uint8Array(k),
    verdicts: new Uint8Array(k),
  };
}

/** The table that the groups of a family lie in. */
export function createGroupTable({ form, k }: Stability): Table {
  return createTable(runLayout(form, k).values);
}

/** Indexes the rows of a restored table. */
export function restoreRunGroups({ table, byLastRun }: RunGroups): void {
  fillHeap(byLastRun, table, column.lastTs);
}

/** A group with a gold label that a run has completed, or of which it has changed what it comes to. */
export interface CompleteGroup {
  /** Code of the finest slice that it is counted in. */
  readonly slice: number;
  readonly counts: GroupCounts;
}

/**
 * Adds a run to the group of a key (4 words); the group, where it is complete with it. At the limit, a new group takes the place of the oldest.
 */
export function addRun(groups: RunGroups, key: Uint32Array, run: Run): CompleteGroup | undefined {
  const { table, groupsMax, limitHits, byLastRun } = groups;
  if (table.size >= groupsMax && findRow(table, key[0]!, key[1]!, key[2]!, key[3]!) < 0) {
    dropOldest(groups, Number.POSITIVE_INFINITY);
    limitHits.stability_groups++;
  }
  const { size } = table;
  const row = rowOf(table, key[0]!, key[1]!, key[2]!, key[3]!);
  const isNew = table.size > size;
  markRow(table, row);
  const complete = receive(groups, chunkOf(table, row), valuesAt(table, row), isNew, run);
  if (isNew) pushItem(byLastRun, run.ts, row);
  return complete;
}

/** Returns whether the group of a key has something of a run of an index: it holds it, or has its home from it. */
export function hasRun({ table, layout }: RunGroups, key: Uint32Array, index: number): boolean {
  const row = findRow(table, key[0]!, key[1]!, key[2]!, key[3]!);
  return row >= 0 && layout.has(chunkOf(table, row), valuesAt(table, row), index);
}

/**
 * Puts a run in the place of that of the same index, whose truth has changed, or takes it out where its truth says neither a label nor a success any
 * more (`run` undefined). Returns what the group comes to now, where it was complete; undefined where the group has nothing of the run any more, too.
 */
export function reviseRun(
  groups: RunGroups,
  key: Uint32Array,
  { index, slice }: Pick<Run, 'index' | 'slice'>,
  run: Run | undefined,
): CompleteGroup | undefined {
  const { table, layout, family } = groups;
  const row = findRow(table, key[0]!, key[1]!, key[2]!, key[3]!);
  if (row < 0) return undefined;
  const [cells, at] = [chunkOf(table, row), valuesAt(table, row)];
  if (!layout.has(cells, at, index)) return undefined;
  markRow(table, row);
  const outcomeNow = (): GroupOutcome | undefined =>
    cells[at + column.held] === family.k ? outcomeOf(groups, cells, at) : undefined;
  const homeBefore = layout.home(cells, at);
  const before = outcomeNow();
  const own = homeOf(slice, run?.gold);
  if (run === undefined) layout.remove(cells, at, index, own);
  else layout.revise(cells, at, index, own, codeOf(family, run));
  const home = layout.home(cells, at);
  if (home !== homeBefore) move(groups, homeBefore, home, cells[at + column.ignored]!);
  if (before === undefined) return undefined;
  const after = outcomeNow();
  replaceOutcome(groups, homeBefore, before, home, after);
  return (after && completeGroup(groups, home, after)) ?? { slice: sliceOfHome(home), counts: noCounts };
}

/**
 * Drops the groups without a run for longer than they are kept. Called when event time has moved, before the event that moved it is
 * added: then what is dropped is a function of the log.
 */
export function evictGroups(groups: RunGroups, evictionMs: number): void {
  while (dropOldest(groups, evictionMs - groups.keepMs));
}

/** Drops the group with the oldest last run, provided that it lies before `beforeMs`. False: there is none. */
function dropOldest(groups: RunGroups, beforeMs: number): boolean {
  const { table, byLastRun, layout } = groups;
  const row = takeOldest(byLastRun, table, column.lastTs, beforeMs);
  if (row < 0) return false;
  count(groups, layout.home(chunkOf(table, row), valuesAt(table, row)), counterKeys.dropped, 1);
  removeRow(table, row);
  return true;
}

/** Takes a run into a row, and changes the histograms by what that changes of the group; the group, where it is complete with it. */
function receive(
  groups: RunGroups,
  cells: Float64Array,
  at: number,
  isNew: boolean,
  run: Run,
): CompleteGroup | undefined {
  const { layout, family } = groups;
  const { k } = family;
  if (isNew || run.ts > cells[at + column.lastTs]!) cells[at + column.lastTs] = run.ts;
  const homeBefore = isNew ? -1 : layout.home(cells, at);
  const heldBefore = cells[at + column.held]!;
  const slot = layout.slotFor(cells, at, run.index);
  const before = slot >= 0 && heldBefore === k ? outcomeOf(groups, cells, at) : undefined;

  layout.receive(cells, at, slot, run.index, homeOf(run.slice, run.gold), codeOf(family, run));

  const home = layout.home(cells, at);
  if (isNew) count(groups, home, counterKeys.seen, 1);
  else if (home !== homeBefore) move(groups, homeBefore, home, cells[at + column.ignored]!);
  // Received and none held more: this run was ignored, or it displaced one.
  if (cells[at + column.held] === heldBefore) {
    cells[at + column.ignored]! += 1;
    count(groups, home, counterKeys.ignored, 1);
  }
  if (slot < 0 || cells[at + column.held] !== k) return undefined;
  const outcome = outcomeOf(groups, cells, at);
  replaceOutcome(groups, homeBefore, before, home, outcome);
  return completeGroup(groups, home, outcome);
}

const noCounts = Object.fromEntries(groupCounts.map((name) => [name, 0])) as GroupCounts;

/** A run in the 4 bits of a row. */
function codeOf(family: Stability, { verdict, label }: Run): number {
  return 1 + 5 * verdict + family.countedLabel(label);
}

/** A complete group by what it came to; undefined where it has no gold label. */
function completeGroup({ family }: RunGroups, home: number, outcome: GroupOutcome): CompleteGroup | undefined {
  if (goldOfHome(home) === undefined) return undefined;
  return { slice: sliceOfHome(home), counts: groupCountsOf(family.k, outcome) };
}

/** Outcome of the complete group in a row. */
function outcomeOf({ family, layout, labels, verdicts }: RunGroups, cells: Float64Array, at: number): GroupOutcome {
  for (let i = 0; i < family.k; i++) {
    const packed = layout.code(cells, at, i) - 1;
    labels[i] = packed % 5;
    verdicts[i] = packed / 5;
  }
  return family.outcome(goldOfHome(layout.home(cells, at)) ?? 0, labels, verdicts);
}

const outcomeKeys = ['shapes', 'correct', 'flips', 'successes'] as const;

/** Replaces an outcome in the histograms by another; what they share is not touched. */
function replaceOutcome(
  groups: RunGroups,
  homeBefore: number,
  before: GroupOutcome | undefined,
  home: number,
  after: GroupOutcome | undefined,
): void {
  for (const name of outcomeKeys) {
    const [old, now] = [before?.[name], after?.[name]];
    if (old === now && home === homeBefore) continue;
    if (old !== undefined) add(groups, homeBefore, name, old, -1);
    if (now !== undefined) add(groups, home, name, now, 1);
  }
}

/** Moves a group's counters to its new home. */
function move(groups: RunGroups, from: number, to: number, ignored: number): void {
  count(groups, from, counterKeys.seen, -1);
  count(groups, to, counterKeys.seen, 1);
  if (ignored === 0) return;
  count(groups, from, counterKeys.ignored, -ignored);
  count(groups, to, counterKeys.ignored, ignored);
}

function count(groups: RunGroups, home: number, key: number, amount: number): void {
  add(groups, home, 'counters', key, amount);
}

/** Adds to a histogram of a home: there is one for each gold label, and without one only that of successes. */
function add(
  { histograms }: RunGroups,
  home: number,
  name: 'counters' | (typeof outcomeKeys)[number],
  key: number,
  amount: number,
): void {
  const gold = goldOfHome(home);
  if (gold === undefined && name !== 'successes') return;
  const number = gold === undefined ? 4 * histogramAt.unlabelled : 4 * histogramAt[name] + gold;
  addToHistogram(histograms, sliceOfHome(home), number, key, amount);
}
