import type { Call } from '../prediction.ts';
import { hashOf } from '../similarity.ts';
import { type CallError, type CountedError, errorsOf } from './errors.ts';
import {
  isEnough,
  isMalformed,
  isRight,
  type Judging,
  type Matching,
  matchingOf,
  mostPairs,
  type Wanted,
} from './matching.ts';
import { type Fits, maximumMatching, type Pair } from './pairing.ts';
import { fitsGlob } from './paths.ts';
import { type Repetitions, repetitionsOf } from './repetitions.ts';
import type { Steps } from './steps.ts';

/** What is asked of the predicted calls. */
export interface Demand {
  /** The expected calls, and the alternatives to them. */
  readonly lists: readonly (readonly Wanted[])[];
  /** Globs of tools that must not be called. */
  readonly forbidden: readonly string[];
}

/** The verdict on the calls of one event. */
export interface Verdict extends Repetitions {
  readonly correct: boolean;
  /** In which the calls were asked for. */
  readonly order: Judging['order'];
  /** Which list counts; 0 is the first. */
  readonly list: number;
  readonly expected: readonly Wanted[];
  readonly predicted: readonly Call[];
  readonly pairs: readonly Pair[];
  /** What of the errors is counted. */
  readonly counted: readonly CountedError[];
  readonly forbidden: boolean;
  /** Each thing that is wrong, once. Few events are looked at one by one: of most nobody asks. */
  errors(): readonly CallError[];
}

/** Comparing a value is a step. So many take some 20 ms; beyond, nothing more is found equal. */
const stepsMax = 200_000;

/**
 * The verdict on predicted calls (docs/reference/matching.md, "The verdict"). The list that counts is a right one, else the one with the
 * greatest F1, else the earliest.
 */
export function verdictOn(calls: readonly Call[], { lists, forbidden }: Demand, judging: Judging): Verdict {
  const steps: Steps = { left: stepsMax, depth: 0 };
  const isForbidden = (call: Call): boolean =>
    call.name !== undefined && forbidden.some((glob) => fitsGlob(glob, call.name!));
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
  const about: About = { judging, calls, forbidden: someForbidden, repetitions: repetitionsOf(calls, hashAt) };
  if (right !== undefined) return verdictOf(about, right, { correct: true, pairs: right.pairs, counted: [] }, () => []);
  const wrong = best!;
  const errorsOfTold = ({ matching, placeOf }: ReturnType<typeof told>): readonly CallError[] =>
    errorsOf(matching, judging, steps, isForbidden, placeOf);
  if (!wrong.isMet && !someForbidden && calls.length <= wrong.expected.length && !calls.some(isMalformed)) {
    const counted = nothingMet(wrong, judging);
    return verdictOf(about, wrong, { correct: false, pairs: [], counted }, () =>
      errorsOfTold(told(wrong, judging, hashAt)),
    );
  }
  const inOrder = told(wrong, judging, hashAt);
  const errors = errorsOfTold(inOrder);
  const pairs = inOrder.matching.pairs.map(([i, j]): Pair => [i, inOrder.placeOf(j)]);
  return verdictOf(about, wrong, { correct: false, pairs, counted: errors }, () => errors);
}

interface About {
  readonly judging: Judging;
  readonly calls: readonly Call[];
  readonly forbidden: boolean;
  readonly repetitions: Repetitions;
}

/** Each field by its name: spreading records costs more than all the rest of an event that is judged by the names of its calls. */
function verdictOf(
  { judging, calls, forbidden, repetitions }: About,
  { list, expected }: Matching,
  { correct, pairs, counted }: Pick<Verdict, 'correct' | 'pairs' | 'counted'>,
  errors: Verdict['errors'],
): Verdict {
  const { repeated, loop } = repetitions;
  const { order } = judging;
  return { correct, order, list, expected, predicted: calls, pairs, counted, forbidden, repeated, loop, errors };
}

/**
 * What is counted where no call, of at most as many as are expected, is of an expected tool: each stands for an expected one, whichever that is. Only
 * to tell which, the calls are put in an order, and for that their arguments are read.
 */
function nothingMet({ expected, predicted }: Matching, { missingCalls }: Judging): CountedError[] {
  const told = missingCalls === 'wrong' ? expected : expected.slice(0, predicted.length);
  return told.map(({ name: tool }, at) => ({
    error: at < predicted.length ? 'wrong_tool' : 'missing_call',
    tool,
    path: undefined,
  }));
}

/**
 * The matching whose errors are told. Several may be as great; where any order is right, the one that is told must not depend on the order
 * of the calls: they are taken in an order of their own, from which `placeOf` leads back.
 */
function told(
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

/** Hashes of the arguments of calls by their places, each made when it is asked for. */
function hashesOf(calls: readonly Call[]): (place: number) => number {
  const hashes: (number | undefined)[] = new Array(calls.length).fill(undefined);
  return (place) => (hashes[place] ??= hashOf(calls[place]!.arguments ?? null));
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Whether a further list may be right, or have a greater F1, by the names of its calls. */
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
