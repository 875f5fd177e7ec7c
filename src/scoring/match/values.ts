import type { Json } from '../json.ts';
import { distance, doubleOf, isNumber, isWhole } from '../long-number.ts';
import { jsonOf } from '../parse-json.ts';
import { isSameTime } from '../timestamp.ts';
import type { Rule, TypeName } from './rule.ts';
import type { Steps } from './steps.ts';
import { changed, isSimilar } from './text.ts';

/** JSON type of a value. */
export function typeOf(value: Json): Exclude<TypeName, 'integer'> {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : (typeof value as 'boolean' | 'number' | 'string' | 'object');
}

/** A value with the normalisers of a rule applied. */
export function normalised(value: Json, rule: Rule): Json {
  if (typeof value !== 'string') return value;
  const held = rule.json ? jsonOf(value) : undefined;
  if (held !== undefined && typeof held !== 'string') return held;
  const text = changed(held ?? value, rule.texts);
  return rule.coerce ? coerced(text) : text;
}

/** A text that is wholly a JSON number or boolean is that. */
function coerced(text: string): Json {
  const value = jsonOf(text);
  return (isNumber(value) || typeof value === 'boolean') && text.trim() === text ? value : text;
}

function isSameInstant(expected: Json, actual: Json): boolean {
  return typeof expected === 'string' && typeof actual === 'string' && isSameTime(expected, actual);
}

/** Returns whether scalars that are not identical are equal all the same. */
export function isAlike(expected: Json, actual: Json, rule: Rule | undefined): boolean {
  if (rule?.date && isSameInstant(expected, actual)) return true;
  return rule?.dialect === 'python' && isNumeric(expected) && isNumeric(actual) && Number(expected) === Number(actual);
}

/** A number, or what is one in Python. */
function isNumeric(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** Returns whether a value is of a type that a rule may name. */
export function isOfType(value: Json, type: TypeName): boolean {
  return type === 'integer' ? isWhole(value) : typeOf(value) === type;
}

/** Returns whether a number is near enough to the expected one, or within the range. */
export function isNear(expected: Json, actual: number | bigint, { tolerance, relative, range }: Rule): boolean {
  const double = doubleOf(actual);
  if (range !== undefined && double >= range[0] && double <= range[1]) return true;
  if (!isNumber(expected)) return false;
  const apart = distance(expected, actual);
  return (
    (tolerance !== undefined && apart <= tolerance) ||
    (relative !== undefined && apart <= relative * Math.abs(doubleOf(expected)))
  );
}

/** Returns whether a text contains, matches or resembles the text of a rule. */
export function isText(expected: Json, actual: string, rule: Rule, steps: Steps): boolean {
  const { contains, pattern, editSimilarity, texts } = rule;
  if (contains !== undefined && actual.includes(changed(contains, texts))) return true;
  if (pattern?.(actual, steps)) return true;
  if (editSimilarity === undefined || typeof expected !== 'string') return false;
  return isSimilar(expected, actual, editSimilarity, steps);
}
