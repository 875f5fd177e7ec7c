import type { Call } from '../prediction.ts';
import { countDifferences, turnedMode, type WantedArguments } from './differences.ts';
import {
  type Fits,
  greedyFromLeft,
  greedyFromRight,
  longestInOrder,
  maximumMatching,
  type Pair,
  pairsInPlace,
} from './pairing.ts';
import type { Steps } from './steps.ts';

/** The conditions under which a list of calls is right. */
export interface Judging {
  readonly order: 'any' | 'in_order' | 'exact';
  readonly extraCalls: 'wrong' | 'allowed';
  readonly missingCalls: 'wrong' | 'allowed';
  /**
   * In any order: each expected call in turn takes the first predicted one that fits, each predicted call the first expected one, or both must
   * find all; absent: as many are paired as can be. (Profiles alone are greedy.)
   */
  readonly greedy?: 'expected' | 'predicted' | 'both';
}

/** An expected call. */
export interface Wanted extends WantedArguments {
  readonly name: string;
  /** A name that means the same tool. */
  readonly otherName?: string;
}

/** The predicted calls matched with one list. */
export interface Matching {
  /** Which list. */
  readonly list: number;
  readonly expected: readonly Wanted[];
  readonly predicted: readonly Call[];
  readonly pairs: readonly Pair[];
  readonly fits: Fits;
}

/** Matches predicted calls with a list. */
export function matchingOf(
  list: number,
  expected: readonly Wanted[],
  predicted: readonly Call[],
  judging: Judging,
  steps: Steps,
): Matching {
  let known: Int8Array | undefined;
  const fits = (i: number, j: number): boolean => {
    known ??= new Int8Array(expected.length * predicted.length);
    const at = i * predicted.length + j;
    known[at] ||= isFit(expected[i]!, predicted[j]!, steps) ? 1 : -1;
    return known[at] === 1;
  };
  const matcher = judging.greedy === undefined ? matchers[judging.order] : greedy(judging.greedy, expected, predicted);
  // Without steps nothing is found equal.
  const isMet = steps.left >= 0 && predicted.some((call) => expected.some((wanted) => isCallOf(wanted, call)));
  const pairs = isMet ? matcher(expected.length, predicted.length, fits) : [];
  return { list, expected, predicted, pairs, fits };

  function greedy(by: 'expected' | 'predicted' | 'both', wanted: readonly Wanted[], calls: readonly Call[]) {
    if (by === 'expected') return greedyFromLeft;
    if (by === 'predicted') return greedyFromRight;
    const turned: Fits = (i, j) => isFit({ ...wanted[i]!, mode: turnedMode(wanted[i]!.mode) }, calls[j]!, steps);
    return (left: number, right: number, straight: Fits): Pair[] => {
      const pairs = greedyFromLeft(left, right, straight);
      return pairs.length < left || pairs.length < right ? pairs : greedyFromRight(left, right, turned);
    };
  }
}

const matchers = { any: maximumMatching, in_order: longestInOrder, exact: pairsInPlace } as const;

function isFit(wanted: Wanted, call: Call, steps: Steps): boolean {
  if (!isCallOf(wanted, call) || call.arguments === undefined) return false;
  if (steps.left < 0 && wanted.mode !== 'ignore') return false;
  return countDifferences(wanted, call.arguments, steps, 1) === 0;
}

/** Returns whether a call is one of the expected tool. */
export function isCallOf({ name, otherName }: Wanted, call: Call): boolean {
  return name === call.name || (otherName !== undefined && otherName === call.name);
}

/** Returns whether a list is matched as far as it must be, and the predicted calls are. */
export function isRight({ pairs, expected, predicted }: Matching, judging: Judging): boolean {
  return isEnough(pairs.length, expected.length, predicted.length, judging);
}

/** Returns whether so many pairs make calls right. */
export function isEnough(pairs: number, expected: number, predicted: number, judging: Judging): boolean {
  return (
    (pairs === expected || judging.missingCalls === 'allowed') &&
    (pairs === predicted || judging.extraCalls === 'allowed')
  );
}

/** How many pairs there can be by the names alone. */
export function mostPairs(expected: readonly Wanted[], predicted: readonly Call[]): number {
  const left = new Map<string, number>();
  for (const { name = '' } of predicted) left.set(name, (left.get(name) ?? 0) + 1);
  let most = 0;
  for (const { name, otherName } of expected) {
    const met = left.get(name) ? name : otherName !== undefined && left.get(otherName) ? otherName : undefined;
    if (met === undefined) continue;
    left.set(met, left.get(met)! - 1);
    most++;
  }
  return most;
}

/** The pairs of two lists of calls. */
export interface Paired {
  readonly pairs: readonly Pair[];
  readonly expected: { readonly length: number };
  readonly predicted: { readonly length: number };
}

/** Positions of the expected calls that nothing was paired with. */
export function unmatchedExpected({ pairs, expected }: Paired): number[] {
  return positionsBut(expected.length, new Set(pairs.map(([i]) => i)));
}

/** Positions of the predicted calls that were paired with nothing. */
export function unmatchedPredicted({ pairs, predicted }: Paired): number[] {
  return positionsBut(predicted.length, new Set(pairs.map(([, j]) => j)));
}

function positionsBut(length: number, taken: ReadonlySet<number>): number[] {
  const left: number[] = [];
  for (let at = 0; taken.size < length && at < length; at++) if (!taken.has(at)) left.push(at);
  return left;
}

/** Returns whether a call fits no expected call. */
export function isMalformed(call: Call): boolean {
  return call.name === undefined || call.arguments === undefined;
}
