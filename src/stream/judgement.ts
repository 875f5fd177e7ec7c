import type { AnyFamily, Tally } from '../scoring/family.ts';
import type { Judgement } from '../scoring/judgement/judgement.ts';
import { type AdditionWriter, clearAddition } from '../state/addition.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import { assert } from '../state/containers/assert.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import { addVerdict } from '../state/judge-pairs.ts';
import type { PartitionState } from '../state/partition.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { Event } from './event.ts';

/** A judgement with a verdict that was added up. */
export interface Judged {
  readonly event: Event;
  /** Event time of the prediction, ms. */
  readonly ts: number;
  readonly judgement: Judgement;
  /** The family that took it. */
  readonly family: string;
  readonly passes: boolean;
}

/** Adds a judgement to the state, at the event time and in the slice of the prediction that it is of: it waits for nothing. */
export function addJudgement(
  state: PartitionState,
  { addition, tallies }: AdditionWriter,
  onJudged: ((judged: Judged) => void) | undefined,
  event: Event,
  judgement: Judgement,
  ts: number,
  slice: number,
): void {
  const { families, judged } = state.settings.layout;
  assert(judged !== undefined, 'judgements are read, and no family adds them up');
  clearAddition(addition, 0);
  addition.row[judged.judgements]! += 1;
  families.forEach((family, index) => {
    const outcome = family.judged?.take(judgement);
    if (outcome === undefined) return;
    family.tally(outcome, tallies[index]!);
    const passes = family.judged!.passes?.(judgement);
    if (passes === undefined) return;
    comparePairs(state, family, tallies[index]!, { judgement, passes, event, ts });
    onJudged?.({ judgement, family: family.name, passes, event, ts });
  });
  const { numbers, sums, breakdowns } = state;
  numbers.scored++;
  numbers.judgements++;
  if (!tallyEvent(sums, addition.row, slice, ts, numbers.greatestTs)) numbers.late++;
  addBreakdowns(breakdowns, addition.entries, slice);
}

const key = new Uint32Array(4);

/** Counts how a judgement agrees with those of other judges on the same prediction. */
function comparePairs(
  { judgePairs }: PartitionState,
  { judged }: AnyFamily,
  into: Tally,
  { judgement, passes, event, ts }: Omit<Judged, 'family'>,
): void {
  if (judgePairs === undefined) return;
  const { exampleId, model, agent } = event;
  hash128OfText(JSON.stringify([judgement.name, exampleId, ts, model, agent]), key, 0);
  for (const pair of addVerdict(judgePairs, key, ts, { by: judgement.by, passes }))
    judged!.compare!(pair, judgement.exact, into);
}
