import type { AnyFamily, Tally } from '../scoring/family.ts';
import type { Judgement } from '../scoring/judgement/judgement.ts';
import { addBreakdowns } from '../state/breakdowns.ts';
import { assert } from '../state/containers/assert.ts';
import { identityOfText } from '../state/containers/identity.ts';
import { addVerdict } from '../state/judge-pairs.ts';
import type { PartitionState } from '../state/partition.ts';
import { addCount, clearDelta, type DeltaWriter } from '../state/row-delta.ts';
import { tallyEvent } from '../state/window-sums.ts';
import type { EventBatch } from './event.ts';

/** A judgement that is to be added up. */
interface AcceptedJudgement {
  readonly batch: EventBatch;
  /** Index in the batch. */
  readonly event: number;
  /** Event time of the prediction, ms. */
  readonly ts: number;
  /** Code of its finest slice. */
  readonly slice: number;
}

/** A judgement with a verdict that was added up. Valid while it is being handed over. */
export interface Judged extends AcceptedJudgement {
  readonly judgement: Judgement;
  /** The family that took it. */
  readonly family: string;
  readonly passes: boolean;
}

/** Adds a judgement to the state, at the event time and in the slice of the prediction that it is of: it waits for nothing. */
export function addJudgement(
  state: PartitionState,
  { delta, tallies }: DeltaWriter,
  accepted: AcceptedJudgement,
  onJudged: ((judged: Judged) => void) | undefined,
): void {
  const { batch, event, ts, slice } = accepted;
  const { families, judged } = state.settings.layout;
  assert(judged !== undefined, 'judgements are read, and nothing adds them up');
  const judgement = batch.judgement!(event);
  clearDelta(delta);
  delta.scored = 0;
  addCount(delta, judged.judgements, 1);
  families.forEach((family, index) => {
    const outcome = family.judged?.take(judgement);
    if (outcome === undefined) return;
    family.tally(outcome, tallies[index]!);
    const passes = family.judged!.passes?.(judgement);
    if (passes === undefined) return;
    comparePairs(state, family, tallies[index]!, { judgement, passes }, accepted);
    onJudged?.({ judgement, family: family.name, passes, ...accepted });
  });
  const { numbers, sums, breakdowns } = state;
  numbers.scored++;
  numbers.judgements++;
  if (!tallyEvent(sums, delta, slice, ts, numbers.greatestTs)) numbers.late++;
  addBreakdowns(breakdowns, delta.breakdowns, slice);
}

const key = new Uint32Array(4);

/** Counts how a judgement agrees with those of other judges on the same prediction. */
function comparePairs(
  { judgePairs }: PartitionState,
  { judged }: AnyFamily,
  into: Tally,
  { judgement, passes }: Pick<Judged, 'judgement' | 'passes'>,
  { batch, event, ts }: AcceptedJudgement,
): void {
  if (judgePairs === undefined) return;
  const { names, model, agent } = batch;
  const prediction = [batch.exampleId(event), ts, names.text(model[event]!), names.text(agent[event]!)];
  identityOfText(JSON.stringify([judgement.name, ...prediction]), key, 0);
  for (const pair of addVerdict(judgePairs, key, ts, { by: judgement.by, passes })) judged!.compare!(pair, into);
}
