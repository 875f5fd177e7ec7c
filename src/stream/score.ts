import type { Joined } from '../scoring/family.ts';
import type { LabelCode } from '../scoring/label.ts';
import type { Prediction } from '../scoring/prediction.ts';
import type { Verdict } from '../scoring/stability/index.ts';
import { addBlames } from '../state/blames.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import type { PartitionState } from '../state/partition.ts';
import { addCount, clearDelta, type DeltaWriter, type RowDelta, runsDelta } from '../state/row-delta.ts';
import type { JudgedSlots } from '../state/row-layout.ts';
import { writeGroupKey } from '../state/run-groups/group-key.ts';
import { addRun } from '../state/run-groups/index.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { EventBatch } from './event.ts';
import type { Noting } from './input-notes.ts';
import type { Result } from './result.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** An event that is to be scored, with what the fold found out about it. The fold has one for all its events: nobody keeps it. */
export interface AcceptedEvent extends Noting {
  readonly batch: EventBatch;
  /** Index in the batch. */
  readonly event: number;
  /** Resolved event time, ms. */
  readonly ts: number;
  /** Code of its finest slice. */
  readonly slice: number;
}

/** One scored event with what every family made of it: the material of a score row. Valid while it is being handed over. */
export interface Scored {
  readonly accepted: AcceptedEvent;
  readonly joined: Joined;
  readonly prepared: PreparedTruth;
  readonly outcomes: readonly unknown[];
  readonly failed: boolean;
  readonly exact: boolean | undefined;
  /** The same for events of the same content and truth, where that is remembered: what is made of one may be kept by it. */
  readonly like: object | undefined;
}

/** Asks each family for its outcome. The delta of the result is the writer's: it lasts until the next. */
export function resultOf(
  state: PartitionState,
  { delta, tallies }: DeltaWriter,
  joined: Joined,
  prepared: PreparedTruth,
  isTold: (failed: boolean) => boolean,
): Result {
  const { settings, runGroups } = state;
  const { families, judged } = settings.layout;
  const outcomes = new Array<unknown>(families.length).fill(undefined);
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
    family.tally(outcome, tallies[index]!);
    outcomes[index] = outcome;
    failed ||= !family.perfect(outcome);
  }
  if (judged !== undefined && exact !== undefined) addTraffic(delta, judged, exact);
  const { callsNotRecorded } = joined.prediction;
  const gold = runGroups === undefined ? undefined : prepared.truth.label;
  const verdict = gold === undefined ? 0 : settings.verdictOf(joined);
  return { delta, callsNotRecorded, gold, verdict, outcomes: isTold(failed) ? outcomes : undefined, failed, exact };
}

/** Adds the result of an event to the state: its slice, its panes, what it blames, its breakdowns, its group of runs. */
export function addResult(accepted: AcceptedEvent, result: Result): void {
  const { state, batch, event, slice, ts } = accepted;
  const { numbers, sums, breakdowns, blames } = state;
  const { delta, gold } = result;
  numbers.scored++;
  if (result.callsNotRecorded) numbers.callsNotRecorded++;
  const isInTime = tallyEvent(sums, delta, slice, ts, numbers.greatestTs);
  if (!isInTime) numbers.late++;
  if (isInTime && delta.blames.names.length > 0) addBlames(blames, delta.blames, slice, ts);
  if (delta.breakdowns.length > 0) addBreakdowns(breakdowns, delta.breakdowns, slice);
  if (gold !== undefined && batch.run[event]! >= 0) collectRun(accepted, result.verdict, gold);
}

/** The event joined with its truth, but read when somebody looks at it. */
export function joinedLater({ batch, event }: AcceptedEvent, { truth }: PreparedTruth): Joined {
  return new JoinedLater(truth, batch, event);
}

/** A class: to make an object with a getter of its own takes some 0.3 us and 500 bytes. */
class JoinedLater implements Joined {
  readonly truth: Joined['truth'];
  calls: Joined['calls'];
  private readonly batch: EventBatch;
  private readonly event: number;
  private read: Prediction | undefined;

  constructor(truth: Joined['truth'], batch: EventBatch, event: number) {
    this.truth = truth;
    this.calls = undefined;
    this.batch = batch;
    this.event = event;
    this.read = undefined;
  }

  get prediction(): Prediction {
    this.read ??= this.batch.prediction(this.event);
    return this.read;
  }
}

function addTraffic(delta: RowDelta, slots: JudgedSlots, exact: boolean): void {
  addCount(delta, slots.traffic, 1);
  if (exact) addCount(delta, slots.right, 1);
}

const groupKey = new Uint32Array(4);

/** Adds a run to its group, and the group to the panes of the run that completes it. */
function collectRun({ state, batch, event, slice, ts }: AcceptedEvent, verdict: Verdict, gold: LabelCode): void {
  const { runGroups, settings, sums, numbers } = state;
  writeGroupKey(
    groupKey,
    batch.example,
    4 * event,
    batch.names.words,
    4 * batch.model[event]!,
    4 * batch.agent[event]!,
  );
  const label = batch.label[event] as LabelCode;
  const complete = addRun(runGroups!, groupKey, { index: batch.run[event]!, label, verdict, gold, slice, ts });
  if (complete !== undefined)
    tallyEvent(sums, runsDelta(settings.layout.runs!, complete.counts), complete.slice, ts, numbers.greatestTs);
}
