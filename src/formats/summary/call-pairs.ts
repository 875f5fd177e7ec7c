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
  const pass = (fits: (wanted: number, made: number) => boolean): void => {
    for (let at = 0; at < Math.min(expected.length, comparedMax); at++) {
      if (partners[at]! >= 0) continue;
      for (const candidate of free) {
        if (!fits(at, candidate)) continue;
        partners[at] = candidate;
        free.delete(candidate);
        break;
      }
    }
  };
  const sameName = (wanted: number, made: number): boolean => expected[wanted]!.name === actual[made]!.name;
  // Hashed once a call, so that few pairs are compared.
  const [wantedHashes, madeHashes] = [hashesOf(expected), hashesOf(actual)];
  pass(
    (wanted, made) =>
      sameName(wanted, made) &&
      wantedHashes[wanted] === madeHashes[made] &&
      jsonEqual(expected[wanted]!.arguments, actual[made]!.arguments),
  );
  pass(sameName);
  pass(() => true);
  const paired = partners.map((actualAt, expectedAt) => ({ expectedAt, actualAt }));
  const taken = new Set(partners);
  const extra = actual.map((_, at) => at).filter((at) => !taken.has(at));
  return [...paired, ...extra.map((actualAt) => ({ expectedAt: -1, actualAt }))];
}

function hashesOf(calls: readonly AnyCall[]): (number | undefined)[] {
  return calls.slice(0, comparedMax).map(({ arguments: given }) => given && hashOf(given));
}
