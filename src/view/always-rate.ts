import type { Rate, RateOf } from '../scoring/reading.ts';
import { alwaysBounds } from '../statistics/always.ts';

/**
 * A reading of rates that adds the bounds which may be looked at all the time (docs/reference/scoring.md, "Intervals"); both are null at 0/0. They
 * are computed when they are read: most readings of a view are never written out.
 */
export function alwaysRate(rate: RateOf): RateOf {
  const always = (numerator: number, denominator: number): Rate => {
    let known: readonly [lower: number | null, upper: number | null] | undefined;
    const bounds = () => (known ??= denominator === 0 ? [null, null] : alwaysBounds(numerator, denominator));
    return {
      ...rate(numerator, denominator),
      get lower_always() {
        return bounds()[0];
      },
      get upper_always() {
        return bounds()[1];
      },
    };
  };
  return Object.assign(always, { z: rate.z });
}
