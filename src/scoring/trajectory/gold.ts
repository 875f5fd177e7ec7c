import type { ExpectedCall, Truth } from '../truth.ts';
import { hasCollidingKeys } from './compare.ts';

/** What the family knows of a truth row before any prediction of it is seen. */
export interface Gold {
  readonly calls: readonly ExpectedCall[];
  /** Name of each call. */
  readonly names: readonly string[];
  /** Argument names of each call. */
  readonly keys: readonly (readonly string[])[];
  /** Occurrences of each name, in order of first appearance. */
  readonly counts: ReadonlyMap<string, number>;
  /** Key of the multiset of names in `by_combination`. */
  readonly combination: string;
  /** Key in `by_call_count`. */
  readonly callCount: string;
  /** Normalised keys collide: a prediction of deeply equal calls need not compare as the row does with itself. */
  readonly keysCollide: boolean;
}

/** `undefined` where no expected calls are recorded. Distinct names come in `combinationOrder` in the key of a combination. */
export function goldOf(
  truth: Truth,
  combinationOrder: (names: readonly string[]) => readonly string[],
): Gold | undefined {
  const calls = truth.expected;
  if (calls === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    calls,
    names: calls.map((call) => call.name),
    keys: calls.map((call) => Object.keys(call.arguments)),
    counts,
    combination: combinationOrder([...counts.keys()])
      .map((name) => `${counts.get(name)}x ${name}`)
      .join(', '),
    callCount: String(calls.length),
    keysCollide: calls.some((call) => Object.values(call.arguments).some(hasCollidingKeys)),
  };
}
