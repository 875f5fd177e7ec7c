import { type FoldOutput, pendingNumbers, resolvePending } from '../../src/stream/fold.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import type { ActiveTruth } from '../../src/stream/truth-cache.ts';

/** Lets all pending predictions meet a version of the truth. */
export function resolveAll(state: PartitionState, truth: ActiveTruth, out: FoldOutput, budget: number = 3): void {
  const waiting = pendingNumbers(state);
  let done = false;
  while (!done) done = resolvePending(state, truth, waiting, budget, out);
}
