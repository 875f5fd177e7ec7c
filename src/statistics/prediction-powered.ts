/** A part of all traffic, of which a judge has judged a random sample, and people a random part of that sample. */
export interface Stratum {
  /** Share of all traffic, above 0. */
  readonly share: number;
  /** Share that the judge passes, and the number of independent events that it is known by. */
  readonly judge: { readonly passes: number; readonly n: number };
  /** Events that people judged too: of those that the judge passes, and of the others. */
  readonly passed: Counted;
  readonly failed: Counted;
}

/** Events that people judged, and those that they call right. */
export interface Counted {
  readonly n: number;
  readonly right: number;
}

/** A share of all traffic, and the number of independent events by which a binomial share is known as well. */
export interface PoweredShare {
  readonly value: number;
  readonly worth: number;
}

/** Events of a kind that people must have judged at least: of fewer nothing is known of the kind. */
const leastOfKind = 3;

/**
 * Share of all traffic that people call right, from few of their verdicts, many of a judge and the strata of all events: prediction-powered inference
 * with power tuning (PPI++, Angelopoulos, Duchi and Zrnic 2023), within each stratum. With Y = 1 where people call an event right and f = 1 where
 * the judge passes it,
 *
 *     share = mean of Y over the events of people + λ (mean of f over all judged - mean of f over the events of people),   λ = Cov(Y, f) / Var(f)
 *
 * The tuned λ makes a judge of 0 and 1 that says nothing cost nothing. It is the difference of the shares that people call right among what the judge
 * passes and what it does not, so the estimate is Σ w·p over these two kinds, with w from the judge and p from people, and its variance is
 *
 *     Σ w² p(1 - p)/m + λ² q(1 - q)/n                 m: events of people of the kind, q: share that the judge passes of n events
 *
 * with p(1 - p) of (right + 1/2)/(m + 1), since of a few events without a contradiction the variance that is seen is 0. Where people have judged fewer
 * than 3 of a kind, λ is 0: the verdicts of people alone count. Strata are added up by their shares; of two, with shares of a sample of `traffic`
 * events, the variance of these is added. Undefined where people have judged fewer than 3 events of a stratum.
 *
 * Example: one stratum; a judge passes 0.8 of 1,000; people call 76 of 80 right that it passes, and 4 of 20 that it does not. λ = 0.95 - 0.2; value
 * 0.8 · 0.95 + 0.2 · 0.2 = 0.8, variance 0.00076 by people and 0.00009 by the judge: worth 190 independent events, where people alone have 100.
 */
export function predictionPowered(strata: readonly Stratum[], traffic: number): PoweredShare | undefined {
  const parts = strata.map((stratum) => ({ stratum, part: shareWithin(stratum) }));
  let [value, smoothed, variance, squares] = [0, 0, 0, 0];
  for (const { stratum, part } of parts) {
    if (part === undefined) return undefined;
    value += stratum.share * part.value;
    smoothed += stratum.share * part.smoothed;
    variance += stratum.share ** 2 * part.variance;
    squares += stratum.share * part.value ** 2;
  }
  variance += Math.max(0, squares - value ** 2) / traffic;
  return { value, worth: (smoothed * (1 - smoothed)) / variance };
}

interface Part {
  readonly value: number;
  readonly smoothed: number;
  readonly variance: number;
}

function shareWithin({ judge: { passes, n }, passed, failed }: Stratum): Part | undefined {
  const kinds = [
    { weight: passes, of: passed },
    { weight: 1 - passes, of: failed },
  ].filter(({ weight }) => weight > 0);
  if (kinds.length === 2 && kinds.every(({ of }) => of.n >= leastOfKind)) {
    const tuning = passed.right / passed.n - failed.right / failed.n;
    const { variance, ...part } = added(kinds);
    return { ...part, variance: variance + (tuning ** 2 * passes * (1 - passes)) / n };
  }
  const all = { n: passed.n + failed.n, right: passed.right + failed.right };
  return all.n < leastOfKind ? undefined : added([{ weight: 1, of: all }]);
}

function added(kinds: readonly { readonly weight: number; readonly of: Counted }[]): Part {
  let [value, smoothed, variance] = [0, 0, 0];
  for (const {
    weight,
    of: { n, right },
  } of kinds) {
    const share = (right + 0.5) / (n + 1);
    value += weight * (right / n);
    smoothed += weight * share;
    variance += (weight ** 2 * share * (1 - share)) / n;
  }
  return { value, smoothed, variance };
}
