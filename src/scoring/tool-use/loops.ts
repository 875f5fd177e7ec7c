import { jsonEqual } from '../json.ts';
import type { Call } from '../prediction.ts';

/** Least number of calls in which there can be a loop. */
export const loopLeast = 3;

const longestCycle = 4;
const times = 3;

/**
 * Index of the call that closes a loop: the third of three equal calls in a row, or the last of a cycle of 2 to 4 calls that is made three times;
 * -1 where there is none. Calls are equal by name and arguments; a call whose arguments could not be read equals no other.
 *
 * `a a a` closes at 2, `a b a b a b` at 5; `a a b a a` does not.
 */
export function loopAt(calls: readonly Call[]): number {
  for (let at = loopLeast - 1; at < calls.length; at++)
    for (let cycle = 1; cycle <= longestCycle; cycle++) if (closesCycle(calls, at, cycle)) return at;
  return -1;
}

function closesCycle(calls: readonly Call[], last: number, cycle: number): boolean {
  const first = last - times * cycle + 1;
  if (first < 0) return false;
  for (let at = last; at >= first + cycle; at--) if (!isSame(calls[at]!, calls[at - cycle]!)) return false;
  return true;
}

function isSame(a: Call, b: Call): boolean {
  return a.name === b.name && a.arguments !== undefined && jsonEqual(a.arguments, b.arguments);
}
