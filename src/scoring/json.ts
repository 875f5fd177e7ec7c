/** A JSON value; a number that a double does not hold is a bigint (`long-number.ts`). */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns whether a value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that have a value: neither undefined nor null. */
export function present(fields: object): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** Approximate size of a value in columns, in bytes: texts are all that may be long. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let size = 8;
  for (const key in value) {
    const part = (value as Readonly<Record<string, unknown>>)[key];
    size += typeof part === 'object' || typeof part === 'string' ? 4 + sizeOf(part) : 4;
  }
  return size;
}

/**
 * Deep equality of JSON values: types strict, 1 and 1.0 equal, own keys only (`__proto__`, `constructor` are data), key order free unless
 * `inOrder`. Walks with a stack of its own: any depth is safe.
 */
export function jsonEqual(left: Json | undefined, right: Json | undefined, inOrder = false): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  const stack: Container[] = [];
  let a: Container = left;
  let b: Container = right;
  while (pushDifferent(a, b, inOrder, stack)) {
    if (stack.length === 0) return true;
    b = stack.pop()!;
    a = stack.pop()!;
  }
  return false;
}

/** An array or an object. */
export type Container = readonly Json[] | JsonObject;

/** Returns whether a value is an array or an object. */
export function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Pushes the pairs of items that are not identical but may be equal; false where a and b differ in any other. */
function pushDifferent(a: Container, b: Container, inOrder: boolean, stack: Container[]): boolean {
  if (!isObject(a)) {
    if (isObject(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !pushPair(a[i]!, b[i]!, stack)) return false;
    return true;
  }
  if (!isObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (inOrder && key !== others[i]) return false;
    const value = a[key]!;
    // What b inherits under a key is identical to no JSON value, so an identical value is its own.
    if (value !== b[key] && !(Object.hasOwn(b, key) && pushPair(value, b[key]!, stack))) return false;
  }
  return true;
}

function pushPair(a: Json, b: Json, stack: Container[]): boolean {
  if (!isContainer(a) || !isContainer(b)) return false;
  stack.push(a, b);
  return true;
}
