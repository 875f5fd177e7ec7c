import type { Interval } from './newcombe.ts';

/** The rest of a number without one of `count` equal events. */
export interface LeftOut {
  readonly value: number;
  readonly count: number;
}

/** A jackknife needs a few events to say anything. */
export const fewestEvents = 4;

/**
 * Jackknife variance of a number that is a smooth function of n events: (n - 1)/n times the sum of the squared deviations of what is left
 * when each event is left out in turn (Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981).
 *
 * The mean of 1, 2, 3 without each: 2.5, 2, 1.5: 2/3 * 0.5 = 1/3, the variance of the mean, s²/n.
 */
export function jackknifeVariance(left: readonly LeftOut[]): number {
  let n = 0;
  let sum = 0;
  for (const { value, count } of left) {
    n += count;
    sum += count * value;
  }
  const mean = sum / n;
  let squares = 0;
  for (const { value, count } of left) squares += count * (value - mean) ** 2;
  return ((n - 1) / n) * squares;
}

/** estimate ± t · √variance, two-sided 95 %, of Student's distribution with some degrees of freedom. */
export function studentInterval(estimate: number, variance: number, freedom: number): Interval {
  const half = student95(freedom) * Math.sqrt(variance);
  return [estimate - half, estimate + half];
}

/**
 * The 0.975 quantile of Student's t with ν >= 3 degrees of freedom, by its expansion in 1/ν (Abramowitz and Stegun, 26.7.5): within 0.2 %.
 *
 * ν = 9: 2.262.
 */
export function student95(freedom: number): number {
  const z = 1.959963984540054;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160;
  return z + g1 / freedom + g2 / freedom ** 2 + g3 / freedom ** 3 + g4 / freedom ** 4;
}
