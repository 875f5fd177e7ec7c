import { isObject, type Json, jsonEqual, type JsonObject } from '../json.ts';
import { readTimestamp } from '../timestamp.ts';
import type { ArgumentError } from './kinds.ts';
import { maximumMatching } from './pairing.ts';
import { pathText } from './paths.ts';
import type { Rule, TypeName } from './rule.ts';
import type { Scope } from './rules.ts';
import { deepSteps, depthMax, spend, type Steps } from './steps.ts';
import { changed, isSimilar } from './text.ts';

/** Which arguments of a call must be there: all and no others, all, no others, or none. */
export type ArgumentsMode = 'exact' | 'superset' | 'subset' | 'ignore';

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

/** What is compared with what. */
export interface ArgumentsComparison {
  readonly mode: ArgumentsMode;
  readonly scope: Scope;
  /** Values that mean the same as an argument that is absent, by its name. */
  readonly defaults: JsonObject;
  readonly steps: Steps;
}

/**
 * Where the arguments of a call differ from the expected ones; nowhere where they are equal by mode, rules and defaults. Without steps left
 * they are taken for different.
 *
 * Expected `{"city": "Oslo", "days": 3}`, actual `{"city": "oslo", "unit": "C"}`, with `ignore_case` for `city`: `days` is missing, `unit`
 * unexpected.
 */
export function differences(expected: JsonObject, actual: JsonObject, comparison: ArgumentsComparison): Difference[] {
  const found: Difference[] = [];
  compareArguments(walkOf(comparison.steps, Number.POSITIVE_INFINITY, found), expected, actual, comparison);
  return found;
}

/** In how many places the arguments differ; at most `max` are counted. */
export function countDifferences(
  expected: JsonObject,
  actual: JsonObject,
  comparison: ArgumentsComparison,
  max: number = Number.POSITIVE_INFINITY,
): number {
  const walk = walkOf(comparison.steps, max);
  compareArguments(walk, expected, actual, comparison);
  return walk.count;
}

function compareArguments(walk: Walk, expected: JsonObject, actual: JsonObject, comparison: ArgumentsComparison): void {
  if (comparison.mode !== 'ignore') compareFields(walk, expected, actual, comparison.scope, comparison);
}

interface Walk {
  /** Differences so far; the walk ends at `max` of them. */
  count: number;
  readonly max: number;
  /** Where they are written down, if anybody wants to know. */
  readonly found: Difference[] | undefined;
  /** Where the walk is. */
  readonly trail: (string | number)[];
  readonly steps: Steps;
}

function walkOf(steps: Steps, max: number, found?: Difference[]): Walk {
  return { count: 0, max, found, trail: [], steps };
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
  if (!isAccepted(wanted, given, scope, rule, walk.steps)) compareValues(walk, wanted, given, scope);
}

/** Compares normalised values. */
function compareValues(walk: Walk, expected: Json, actual: Json, scope: Scope): void {
  if (expected === actual) return;
  if (Array.isArray(expected) && Array.isArray(actual)) compareItems(walk, expected, actual, scope);
  else if (isObject(expected) && isObject(actual)) compareFields(walk, expected, actual, scope, undefined);
  else if (!(scope.rule?.date && isSameInstant(expected, actual))) differ(walk, expected, actual, scope.rule);
}

/** `top`: the fields are the arguments themselves. */
function compareFields(
  walk: Walk,
  expected: JsonObject,
  actual: JsonObject,
  scope: Scope,
  top: ArgumentsComparison | undefined,
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
      walk.trail.push(name);
      compare(walk, wanted, actual[name]!, scope.below(name));
      walk.trail.pop();
    } else if (!mayBeAbsent(scope.below(name)) && !isExcused(name, wanted, 'subset', top))
      differAt(walk, name, wanted, undefined, scope);
  }
  const given = Object.keys(actual);
  if (given.length === shared) return;
  for (const name of given) {
    if (walk.count >= walk.max) return;
    if (Object.hasOwn(expected, name) || scope.below(name).rule?.ignore) continue;
    if (!isExcused(name, actual[name]!, 'superset', top)) differAt(walk, name, undefined, actual[name], scope);
  }
}

/** Whether an argument that only one side has is in order: by the mode, or as a default. */
function isExcused(name: string, value: Json, by: ArgumentsMode, top: ArgumentsComparison | undefined): boolean {
  if (top === undefined) return false;
  const { mode, defaults, scope, steps } = top;
  return mode === by || (Object.hasOwn(defaults, name) && isEqual(defaults[name]!, value, scope.below(name), steps));
}

function mayBeAbsent({ rule }: Scope): boolean {
  return rule !== undefined && (rule.optional || rule.ignore);
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
      walk.trail.push(i);
      compare(walk, expected[i]!, actual[i]!, below);
      walk.trail.pop();
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

function differ(walk: Walk, expected: Json | undefined, actual: Json | undefined, rule: Rule | undefined): void {
  walk.count++;
  walk.found?.push({ kind: kindOf(expected, actual), path: pathText(walk.trail), expected, actual, rule });
}

function differAt(
  walk: Walk,
  step: string | number,
  expected: Json | undefined,
  actual: Json | undefined,
  scope: Scope,
): void {
  walk.trail.push(step);
  differ(walk, expected, actual, scope.below(step).rule);
  walk.trail.pop();
}

function kindOf(expected: Json | undefined, actual: Json | undefined): ArgumentError {
  if (actual === undefined) return 'missing_argument';
  if (expected === undefined) return 'unexpected_argument';
  return typeOf(expected) === typeOf(actual) ? 'wrong_value' : 'wrong_type';
}

function typeOf(value: Json): Exclude<TypeName, 'integer'> {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'boolean' | 'number' | 'string' | 'object');
}

function normalised(value: Json, rule: Rule): Json {
  if (typeof value !== 'string') return value;
  const held = rule.json ? heldJson(value) : undefined;
  if (held !== undefined && typeof held !== 'string') return held;
  const text = changed(held ?? value, rule.texts);
  return rule.coerce ? coerced(text) : text;
}

function heldJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A text that is wholly a JSON number or boolean is that. */
function coerced(text: string): Json {
  const value = heldJson(text);
  return (typeof value === 'number' || typeof value === 'boolean') && text.trim() === text ? value : text;
}

function isSameInstant(expected: Json, actual: Json): boolean {
  return (
    typeof expected === 'string' && typeof actual === 'string' && readTimestamp(expected) === readTimestamp(actual)
  );
}

/** Whether one of the acceptances of a rule lets a normalised value pass. */
function isAccepted(expected: Json, actual: Json, scope: Scope, rule: Rule, steps: Steps): boolean {
  if (rule.types.some((type) => isOfType(actual, type))) return true;
  if (typeof actual === 'number' && isNear(expected, actual, rule)) return true;
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

function isOfType(value: Json, type: TypeName): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function isNear(expected: Json, actual: number, { tolerance, relative, range }: Rule): boolean {
  if (range !== undefined && actual >= range[0] && actual <= range[1]) return true;
  if (typeof expected !== 'number') return false;
  const distance = Math.abs(expected - actual);
  return (
    (tolerance !== undefined && distance <= tolerance) ||
    (relative !== undefined && distance <= relative * Math.abs(expected))
  );
}

function isText(expected: Json, actual: string, rule: Rule, steps: Steps): boolean {
  const { contains, pattern, editSimilarity, texts } = rule;
  if (contains !== undefined && actual.includes(changed(contains, texts))) return true;
  if (pattern?.(actual, steps)) return true;
  if (editSimilarity === undefined || typeof expected !== 'string') return false;
  return isSimilar(expected, actual, editSimilarity, steps);
}
