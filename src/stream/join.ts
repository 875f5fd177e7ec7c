import { join } from '../scoring/join.ts';
import { namedPrediction } from '../scoring/tool-names.ts';
import { unknownCalls } from '../scoring/tool.ts';
import type { AdditionWriter } from '../state/addition.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import { addUnscored } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { addPending } from '../state/pending.ts';
import { sliceCode } from '../state/slices.ts';
import type { Event, Reader } from './event.ts';
import { note, noteAccepted, noteEvent, noteScored, type Noting } from './input-notes.ts';
import { addJudgement } from './judgement.ts';
import type { FoldOutput } from './output.ts';
import { type Moment, scoreEvent } from './score.ts';
import type { ActiveTruth, PreparedTruth } from './truth-cache.ts';

/** Parts of a fold that joining an event with its truth needs. */
export interface Joining {
  readonly state: PartitionState;
  readonly reader: Reader;
  readonly writer: AdditionWriter;
  /** Stands for the truth of an event that has none yet. */
  readonly noTruth: PreparedTruth;
  readonly out: Pick<
    FoldOutput,
    'input' | 'unknownCalls' | 'onEvent' | 'onAccepted' | 'onScored' | 'onFailed' | 'onRight' | 'onJudged'
  >;
}

const exampleHash = new Uint32Array(4);

/** Scores an accepted event with its resolved time, or keeps it until its truth comes. */
export function joinEvent(joining: Joining, event: Event, ts: number, { table, row }: ActiveTruth): void {
  const { state, writer, out } = joining;
  if (event.judgement !== undefined) {
    const slice = sliceCode(state.slices, event.dimensions);
    addJudgement(state, writer, out.onJudged, event, event.judgement, ts, slice);
    return;
  }
  out.onEvent?.(event);
  noteEvent(notingOf(joining, event), event);
  const calls = unknownCalls(namedPrediction(event.prediction, state.settings.toolNaming));
  if (calls > 0) out.unknownCalls.set(event.model, (out.unknownCalls.get(event.model) ?? 0) + calls);
  hash128OfText(event.exampleId, exampleHash, 0);
  const found = table.find(event.exampleId, exampleHash[0]);
  if (found >= 0) scoreWith(joining, event, ts, event.dimensions, row(found), 'both');
  else {
    acceptEvent(joining, event, ts);
    if (table.isNone || isNameless(event)) expireNow(state, ts);
    else awaitTruth(joining, event, ts);
  }
}

/** Returns whether an event has neither example nor id: its place stands for it, and no row of truth names a place. */
function isNameless({ oddities, eventId }: Event): boolean {
  return oddities?.own !== undefined && eventId === undefined;
}

/** Counts an accepted event whose truth is not there in the families that need none, and hands the result to the listeners. */
function acceptEvent(joining: Joining, event: Event, ts: number): void {
  const { state, writer, noTruth, out } = joining;
  const { layout, toolNaming } = state.settings;
  if (layout.accepted === undefined) return;
  const slice = sliceCode(state.slices, event.dimensions);
  const joined = join(namedPrediction(event.prediction, toolNaming), noTruth.truth);
  const scored = scoreEvent(state, writer, event, ts, slice, joined, noTruth, 'accepted');
  noteAccepted(notingOf(joining, event), layout.families, scored);
  out.onAccepted?.(scored);
  if (scored.failed) out.onFailed?.(scored);
}

/**
 * Scores an event with its truth, and hands the result to the listeners; `values`: its finest slice, null where a dimension was not read; `moment`:
 * `scored` where it was accepted before.
 */
export function scoreWith(
  joining: Joining,
  event: Event,
  ts: number,
  values: readonly (string | null)[],
  prepared: PreparedTruth,
  moment: Exclude<Moment, 'accepted'>,
): void {
  const { state, writer, out } = joining;
  const slice = sliceCode(state.slices, values);
  const joined = join(namedPrediction(event.prediction, state.settings.toolNaming), prepared.truth);
  const scored = scoreEvent(state, writer, event, ts, slice, joined, prepared, moment);
  noteAccepted(notingOf(joining, event), state.settings.layout.families, scored);
  noteScored(notingOf(joining, event), state.settings.layout.families, scored);
  if (scored.exact === true) out.onRight?.(event);
  out.onScored?.(scored);
  if (scored.failed) out.onFailed?.(scored);
}

/** Counts an event for which no truth will come; it is no dead letter, since nothing was expected of it. */
function expireNow({ numbers, panes }: PartitionState, ts: number): void {
  numbers.expired++;
  addUnscored(panes, 'expired', ts);
}

/** Keeps an event whose truth is not there yet. */
function awaitTruth(joining: Joining, event: Event, ts: number): void {
  const { state, reader } = joining;
  const { exampleId, offset, element } = event;
  note(notingOf(joining, event), 'no_truth', 0, exampleId);
  addPending(state.pending, { exampleId, ts, offset, element }, reader.textOf(event, ts));
}

function notingOf({ state, out }: Joining, { offset, element }: Event): Noting {
  return { state, notes: out.input, offset, element };
}
