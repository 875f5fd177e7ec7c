import type { Json, JsonObject } from '../../scoring/json.ts';

/**
 * Compact JSON text that parses back to an equal value, for any value that JSON.parse can give: nesting of any depth, and
 * numbers that overflowed to infinity (written as 1e999), where JSON.stringify throws or writes null. A key whose value is undefined is
 * left out.
 */
export function jsonText(value: Json): string {
  if (!holdsInfinity(value)) {
    try {
      return JSON.stringify(value);
    } catch (error) {
      // Too deep for the engine's stack.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return written(value);
}

function holdsInfinity(value: Json): boolean {
  if (!isContainer(value)) return isInfinite(value);
  const stack: (readonly Json[] | JsonObject)[] = [value];
  while (stack.length > 0) {
    const next = stack.pop()!;
    for (const item of Array.isArray(next) ? next : Object.values(next as JsonObject)) {
      if (isContainer(item)) stack.push(item);
      else if (isInfinite(item)) return true;
    }
  }
  return false;
}

function isInfinite(value: Json): boolean {
  return value === Infinity || value === -Infinity;
}

/** A container that is being written: its keys (undefined for an array) and how far it is. */
interface Open {
  readonly value: readonly Json[] | JsonObject;
  readonly keys: readonly string[] | undefined;
  at: number;
}

function written(root: Json): string {
  if (!isContainer(root)) return scalarText(root);
  const parts: string[] = [];
  const stack: Open[] = [opened(root, parts)];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const size = top.keys === undefined ? (top.value as readonly Json[]).length : top.keys.length;
    if (top.at === size) {
      parts.push(top.keys === undefined ? ']' : '}');
      stack.pop();
      continue;
    }
    if (top.at > 0) parts.push(',');
    const item = nextItem(top, parts);
    if (isContainer(item)) stack.push(opened(item, parts));
    else parts.push(scalarText(item));
  }
  return parts.join('');
}

function nextItem(open: Open, parts: string[]): Json {
  const at = open.at++;
  if (open.keys === undefined) return (open.value as readonly Json[])[at]!;
  const key = open.keys[at]!;
  parts.push(JSON.stringify(key), ':');
  return (open.value as JsonObject)[key]!;
}

function opened(value: readonly Json[] | JsonObject, parts: string[]): Open {
  const keys = Array.isArray(value) ? undefined : keysOf(value as JsonObject);
  parts.push(keys === undefined ? '[' : '{');
  return { value, keys, at: 0 };
}

function keysOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function scalarText(value: Json): string {
  if (value === Infinity) return '1e999';
  return value === -Infinity ? '-1e999' : JSON.stringify(value);
}

function isContainer(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}
