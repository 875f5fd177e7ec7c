import type { AnyFamily, Joined } from '../scoring/family.ts';
import type { LabelCode } from '../scoring/label.ts';
import { type Addition, type AdditionWriter, clearAddition, runsRow } from '../state/addition.ts';
import { addAttributions } from '../state/attributions.ts';
import { noVerdict } from '../scoring/stability/index.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import type { PartitionState } from '../state/partition.ts';
import { writeGroupKey } from '../state/run-groups/group-key.ts';
import { addRun } from '../state/run-groups/index.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { Event } from './event.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** One event with the outcomes of the families that counted it: the material of score rows, samples and alarms. A plain value. */
export interface Scored {
  readonly event: Event;
  readonly moment: Moment;
  /** Resolved event time, ms. */
  readonly ts: number;
  /** Code of its finest slice. */
  readonly slice: number;
  readonly joined: Joined;
  readonly prepared: PreparedTruth;
  /** By family of the layout; undefined where it does not apply, or counts the event at another moment. */
  readonly outcomes: readonly unknown[];
  /** At least one family that applies found a fault. */
  readonly failed: boolean;
  /** True if the rules call it right; undefined where they have no verdict. */
  readonly exact: boolean | undefined;
}

/**
 * The moment of an event's life: it is accepted while its truth is not known, scored after it has waited for that, or both at once. Families that
 * need no truth count it when it is accepted, all others when it is scored; so each family counts it once, whichever comes first.
 */
export type Moment = 'accepted' | 'scored' | 'both';

/** Scores an event by the families of a moment and adds the outcomes to the state: slice, panes, breakdowns, attributions, its group of runs. */
export function scoreEvent(
  state: PartitionState,
  { addition, tallies }: AdditionWriter,
  event: Event,
  ts: number,
  slice: number,
  joined: Joined,
  prepared: PreparedTruth,
  moment: Moment,
): Scored {
  const { families, judged } = state.settings.layout;
  const outcomes = new Array<unknown>(families.length).fill(undefined);
  let failed = false;
  let exact: boolean | undefined;
  let rank = 0;
  clearAddition(addition, moment === 'accepted' ? 0 : 1);
  const skipped = skippedMoment[moment];
  for (let index = 0; index < families.length; index++) {
    const family = families[index]!;
    if (momentOf(family) === skipped) continue;
    const preparation = prepared.prepared[index];
    const outcome = preparation === undefined ? undefined : family.score(joined, preparation);
    if (outcome === undefined) continue;
    family.tally(outcome, tallies[index]!);
    outcomes[index] = outcome;
    failed ||= !family.perfect(outcome);
    const verdict = family.verdict !== undefined && family.verdict.rank > rank ? family.verdict.of(outcome) : undefined;
    if (verdict !== undefined) [exact, rank] = [verdict, family.verdict!.rank];
  }
  if (judged !== undefined && exact !== undefined) {
    addition.row[judged.traffic]! += 1;
    if (exact) addition.row[judged.right]! += 1;
  }
  const scored: Scored = { event, moment, ts, slice, joined, prepared, outcomes, failed, exact };
  const isInTime = addToState(state, addition, scored);
  if (moment !== 'accepted') countScored(state, scored, isInTime);
  return scored;
}

/** By moment: families that count at this one have counted the event before, or will. */
const skippedMoment = { accepted: 'scored', scored: 'accepted', both: undefined } as const;

function momentOf({ truth }: AnyFamily): Exclude<Moment, 'both'> {
  return truth === 'none' ? 'accepted' : 'scored';
}

/** Returns false where the event is too late for any window. */
function addToState(
  { numbers, sums, breakdowns, attributions: kept }: PartitionState,
  { row, entries, attributions }: Addition,
  { ts, slice }: Scored,
): boolean {
  const isInTime = tallyEvent(sums, row, slice, ts, numbers.greatestTs);
  if (isInTime && attributions.names.length > 0) addAttributions(kept, attributions, slice, ts);
  if (entries.length > 0) addBreakdowns(breakdowns, entries, slice);
  return isInTime;
}

function countScored(state: PartitionState, { event, ts, slice, joined, prepared }: Scored, isInTime: boolean): void {
  const { numbers, runGroups } = state;
  numbers.scored++;
  if (joined.prediction.callsNotRecorded) numbers.callsNotRecorded++;
  if (!isInTime) numbers.late++;
  const gold = prepared.truth.label;
  if (runGroups !== undefined && event.run !== undefined) collectRun(state, event, event.run, joined, gold, slice, ts);
}

const groupKey = new Uint32Array(4);
const ids = new Uint32Array(12);

/** Adds a run that has a gold label or a verdict to its group, and the group to the panes of the run that completes it. */
function collectRun(
  { runGroups, settings, sums, numbers }: PartitionState,
  { exampleId, model, agent }: Event,
  index: number,
  joined: Joined,
  gold: LabelCode | undefined,
  slice: number,
  ts: number,
): void {
  const verdict = settings.verdictOf(joined);
  if (gold === undefined && verdict === noVerdict) return;
  hash128OfText(exampleId, ids, 0);
  hash128OfText(model, ids, 4);
  hash128OfText(agent, ids, 8);
  writeGroupKey(groupKey, ids);
  const { label } = joined.prediction;
  const complete = addRun(runGroups!, groupKey, { index, label, verdict, gold, slice, ts });
  if (complete === undefined) return;
  const row = runsRow(settings.layout, settings.layout.runs!, complete.counts);
  tallyEvent(sums, row, complete.slice, ts, numbers.greatestTs);
}
