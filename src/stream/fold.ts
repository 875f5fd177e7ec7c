import { nothingRecorded, type TruthTable } from '../scoring/truth.ts';
import { createAdditionWriter } from '../state/addition.ts';
import { assert } from '../state/containers/assert.ts';
import { dropAttributions } from '../state/attributions.ts';
import { unreadAt } from '../state/available-since.ts';
import { hash128OfBytes } from '../state/containers/hash128.ts';
import { evictSeen, seenBefore } from '../state/dedupe.ts';
import { evictionTimeOf, watermarkOf } from '../state/event-time.ts';
import { addUnscored } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { takeExpired, takePending, textOfPending } from '../state/pending.ts';
import { rejectCodes } from '../state/reject.ts';
import { evictEnds } from '../state/open-runs.ts';
import { evictPlainSpans } from '../state/plain-spans.ts';
import { evictRevisable, takeWaiting } from '../state/revisable.ts';
import { evictRunNumbers } from '../state/run-numbers.ts';
import { evictGroups } from '../state/run-groups/index.ts';
import { evictVerdicts } from '../state/judge-pairs.ts';
import { evictPanes } from '../state/window-sums.ts';
import type { Run } from './assembly.ts';
import { type Event, isRejected, type LogRecord, type Reader, type Rejected, type Step } from './event.ts';
import { count, note, noteNearName, renewNoTruth, truthHasCome } from './input-notes.ts';
import { writeIdentity } from './identity.ts';
import { feedbackFor } from './feedback-book.ts';
import { keepUnscored } from './keep.ts';
import { announceWithoutTruth, joinEvent, scoreWith } from './join.ts';
import type { Joining } from './joining.ts';
import { emptyOutput, type FoldOutput } from './output.ts';
import { endAllRuns, endRuns, takePlainSpans, takeStep } from './runs.ts';
import { noteMove } from './time-move.ts';
import { type ActiveTruth, prepareTruth, truthFor } from './truth-cache.ts';

/** The fold of one partition's log: its state, its reader, and its output, which is no part of the state. */
export interface Fold extends Joining {
  readonly out: FoldOutput;
}

/** A fold that goes on from a state. */
export function createFold(state: PartitionState, reader: Reader): Fold {
  const { layout } = state.settings;
  const noTruth = prepareTruth(-1, nothingRecorded, layout.families);
  return { state, reader, out: emptyOutput(), writer: createAdditionWriter(layout), noTruth };
}

/**
 * Reads records[from, to) and folds them into the state: one event after the other, in log order. A record below the next offset
 * was applied before and is skipped. How records are cut into batches leaves no trace in the state.
 */
export function foldRecords(
  fold: Fold,
  records: readonly LogRecord[],
  from: number,
  to: number,
  truth: ActiveTruth,
): void {
  const { state, reader, out } = fold;
  for (let index = from; index < to; index++) {
    const record = records[index]!;
    if (record.offset < state.numbers.nextOffset) continue;
    if (record.quietMs !== undefined) {
      passTime(fold, record.quietMs, truth);
      state.numbers.nextOffset = record.offset + 1;
      continue;
    }
    const { events, steps, plain, skipped } = reader.read(record);
    for (const { kind, number, value } of skipped)
      count({ state, notes: out.input, offset: record.offset, element: -1 }, kind, number, value);
    for (const spans of plain ?? []) takePlainSpans(state, spans);
    for (const event of events) {
      state.numbers.read++;
      if (isRejected(event)) reject(fold, event, index);
      else applyEvent(fold, event, truth);
    }
    for (const step of steps ?? []) {
      state.numbers.read++;
      applyStep(fold, step, truth);
    }
    state.numbers.nextOffset = record.offset + 1;
  }
  rememberLast(state, records, to - 1);
}

/** Ends the runs that are open: their log has no further records. */
export function endOpenRuns(fold: Fold, truth: ActiveTruth): void {
  for (const run of endAllRuns(fold)) applyRun(fold, run, truth);
  if (fold.state.pending.queue.size > 0) expirePending(fold, truth);
}

/** Hands the pending predictions to the listener of events without truth: no truth will come. */
export function endWaiting(fold: Fold): void {
  const { pending } = fold.state;
  for (const [number, { ts, offset, element }] of pending.waiting)
    announceWithoutTruth(fold, fold.reader.readText(textOfPending(pending, number), offset, element), ts);
}

/** Numbers of the pending predictions, in log order; what is resolved may be taken out meanwhile, nothing may be added. */
export function pendingNumbers({ state }: Fold): Iterator<number> {
  return state.pending.waiting.keys();
}

/**
 * Scores the pending predictions whose truth is known now, up to `budget` of those that `waiting` has left. Returns whether it has
 * none left. To be run to its end before the partition's next record.
 */
export function resolvePending(fold: Fold, truth: ActiveTruth, waiting: Iterator<number>, budget: number): boolean {
  const { state, reader, out } = fold;
  const { pending, numbers, settings } = state;
  for (let looked = 0; looked < budget; looked++) {
    const { done, value: number } = waiting.next();
    if (done) {
      renewNoTruth(out.input, pending);
      return true;
    }
    const { exampleId, about = [] } = pending.waiting.get(number)!;
    const found = truthFor(truth, exampleId, about);
    if (found.prepared === undefined) continue;
    const { text, ts, offset, element } = takePending(pending, number);
    truthHasCome(out.input, exampleId);
    const event = reader.readText(text, offset, element);
    out.truthDelaysMs.push(numbers.greatestTs - ts);
    const unread = unreadAt(state.availableSince, offset);
    const values = event.dimensions.map((value, at) => (unread.includes(settings.dimensions[at]!) ? null : value));
    scoreWith(fold, event, ts, values, found, 'scored', takeWaiting(state.revisable, number));
  }
  return false;
}

/**
 * Makes a version of the truth the one in use from the next offset on; the caller resolves the pending predictions then. Returns
 * whether it is another than before.
 */
export function activateTruth(state: PartitionState, { version, rows }: TruthTable): boolean {
  const { activations, numbers } = state;
  const last = activations.at(-1);
  if (last?.version === version) return false;
  assert(
    last === undefined || last.offset <= numbers.nextOffset,
    'the next offset lies before the last version of the truth',
  );
  activations.push({ version, rows, offset: numbers.nextOffset });
  if (activations.length > activationsKept) activations.shift();
  return true;
}

/** A busy topic of truth gives a version a second, and every checkpoint holds them: the oldest are forgotten. */
const activationsKept = 1_000;

const identity = new Uint32Array(4);

function applyEvent(fold: Fold, event: Event, truth: ActiveTruth): void {
  const { state } = fold;
  const { numbers } = state;
  const ts = timeOf(state, event);
  if (event.eventId !== undefined) {
    writeIdentity(event, event.eventId, identity);
    const seen = seenBefore(state.dedupe, identity, 0, ts, numbers.greatestTs);
    if (seen === 'duplicate' || seen === 'conflict') {
      numbers.duplicates++;
      const { offset, element, exampleId, eventId } = event;
      const noting = { state, notes: fold.out.input, offset, element };
      if (seen === 'conflict') count(noting, 'conflicts', 1, `${eventId} of example ${exampleId}`);
      return;
    }
    if (seen === 'unverified') numbers.unverified++;
  }
  noteMove(fold.out, event, numbers.greatestTs, ts);
  advance(fold, ts, truth);
  joinEvent(fold, event, ts, truth);
  if (state.pending.queue.size > 0) expirePending(fold, truth);
}

function applyStep(fold: Fold, step: Step, truth: ActiveTruth): void {
  const ts = timeOf(fold.state, step);
  const made = takeStep(fold, step, ts);
  if (made === undefined) return;
  for (const run of made) applyRun(fold, run, truth);
  noteMove(fold.out, step, fold.state.numbers.greatestTs, ts);
  advance(fold, ts, truth);
  if (fold.state.pending.queue.size > 0) expirePending(fold, truth);
}

/**
 * Moves event time on by time that passed without a record, so that the last runs of a quiet log end. The time is relative: event time may be that
 * of any past day.
 */
function passTime(fold: Fold, quietMs: number, truth: ActiveTruth): void {
  const { state } = fold;
  advance(fold, state.numbers.greatestTs + quietMs, truth);
  if (state.pending.queue.size > 0) expirePending(fold, truth);
}

/** Joins the event of a run that has ended with its truth, as an event that came by itself. */
function applyRun(fold: Fold, { given, offset, element }: Run, truth: ActiveTruth): void {
  const event = fold.reader.readRun(given, offset, element);
  if (isRejected(event)) reject(fold, event, -1);
  else joinEvent(fold, event, timeOf(fold.state, event), truth);
}

/** Without any time in a file, the line of an event is its time: only order is left. */
function timeOf({ numbers }: PartitionState, { ts, offset }: Pick<Event, 'ts' | 'offset'>): number {
  return Number.isNaN(ts) ? Math.max(numbers.greatestTs, offset) : ts;
}

/** Moves event time on, and ends the runs that it passed. */
function advance(fold: Fold, ts: number, truth: ActiveTruth): void {
  const { state } = fold;
  advanceTime(state, ts);
  if (state.openRuns.runs.size === 0) return;
  for (const run of endRuns(fold)) applyRun(fold, run, truth);
}

/** Everything that event time evicts. No clock does. */
function advanceTime(state: PartitionState, ts: number): void {
  const { numbers, sums, attributions, dedupe, openRuns, revisable, runGroups, judgePairs, runNumbers } = state;
  if (ts <= numbers.greatestTs) return;
  const before = numbers.greatestTs;
  numbers.greatestTs = ts;
  const evictionMs = evictionTimeOf(ts);
  if (evictionMs <= before) return;
  evictPanes(sums, evictionMs);
  dropAttributions(attributions);
  evictSeen(dedupe, evictionMs);
  evictEnds(openRuns, evictionMs);
  evictPlainSpans(openRuns, evictionMs);
  evictRevisable(revisable, evictionMs);
  if (runGroups !== undefined) evictGroups(runGroups, evictionMs);
  if (judgePairs !== undefined) evictVerdicts(judgePairs, evictionMs);
  if (runNumbers !== undefined) evictRunNumbers(runNumbers, evictionMs);
}

/** Takes out the predictions that waited too long by event time, and the oldest beyond the limit; each is final. */
function expirePending(fold: Fold, truth: ActiveTruth): void {
  const { state, out, reader } = fold;
  const { settings, pending, numbers, panes, limitHits, revisable } = state;
  const horizonMs = watermarkOf(state) - settings.truthWaitMs;
  for (;;) {
    const gone = takeExpired(pending, horizonMs, settings.limits.pending);
    if (gone === undefined) return;
    if (gone.ts >= horizonMs) limitHits.pending++;
    numbers.expired++;
    addUnscored(panes, 'expired', gone.ts);
    out.expired.push(gone);
    note({ notes: out.input, ...gone }, 'no_truth', 1, gone.exampleId);
    if (revisable.plan === undefined && out.onWithoutTruth === undefined) continue;
    const event = reader.readText(gone.text, gone.offset, gone.element);
    announceWithoutTruth(fold, event, gone.ts);
    const before = takeWaiting(revisable, gone.number);
    // One that is older than events are kept is not kept anew.
    if (before !== undefined)
      keepUnscored(fold, event, gone.ts, feedbackFor(truth.feedback, before.about, gone.exampleId), { before });
  }
}

/** Counts a refused record or element, and hands it to the dead letters; `record`: its index in the batch. */
function reject({ state, out }: Fold, rejected: Rejected, record: number): void {
  const { code, detail, offset, element } = rejected;
  state.rejected[rejectCodes.indexOf(code)]! += 1;
  if (Number.isFinite(state.numbers.greatestTs)) addUnscored(state.panes, 'rejected', state.numbers.greatestTs);
  const noting = { state, notes: out.input, offset, element };
  note(noting, `rejected.${code}`, 1, detail);
  noteNearName(noting, rejected.nearName);
  out.rejects.push({ ...rejected, record });
}

/** Keeps a fingerprint of the last record applied that was read: a topic that was recreated or cut shows in it. */
function rememberLast(state: PartitionState, records: readonly LogRecord[], last: number): void {
  const { numbers } = state;
  const record = records[last];
  if (record === undefined || record.offset !== numbers.nextOffset - 1 || record.offset === numbers.lastOffset) return;
  if (record.unread !== undefined) return;
  const words = fingerprint(record);
  numbers.lastOffset = record.offset;
  [numbers.last0, numbers.last1, numbers.last2, numbers.last3] = words as unknown as [number, number, number, number];
}

/** 128-bit identity of a record's value. */
export function fingerprint(record: LogRecord): Uint32Array {
  const words = new Uint32Array(4);
  if (record.start >= 0) hash128OfBytes(record.bytes, record.start, record.end, words, 0);
  return words;
}
