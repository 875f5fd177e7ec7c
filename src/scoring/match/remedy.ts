import type { Json, JsonObject } from '../json.ts';
import type { Call } from '../prediction.ts';
import type { Pair } from './pairing.ts';
import { pathPattern } from './paths.ts';
import type { ExpectedCall } from '../truth.ts';
import type { Verdict } from './verdict.ts';

/** The addition to a truth row that makes an answer right: all rules (`accept`) of an expected call, or another list of calls. */
export type Remedy =
  | { readonly accept: readonly { readonly expected_call: number; readonly rules: JsonObject }[] }
  | { readonly alternatives: readonly JsonObject[] };

/**
 * The addition that admits the calls that are wrong, if they are right after all. Rules where the calls of the first list are made in the order that
 * is required and arguments alone differ, but for the length of a list; else the calls themselves as an alternative. Undefined where calls
 * are malformed or forbidden. `expected` are the calls of the truth row, whose own rules are kept.
 */
export function remedyFor(verdict: Verdict, expected: readonly ExpectedCall[] | undefined): Remedy | undefined {
  const { predicted, list, errors } = verdict;
  if (errors.some(({ error }) => error === 'malformed_call' || error === 'forbidden_call')) return undefined;
  const alternatives = { alternatives: predicted.map(callOf) };
  if (expected === undefined || list > 0 || !isInOrder(verdict)) return alternatives;
  const byCall = new Map<number, Map<string, Json>>();
  for (const { error, expectedCall, path, actual, rule } of errors) {
    if (path === undefined || expectedCall === undefined || pathPattern(path, false) === undefined) return alternatives;
    if (path.endsWith(']') && (error === 'missing_argument' || error === 'unexpected_argument')) return alternatives;
    const rules = byCall.get(expectedCall) ?? new Map(Object.entries(expected[expectedCall]!.accept ?? {}));
    byCall.set(expectedCall, rules);
    const more = actual === undefined ? { optional: true } : { any: [...(rule?.any ?? []), actual] };
    rules.set(path, { ...(rules.get(path) as JsonObject | undefined), ...more });
  }
  return { accept: [...byCall].map(([expected_call, rules]) => ({ expected_call, rules: Object.fromEntries(rules) })) };
}

/** Returns whether each call, right or not, has its partner in order. */
function isInOrder({ order, pairs, errors }: Verdict): boolean {
  if (order === 'any') return true;
  const wrong = errors.flatMap(({ expectedCall: i, predictedCall: j }): Pair[] =>
    i === undefined || j === undefined ? [] : [[i, j]],
  );
  const sorted = [...pairs, ...wrong].sort(([a], [b]) => a - b);
  if (order === 'exact') return sorted.every(([i, j]) => i === j);
  return sorted.every(([, j], at) => at === 0 || sorted[at - 1]![1] <= j);
}

function callOf({ name, arguments: given }: Call): JsonObject {
  return { name: name as Json, arguments: given as Json };
}
