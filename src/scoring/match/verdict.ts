import { type Json, type JsonObject, jsonEqual } from '../json.ts';
import type { Call } from '../prediction.ts';
import { hashOf } from '../similarity.ts';
import {
  type ArgumentsComparison,
  type ArgumentsMode,
  countDifferences,
  type Difference,
  differences,
} from './differences.ts';
import type { CallErrorKind } from './kinds.ts';
import { leastCost, longestInOrder, maximumMatching, type Pair, pairsInPlace } from './pairing.ts';
import { fitsGlob } from './paths.ts';
import type { Rule } from './rule.ts';
import type { Scope } from './rules.ts';
import type { Steps } from './steps.ts';

/** What makes a list of calls right. */
export interface Judging {
  readonly order: 'any' | 'in_order' | 'exact';
  readonly extraCalls: 'wrong' | 'allowed';
  readonly missingCalls: 'wrong' | 'allowed';
  readonly arguments: ArgumentsMode;
}

/** What is wrong, and where. */
export interface CallError {
  readonly error: CallErrorKind;
  /** Places in the list that counts and among the predicted calls; undefined where it is not of one call there. */
  readonly expectedCall: number | undefined;
  readonly predictedCall: number | undefined;
  /** Of the expected call, else of the predicted one; undefined where it has none, or the error is no single call's. */
  readonly tool: string | undefined;
  readonly path: string | undefined;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
  readonly rule: Rule | undefined;
}

/** An expected call with the rules for its arguments. */
export interface Wanted {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly scope: Scope;
  /** Values of its arguments that mean the same as their absence. */
  readonly defaults: JsonObject;
}

/** What is asked of the predicted calls. */
export interface Demand {
  /** The expected calls, and the alternatives to them. */
  readonly lists: readonly (readonly Wanted[])[];
  /** Globs of tools that must not be called. */
  readonly forbidden: readonly string[];
}

/** The verdict on the calls of one event. */
export interface Verdict {
  readonly correct: boolean;
  /** Which list counts; 0 is the first. */
  readonly list: number;
  readonly expected: readonly Wanted[];
  readonly predicted: readonly Call[];
  readonly pairs: readonly Pair[];
  readonly errors: readonly CallError[];
  readonly forbidden: boolean;
  /** Calls that are equal to an earlier one of the event. */
  readonly repeated: number;
  /** A call is made three times or more. */
  readonly loop: boolean;
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
  const matchings = lists.map((expected, list) => matchingOf(list, expected, calls, judging, steps));
  const right = someForbidden ? undefined : matchings.find((matching) => isRight(matching, judging));
  const counting = right ?? closest(matchings, judging, steps);
  return {
    correct: right !== undefined,
    list: counting.list,
    expected: counting.expected,
    predicted: counting.predicted,
    pairs: counting.pairs,
    errors:
      right === undefined
        ? errorsOf(counting, judging, steps, isForbidden).map((found) => told(found, counting.expected, calls))
        : [],
    forbidden: someForbidden,
    ...repetitionsOf(calls),
  };
}

/**
 * The matching with the greatest F1, whose errors are told. Several may be as great; where any order is right, the one that is told must
 * not depend on the order of the calls.
 */
function closest(matchings: readonly Matching[], judging: Judging, steps: Steps): Matching {
  const best = matchings.reduce((best, next) => (f1Of(next) > f1Of(best) ? next : best));
  if (judging.order !== 'any' || best.predicted.length < 2) return best;
  const keyed = best.predicted.map((call) => ({ call, hash: hashOf(call.arguments ?? null) }));
  keyed.sort((a, b) => compareTexts(a.call.name ?? '', b.call.name ?? '') || a.hash - b.hash);
  const calls = keyed.map(({ call }) => call);
  return matchingOf(best.list, best.expected, calls, judging, steps);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The predicted calls matched with one list. */
interface Matching {
  readonly list: number;
  readonly expected: readonly Wanted[];
  readonly predicted: readonly Call[];
  readonly pairs: readonly Pair[];
  fits(expected: number, predicted: number): boolean;
}

const matchers = { any: maximumMatching, in_order: longestInOrder, exact: pairsInPlace } as const;

function matchingOf(
  list: number,
  expected: readonly Wanted[],
  predicted: readonly Call[],
  { order, arguments: mode }: Judging,
  steps: Steps,
): Matching {
  const known = new Int8Array(expected.length * predicted.length);
  const fits = (i: number, j: number): boolean => {
    const at = i * predicted.length + j;
    known[at] ||= isFit(expected[i]!, predicted[j]!, mode, steps) ? 1 : -1;
    return known[at] === 1;
  };
  return { list, expected, predicted, pairs: matchers[order](expected.length, predicted.length, fits), fits };
}

function isFit(wanted: Wanted, call: Call, mode: ArgumentsMode, steps: Steps): boolean {
  if (wanted.name !== call.name || call.arguments === undefined) return false;
  return countDifferences(wanted.arguments, call.arguments, comparisonOf(wanted, mode, steps), 1) === 0;
}

function comparisonOf({ scope, defaults }: Wanted, mode: ArgumentsMode, steps: Steps): ArgumentsComparison {
  return { mode, scope, defaults, steps };
}

function isRight({ pairs, expected, predicted }: Matching, judging: Judging): boolean {
  return (
    (pairs.length === expected.length || judging.missingCalls === 'allowed') &&
    (pairs.length === predicted.length || judging.extraCalls === 'allowed')
  );
}

/** 2 matched / (expected + predicted); with neither, everything there is was matched. */
function f1Of({ pairs, expected, predicted }: Matching): number {
  const calls = expected.length + predicted.length;
  return calls === 0 ? 1 : (2 * pairs.length) / calls;
}

/** What is wrong with an expected call, a predicted one, or the two that were paired; or with none of them alone. */
interface Found {
  readonly error: CallErrorKind;
  readonly wanted?: Wanted | undefined;
  readonly call?: Call | undefined;
  readonly difference?: Difference;
}

function errorsOf(matching: Matching, judging: Judging, steps: Steps, isForbidden: (call: Call) => boolean): Found[] {
  const { expected, predicted, fits } = matching;
  const errors: Found[] = [];
  for (const call of predicted) if (isForbidden(call)) errors.push({ error: 'forbidden_call', call });
  if (isRight(matching, judging)) return errors;
  if (judging.order !== 'any') {
    const inAnyOrder = { ...matching, pairs: maximumMatching(expected.length, predicted.length, fits) };
    if (isRight(inAnyOrder, judging)) return [...errors, { error: 'wrong_order' }];
  }
  const left = unmatchedExpected(matching);
  const unmatched = unmatchedPredicted(matching);
  for (const call of unmatched) if (isMalformed(call)) errors.push({ error: 'malformed_call', call });
  const right = unmatched.filter((call) => !isMalformed(call) && !isForbidden(call));
  return [...errors, ...leftOver(left, right, judging, steps)];
}

/** The expected calls that nothing was paired with. */
export function unmatchedExpected({ pairs, expected }: Pick<Verdict, 'pairs' | 'expected'>): readonly Wanted[] {
  return expected.filter((_, i) => !pairs.some(([at]) => at === i));
}

/** The predicted calls that were paired with nothing. */
export function unmatchedPredicted({ pairs, predicted }: Pick<Verdict, 'pairs' | 'predicted'>): readonly Call[] {
  return predicted.filter((_, j) => !pairs.some(([, at]) => at === j));
}

function isMalformed(call: Call): boolean {
  return call.name === undefined || call.arguments === undefined;
}

/** Names what is wrong with calls that nothing fits: calls of one tool are paired first, then others in their order. */
function leftOver(left: readonly Wanted[], right: readonly Call[], judging: Judging, steps: Steps): Found[] {
  const pairedLeft = new Set<Wanted>();
  const pairedRight = new Set<Call>();
  const errors: Found[] = [];
  for (const name of new Set(left.map((wanted) => wanted.name))) {
    for (const [wanted, call] of alike(name, left, right, judging, steps)) {
      pairedLeft.add(wanted);
      pairedRight.add(call);
      const comparison = comparisonOf(wanted, judging.arguments, steps);
      const found = differences(wanted.arguments, call.arguments!, comparison);
      if (found.length === 0) errors.push({ error: 'wrong_order', wanted, call });
      for (const difference of found) errors.push({ error: difference.kind, wanted, call, difference });
    }
  }
  const missing = left.filter((wanted) => !pairedLeft.has(wanted));
  const extra = right.filter((call) => !pairedRight.has(call));
  for (let at = 0; at < Math.max(missing.length, extra.length); at++) {
    if (at >= extra.length) {
      if (judging.missingCalls === 'wrong') errors.push({ error: 'missing_call', wanted: missing[at] });
    } else if (at < missing.length) errors.push({ error: 'wrong_tool', wanted: missing[at], call: extra[at] });
    else if (judging.extraCalls === 'wrong') errors.push({ error: 'extra_call', call: extra[at] });
  }
  return errors;
}

/** Pairs the calls of one tool so that as few arguments as possible differ. */
function alike(
  name: string,
  left: readonly Wanted[],
  right: readonly Call[],
  judging: Judging,
  steps: Steps,
): readonly (readonly [Wanted, Call])[] {
  const wanted = left.filter((one) => one.name === name);
  const calls = right.filter((one) => one.name === name);
  if (calls.length === 0) return [];
  if (wanted.length === 1 && calls.length === 1) return [[wanted[0]!, calls[0]!]];
  const costs = Int32Array.from({ length: wanted.length * calls.length }, (_, at) => {
    const one = wanted[Math.floor(at / calls.length)]!;
    const given = calls[at % calls.length]!.arguments!;
    return countDifferences(one.arguments, given, comparisonOf(one, judging.arguments, steps));
  });
  const pairs = leastCost(wanted.length, calls.length, costs);
  return pairs.map(([i, j]) => [wanted[i]!, calls[j]!] as const);
}

function told(
  { error, wanted, call, difference }: Found,
  expected: readonly Wanted[],
  calls: readonly Call[],
): CallError {
  return {
    error,
    tool: wanted?.name ?? call?.name,
    expectedCall: wanted && expected.indexOf(wanted),
    predictedCall: call && calls.indexOf(call),
    path: difference?.path,
    expected: difference ? difference.expected : wanted && { name: wanted.name, arguments: wanted.arguments },
    actual: difference ? difference.actual : call && { name: call.name ?? null, arguments: call.arguments ?? null },
    rule: difference?.rule,
  };
}

/** Calls that are deeply equal to an earlier one, and whether one is made three times or more. */
export function repetitionsOf(calls: readonly Call[]): Pick<Verdict, 'repeated' | 'loop'> {
  let repeated = 0;
  let loop = false;
  if (calls.length < 2) return { repeated, loop };
  const byHash = new Map<number, { readonly call: Call; count: number }[]>();
  for (const call of calls) {
    if (isMalformed(call)) continue;
    const hash = hashOf(call.arguments!);
    let alike = byHash.get(hash);
    if (alike === undefined) byHash.set(hash, (alike = []));
    const same = alike.find(
      ({ call: earlier }) => earlier.name === call.name && jsonEqual(earlier.arguments, call.arguments),
    );
    if (same === undefined) alike.push({ call, count: 1 });
    else {
      repeated++;
      if (++same.count === 3) loop = true;
    }
  }
  return { repeated, loop };
}
