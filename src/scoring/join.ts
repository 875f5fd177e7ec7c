import type { Joined } from './family.ts';
import { jsonEqual } from './json.ts';
import type { Call, Prediction } from './prediction.ts';
import type { ExpectedCall, Truth } from './truth.ts';

/** Brings a prediction and its truth together. */
export function join(prediction: Prediction, truth: Truth): Joined {
  return { prediction, truth, calls: undefined };
}

/**
 * The predicted calls, none where none are recorded. A call that is the same as the expected one at its position is the expected object
 * itself; where all are, the list is the list of expected calls itself. So all families share one comparison: values that are the same
 * are identical, and comparing them again costs nothing.
 *
 * The same: deeply equal, with the keys of objects in the same order. No family can tell such calls apart.
 */
export function callsOf(joined: Joined): readonly Call[] {
  joined.calls ??= withExpected(joined.prediction.calls ?? none, joined.truth.expected);
  return joined.calls;
}

/** Returns whether the recorded calls are the same as the expected ones, as those of most events are. */
export function sameCalls(joined: Joined): boolean {
  return joined.prediction.calls !== undefined && callsOf(joined) === joined.truth.expected;
}

/** Returns whether the recorded calls equal the expected ones at their positions, with the keys of objects in any order. */
export function equalCalls(joined: Joined): boolean {
  const { expected } = joined.truth;
  const calls = callsOf(joined);
  if (calls === expected || expected === undefined) return sameCalls(joined);
  if (joined.prediction.calls === undefined || calls.length !== expected.length) return false;
  return expected.every(
    (wanted, position) =>
      calls[position]!.name === wanted.name && jsonEqual(calls[position]!.arguments, wanted.arguments),
  );
}

/** A value that is made on its first use: work on a truth row that a right event does not need. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

const none: readonly Call[] = [];

function withExpected(calls: readonly Call[], expected: readonly ExpectedCall[] | undefined): readonly Call[] {
  if (expected === undefined) return calls;
  let same = 0;
  const shared = calls.map((call, position) => {
    const wanted = expected[position];
    if (wanted === undefined || call.name !== wanted.name) return call;
    if (!jsonEqual(call.arguments, wanted.arguments, true)) return call;
    same++;
    return wanted;
  });
  return same === shared.length && same === expected.length ? expected : shared;
}
