import { type JsonObject, jsonEqual } from '../../scoring/json.ts';
import { hashOf } from '../../scoring/similarity.ts';

/** Positions from 0; -1 where the other side has no partner for it. */
export interface PairedCalls {
  readonly expectedAt: number;
  readonly actualAt: number;
}

interface AnyCall {
  readonly name: string | undefined;
  readonly arguments: JsonObject | undefined;
}

const comparedMax = 64;

/**
 * Puts expected and made calls side by side, for a person to compare (it decides no score): equal calls first, then calls of one
 * name, then what is left in order. In the order of the expected calls; calls beyond them at the end.
 *
 * Expected `a({x: 1})`, `b({})`; made `b({})`, `a({x: 2})`: pairs a/a and b/b, each at another position.
 */
export function pairCalls(expected: readonly AnyCall[], actual: readonly AnyCall[]): readonly PairedCalls[] {
  const partners = new Array<number>(expected.length).fill(-1);
  const free = new Set(actual.map((_, at) => at).slice(0, comparedMax));
  const pass = (fits: (wanted: AnyCall, made: AnyCall) => boolean): void => {
    for (let at = 0; at < Math.min(expected.length, comparedMax); at++) {
      if (partners[at]! >= 0) continue;
      for (const candidate of free) {
        if (!fits(expected[at]!, actual[candidate]!)) continue;
        partners[at] = candidate;
        free.delete(candidate);
        break;
      }
    }
  };
  // Of many calls, arguments are looked at once a call, and not once a pair.
  const few = expected.length * actual.length <= 8;
  const hash = hashes();
  pass(
    (wanted, made) =>
      wanted.name === made.name &&
      (few || hash(wanted.arguments) === hash(made.arguments)) &&
      jsonEqual(wanted.arguments, made.arguments),
  );
  pass((wanted, made) => wanted.name === made.name);
  pass(() => true);
  const paired = partners.map((actualAt, expectedAt) => ({ expectedAt, actualAt }));
  const taken = new Set(partners);
  const extra = actual.map((_, at) => at).filter((at) => !taken.has(at));
  return [...paired, ...extra.map((actualAt) => ({ expectedAt: -1, actualAt }))];
}

/** The hash of each value, worked out once. */
function hashes(): (value: JsonObject | undefined) => number | undefined {
  const known = new Map<JsonObject, number>();
  return (value) => {
    if (value === undefined) return undefined;
    let hash = known.get(value);
    if (hash === undefined) known.set(value, (hash = hashOf(value)));
    return hash;
  };
}
