import { isObject, type Json, jsonEqual, type JsonObject } from '../json.ts';
import { isNumber } from '../long-number.ts';
import type { ArgumentError } from './kinds.ts';
import { maximumMatching } from './pairing.ts';
import { pathText } from './paths.ts';
import type { Rule } from './rule.ts';
import type { Scope } from './rules.ts';
import { deepSteps, depthMax, spend, type Steps } from './steps.ts';
import { isAlike, isNear, isOfType, isText, normalised, typeOf } from './values.ts';

/** Which arguments of a call must be there: all and no others, all, no others, or none; or those at some paths, where absent is null. */
export type ArgumentsMode = 'exact' | 'superset' | 'subset' | 'ignore' | readonly string[];

/** The mode for expected arguments seen from the predicted ones. */
export function turnedMode(mode: ArgumentsMode): ArgumentsMode {
  return mode === 'superset' ? 'subset' : mode === 'subset' ? 'superset' : mode;
}

/** Where the arguments of a call are not as expected. */
export interface Difference {
  readonly kind: ArgumentError;
  readonly path: string;
  /** `undefined`: absent. */
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
  /** The rule in force there. */
  readonly rule: Rule | undefined;
}

/** The arguments that are expected of a call, and how they are compared. */
export interface WantedArguments {
  readonly arguments: JsonObject;
  readonly mode: ArgumentsMode;
  readonly scope: Scope;
  /** Values that mean the same as an argument that is absent, by its name. */
  readonly defaults: JsonObject;
  /** Returns whether null means the same as the absence of an argument; undefined: never. */
  readonly nullIsAbsent?: ((argument: string) => boolean) | undefined;
}

/**
 * Where the arguments of a call differ from the expected ones; nowhere where they are equal by mode, rules and defaults. Without steps left
 * they are taken for different.
 *
 * Expected `{"city": "Oslo", "days": 3}`, actual `{"city": "oslo", "unit": "C"}`, with `ignore_case` for `city`: `days` is missing, `unit`
 * unexpected.
 */
export function differences(wanted: WantedArguments, actual: JsonObject, steps: Steps): Difference[] {
  const found: Difference[] = [];
  compareArguments(walkOf(steps, Number.POSITIVE_INFINITY, { found, trail: [] }), wanted, actual);
  return found;
}

/** In how many places the arguments differ; at most `max` are counted. */
export function countDifferences(
  wanted: WantedArguments,
  actual: JsonObject,
  steps: Steps,
  max: number = Number.POSITIVE_INFINITY,
): number {
  const walk = walkOf(steps, max);
  compareArguments(walk, wanted, actual);
  return walk.count;
}

function compareArguments(walk: Walk, wanted: WantedArguments, actual: JsonObject): void {
  const { arguments: expected, mode, scope } = wanted;
  if (mode === 'ignore') return;
  if (typeof mode === 'string') compareFields(walk, expected, actual, scope, wanted);
  else for (const path of mode) comparePath(walk, path, expected, actual, scope);
}

/** Compares the values at a path of keys. */
function comparePath(walk: Walk, path: string, expected: JsonObject, actual: JsonObject, scope: Scope): void {
  const keys = path.split('.');
  const valueAt = (root: JsonObject): Json =>
    keys.reduce<Json>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key]! : null), root);
  walk.report?.trail.push(...keys);
  compare(
    walk,
    valueAt(expected),
    valueAt(actual),
    keys.reduce((within, key) => within.below(key), scope),
  );
  if (walk.report !== undefined) walk.report.trail.length = 0;
}

interface Walk {
  /** Differences so far; the walk ends at `max` of them. */
  count: number;
  readonly max: number;
  readonly steps: Steps;
  /** The differences found, and the place of the walk; undefined where they are only counted. */
  readonly report: { readonly found: Difference[]; readonly trail: (string | number)[] } | undefined;
}

function walkOf(steps: Steps, max: number, report?: Walk['report']): Walk {
  return { count: 0, max, steps, report };
}

function isEqual(expected: Json, actual: Json, scope: Scope, steps: Steps): boolean {
  const walk = walkOf(steps, 1);
  compare(walk, expected, actual, scope);
  return walk.count === 0;
}

function compare(walk: Walk, expected: Json, actual: Json, scope: Scope): void {
  const { rule } = scope;
  const { steps } = walk;
  if (rule?.ignore) return;
  if (!spend(steps, 1)) differ(walk, expected, actual, rule);
  else if (steps.depth === depthMax) {
    if (!spend(steps, deepSteps) || !jsonEqual(expected, actual)) differ(walk, expected, actual, rule);
  } else {
    steps.depth++;
    if (rule === undefined) compareValues(walk, expected, actual, scope);
    else compareByRule(walk, expected, actual, scope, rule);
    steps.depth--;
  }
}

function compareByRule(walk: Walk, expected: Json, actual: Json, scope: Scope, rule: Rule): void {
  const wanted = normalised(expected, rule);
  const given = normalised(actual, rule);
  if (!isAccepted(wanted, given, scope, rule, walk.steps))
    compareValues(walk, wanted, given, scope, { expected, actual });
}

/** Values before they were normalised: the reported ones. */
interface AsGiven {
  readonly expected: Json;
  readonly actual: Json;
}

/** Compares normalised values. */
function compareValues(walk: Walk, expected: Json, actual: Json, scope: Scope, asGiven?: AsGiven): void {
  if (expected === actual) return;
  if (Array.isArray(expected) && Array.isArray(actual)) compareItems(walk, expected, actual, scope);
  else if (isObject(expected) && isObject(actual)) compareFields(walk, expected, actual, scope, undefined);
  else if (!isAlike(expected, actual, scope.rule)) differ(walk, expected, actual, scope.rule, asGiven);
}

/** `top`: the fields are the arguments themselves. */
function compareFields(
  walk: Walk,
  expected: JsonObject,
  actual: JsonObject,
  scope: Scope,
  top: WantedArguments | undefined,
): void {
  const names = Object.keys(expected);
  if (!spend(walk.steps, names.length)) {
    differ(walk, expected, actual, scope.rule);
    return;
  }
  let shared = 0;
  for (const name of names) {
    if (walk.count >= walk.max) return;
    const wanted = expected[name]!;
    // What is identical is equal by any rule, and what an object inherits is identical to no JSON value.
    if (wanted === actual[name]) shared++;
    else if (Object.hasOwn(actual, name)) {
      shared++;
      walk.report?.trail.push(name);
      compare(walk, wanted, actual[name]!, scope.below(name));
      walk.report?.trail.pop();
    } else if (!mayBeAbsent(scope.below(name)) && !isExcused(walk, name, wanted, 'subset', top))
      differAt(walk, name, wanted, undefined, scope);
  }
  const given = Object.keys(actual);
  if (given.length === shared) return;
  for (const name of given) {
    if (walk.count >= walk.max) return;
    if (Object.hasOwn(expected, name) || mayBePresent(scope.below(name), actual[name]!, walk.steps)) continue;
    if (!isExcused(walk, name, actual[name]!, 'superset', top)) differAt(walk, name, undefined, actual[name], scope);
  }
}

/** Returns whether an argument that only one side has is in order: by the mode, as a default, or as null. */
function isExcused(
  { steps }: Walk,
  name: string,
  value: Json,
  by: ArgumentsMode,
  top: WantedArguments | undefined,
): boolean {
  if (top === undefined) return false;
  const { mode, defaults, scope, nullIsAbsent } = top;
  if (mode === by || (value === null && nullIsAbsent?.(name) === true)) return true;
  return Object.hasOwn(defaults, name) && isEqual(defaults[name]!, value, scope.below(name), steps);
}

function mayBeAbsent({ rule }: Scope): boolean {
  return rule !== undefined && (rule.optional || rule.ignore);
}

/** Returns whether a value may be there that is not expected: it is one of those that are as good as none. */
function mayBePresent(scope: Scope, value: Json, steps: Steps): boolean {
  const { rule } = scope;
  if (rule === undefined) return false;
  return rule.ignore || rule.any.some((one) => isOneOf(one, normalised(value, rule), scope, rule, steps));
}

function compareItems(walk: Walk, expected: readonly Json[], actual: readonly Json[], scope: Scope): void {
  if (scope.rule?.unordered) {
    if (!isSameInAnyOrder(expected, actual, scope, walk.steps)) differ(walk, expected, actual, scope.rule);
    return;
  }
  for (let i = 0; i < Math.max(expected.length, actual.length) && walk.count < walk.max; i++) {
    const below = scope.below(i);
    if (i >= actual.length) {
      if (!mayBeAbsent(below)) differAt(walk, i, expected[i], undefined, scope);
    } else if (i < expected.length) {
      walk.report?.trail.push(i);
      compare(walk, expected[i]!, actual[i]!, below);
      walk.report?.trail.pop();
    } else if (!below.rule?.ignore) differAt(walk, i, undefined, actual[i], scope);
  }
}

/** One to one; the rules of an item are those of its place in the expected array. */
function isSameInAnyOrder(expected: readonly Json[], actual: readonly Json[], scope: Scope, steps: Steps): boolean {
  if (expected.length !== actual.length) return false;
  const pairs = maximumMatching(expected.length, actual.length, (i, j) =>
    isEqual(expected[i]!, actual[j]!, scope.below(i), steps),
  );
  return pairs.length === expected.length;
}

function differ(
  walk: Walk,
  expected: Json | undefined,
  actual: Json | undefined,
  rule: Rule | undefined,
  asGiven?: AsGiven,
): void {
  walk.count++;
  if (walk.report === undefined) return;
  const { found, trail } = walk.report;
  const given = asGiven ?? { expected, actual };
  const kind = kindOf(expected, actual);
  found.push({ kind, path: pathText(trail), expected: given.expected, actual: given.actual, rule });
}

function differAt(
  walk: Walk,
  step: string | number,
  expected: Json | undefined,
  actual: Json | undefined,
  scope: Scope,
): void {
  walk.report?.trail.push(step);
  differ(walk, expected, actual, scope.below(step).rule);
  walk.report?.trail.pop();
}

function kindOf(expected: Json | undefined, actual: Json | undefined): ArgumentError {
  if (actual === undefined) return 'missing_argument';
  if (expected === undefined) return 'unexpected_argument';
  return typeOf(expected) === typeOf(actual) ? 'wrong_value' : 'wrong_type';
}

/** Returns whether one of the acceptances of a rule lets a normalised value pass. */
function isAccepted(expected: Json, actual: Json, scope: Scope, rule: Rule, steps: Steps): boolean {
  if (rule.types.some((type) => isOfType(actual, type))) return true;
  if (isNumber(actual) && isNear(expected, actual, rule)) return true;
  if (typeof actual === 'string' && isText(expected, actual, rule, steps)) return true;
  return rule.any.some((one) => isOneOf(one, actual, scope, rule, steps));
}

/** Equal to one of the values that are as good: by the same normalisers, and by the rules below. */
function isOneOf(one: Json, actual: Json, scope: Scope, rule: Rule, steps: Steps): boolean {
  if (!spend(steps, 1)) return false;
  const walk = walkOf(steps, 1);
  compareValues(walk, normalised(one, rule), actual, scope);
  return walk.count === 0;
}
