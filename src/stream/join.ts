import { join } from '../scoring/join.ts';
import { namedPrediction } from '../scoring/tool-names.ts';
import { unknownCalls } from '../scoring/tool.ts';
import { addUnscored } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { addPending } from '../state/pending.ts';
import { numberOfRun } from '../state/run-numbers.ts';
import type { RevisableEntry } from '../state/revisable.ts';
import { sliceCode } from '../state/slices.ts';
import type { Event } from './event.ts';
import { note, noteAccepted, noteEvent, noteScored } from './input-notes.ts';
import { addJudgement } from './judgement.ts';
import { type Joining, notingOf } from './joining.ts';
import { aboutOf, keepScored, keepUnscored } from './keep.ts';
import { type Moment, type Scored, scoreEvent, writeRunKey } from './score.ts';
import { type ActiveTruth, type FoundTruth, truthFor } from './truth-cache.ts';

/** Scores an accepted event with its resolved time, or keeps it until its truth comes. */
export function joinEvent(joining: Joining, given: Event, ts: number, truth: ActiveTruth): void {
  const { state, writer, out } = joining;
  const event = numbered(state, given, ts);
  if (event.judgement !== undefined) {
    const slice = sliceCode(state.slices, event.dimensions);
    addJudgement(state, writer, out.onJudged, event, event.judgement, ts, slice);
    return;
  }
  out.onEvent?.(event);
  noteEvent(notingOf(joining, event), event);
  const calls = unknownCalls(namedPrediction(event.prediction, state.settings.toolNaming));
  if (calls > 0) out.unknownCalls.set(event.model, (out.unknownCalls.get(event.model) ?? 0) + calls);
  const found = truthFor(truth, event.exampleId, aboutOf(state, event));
  if (found.prepared !== undefined) scoreWith(joining, event, ts, event.dimensions, found, 'both');
  else {
    acceptEvent(joining, event, ts);
    const waits = !truth.table.isNone && !isNameless(event);
    if (!waits) {
      expireNow(state, ts);
      announceWithoutTruth(joining, event, ts);
    }
    const pending = waits ? awaitTruth(joining, event, ts) : undefined;
    keepUnscored(joining, event, ts, found.feedback, { pending });
  }
}

const runKey = new Uint32Array(4);

/** An event with the number of its run, where it names its example and runs are numbered as they come. */
function numbered({ runNumbers }: PartitionState, event: Event, ts: number): Event {
  if (runNumbers === undefined || event.judgement !== undefined || event.oddities?.own !== undefined) return event;
  writeRunKey(event, runKey);
  return { ...event, run: numberOfRun(runNumbers, runKey, event.run, ts) };
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
  const { scored } = scoreEvent(state, writer, { event, moment: 'accepted', ts, slice, joined, prepared: noTruth });
  noteAccepted(notingOf(joining, event), layout.families, scored);
  out.onAccepted?.(scored);
  if (scored.failed) out.onFailed?.(scored);
}

/**
 * Scores an event with its truth, and hands the result to the listeners; `values`: its finest slice, null where a dimension was not read; `moment`:
 * `scored` where it was accepted before; `before`: as it was kept for revision while it waited.
 */
export function scoreWith(
  joining: Joining,
  event: Event,
  ts: number,
  values: readonly (string | null)[],
  { prepared, feedback }: FoundTruth,
  moment: Exclude<Moment, 'accepted'>,
  before?: RevisableEntry,
): void {
  const { state, writer, out } = joining;
  const { layout, toolNaming } = state.settings;
  const slice = sliceCode(state.slices, values);
  const joined = join(namedPrediction(event.prediction, toolNaming), prepared!.truth);
  const { scored, placed } = scoreEvent(state, writer, { event, moment, ts, slice, joined, prepared: prepared! });
  keepScored(joining, scored, placed, feedback, before);
  noteAccepted(notingOf(joining, event), layout.families, scored);
  noteScored(notingOf(joining, event), layout.families, scored);
  announce(out, scored);
}

/** Hands an event that no truth will come for to its listener. */
export function announceWithoutTruth({ state, noTruth, out }: Joining, event: Event, ts: number): void {
  const { dimensions, prediction } = event;
  out.onWithoutTruth?.({
    ...{ event, moment: 'accepted', ts, slice: sliceCode(state.slices, dimensions) },
    joined: join(namedPrediction(prediction, state.settings.toolNaming), noTruth.truth),
    ...{ prepared: noTruth, outcomes: [], failed: false, exact: undefined },
  });
}

/** Hands a scored event to the listeners. */
export function announce(out: Joining['out'], scored: Scored): void {
  if (scored.exact === true) out.onRight?.(scored.event);
  out.onScored?.(scored);
  if (scored.failed) out.onFailed?.(scored);
}

/** Counts an event for which no truth will come; it is no dead letter, since nothing was expected of it. */
function expireNow({ numbers, panes }: PartitionState, ts: number): void {
  numbers.expired++;
  addUnscored(panes, 'expired', ts);
}

/** Keeps an event whose truth is not there yet; its number among the pending predictions. */
function awaitTruth(joining: Joining, event: Event, ts: number): number {
  const { state, reader } = joining;
  const { exampleId, offset, element } = event;
  note(notingOf(joining, event), 'no_truth', 0, exampleId);
  const about = aboutOf(state, event);
  return addPending(state.pending, { exampleId, ts, offset, element, about }, reader.textOf(event, ts));
}
