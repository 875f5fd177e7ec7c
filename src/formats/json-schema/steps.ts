import { isObject, type Json } from '../../scoring/json.ts';

/** Ends the reading of a schema, or a validation by it: the schema is none, or takes too many steps. Such a schema accepts nothing. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Refuses a schema unless a condition holds. */
export function demand(condition: boolean): asserts condition {
  if (!condition) throw new Refused('no schema');
}

/** The work that is left for one schema or one call. */
export interface Steps {
  left: number;
  /** Schemas within schemas, and values within values, that are being looked at. */
  depth: number;
  /** Keys from the arguments to the value that is being looked at; `[]` for the items of a list. */
  readonly keys: string[];
  /** The part that was not accepted last. */
  broken: { readonly path: string; readonly keyword: string } | undefined;
}

/** Work for one schema or one call, of so many steps. */
export function stepsOf(left: number): Steps {
  return { left, depth: 0, keys: [], broken: undefined };
}

/** Looks at a value within the one that is being looked at. */
export function within<Result>(steps: Steps, key: string, act: () => Result): Result {
  steps.keys.push(key);
  const result = act();
  steps.keys.pop();
  return result;
}

/** Notes that the value that is being looked at, or what should be at a key of it, breaks a keyword. Returns false. */
export function breaks(steps: Steps, keyword: string, key?: string): false {
  const keys = key === undefined ? steps.keys : [...steps.keys, key];
  steps.broken = {
    path: keys.reduce((path, next) => path + (path === '' || next === '[]' ? next : `.${next}`), ''),
    keyword,
  };
  return false;
}

/** No person writes a deeper schema; the engine's stack holds several times as much. */
const depthMax = 256;

/** Takes steps, or refuses. */
export function spend(steps: Steps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new Refused('too many steps');
}

/** Does something one level deeper, for one step. */
export function deeper<Result>(steps: Steps, act: () => Result): Result {
  if (steps.depth === depthMax) throw new Refused('too deep');
  spend(steps, 1);
  steps.depth++;
  const result = act();
  steps.depth--;
  return result;
}

/** Steps to look at a text: one, and one for every 16 characters. */
export function textSteps(text: string): number {
  return 1 + (text.length >> 4);
}

/** Steps to look at all of a value; it is looked at up to `max`. */
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
