import type { AnyFamily, Joined } from '../scoring/family.ts';
import { type Addition, type AdditionWriter, clearAddition, runsRow } from '../state/addition.ts';
import { addAttributions } from '../state/attributions.ts';
import { noVerdict } from '../scoring/stability/index.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import { hexadecimal } from '../state/containers/hexadecimal.ts';
import type { PartitionState } from '../state/partition.ts';
import { writeGroupKey } from '../state/run-groups/group-key.ts';
import { addRun, type CompleteGroup, hasRun, reviseRun, type Run as GroupedRun } from '../state/run-groups/index.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { Event } from './event.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** One event and its truth, to be scored by the families of a moment. */
export interface ToScore {
  readonly event: Event;
  readonly moment: Moment;
  /** Resolved event time, ms. */
  readonly ts: number;
  /** Code of its finest slice. */
  readonly slice: number;
  readonly joined: Joined;
  readonly prepared: PreparedTruth;
}

/** One event with the outcomes of the families that counted it: the material of score rows, samples and alarms. A plain value. */
export interface Scored extends ToScore {
  /** By family of the layout; undefined where it does not apply, or counts the event at another moment. */
  readonly outcomes: readonly unknown[];
  /** At least one family that applies found a fault. */
  readonly failed: boolean;
  /** True if the rules call it right; undefined where they have no verdict. */
  readonly exact: boolean | undefined;
}

/** Where the state counts a scored event, beside its row: what a revision has to know. */
export interface Placed {
  /** False where it came too late for any window. */
  readonly isInTime: boolean;
  /** Key of the group that has its run; empty where none does, as it repeats another. Undefined: it is not collected. */
  readonly group: string | undefined;
  /** The group that it completed. */
  readonly completed: CompleteGroup | undefined;
}

/**
 * The moment of an event's life: it is accepted while its truth is not known, scored after it has waited for that, or both at once. Families that
 * need no truth count it when it is accepted, all others when it is scored; so each family counts it once, whichever comes first.
 */
export type Moment = 'accepted' | 'scored' | 'both';

/** Scores an event by the families of a moment and adds the outcomes to the state: slice, panes, breakdowns, attributions, its group of runs. */
export function scoreEvent(
  state: PartitionState,
  writer: AdditionWriter,
  given: ToScore,
): { readonly scored: Scored; readonly placed: Placed } {
  const scored = tallyOutcomes(state, writer, given);
  const isInTime = addToState(state, writer.addition, scored);
  if (scored.moment === 'accepted') return { scored, placed: { isInTime, ...noGroup } };
  countScored(state, scored, isInTime);
  const run = runOf(state, scored);
  return { scored, placed: { isInTime, ...(run === undefined ? noGroup : collectRun(state, scored, run)) } };
}

/**
 * As `scoreEvent`, for an event that was counted before by another truth, and whose addition was taken away: it keeps its place in the counts of
 * events. `group`: as `Placed` had it. `revised`: what the group of its run comes to now, where that was complete.
 */
export function scoreAgain(
  state: PartitionState,
  writer: AdditionWriter,
  given: ToScore,
  group: string | undefined,
): { readonly scored: Scored; readonly placed: Omit<Placed, 'isInTime'>; readonly revised: CompleteGroup | undefined } {
  const scored = tallyOutcomes(state, writer, given);
  addToState(state, writer.addition, scored);
  const run = runOf(state, scored);
  if (group === '') return { scored, placed: { ...noGroup, group }, revised: undefined };
  if (group === undefined)
    return { scored, placed: run === undefined ? noGroup : collectRun(state, scored, run), revised: undefined };
  const { event, slice } = scored;
  const revised = reviseRun(state.runGroups!, keyOfRun(scored), { index: event.run!, slice }, run);
  return { scored, placed: { ...noGroup, group: run === undefined ? undefined : group }, revised };
}

/** Scores an event by the families of a moment, and writes what that adds. */
function tallyOutcomes(state: PartitionState, { addition, tallies }: AdditionWriter, given: ToScore): Scored {
  const { joined, prepared, moment } = given;
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
  return { ...given, outcomes, failed, exact };
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

function countScored({ numbers }: PartitionState, { joined }: Scored, isInTime: boolean): void {
  numbers.scored++;
  if (joined.prediction.callsNotRecorded) numbers.callsNotRecorded++;
  if (!isInTime) numbers.late++;
}

const noGroup = { group: undefined, completed: undefined } as const;

/** The run of an event, where runs are collected and it has a gold label or a verdict. */
function runOf({ runGroups, settings }: PartitionState, scored: Scored): GroupedRun | undefined {
  const { event, ts, slice, joined, prepared } = scored;
  if (runGroups === undefined || event.run === undefined) return undefined;
  const gold = prepared.truth.label;
  const verdict = settings.verdictOf(joined);
  if (gold === undefined && verdict === noVerdict) return undefined;
  return { index: event.run, label: joined.prediction.label, verdict, gold, slice, ts };
}

const groupKey = new Uint32Array(4);
const ids = new Uint32Array(12);

/** Writes the key of the runs of an event's example by its model and agent: 4 words. */
export function writeRunKey({ exampleId, model, agent }: Event, key: Uint32Array): void {
  hash128OfText(exampleId, ids, 0);
  hash128OfText(model, ids, 4);
  hash128OfText(agent, ids, 8);
  writeGroupKey(key, ids);
}

/** Key of an event's group of runs, valid until the next one is asked for. */
function keyOfRun({ event }: Scored): Uint32Array {
  writeRunKey(event, groupKey);
  return groupKey;
}

/** Adds a run to its group, and the group to the panes of the run that completes it. */
function collectRun(state: PartitionState, scored: Scored, run: GroupedRun): Pick<Placed, 'group' | 'completed'> {
  const { revisable, sums, numbers, settings } = state;
  const runGroups = state.runGroups!;
  const key = keyOfRun(scored);
  const isRevisable = revisable.plan !== undefined;
  const hadRun = isRevisable && hasRun(runGroups, key, run.index);
  const completed = addRun(runGroups, key, run);
  if (completed !== undefined) {
    const row = runsRow(settings.layout, settings.layout.runs!, completed.counts);
    tallyEvent(sums, row, completed.slice, scored.ts, numbers.greatestTs);
  }
  if (!isRevisable) return { group: undefined, completed };
  return { group: !hadRun && hasRun(runGroups, key, run.index) ? hexadecimal(key) : '', completed };
}
