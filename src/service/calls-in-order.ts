import { jsonEqual } from '../scoring/json.ts';
import type { Call } from '../scoring/prediction.ts';
import { hashOf } from '../scoring/similarity.ts';

/** Calls in an order of their own: that of the agent does not matter. */
export function inOrder(calls: readonly Call[]): readonly Call[] {
  const keyed = calls.map((call) => ({ call, name: call.name ?? '', hash: hashOf(call.arguments ?? null) }));
  keyed.sort((a, b) => (a.name === b.name ? a.hash - b.hash : a.name < b.name ? -1 : 1));
  return keyed.map(({ call }) => call);
}

/** Returns whether calls that are in that order say the same. */
export function isSame(some: readonly Call[], others: readonly Call[]): boolean {
  if (some === others) return true;
  return (
    some.length === others.length &&
    some.every(({ name, arguments: given }, at) => {
      const other = others[at]!;
      return name === other.name && jsonEqual(given ?? null, other.arguments ?? null);
    })
  );
}
