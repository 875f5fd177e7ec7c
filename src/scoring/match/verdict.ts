import type { Call } from '../prediction.ts';
import { hashOf } from '../similarity.ts';
import type { ExpectedCall } from '../truth.ts';
import { type CallError, errorsOf } from './errors.ts';
import { isEnough, isRight, type Judging, type Matching, matchingOf, mostPairs, type Wanted } from './matching.ts';
import { type Fits, maximumMatching, type Pair } from './pairing.ts';
import { fitsGlob } from './paths.ts';
import { type Repetitions, repetitionsOf } from './repetitions.ts';
import type { Steps } from './steps.ts';

/** The calls that are expected, and those that are forbidden. */
export interface Demand {
  /** The expected calls, and the alternatives to them. */
  readonly lists: readonly (readonly Wanted[])[];
  /** Globs of tools that must not be called. */
  readonly forbidden: readonly string[];
}

/** The verdict on the calls of one event. */
export interface Verdict extends Repetitions {
  readonly correct: boolean;
  /** The order that is required of the calls. */
  readonly order: Judging['order'];
  /** Which list counts; 0 is the first. */
  readonly list: number;
  readonly expected: readonly ExpectedCall[];
  readonly predicted: readonly Call[];
  readonly pairs: readonly Pair[];
  /** Each thing that is wrong, once. */
  readonly errors: readonly CallError[];
  readonly forbidden: boolean;
}

/** Comparing a value is a step. So many take some 20 ms; beyond, nothing more is found equal. */
const stepsMax = 200_000;

/** The verdict on calls that are the expected ones, where each is its own partner. */
export function verdictOnExpected(expected: readonly ExpectedCall[], { order }: Judging): Verdict {
  const pairs = expected.map((_, position): Pair => [position, position]);
  const { repeated, loop } = repetitionsOf(expected, hashesOf(expected));
  return {
    correct: true,
    order,
    list: 0,
    expected,
    predicted: expected,
    pairs,
    errors: [],
    forbidden: false,
    repeated,
    loop,
  };
}

/**
 * The verdict on predicted calls (docs/reference/matching.md, "The verdict"). The list that counts is a right one, else the one with the
 * greatest F1, else the earliest.
 */
export function verdictOn(calls: readonly Call[], { lists, forbidden }: Demand, judging: Judging): Verdict {
  const steps: Steps = { left: stepsMax, depth: 0 };
  const isForbidden = ({ name }: Call): boolean => name !== undefined && forbidden.some((glob) => fitsGlob(glob, name));
  const someForbidden = forbidden.length > 0 && calls.some(isForbidden);
  let best: Matching | undefined;
  let right: Matching | undefined;
  for (let list = 0; right === undefined && list < lists.length; list++) {
    const expected = lists[list]!;
    if (best !== undefined && !mayBeBetter(best, expected, judging, steps)) continue;
    const matching = matchingOf(list, expected, calls, judging, steps);
    if (!someForbidden && isRight(matching, judging)) right = matching;
    if (best === undefined || f1Of(matching) > f1Of(best)) best = matching;
  }
  const hashAt = hashesOf(calls);
  const { list, expected, pairs } = right ?? best!;
  const wrong = right === undefined ? reported(best!, judging, hashAt) : undefined;
  const { repeated, loop } = repetitionsOf(calls, hashAt);
  return {
    correct: wrong === undefined,
    order: judging.order,
    list,
    expected,
    predicted: calls,
    pairs: wrong?.matching.pairs.map(([i, j]): Pair => [i, wrong.placeOf(j)]) ?? pairs,
    errors: wrong === undefined ? [] : errorsOf(wrong.matching, judging, steps, isForbidden, wrong.placeOf),
    forbidden: someForbidden,
    repeated,
    loop,
  };
}

/**
 * The matching whose errors are reported. Several may be as great; where any order is right, the reported one must not depend on the order
 * of the calls: they are taken in an order of their own, from which `placeOf` leads back.
 */
function reported(
  best: Matching,
  judging: Judging,
  hashAt: (place: number) => number,
): { matching: Matching; placeOf(j: number): number } {
  const { expected, predicted } = best;
  if (judging.order !== 'any' || judging.greedy !== undefined || predicted.length < 2)
    return { matching: best, placeOf: (j) => j };
  const nameAt = (place: number): string => predicted[place]!.name ?? '';
  const places = predicted.map((_, place) => place);
  places.sort((a, b) => compareTexts(nameAt(a), nameAt(b)) || hashAt(a) - hashAt(b) || a - b);
  const placeOf = (j: number): number => places[j]!;
  const fits: Fits = (i, j) => best.fits(i, placeOf(j));
  const pairs = best.pairs.length === 0 ? [] : maximumMatching(expected.length, predicted.length, fits);
  return { matching: { ...best, predicted: places.map((place) => predicted[place]!), pairs, fits }, placeOf };
}

/** Hashes of the arguments of calls by their positions, each made on its first use. */
function hashesOf(calls: readonly Call[]): (place: number) => number {
  const hashes: (number | undefined)[] = new Array(calls.length).fill(undefined);
  return (place) => (hashes[place] ??= hashOf(calls[place]!.arguments ?? null));
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns whether a further list may be right, or have a greater F1, by the names of its calls. */
function mayBeBetter(best: Matching, expected: readonly Wanted[], judging: Judging, steps: Steps): boolean {
  const { predicted } = best;
  const most = steps.left < 0 ? 0 : mostPairs(expected, predicted);
  return (
    isEnough(most, expected.length, predicted.length, judging) ||
    f1Among(most, expected.length, predicted.length) > f1Of(best)
  );
}

function f1Of({ pairs, expected, predicted }: Matching): number {
  return f1Among(pairs.length, expected.length, predicted.length);
}

/** 2 matched / (expected + predicted); with neither, everything there is was matched. */
function f1Among(pairs: number, expected: number, predicted: number): number {
  return expected + predicted === 0 ? 1 : (2 * pairs) / (expected + predicted);
}
