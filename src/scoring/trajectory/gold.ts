import type { ExpectedCall } from '../truth.ts';

/** The expected calls of a truth row, and the keys under which they are counted. */
export interface Gold {
  readonly calls: readonly ExpectedCall[];
  /** Occurrences of each name, in order of first appearance. */
  readonly counts: ReadonlyMap<string, number>;
  /** Key of the multiset of names in `by_combination`. */
  readonly combination: string;
  /** Key in `by_call_count`. */
  readonly callCount: string;
}

/** Distinct names come in `combinationOrder` in the key of a combination. */
export function goldOf(
  calls: readonly ExpectedCall[],
  combinationOrder: (names: readonly string[]) => readonly string[],
): Gold {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const combination = combinationOrder([...counts.keys()])
    .map((name) => `${counts.get(name)}x ${name}`)
    .join(', ');
  return { calls, counts, combination, callCount: String(calls.length) };
}
