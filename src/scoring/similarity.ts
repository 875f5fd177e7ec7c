import { isObject, type Json, type JsonObject, jsonEqual } from './json.ts';

/** How like the arguments of a predicted call are to those of an expected one (docs/reference/scoring.md, "tool_calls"). */
export interface Similarity {
  /** Deeply equal: 1 in strict mode, else 0. */
  readonly equal: boolean;
  readonly flexible: number;
}

/** How many arguments of an expected call a predicted one has with an equal value, and how many of these are not null. */
interface Shared {
  readonly equal: number;
  readonly notNull: number;
  /** Arguments of the expected call. */
  readonly wanted: number;
}

/** As many comparisons cost less than an index. */
const fewComparisons = 8;

/** Compares the calls of one event with the expected ones: for the arguments of a call, its similarity to the expected call at a position. */
export function similarities(
  expected: readonly { readonly arguments: JsonObject }[],
): (args: JsonObject) => (at: number) => Similarity {
  let comparisons = 0;
  let index: ReturnType<typeof indexArguments> | undefined;
  return (args) => {
    const given = Object.keys(args).length;
    let sharedAt: ((at: number) => Shared) | undefined;
    return (at) => {
      if (comparisons++ < fewComparisons) return similarityOf(sharedOf(args, expected[at]!.arguments), given);
      index ??= indexArguments(expected);
      sharedAt ??= index(args);
      return similarityOf(sharedAt(at), given);
    };
  };
}

function similarityOf({ equal, notNull, wanted }: Shared, given: number): Similarity {
  const complete = equal === wanted && given === wanted;
  if (wanted === 0) return { equal: complete, flexible: complete ? 1 : 0.5 };
  return { equal: complete, flexible: notNull / wanted };
}

function sharedOf(actual: JsonObject, reference: JsonObject): Shared {
  const keys = Object.keys(reference);
  let equal = 0;
  let notNull = 0;
  for (const key of keys) {
    if (!Object.hasOwn(actual, key) || !jsonEqual(actual[key], reference[key])) continue;
    equal++;
    if (reference[key] !== null) notNull++;
  }
  return { equal, notNull, wanted: keys.length };
}

/**
 * Gives, for the arguments of a predicted call, what they share with those of the expected call at a position, until the next one is asked for.
 * Each argument of the expected calls (a key with its value) leads to the calls that have it, so that values are looked at once and not once a
 * pair: pair by pair, 256 calls on either side with large and nearly equal arguments cost seconds.
 */
function indexArguments(
  expected: readonly { readonly arguments: JsonObject }[],
): (args: JsonObject) => (at: number) => Shared {
  const values = createValueSet();
  const byKey = new Map<string, Map<Json, number[]>>();
  const wanted = expected.map(({ arguments: args }, at) => {
    const keys = Object.keys(args);
    for (const key of keys) {
      let byValue = byKey.get(key);
      if (byValue === undefined) byKey.set(key, (byValue = new Map()));
      const value = values.add(args[key]!);
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
    for (const key of Object.keys(args)) {
      const value = args[key]!;
      const calls = byKey.get(key)?.get(values.find(value)!) ?? [];
      for (const at of calls) equal[at]!++;
      if (value === null) for (const at of calls) equalNulls[at]!++;
    }
    return (at) => ({ equal: equal[at]!, notNull: equal[at]! - equalNulls[at]!, wanted: wanted[at]! });
  };
}

interface ValueSet {
  /** The value itself, or the equal one that came before it. */
  add(value: Json): Json;
  /** The equal value that was added; `undefined` where there is none, and the value is an array or an object. */
  find(value: Json): Json | undefined;
}

function createValueSet(): ValueSet {
  const byHash = new Map<number, Json[]>();
  return {
    add(value) {
      if (typeof value !== 'object' || value === null) return value;
      const hash = hashOf(value);
      const alike = byHash.get(hash);
      const held = alike?.find((other) => jsonEqual(other, value));
      if (held !== undefined) return held;
      if (alike === undefined) byHash.set(hash, [value]);
      else alike.push(value);
      return value;
    },
    find(value) {
      if (typeof value !== 'object' || value === null) return value;
      return byHash.get(hashOf(value))?.find((other) => jsonEqual(other, value));
    },
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
