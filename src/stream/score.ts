import type { Joined } from '../scoring/family.ts';
import { join } from '../scoring/join.ts';
import type { LabelCode } from '../scoring/label.ts';
import type { Prediction } from '../scoring/prediction.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import type { PartitionState } from '../state/partition.ts';
import { addCount, addDelta, clearDelta, type DeltaWriter, type RowDelta, tallyAndCopy } from '../state/row-delta.ts';
import type { JudgedSlots } from '../state/row-layout.ts';
import { writeGroupKey } from '../state/run-groups/group-key.ts';
import { addRun } from '../state/run-groups/index.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { EventBatch } from './event.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** An event that is to be scored, with what the fold found out about it. */
export interface AcceptedEvent {
  readonly batch: EventBatch;
  /** Index in the batch. */
  readonly event: number;
  readonly prediction: Prediction;
  /** Resolved event time, ms. */
  readonly ts: number;
  readonly offset: number;
  readonly element: number;
  /** Code of its finest slice. */
  readonly slice: number;
}

/** One scored event with what every family made of it: the material of a score row. Valid while it is being handed over. */
export interface Scored {
  readonly accepted: AcceptedEvent;
  readonly joined: Joined;
  readonly prepared: PreparedTruth;
  /** By family of the layout; undefined where it does not apply. */
  readonly outcomes: readonly unknown[];
  /** A family that applies has something to complain of. */
  readonly failed: boolean;
  /** Whether the rules call it right; undefined where they have no verdict. */
  readonly exact: boolean | undefined;
}

/** Scores one event against its truth and adds the outcome to the state: its slice, its panes, its breakdowns, its group of runs. */
export function scoreEvent(
  state: PartitionState,
  { delta, tallies }: DeltaWriter,
  accepted: AcceptedEvent,
  prepared: PreparedTruth,
  onScored: ((scored: Scored) => void) | undefined,
): void {
  const { families, judged } = state.settings.layout;
  const { prediction, slice, ts } = accepted;
  const joined = join(prediction, prepared.truth);
  const outcomes = onScored && new Array<unknown>(families.length).fill(undefined);
  let failed = false;
  let exact: boolean | undefined;
  let rank = 0;
  clearDelta(delta);
  for (let index = 0; index < families.length; index++) {
    const preparation = prepared.prepared[index];
    if (preparation === undefined) continue;
    const family = families[index]!;
    const outcome = family.score(joined, preparation);
    if (outcome === undefined) continue;
    const verdict = family.verdict !== undefined && family.verdict.rank > rank ? family.verdict.of(outcome) : undefined;
    if (verdict !== undefined) [exact, rank] = [verdict, family.verdict!.rank];
    const usual = prepared.usual[index];
    if (usual !== undefined && usual.outcome === outcome) addDelta(delta, usual.delta);
    else if (prepared.reused && family.usual?.(preparation) === outcome)
      prepared.usual[index] = { outcome, delta: tallyAndCopy(delta, family, tallies[index]!, outcome) };
    else family.tally(outcome, tallies[index]!);
    if (outcomes) {
      outcomes[index] = outcome;
      failed ||= !family.perfect(outcome);
    }
  }
  if (judged !== undefined && exact !== undefined) addTraffic(delta, judged, exact);
  const { numbers, sums, breakdowns } = state;
  numbers.scored++;
  if (prediction.callsNotRecorded) numbers.callsNotRecorded++;
  if (!tallyEvent(sums, delta, slice, ts, numbers.greatestTs)) numbers.late++;
  if (delta.breakdowns.length > 0) addBreakdowns(breakdowns, delta.breakdowns, slice);
  const { label } = prepared.truth;
  if (label !== undefined && accepted.batch.run[accepted.event]! >= 0) collectRun(state, accepted, joined, label);
  if (onScored) onScored({ accepted, joined, prepared, outcomes: outcomes!, failed, exact });
}

function addTraffic(delta: RowDelta, slots: JudgedSlots, exact: boolean): void {
  addCount(delta, slots.traffic, 1);
  if (exact) addCount(delta, slots.right, 1);
}

const groupKey = new Uint32Array(4);

/** Adds a run to its group. */
function collectRun({ settings, runGroups }: PartitionState, accepted: AcceptedEvent, joined: Joined, gold: LabelCode) {
  if (runGroups === undefined) return;
  const { batch, event, prediction, slice, ts } = accepted;
  writeGroupKey(
    groupKey,
    batch.example,
    4 * event,
    batch.names.words,
    4 * batch.model[event]!,
    4 * batch.agent[event]!,
  );
  const verdict = settings.verdictOf(joined);
  addRun(runGroups, groupKey, { index: batch.run[event]!, label: prediction.label, verdict, gold, slice, ts });
}
