import { rootOf } from './root.ts';

/** Both ends of an interval for a share. */
export type Bounds = readonly [lower: number, upper: number];

/** The mixture that bounds are drawn by. */
export interface Mixture {
  /** The chance that the true share is ever outside. */
  readonly alpha: number;
  /** Number of cases at which the bounds are as tight as they can be. */
  readonly tightestAt: number;
}

/** The mixture of all reported bounds. */
export const always: Mixture = { alpha: 0.05, tightestAt: 1000 };

/**
 * Bounds for the share behind k of n that may be looked at after every case: the true share is ever outside with at most the chance alpha. The
 * beta-binomial mixture of S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences",
 * Annals of Statistics 49 (2021) 1055, inverted: all p under which the mixture is less than 1 / alpha times as likely as p itself. For p it is over a
 * beta distribution with mean p and `weightOf(mixture)` cases.
 *
 * Example: 50 of 1000 give 0.031499 to 0.073411.
 */
export function alwaysBounds(k: number, n: number, mixture: Mixture = always): Bounds {
  return [lowerBound(k, n, mixture), 1 - lowerBound(n - k, n, mixture)];
}

/** Least share that differs from 0. */
const tiny = 1e-12;

function lowerBound(k: number, n: number, mixture: Mixture): number {
  if (k === 0) return 0;
  const excess = excessOf(k, n, mixture);
  if (excess(tiny) <= 0) return 0;
  // The mixture is least against the share itself and grows on either side: steps down to where it is too much.
  let above = k === n ? 1 - tiny : k / n;
  if (excess(above) > 0) return above;
  let step = Math.sqrt((above * (1 - above) + 1 / n) / n);
  let below = above - step;
  for (; below > tiny && excess(below) <= 0; step *= 2, below = above - step) above = below;
  return rootOf(excess, Math.max(tiny, below), above);
}

/** The logarithm of how much likelier the mixture is than p, less that of 1 / alpha. */
function excessOf(k: number, n: number, mixture: Mixture): (p: number) => number {
  const weight = weightOf(mixture);
  const constant = logGamma(weight) - logGamma(weight + n) + Math.log(mixture.alpha);
  const side = (p: number, count: number): number =>
    logGamma(weight * p + count) - logGamma(weight * p) - count * Math.log(p);
  return (p) => constant + side(p, k) + side(1 - p, n - k);
}

function weightOf({ alpha, tightestAt }: Mixture): number {
  const logarithm = 2 * Math.log(1 / alpha);
  return Math.max(tightestAt / (logarithm + Math.log(1 + logarithm)) - 1, 1e-3);
}

/** ln Γ(x), x > 0: Stirling's series from 8 on, and the recurrence below. */
function logGamma(x: number): number {
  let shift = 1;
  let y = x;
  for (; y < 8; y++) shift *= y;
  const inverse = 1 / (y * y);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - Math.log(shift);
}
