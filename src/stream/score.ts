import type { EventBatch } from './event.ts';
import type { Joined } from '../scoring/family.ts';
import { join } from '../scoring/join.ts';
import type { LabelCode } from '../scoring/label.ts';
import { clearContribution, memorise, recall } from '../state/row-layout.ts';
import type { Prediction } from '../scoring/prediction.ts';
import { tallyEntries } from '../state/breakdowns.ts';
import { tallyEvent } from '../state/panes.ts';
import { hitLimit } from '../state/limit-hits.ts';
import type { PartitionState } from '../state/partition.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** An accepted event, with what the fold found out about it. */
export interface Placed {
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
  readonly placed: Placed;
  readonly joined: Joined;
  readonly prepared: PreparedTruth;
  /** By family of the layout; undefined where it does not apply. */
  readonly outcomes: readonly unknown[];
  /** A family that applies has something to complain of. */
  readonly failed: boolean;
}

/** Scores one event against its truth and adds the outcome to the state: its slice, its panes, its breakdowns, its group of runs. */
export function scoreEvent(
  state: PartitionState,
  placed: Placed,
  prepared: PreparedTruth,
  onScored: ((scored: Scored) => void) | undefined,
): void {
  const { families } = state.settings.layout;
  const { contribution } = state.derived;
  const joined = join(placed.prediction, prepared.truth);
  const outcomes = onScored && new Array<unknown>(families.length).fill(undefined);
  let failed = false;
  clearContribution(contribution);
  for (let index = 0; index < families.length; index++) {
    const preparation = prepared.prepared[index];
    if (preparation === undefined) continue;
    const family = families[index]!;
    const outcome = family.score(joined, preparation);
    if (outcome === undefined) continue;
    const memo = prepared.memos[index];
    if (memo !== undefined && memo.outcome === outcome) recall(contribution, memo);
    else if (prepared.reused && family.usual?.(preparation) === outcome)
      prepared.memos[index] = memorise(contribution, family, contribution.tallies[index]!, outcome);
    else family.tally(outcome, contribution.tallies[index]!);
    if (outcomes) {
      outcomes[index] = outcome;
      failed ||= !family.perfect(outcome);
    }
  }
  state.numbers.scored++;
  if (placed.prediction.callsNotRecorded) state.numbers.callsNotRecorded++;
  tallyEvent(state, placed.slice, placed.ts);
  if (contribution.entries.length > 0) tallyEntries(state, placed.slice);
  const { label } = prepared.truth;
  if (label !== undefined && placed.batch.run[placed.event]! >= 0) observeRun(state, placed, joined, label);
  if (onScored) onScored({ placed, joined, prepared, outcomes: outcomes!, failed });
}

function observeRun(state: PartitionState, placed: Placed, joined: Joined, gold: LabelCode): void {
  const { settings, groups, derived } = state;
  if (settings.stability === undefined) return;
  const { batch, event } = placed;
  const { words } = batch.names;
  const dropped = settings.stability.observe(
    groups,
    derived.groupIndex!,
    {
      exampleWords: batch.example,
      exampleAt: 4 * event,
      modelWords: words,
      modelAt: 4 * batch.model[event]!,
      agentWords: words,
      agentAt: 4 * batch.agent[event]!,
      slice: placed.slice,
      gold,
      label: placed.prediction.label,
      run: batch.run[event]!,
      verdict: settings.verdictOf(joined),
      tsMs: placed.ts,
    },
    derived.histograms,
  );
  if (dropped > 0) hitLimit(state, 'stability_groups');
}
