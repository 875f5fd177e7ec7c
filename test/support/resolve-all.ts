import { type Fold, pendingNumbers, resolvePending } from '../../src/stream/fold.ts';
import type { ActiveTruth } from '../../src/stream/truth-cache.ts';

/** Lets all pending predictions meet a version of the truth. */
export function resolveAll(fold: Fold, truth: ActiveTruth, budget: number = 3): void {
  const waiting = pendingNumbers(fold);
  let done = false;
  while (!done) done = resolvePending(fold, truth, waiting, budget);
}
