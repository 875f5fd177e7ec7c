import { isObject, type Json, type JsonObject } from '../json.ts';
import { distance, doubleOf, isNumber } from '../long-number.ts';
import { eitherContains } from './contains.ts';

/** How alike two values of an argument are: strictly the same, the same by the flexible rules only, or different. */
export type Likeness = 'same' | 'alike' | 'different';

/**
 * Compares two values of an argument after normalisation (docs/reference/scoring.md, "trajectory"): text trimmed and lower-cased, booleans as
 * numbers, the same inside arrays and objects, and in the keys of objects. What is strictly the same is so by the flexible rules too.
 *
 * `"Rome "` and `"rome"` are the same, `"Rome, Italy"` and `"rome"` alike, `1` and `true` the same, `100` and `119` alike,
 * `[100]` and `[119]` different.
 */
export function likeness(gold: Json, predicted: Json): Likeness {
  const x = numberOf(gold);
  if (x !== undefined) {
    const y = numberOf(predicted);
    return y === undefined ? 'different' : numbersAlike(x, y);
  }
  if (typeof gold === 'string') return typeof predicted === 'string' ? textsAlike(gold, predicted) : 'different';
  return normalisedEqual(gold, predicted) ? 'same' : 'different';
}

function numberOf(value: Json | undefined): number | bigint | undefined {
  if (isNumber(value)) return value;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

function numbersAlike(x: number | bigint, y: number | bigint): Likeness {
  const apart = distance(x, y);
  if (apart < 1e-6) return 'same';
  const [a, b] = [Math.abs(doubleOf(x)), Math.abs(doubleOf(y))];
  return apart / (a >= 1 && b >= 1 ? Math.max(a, b) : 1) < 0.2 ? 'alike' : 'different';
}

function textsAlike(gold: string, predicted: string): Likeness {
  if (gold === predicted) return 'same';
  const a = normalised(gold);
  const b = normalised(predicted);
  if (a === b) return 'same';
  return eitherContains(a, b) ? 'alike' : 'different';
}

function normalised(text: string): string {
  return text.trim().toLowerCase();
}

/** Deep equality of the normalised values, without building them. Walks with a stack of its own. */
function normalisedEqual(left: Json, right: Json): boolean {
  const stack: (Json | undefined)[] = [left, right];
  while (stack.length > 0) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b) continue;
    if (typeof a === 'string') {
      if (typeof b !== 'string' || normalised(a) !== normalised(b)) return false;
    } else if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) stack.push(a[i], b[i]);
    } else if (isObject(a)) {
      if (!isObject(b) || !pushFields(a, b, stack)) return false;
    } else {
      const x = numberOf(a);
      if (x === undefined || x !== numberOf(b)) return false;
    }
  }
  return true;
}

/** Pushes the fields by normalised key; false where their numbers differ. A field without a partner meets undefined, which equals none. */
function pushFields(a: JsonObject, b: JsonObject, stack: (Json | undefined)[]): boolean {
  const left = normalisedFields(a);
  const right = normalisedFields(b);
  if (left.size !== right.size) return false;
  for (const [key, value] of left) stack.push(value, right.get(key));
  return true;
}

/** Fields by normalised key; of keys that become the same the last stays. */
function normalisedFields(object: JsonObject): ReadonlyMap<string, Json> {
  const fields = new Map<string, Json>();
  for (const key of Object.keys(object)) fields.set(normalised(key), object[key]!);
  return fields;
}
