import { jsonEqual } from '../json.ts';
import type { Call } from '../prediction.ts';
import { isMalformed } from './matching.ts';

/** Calls that say the same as others of their event. */
export interface Repetitions {
  /** Calls that are equal to an earlier one of the event. */
  readonly repeated: number;
  /** A call is made three times or more. */
  readonly loop: boolean;
}

/** Calls that are deeply equal to an earlier one, and whether one is made three times or more. `hashAt` is the hash of the arguments of a call. */
export function repetitionsOf(calls: readonly Call[], hashAt: (place: number) => number): Repetitions {
  let repeated = 0;
  let loop = false;
  if (calls.length < 2) return { repeated, loop };
  const byHash = new Map<number, { readonly call: Call; count: number }[]>();
  for (let place = 0; place < calls.length; place++) {
    const call = calls[place]!;
    if (isMalformed(call)) continue;
    const hash = hashAt(place);
    let alike = byHash.get(hash);
    if (alike === undefined) byHash.set(hash, (alike = []));
    const same = alike.find(
      ({ call: earlier }) => earlier.name === call.name && jsonEqual(earlier.arguments, call.arguments),
    );
    if (same === undefined) alike.push({ call, count: 1 });
    else {
      repeated++;
      if (++same.count === 3) loop = true;
    }
  }
  return { repeated, loop };
}
