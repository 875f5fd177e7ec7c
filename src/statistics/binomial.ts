/** The probability of more than x bad cases among n at rate p, 0 < p < 1. Example: more than 0 of 2 at 0.5 is 0.75. */
export function probabilityAbove(x: number, n: number, p: number): number {
  let logarithm = n * Math.log1p(-p);
  let sum = 0;
  for (let bad = 0; bad <= n; bad++) {
    if (bad > x) sum += Math.exp(logarithm);
    logarithm += Math.log((n - bad) / (bad + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return Math.min(1, sum);
}
