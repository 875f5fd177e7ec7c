import { type Addition, clearAddition } from '../state/addition.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import type { PartitionState } from '../state/partition.ts';
import { type KeptAddition, keepRevisable, type RevisableEntry } from '../state/revisable.ts';
import { sliceCode } from '../state/slices.ts';
import { isInTime, tallyEvent } from '../state/window-sums.ts';
import type { Event } from './event.ts';
import { aboutKeys, expectations, type Feedback } from './feedback-book.ts';
import { count } from './input-notes.ts';
import { type Joining, notingOf } from './joining.ts';
import type { Placed, Scored } from './score.ts';
import { truthHash } from './truth-cache.ts';

/** The keys by which feedback may name an event; none where no feedback is read. */
export function aboutOf({ revisable }: PartitionState, event: Event): readonly string[] {
  return revisable.plan === undefined ? none : aboutKeys(event);
}

/** Keeps an event that was just scored, with what that added (the writer still has it); `before`: as it was kept while it waited. */
export function keepScored(
  joining: Joining,
  scored: Scored,
  placed: Placed,
  feedback: readonly Feedback[],
  before: RevisableEntry | undefined,
): void {
  const { state, writer } = joining;
  // One that waited, and is older than events are kept, is not kept anew: what feedback on it was added is forgotten.
  const isOld = scored.moment === 'scored' && before === undefined;
  if (state.revisable.plan === undefined || isOld) return;
  const { event, ts } = scored;
  const addition = keptAddition(writer.addition, scored, placed);
  const place = { isInTime: before?.isInTime ?? placed.isInTime, truth: truthHash(scored.prepared) };
  keep(joining, event, ts, { place, slice: addition.slice, addition }, feedback, before);
}

/** Keeps an event that is not scored, since its truth is not there: it waits as the pending prediction of a number, or no longer. */
export function keepUnscored(
  joining: Joining,
  event: Event,
  ts: number,
  feedback: readonly Feedback[],
  { pending, before }: { readonly pending?: number | undefined; readonly before?: RevisableEntry | undefined } = {},
): void {
  const { state } = joining;
  if (state.revisable.plan === undefined) return;
  const slice = sliceCode(state.slices, event.dimensions);
  const inTime = before?.isInTime ?? isInTime(state.sums, ts, state.numbers.greatestTs);
  keep(joining, event, ts, { place: { isInTime: inTime, pending }, slice, addition: undefined }, feedback, before);
}

/** The addition of a scored event, in the form that is kept. */
export function keptAddition(
  { row, entries, attributions: { names } }: Addition,
  { slice, moment }: Scored,
  { group, completed }: Omit<Placed, 'isInTime'>,
): KeptAddition {
  return {
    ...{ moment: moment as KeptAddition['moment'], slice, cells: cellsOf(row), entries: [...entries] },
    names: names.map((name) => ({ ...name, slots: [...name.slots] })),
    ...(group !== undefined && { group }),
    ...(completed !== undefined && { completed }),
  };
}

/** Adds feedback that reached an event up, in the slice and at the time of the event. */
export function addFeedback(
  { state, writer, out }: Joining,
  slice: number,
  ts: number,
  feedback: readonly Feedback[],
): void {
  const { families, judged } = state.settings.layout;
  state.numbers.feedback += feedback.length;
  for (const { id } of feedback) out.feedback.add(id);
  const facts = feedback.flatMap((each) => each.facts);
  if (facts.length === 0 || judged === undefined) return;
  const { addition, tallies } = writer;
  clearAddition(addition, 0);
  addition.row[judged.judgements]! += facts.length;
  for (const [index, family] of families.entries())
    for (const fact of facts) {
      const outcome = family.feedback?.(fact);
      if (outcome !== undefined) family.tally(outcome, tallies[index]!);
    }
  tallyEvent(state.sums, addition.row, slice, ts, state.numbers.greatestTs);
  addBreakdowns(state.breakdowns, addition.entries, slice);
}

/** Counts an event for which feedback expects different things, once: the newest holds. */
export function noteContested(joining: Joining, event: Event, feedback: readonly Feedback[], was = false): boolean {
  const isContested = was || expectations(feedback) > 1;
  if (isContested && !was) {
    count(notingOf(joining, event), 'truth_conflicts', 1, event.exampleId);
    joining.out.onContested?.(event, feedback);
  }
  return isContested;
}

/** Slots and amounts of the cells of a row that are not 0. */
function cellsOf(row: Float64Array): number[] {
  const cells: number[] = [];
  for (let slot = 0; slot < row.length; slot++) if (row[slot] !== 0) cells.push(slot, row[slot]!);
  return cells;
}

const none: readonly string[] = [];

/** Place of an event among those that are kept, the slice of its feedback, and what it added. */
interface Keeping {
  readonly place: Pick<RevisableEntry, 'isInTime' | 'pending' | 'truth'>;
  readonly slice: number;
  readonly addition: KeptAddition | undefined;
}

function keep(
  joining: Joining,
  event: Event,
  ts: number,
  { place, slice, addition }: Keeping,
  feedback: readonly Feedback[],
  before: RevisableEntry | undefined,
): void {
  const { state, reader } = joining;
  const { offset, element, exampleId } = event;
  const known = before?.feedback ?? none;
  const fresh = feedback.filter(({ id }) => !known.includes(id));
  addFeedback(joining, slice, ts, fresh);
  const entry: RevisableEntry = {
    ...{ offset, element, ts, exampleId },
    about: before?.about ?? aboutKeys(event),
    feedback: [...known, ...fresh.map(({ id }) => id)],
    isContested: noteContested(joining, event, feedback, before?.isContested),
    ...place,
  };
  keepRevisable(state.revisable, entry, addition, place.pending === undefined ? reader.textOf(event, ts) : '');
}
