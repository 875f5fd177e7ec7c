import { type Container, isContainer, type Json, type JsonObject } from '../../scoring/json.ts';
import { longText } from '../../scoring/long-number.ts';

/**
 * JSON text that parses back to an equal value, for any value that `parseJson` can give: nesting of any depth, long numbers, and
 * numbers that overflowed to infinity (written as 1e999), where JSON.stringify throws or writes null. A key whose value is undefined is
 * left out. Indented by `indent` where JSON.stringify can write it, else compact.
 */
export function jsonText(value: Json, indent?: number): string {
  if (!holdsOddNumber(value)) {
    try {
      return JSON.stringify(value, undefined, indent);
    } catch (error) {
      // Too deep for the engine's stack.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return written(value);
}

/** Returns whether a value is or holds a number that JSON.stringify cannot write. */
function holdsOddNumber(value: Json): boolean {
  if (!isContainer(value)) return isOdd(value);
  const stack: Container[] = [value];
  while (stack.length > 0) {
    const next = stack.pop()!;
    for (const item of Array.isArray(next) ? next : Object.values(next as JsonObject)) {
      if (isContainer(item)) stack.push(item);
      else if (isOdd(item)) return true;
    }
  }
  return false;
}

function isOdd(value: Json): boolean {
  return value === Infinity || value === -Infinity || typeof value === 'bigint';
}

/** The text of a value of any depth: what is still to be written lies on a stack. */
function written(root: Json): string {
  const parts: string[] = [];
  const stack: (string | { readonly value: Json })[] = [{ value: root }];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (typeof next === 'string') parts.push(next);
    else if (!isContainer(next.value)) parts.push(scalarText(next.value));
    else {
      const [opening, closing] = Array.isArray(next.value) ? '[]' : '{}';
      stack.push(closing!);
      const items = itemsOf(next.value);
      for (let at = items.length - 1; at >= 0; at--) {
        const [key, value] = items[at]!;
        stack.push({ value }, at > 0 ? `,${key}` : key);
      }
      stack.push(opening!);
    }
  }
  return parts.join('');
}

/** The items of a container, each behind the text of its key. */
function itemsOf(container: Container): (readonly [key: string, value: Json])[] {
  if (Array.isArray(container)) return (container as readonly Json[]).map((value) => ['', value]);
  const fields = Object.entries(container as JsonObject).filter(([, value]) => value !== undefined);
  return fields.map(([key, value]) => [`${JSON.stringify(key)}:`, value]);
}

function scalarText(value: Json): string {
  if (value === Infinity) return '1e999';
  if (typeof value === 'bigint') return longText(value);
  return value === -Infinity ? '-1e999' : JSON.stringify(value);
}
