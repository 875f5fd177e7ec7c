import { type Json, type JsonObject, jsonEqual } from '../json.ts';
import { distance, isNumber } from '../long-number.ts';

const tolerance = 1e-6;

/**
 * The comparison of values that stands in where no schemas are known (docs/reference/scoring.md, "schema"): equal keys; texts equal but for
 * case and outer white space; numbers, and booleans as 0 and 1, within 1e-6; anything else deeply equal.
 *
 * `{"city": "Oslo", "on": true}` and `{"city": " OSLO", "on": 1.0000001}` are the same.
 */
export function sameValues(expected: JsonObject, args: JsonObject): boolean {
  const keys = Object.keys(expected);
  if (keys.length !== Object.keys(args).length) return false;
  return keys.every((key) => Object.hasOwn(args, key) && sameValue(expected[key]!, args[key]!));
}

function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return normal(a) === normal(b);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) return distance(x, y) <= tolerance;
  return jsonEqual(a, b);
}

function normal(text: string): string {
  return text.trim().toLowerCase();
}

function numberOf(value: Json): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return isNumber(value) ? value : undefined;
}
