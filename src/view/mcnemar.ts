/**
 * Exact two-sided McNemar test: how likely changes at least as one-sided as these are, were gains and losses alike. Twice the tail of a
 * binomial distribution of n = gained + lost and 1/2, at most 1; 1 where nothing changed (McNemar, "Note on the sampling error of the
 * difference between correlated proportions or percentages", Psychometrika 12, 1947; exact form: Fagerland, Lydersen and Laake, "The McNemar
 * test for binary matched-pairs data", BMC Medical Research Methodology 13:91, 2013).
 *
 * gained 1, lost 7: 2 (C(8, 0) + C(8, 1)) / 2^8 = 0.0703.
 */
export function mcnemarExact(gained: number, lost: number): number {
  const n = gained + lost;
  const fewer = Math.min(gained, lost);
  // In logarithms: 2^-n is 0 from n = 1075 on. From the greatest term down, until what follows no longer counts: below k = 0 that is nothing.
  let term = logChoose(n, fewer) - n * Math.LN2;
  let tail = 0;
  for (let k = fewer; term > leastTerm; k--) {
    tail += Math.exp(term);
    term += Math.log(k) - Math.log(n - k + 1);
  }
  return Math.min(1, 2 * tail);
}

/** exp of less is 0. */
const leastTerm = -745;

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
