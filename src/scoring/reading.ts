/**
 * The shapes that numbers have in every output (docs/reference/outputs.md), and the readings that make them.
 */

/** x out of n with its Wilson score interval; all three are null at 0/0. */
export interface Rate {
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
  readonly lower: number | null;
  readonly upper: number | null;
  /** In window `all`: ends that hold however often they are looked at. */
  readonly lower_always?: number | null;
  readonly upper_always?: number | null;
}

export interface Mean {
  readonly value: number | null;
  readonly sum: number;
  readonly count: number;
}

/** An estimate for all traffic from a part of it, with its interval. All three are null where there is nothing to work it out from. */
export interface Estimate {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Makes a rate from its counts; carries the confidence level, as `z` standard deviations, so that readings need not know it. */
export interface RateOf {
  (numerator: number, denominator: number): Rate;
  readonly z: number;
}

/** A reading of rates with two-sided intervals at `z` standard deviations (docs/reference/scoring.md, "Intervals"; Wilson 1927). */
export function rateWith(z: number): RateOf {
  const rate = (numerator: number, denominator: number): Rate => {
    if (denominator === 0) return { value: null, numerator, denominator, lower: null, upper: null };
    const [lower, upper] = wilson(numerator, denominator, z);
    return { value: numerator / denominator, numerator, denominator, lower, upper };
  };
  return Object.assign(rate, { z });
}

/** Wilson score interval of x successes in n > 0 trials, clamped to [0, 1], exactly 0 at x = 0 and 1 at x = n. */
export function wilson(x: number, n: number, z: number): readonly [number, number] {
  const squared = z * z;
  const centre = (x + squared / 2) / (n + squared);
  const half = (z / (n + squared)) * Math.sqrt((x * (n - x)) / n + squared / 4);
  return [x === 0 ? 0 : Math.max(0, centre - half), x === n ? 1 : Math.min(1, centre + half)];
}

/** Two-sided 95 %. */
export const z95 = 1.959963984540054;

/** A mean from its sum and count; its value is null at count 0. */
export function meanOf(sum: number, count: number): Mean {
  return { value: count === 0 ? null : sum / count, sum, count };
}

/** x / y, null at y = 0. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator;
}

/** F1 = 2tp / (2tp + fp + fn), null at 0/0. Never from P and R: the last bit differs. */
export function f1Of(tp: number, fp: number, fn: number): number | null {
  return ratio(2 * tp, 2 * tp + fp + fn);
}

export type Band = 'excellent' | 'good' | 'fair' | 'poor';

/** Band of an unrounded score, lower bounds inclusive. */
export function band(value: number | null, excellent: number, good: number, fair: number): Band | null {
  if (value === null) return null;
  if (value >= excellent) return 'excellent';
  if (value >= good) return 'good';
  return value >= fair ? 'fair' : 'poor';
}
