export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Deep equality of JSON values: types strict, 1 and 1.0 equal, own keys only (`__proto__`, `constructor` are data), key order free.
 * Walks with a stack of its own: any depth is safe.
 */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (!bothContainers(left, right)) return false;
  const stack: (Json | undefined)[] = [left, right];
  while (stack.length > 0) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b) continue;
    if (!bothContainers(a, b)) return false;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) stack.push(a[i], b[i]);
    } else if (Array.isArray(b) || !pushFields(a as JsonObject, b as JsonObject, stack)) return false;
  }
  return true;
}

function bothContainers(a: Json | undefined, b: Json | undefined): boolean {
  return typeof a === 'object' && a !== null && typeof b === 'object' && b !== null;
}

/** Pushes the pairs of fields that are not identical; false where the key sets differ. */
function pushFields(a: JsonObject, b: JsonObject, stack: (Json | undefined)[]): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    if (a[key] !== b[key]) stack.push(a[key], b[key]);
  }
  return true;
}
