import { join } from '../scoring/join.ts';
import type { Prediction } from '../scoring/prediction.ts';
import { unknownCalls } from '../scoring/tool.ts';
import type { PartitionState } from '../state/partition.ts';
import { addPending } from '../state/pending.ts';
import type { DeltaWriter } from '../state/row-delta.ts';
import type { EventBatch } from './event.ts';
import { note, noteEvent, noteForm, noteScored } from './input-notes.ts';
import { addJudgement } from './judgement.ts';
import type { FoldOutput } from './output.ts';
import type { Remembered, RememberedResults } from './remembered.ts';
import { type AcceptedEvent, addResult, joinedLater, resultOf, type Scored } from './score.ts';
import { type SliceCache, sliceOf } from './slice-cache.ts';
import type { ActiveTruth, PreparedTruth } from './truth-cache.ts';

/** What of a fold meets an event with its truth. */
export interface Joining {
  readonly state: PartitionState;
  readonly sliceCache: SliceCache;
  readonly writer: DeltaWriter;
  readonly out: Pick<FoldOutput, 'input' | 'unknownCalls' | 'onScored' | 'onFailed' | 'onRight' | 'onJudged'>;
  /** The last event, whose place the next one takes. */
  accepted: Reused<AcceptedEvent> | undefined;
}

/** Scores an accepted event, or keeps it until its truth comes. */
export function joinEvent(
  joining: Joining,
  batch: EventBatch,
  event: number,
  ts: number,
  offset: number,
  truth: ActiveTruth,
): void {
  const { state, out, sliceCache, writer } = joining;
  if (batch.judgement !== undefined) {
    const slice = sliceOf(sliceCache, batch, event);
    addJudgement(state, writer, { batch, event, ts, slice }, out.onJudged);
    return;
  }
  const accepted = acceptedBy(joining, batch, event, ts, offset);
  const row = truth.find(batch, event);
  if (row < 0) {
    awaitTruth(joining, accepted);
    return;
  }
  accepted.slice = sliceOf(sliceCache, batch, event);
  const known = truth.remembered?.find(row, batch, event);
  if (known !== undefined && (known.result.outcomes !== undefined || !isTold(out, known.result.failed)))
    scoreAgain(joining, accepted, known, truth, row);
  else scoreFirst(joining, accepted, truth, row);
}

type Reused<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function acceptedBy(
  joining: Joining,
  batch: EventBatch,
  event: number,
  ts: number,
  offset: number,
): Reused<AcceptedEvent> {
  const element = batch.element[event]!;
  const { accepted, state, out } = joining;
  if (accepted === undefined)
    return (joining.accepted = { state, notes: out.input, batch, event, ts, offset, element, slice: -1 });
  accepted.batch = batch;
  accepted.event = event;
  accepted.ts = ts;
  accepted.offset = offset;
  accepted.element = element;
  accepted.slice = -1;
  return accepted;
}

/** Scores an event whose content has been read. Kept in what is remembered, where nothing is off in it. */
export function scoreEvent(
  { state, out, writer }: Joining,
  accepted: AcceptedEvent,
  prediction: Prediction,
  prepared: PreparedTruth,
  remembered?: RememberedResults,
): void {
  const joined = join(prediction, prepared.truth);
  const result = resultOf(state, writer, joined, prepared, (failed) => isTold(out, failed));
  addResult(accepted, result);
  const isOff = noteScored(accepted, prediction, prepared);
  // Before anyone else looks at the output.
  const { batch, event } = accepted;
  const like = isOff ? undefined : remembered?.keep(prepared.row, batch, event, result, prediction);
  const { outcomes, failed, exact } = result;
  if (exact === true) out.onRight?.(prepared.row, batch, event);
  if (outcomes !== undefined) tell(out, { accepted, joined, prepared, outcomes, failed, exact, like });
}

function scoreFirst(joining: Joining, accepted: AcceptedEvent, truth: ActiveTruth, row: number): void {
  const { batch, event } = accepted;
  const prediction = batch.prediction(event);
  const isOff = noteEvent(accepted, batch, event, prediction);
  addUnknown(joining, batch, event, unknownCalls(prediction));
  scoreEvent(joining, accepted, prediction, truth.row(row), isOff ? undefined : truth.remembered);
}

/** Adds what is remembered of an event with the same content and truth. Its content is not read. */
function scoreAgain(
  joining: Joining,
  accepted: AcceptedEvent,
  known: Remembered,
  truth: ActiveTruth,
  row: number,
): void {
  const { out } = joining;
  const { batch, event } = accepted;
  noteForm(accepted, batch, event);
  addUnknown(joining, batch, event, known.unknownCalls);
  addResult(accepted, known.result);
  const { outcomes, failed, exact } = known.result;
  if (exact === true) out.onRight?.(row, batch, event);
  if (!isTold(out, failed)) return;
  const prepared = truth.row(row);
  const joined = joinedLater(accepted, prepared);
  tell(out, { accepted, joined, prepared, outcomes: outcomes!, failed, exact, like: known.like });
}

function tell({ onScored, onFailed }: Joining['out'], scored: Scored): void {
  onScored?.(scored);
  if (scored.failed) onFailed?.(scored);
}

/** Whether anyone listens to an event that failed, or did not. */
function isTold({ onScored, onFailed }: Joining['out'], failed: boolean): boolean {
  return onScored !== undefined || (failed && onFailed !== undefined);
}

/** Keeps an event whose truth is not known yet. */
function awaitTruth(joining: Joining, accepted: AcceptedEvent): void {
  const { batch, event, ts, offset, element } = accepted;
  const prediction = batch.prediction(event);
  const exampleId = batch.exampleId(event);
  noteEvent(accepted, batch, event, prediction);
  addUnknown(joining, batch, event, unknownCalls(prediction));
  note(accepted, 'no_truth', 0, () => exampleId);
  addPending(joining.state.pending, { exampleId, ts, offset, element }, batch.pendingText(event, ts));
}

function addUnknown({ out }: Joining, batch: EventBatch, event: number, calls: number): void {
  if (calls === 0) return;
  const model = batch.names.text(batch.model[event]!);
  out.unknownCalls.set(model, (out.unknownCalls.get(model) ?? 0) + calls);
}
