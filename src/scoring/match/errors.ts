import type { Json } from '../json.ts';
import type { Call } from '../prediction.ts';
import { countDifferences, type Difference, differences } from './differences.ts';
import type { CallErrorKind } from './kinds.ts';
import {
  isCallOf,
  isMalformed,
  isRight,
  type Judging,
  type Matching,
  unmatchedExpected,
  unmatchedPredicted,
  type Wanted,
} from './matching.ts';
import { leastCost, maximumMatching, type Pair } from './pairing.ts';
import type { Rule } from './rule.ts';
import type { Steps } from './steps.ts';

/** An error of a call or argument, and its position. */
export interface CallError {
  readonly error: CallErrorKind;
  /** Positions in the list that counts, and among the predicted calls. */
  readonly expectedCall: number | undefined;
  readonly predictedCall: number | undefined;
  /** Tool of the expected call, else of the predicted one; undefined where it has none, or the error belongs to no single call. */
  readonly tool: string | undefined;
  readonly path: string | undefined;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
  readonly rule: Rule | undefined;
}

/**
 * Names what is wrong with calls that are not right: each thing once (docs/reference/matching.md, "The verdict"). `placeOf` is where the agent
 * made the predicted call at a position of the matching.
 */
export function errorsOf(
  options: Matching,
  judging: Judging,
  steps: Steps,
  isForbidden: (call: Call) => boolean,
  placeOf: (j: number) => number,
): CallError[] {
  const matching = { placeOf, ...options };
  const { expected, predicted, fits } = matching;
  const errors = predicted.flatMap((call, at) => (isForbidden(call) ? [ofCall('forbidden_call', matching, at)] : []));
  if (isRight(matching, judging)) return errors;
  if (judging.order !== 'any') {
    const inAnyOrder = { ...matching, pairs: maximumMatching(expected.length, predicted.length, fits) };
    if (isRight(inAnyOrder, judging)) return [...errors, ofCall('wrong_order', matching)];
  }
  const unmatched = unmatchedPredicted(matching);
  for (const at of unmatched) if (isMalformed(predicted[at]!)) errors.push(ofCall('malformed_call', matching, at));
  const right = unmatched.filter((at) => !isMalformed(predicted[at]!) && !isForbidden(predicted[at]!));
  return [...errors, ...leftOver(matching, unmatchedExpected(matching), right, judging, steps)];
}

interface Placed extends Matching {
  readonly placeOf: (j: number) => number;
}

/** Names what is wrong with calls that nothing fits: calls of one tool are paired first, then others in their order. */
function leftOver(
  matching: Placed,
  left: readonly number[],
  right: readonly number[],
  judging: Judging,
  steps: Steps,
): CallError[] {
  const { expected, predicted } = matching;
  const pairedLeft = new Set<number>();
  const pairedRight = new Set<number>();
  const errors: CallError[] = [];
  for (const name of new Set(left.map((i) => expected[i]!.name))) {
    for (const [i, j] of alike(name, matching, left, right, steps)) {
      pairedLeft.add(i);
      pairedRight.add(j);
      const wanted = expected[i]!;
      const found = differences(wanted, predicted[j]!.arguments!, steps);
      if (found.length === 0) errors.push(ofCall('wrong_order', matching, j, i));
      for (const difference of found) errors.push(ofArgument(i, matching.placeOf(j), wanted, difference));
    }
  }
  const missing = left.filter((i) => !pairedLeft.has(i));
  const extra = right.filter((j) => !pairedRight.has(j));
  for (let at = 0; at < Math.max(missing.length, extra.length); at++) {
    const [i, j] = [missing[at], extra[at]];
    if (j === undefined) {
      if (judging.missingCalls === 'wrong') errors.push(ofCall('missing_call', matching, j, i));
    } else if (i !== undefined) errors.push(ofCall('wrong_tool', matching, j, i));
    else if (judging.extraCalls === 'wrong') errors.push(ofCall('extra_call', matching, j));
  }
  return errors;
}

/** Pairs the calls of one tool so that as few arguments as possible differ. */
function alike(
  name: string,
  { expected, predicted }: Matching,
  left: readonly number[],
  right: readonly number[],
  steps: Steps,
): readonly Pair[] {
  const wanted = left.filter((i) => expected[i]!.name === name);
  const calls = right.filter((j) => isCallOf(expected[wanted[0]!]!, predicted[j]!));
  if (calls.length === 0) return [];
  const inOrder = (): Pair[] => calls.slice(0, wanted.length).map((j, at) => [wanted[at]!, j]);
  // Without steps left each differs from each by the same.
  if (steps.left < 0 || (wanted.length === 1 && calls.length === 1)) return inOrder();
  const costs = Int32Array.from({ length: wanted.length * calls.length }, (_, at) => {
    const one = expected[wanted[Math.floor(at / calls.length)]!]!;
    const given = predicted[calls[at % calls.length]!]!.arguments!;
    return countDifferences(one, given, steps);
  });
  return leastCost(wanted.length, calls.length, costs).map(([i, j]) => [wanted[i]!, calls[j]!]);
}

function ofCall(
  error: CallErrorKind,
  { expected, predicted, placeOf }: Placed,
  at?: number,
  wantedAt?: number,
): CallError {
  const call = at === undefined ? undefined : predicted[at]!;
  const wanted = wantedAt === undefined ? undefined : expected[wantedAt]!;
  return {
    error,
    expectedCall: wantedAt,
    predictedCall: at === undefined ? undefined : placeOf(at),
    tool: wanted?.name ?? call?.name,
    path: undefined,
    expected: wanted && { name: wanted.name, arguments: wanted.arguments },
    actual: call && { name: call.name ?? null, arguments: call.arguments ?? null },
    rule: undefined,
  };
}

function ofArgument(
  expectedCall: number,
  predictedCall: number,
  { name }: Wanted,
  { kind, path, expected, actual, rule }: Difference,
): CallError {
  return { error: kind, expectedCall, predictedCall, tool: name, path, expected, actual, rule };
}
