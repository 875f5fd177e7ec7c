import type { Joined } from './family.ts';
import { jsonEqual } from './json.ts';
import type { Call, Prediction } from './prediction.ts';
import type { ExpectedCall, Truth } from './truth.ts';

/** Brings a prediction and its truth together, and works out whether their calls are equal: most traffic's are. */
export function join(prediction: Prediction, truth: Truth): Joined {
  return { prediction, truth, callsEqual: callsEqual(prediction.calls, truth.expected) };
}

function callsEqual(calls: readonly Call[] | undefined, expected: readonly ExpectedCall[] | undefined): boolean {
  if (calls === undefined || expected === undefined || calls.length !== expected.length) return false;
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    const wanted = expected[i]!;
    if (call.name !== wanted.name || !jsonEqual(call.arguments, wanted.arguments)) return false;
  }
  return true;
}
