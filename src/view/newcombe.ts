import { wilson } from '../scoring/reading.ts';

/** x of n. */
export interface Proportion {
  readonly x: number;
  readonly n: number;
}

/** Pairs of outcomes: of both, of the first only, of the second only, of none. */
export interface PairCounts {
  readonly both: number;
  readonly first: number;
  readonly second: number;
  readonly none: number;
}

export type Interval = readonly [lower: number, upper: number];

/**
 * Interval of second - first for independent proportions with n > 0, at z standard deviations: the hybrid score interval, method 10 of
 * Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17:873-890, 1998.
 *
 * first 48 of 80, second 56 of 70: 0.2 [0.0524, 0.3339] at 95 %.
 */
export function newcombe(first: Proportion, second: Proportion, z: number): Interval {
  return combined(first, second, 0, z);
}

/**
 * The same for one set of at least one pair: method 10 of Newcombe, "Improved confidence intervals for the difference between binomial
 * proportions based on paired data", Statistics in Medicine 17:2635-2650, 1998. The more alike the outcomes of a pair, the narrower.
 *
 * both 14, first only 0, second only 5, none 22: 0.122 [0.011, 0.226] at 95 %.
 */
export function newcombePaired(pairs: PairCounts, z: number): Interval {
  const n = pairs.both + pairs.first + pairs.second + pairs.none;
  const first = { x: pairs.both + pairs.first, n };
  const second = { x: pairs.both + pairs.second, n };
  return combined(first, second, correlation(pairs, n), z);
}

function combined(first: Proportion, second: Proportion, phi: number, z: number): Interval {
  const [a, b] = [first.x / first.n, second.x / second.n];
  const [lowA, highA] = wilson(first.x, first.n, z);
  const [lowB, highB] = wilson(second.x, second.n, z);
  const reach = (one: number, other: number): number =>
    Math.sqrt(Math.max(0, one * one - 2 * phi * one * other + other * other));
  return [Math.max(-1, b - a - reach(b - lowB, highA - a)), Math.min(1, b - a + reach(highB - b, a - lowA))];
}

/** phi, of which a positive one is reduced for continuity; 0 where an outcome is always the same. */
function correlation({ both, first, second, none }: PairCounts, n: number): number {
  const margins = (both + first) * (second + none) * (both + second) * (first + none);
  if (margins === 0) return 0;
  const product = both * none - first * second;
  return (product > 0 ? Math.max(0, product - n / 2) : product) / Math.sqrt(margins);
}
