import { designOf, meanCases, type Weights, weightsFor } from './cusum.ts';

/**
 * The chart that ends an alarm: the Bernoulli CUSUM for the other direction, from the rate of the alarm back to the baseline. A good case adds
 * `weights.down`, a bad one takes `weights.up` away; it signals at the threshold.
 */
export interface EndDesign {
  /** The rate while the alarm was up, which it tells the baseline from. */
  readonly rate: number;
  readonly weights: Weights;
  readonly threshold: number;
  /** Exact mean number of cases to a false end at that rate, and from the recovery to the end at the baseline. */
  readonly falseEndCases: number;
  readonly endCases: number;
}

/** At the rate of the alarm there is at most one false end in so many cases. */
export const falseEndCasesLeast = 500;
/** Where false ends are rarer without waiting longer than this for the end, they are: a strong spike is hardly ever taken for over. */
const endCasesFree = 20;

/**
 * Designs by their rates, each computed once. Rates of alarms are rounded down, so that few designs are needed: to a twentieth, to the worst rate,
 * or below that to the middle between it and the baseline, so that a rate that stays between them stays an alarm.
 */
export function createEndDesigns(): (baseline: number, worst: number, rate: number) => EndDesign {
  const known = new Map<string, EndDesign>();
  return (baseline, worst, rate) => {
    const rounded =
      rate < worst ? (baseline + worst) / 2 : Math.max(worst, Math.floor(Math.min(rate, rateMost) * 20) / 20);
    const key = `${baseline} ${rounded}`;
    const found = known.get(key) ?? endDesignOf(baseline, rounded);
    if (known.size >= designsMost) known.clear();
    known.set(key, found);
    return found;
  };
}

const rateMost = 0.95;
const designsMost = 10_000;

/** The design for a rate above the baseline. */
export function endDesignOf(baseline: number, rate: number): EndDesign {
  const weights = weightsFor(baseline, rate);
  // The chart's own bad cases are the good ones.
  const swapped = { up: weights.down, down: weights.up };
  const least = designOf(swapped, 1 - rate, falseEndCasesLeast).threshold;
  const endCasesAt = (threshold: number): number => meanCases(swapped, threshold, 1 - baseline);
  let threshold = least;
  while (endCasesAt(threshold + 1) <= endCasesFree) threshold++;
  return {
    ...{ rate, weights, threshold },
    falseEndCases: meanCases(swapped, threshold, 1 - rate),
    endCases: endCasesAt(threshold),
  };
}
