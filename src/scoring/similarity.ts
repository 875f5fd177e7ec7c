import { isObject, type Json, type JsonObject, jsonEqual } from './json.ts';

/** How like the arguments of a predicted call are to those of an expected one (docs/reference/scoring.md, "tool_calls"). */
export interface Similarity {
  /** Deeply equal: 1 in strict mode, else 0. */
  readonly equal: boolean;
  readonly flexible: number;
}

/**
 * Compares the calls of one event with the expected ones: for the arguments of a call, its similarity to the expected call at a position,
 * until those of the next call are given. Each argument of the expected calls (a key with its value) leads to the calls that have it, so that values
 * are looked at once and not once a pair: pair by pair, 256 calls on either side with large and nearly equal arguments cost seconds.
 */
export function similarities(
  expected: readonly { readonly arguments: JsonObject }[],
): (args: JsonObject) => (at: number) => Similarity {
  const firstEqual = firstEqualValues();
  const byKey = new Map<string, Map<Json, number[]>>();
  const wanted = expected.map(({ arguments: args }, at) => {
    const keys = Object.keys(args);
    for (const key of keys) {
      const byValue = byKey.get(key) ?? new Map<Json, number[]>();
      byKey.set(key, byValue);
      const value = firstEqual(args[key]!, true)!;
      const calls = byValue.get(value);
      if (calls === undefined) byValue.set(value, [at]);
      else calls.push(at);
    }
    return keys.length;
  });
  const equal = new Int32Array(expected.length);
  const equalNulls = new Int32Array(expected.length);
  return (args) => {
    equal.fill(0);
    equalNulls.fill(0);
    const keys = Object.keys(args);
    for (const key of keys) {
      const value = args[key]!;
      const calls = byKey.get(key)?.get(firstEqual(value, false)!) ?? [];
      for (const at of calls) equal[at]!++;
      if (value === null) for (const at of calls) equalNulls[at]!++;
    }
    return (at) => {
      const isEqual = equal[at] === wanted[at] && keys.length === wanted[at];
      if (wanted[at] === 0) return { equal: isEqual, flexible: isEqual ? 1 : 0.5 };
      return { equal: isEqual, flexible: (equal[at]! - equalNulls[at]!) / wanted[at]! };
    };
  };
}

/**
 * Gives for an array or an object the first equal one that was added, for any other value that value. Where there is none, the value is added
 * and given with `adds`, else undefined is.
 */
function firstEqualValues(): (value: Json, adds: boolean) => Json | undefined {
  const byHash = new Map<number, Json[]>();
  return (value, adds) => {
    if (typeof value !== 'object' || value === null) return value;
    const hash = hashOf(value);
    const alike = byHash.get(hash) ?? [];
    const known = alike.find((other) => jsonEqual(other, value));
    if (known !== undefined || !adds) return known;
    byHash.set(hash, alike);
    alike.push(value);
    return value;
  };
}

/** The same for equal values: a sum over the places of a value, of a hash of the place and of what is there. Walks with a stack of its own. */
export function hashOf(root: Json): number {
  const values: Json[] = [root];
  const places: number[] = [1];
  let hash = 0;
  while (values.length > 0) {
    const value = values.pop()!;
    const place = places.pop()!;
    hash = (hash + mix(place, ownHash(value))) | 0;
    if (isObject(value)) {
      for (const key of Object.keys(value)) {
        values.push(value[key]!);
        places.push(mix(place, textHash(key)));
      }
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        values.push(value[i]);
        places.push(mix(place, i));
      }
    }
  }
  return hash;
}

/** Hash of a value without what is in it. */
function ownHash(value: Json): number {
  if (typeof value === 'string') return mix(1, textHash(value));
  if (typeof value === 'number') return mix(2, numberHash(value));
  if (typeof value === 'bigint') return mix(8, textHash(value.toString(16)));
  if (typeof value === 'boolean') return value ? 3 : 4;
  return value === null ? 5 : Array.isArray(value) ? 6 : 7;
}

function textHash(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

function numberHash(number: number): number {
  // -0 is equal to 0: their sum is 0.
  double[0] = number + 0;
  return mix(words[0]!, words[1]!);
}

/** The finalizer of MurmurHash3. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
