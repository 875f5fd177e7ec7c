import type { Json, JsonObject } from '../json.ts';
import type { Call } from '../prediction.ts';
import { pathPattern } from './paths.ts';
import type { Verdict } from './verdict.ts';

/** What a truth row would have to say for an answer to be right: rules of an expected call, or another list of calls. */
export type Remedy =
  | { readonly accept: readonly { readonly expected_call: number; readonly rules: JsonObject }[] }
  | { readonly alternatives: readonly JsonObject[] };

/**
 * What would admit the calls that are wrong, if they are right after all. Rules where only arguments of calls of the first list differ, each by
 * a value; else the calls themselves as an alternative. Undefined where calls are malformed or forbidden.
 */
export function remedyFor({ errors, predicted, list }: Verdict): Remedy | undefined {
  if (errors.some(({ error }) => error === 'malformed_call' || error === 'forbidden_call')) return undefined;
  const byCall = new Map<number, Record<string, JsonObject>>();
  for (const { expectedCall, path, expected, actual, rule } of errors) {
    if (list > 0 || path === undefined || expectedCall === undefined || pathPattern(path, false) === undefined)
      return { alternatives: predicted.map(callOf) };
    const rules = byCall.get(expectedCall) ?? {};
    byCall.set(expectedCall, rules);
    rules[path] =
      actual === undefined
        ? { optional: true }
        : { any: [...(expected === undefined ? [] : (rule?.any ?? [])), actual] };
  }
  return { accept: [...byCall].map(([expected_call, rules]) => ({ expected_call, rules })) };
}

function callOf({ name, arguments: given }: Call): JsonObject {
  return { name: name as Json, arguments: given as Json };
}
