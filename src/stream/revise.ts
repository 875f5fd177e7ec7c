import { join } from '../scoring/join.ts';
import { namedPrediction } from '../scoring/tool-names.ts';
import { runsRow } from '../state/addition.ts';
import { addAttributions } from '../state/attributions.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import { addUnscored } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { textOfPending } from '../state/pending.ts';
import {
  additionAt,
  entryAt,
  eventTextAt,
  type KeptAddition,
  replaceRevisable,
  type RevisableEntry,
} from '../state/revisable.ts';
import type { CompleteGroup } from '../state/run-groups/index.ts';
import { sliceCode } from '../state/slices.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { Event } from './event.ts';
import type { Feedback } from './feedback-book.ts';
import { addFeedback, keptAddition, noteContested } from './keep.ts';
import { announce } from './join.ts';
import { type Joining, notingOf } from './joining.ts';
import { noteAccepted, noteScored } from './input-notes.ts';
import { type Scored, scoreAgain } from './score.ts';
import { type ActiveTruth, placeOfTruth, preparedAt, type PreparedTruth, truthHash } from './truth-cache.ts';

/** The revision of the kept events of a partition. */
export interface Revising {
  readonly joining: Joining;
  /** By number: the row that the event was last compared with, of the rows of `of`: no part of the state. */
  readonly compared: { of: object | undefined; readonly rows: Map<number, number> };
}

/** Revises the events that a fold keeps. */
export function createRevising(joining: Joining): Revising {
  return { joining, compared: { of: undefined, rows: new Map() } };
}

/** Numbers of the events that are kept, for a version of the truth; those that are revised meanwhile come again, and are found as they should be. */
export function keptNumbers({ joining, compared }: Revising, { table }: ActiveTruth): Iterator<number> {
  const { texts } = joining.state.revisable.log;
  const of = table.rowsOf ?? table;
  if (compared.of !== of) compared.rows.clear();
  compared.of = of;
  for (const number of compared.rows.keys()) if (!texts.has(number)) compared.rows.delete(number);
  return texts.keys();
}

/**
 * Revises the kept events whose truth is another than the one that they were scored by, and adds up new feedback on them, up to `budget` of those
 * that `numbers` has left: whatever the order in which events, truth and feedback come, the sums are those of a replay with the last truth. Returns
 * whether none is left.
 */
export function reviseSome(revising: Revising, truth: ActiveTruth, numbers: Iterator<number>, budget: number): boolean {
  const { revisable } = revising.joining.state;
  for (let looked = 0; looked < budget; looked++) {
    const { done, value: number } = numbers.next();
    if (done) return true;
    const entry = entryAt(revisable, number);
    if (entry !== undefined) reviseEvent(revising, truth, number, entry);
  }
  return false;
}

function reviseEvent({ joining, compared }: Revising, truth: ActiveTruth, number: number, entry: RevisableEntry): void {
  const { state, reader } = joining;
  const placed = placeOfTruth(truth, entry.exampleId, entry.about);
  const { row, feedback, expected } = placed;
  const fresh = feedback.filter(({ id }) => !entry.feedback.includes(id));
  if (entry.pending !== undefined) return void addToWaiting(joining, number, entry, feedback, fresh);
  if (fresh.length === 0 && expected === undefined && compared.rows.get(number) === row) return;
  compared.rows.set(number, row);
  const prepared = preparedAt(truth, placed);
  // A truth that is taken away leaves what was scored by it.
  const isOther = prepared !== undefined && truthHash(prepared) !== entry.truth;
  if (fresh.length === 0 && !isOther) return;
  const { revisable } = state;
  const event = reader.readText(eventTextAt(revisable, number), entry.offset, entry.element);
  const before = additionAt(revisable, number);
  const slice = before?.slice ?? sliceCode(state.slices, event.dimensions);
  addFeedback(joining, slice, entry.ts, fresh);
  const isContested = noteContested(joining, event, feedback, entry.isContested);
  const { addition, revised } = isOther
    ? scoreNow(joining, event, entry, { before, slice, prepared })
    : { addition: before };
  const scoredBy = isOther ? { truth: truthHash(prepared) } : {};
  const ids = [...entry.feedback, ...fresh.map(({ id }) => id)];
  replaceRevisable(revisable, number, { ...entry, feedback: ids, isContested, ...scoredBy }, addition);
  if (revised !== undefined) moveGroup(state, before!.group!, revised);
}

/** Adds new feedback up on an event that waits for its truth. */
function addToWaiting(
  joining: Joining,
  number: number,
  entry: RevisableEntry,
  feedback: readonly Feedback[],
  fresh: readonly Feedback[],
): void {
  if (fresh.length === 0) return;
  const { state, reader } = joining;
  const text = textOfPending(state.pending, entry.pending!);
  const event = reader.readText(text, entry.offset, entry.element);
  addFeedback(joining, sliceCode(state.slices, event.dimensions), entry.ts, fresh);
  const isContested = noteContested(joining, event, feedback, entry.isContested);
  const ids = [...entry.feedback, ...fresh.map(({ id }) => id)];
  replaceRevisable(state.revisable, number, { ...entry, feedback: ids, isContested }, undefined);
}

interface Rescoring {
  /** Its addition; undefined: it was not scored. */
  readonly before: KeptAddition | undefined;
  readonly slice: number;
  readonly prepared: PreparedTruth;
}

/** Scores an event by its truth of now, in the place of what it added before; `revised`: its group of runs, if that is complete. */
function scoreNow(
  joining: Joining,
  event: Event,
  { ts, isInTime }: RevisableEntry,
  { before, slice, prepared }: Rescoring,
): { readonly addition: KeptAddition; readonly revised?: CompleteGroup | undefined } {
  const { state, writer, out } = joining;
  if (before === undefined) countAsScored(state, event, ts, isInTime);
  else takeAway(state, before, ts);
  const joined = join(namedPrediction(event.prediction, state.settings.toolNaming), prepared.truth);
  const moment = before?.moment ?? 'scored';
  const given = { event, moment, ts, slice, joined, prepared };
  const { scored, placed, revised } = scoreAgain(state, writer, given, before?.group);
  const { group } = placed;
  const isDropped = before?.group !== undefined && group === undefined;
  if (isDropped && before.completed !== undefined) addGroup(state, before.completed, ts, -1);
  const completed = placed.completed ?? (isDropped ? undefined : before?.completed);
  const addition = keptAddition(writer.addition, scored, { group, completed });
  if (before === undefined) noteFirst(joining, scored);
  announce(out, scored);
  return { addition, revised };
}

/** Counts a complete group anew in the windows, at the event that completed it, while that is kept. */
function moveGroup(state: PartitionState, group: string, after: CompleteGroup): void {
  const { revisable } = state;
  const number = revisable.completing.get(group);
  if (number === undefined) return;
  const [entry, addition] = [entryAt(revisable, number)!, additionAt(revisable, number)!];
  addGroup(state, addition.completed!, entry.ts, -1);
  addGroup(state, after, entry.ts, 1);
  replaceRevisable(revisable, number, entry, { ...addition, completed: after });
}

function addGroup(
  { settings, sums, numbers }: PartitionState,
  { slice, counts }: CompleteGroup,
  ts: number,
  sign: 1 | -1,
): void {
  tallyEvent(sums, runsRow(settings.layout, settings.layout.runs!, counts), slice, ts, numbers.greatestTs, sign);
}

/** Moves an event from those that expired to those scored. */
function countAsScored({ numbers, panes }: PartitionState, { prediction }: Event, ts: number, isInTime: boolean): void {
  numbers.expired--;
  addUnscored(panes, 'expired', ts, -1);
  numbers.scored++;
  if (prediction.callsNotRecorded) numbers.callsNotRecorded++;
  if (!isInTime) numbers.late++;
}

function noteFirst({ state, out }: Joining, scored: Scored): void {
  const noting = notingOf({ state, out }, scored.event);
  noteAccepted(noting, state.settings.layout.families, scored);
  noteScored(noting, state.settings.layout.families, scored);
}

/** Takes away what an event added. */
function takeAway(
  { settings, sums, numbers, breakdowns, attributions }: PartitionState,
  addition: KeptAddition,
  ts: number,
): void {
  const { slice, cells, entries, names } = addition;
  const row = new Float64Array(settings.layout.width);
  for (let at = 0; at < cells.length; at += 2) row[cells[at]!] = cells[at + 1]!;
  tallyEvent(sums, row, slice, ts, numbers.greatestTs, -1);
  addBreakdowns(
    breakdowns,
    entries.map((entry) => ({ ...entry, amount: -entry.amount })),
    slice,
  );
  if (names.length > 0) addAttributions(attributions, { names: [...names] }, slice, ts, -1);
}
