import { isObject, type Json } from '../../scoring/json.ts';

/** What may still be done for one schema or one call. */
export interface Steps {
  left: number;
  /** Schemas within schemas, and values within values, that are being looked at. */
  depth: number;
}

/** More of it is no schema that a person wrote; the engine's stack holds several times as much. */
const depthMax = 256;

/** Takes steps; false where none are left. */
export function spend(steps: Steps, count: number): boolean {
  steps.left -= count;
  return steps.left >= 0;
}

/** Does something one level deeper; at the last level no step is left. */
export function deeper(steps: Steps, act: () => boolean): boolean {
  if (steps.depth === depthMax) steps.left = -1;
  if (!spend(steps, 1)) return false;
  steps.depth++;
  const result = act();
  steps.depth--;
  return result;
}

/** How many steps it takes to look at a text: one, and one for every 16 characters. */
export function textSteps(text: string): number {
  return 1 + (text.length >> 4);
}

/** How many steps it takes to look at all of a value; what lies beyond `max` is not looked at. */
export function sizeOf(root: Json, max: number): number {
  let size = 0;
  const stack: Json[] = [root];
  while (stack.length > 0 && size <= max) {
    const value = stack.pop()!;
    size += typeof value === 'string' ? textSteps(value) : 1;
    if (Array.isArray(value)) {
      if (value.length > max) return value.length;
      for (const item of value as readonly Json[]) stack.push(item);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        size += textSteps(key);
        stack.push(value[key]!);
      }
    }
  }
  return size;
}
