import type { Joined } from './family.ts';
import { jsonEqual } from './json.ts';
import type { Call, Prediction } from './prediction.ts';
import type { ExpectedCall, Truth } from './truth.ts';

/** Brings a prediction and its truth together. */
export function join(prediction: Prediction, truth: Truth): Joined {
  return { prediction, truth, equal: undefined };
}

/**
 * Whether the predicted calls are well-formed and deeply equal to the expected ones, in order. Most traffic's are; a family may take its
 * prepared answer then. (False where either side has no calls recorded; true where both lists are empty.)
 */
export function callsEqual(joined: Joined): boolean {
  joined.equal ??= areEqual(joined.prediction.calls, joined.truth.expected);
  return joined.equal;
}

function areEqual(calls: readonly Call[] | undefined, expected: readonly ExpectedCall[] | undefined): boolean {
  if (calls === undefined || expected === undefined || calls.length !== expected.length) return false;
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    const wanted = expected[i]!;
    if (call.name !== wanted.name || !jsonEqual(call.arguments, wanted.arguments)) return false;
  }
  return true;
}
