/**
 * By how much runs that repeat their examples inflate the variance of a rate: 1 + (k - 1) icc for k runs of each (L. Kish, Survey Sampling, 1965).
 * `groups` has, by number of successes 0 to k, the groups of k runs with so many.
 *
 * The intraclass correlation is the estimate from the analysis of variance, (MSB - MSW) / (MSB + (k - 1) MSW), not below 0 (Ridout, Demétrio and
 * Firth, Biometrics 55 (1999) 137). 1 for fewer than 30 groups, and where all runs are alike: their correlation cannot be estimated.
 *
 * Example: k = 2 and 20 groups with 0, 20 with 1, 20 with 2 successes: MSB = 20 / 59, MSW = 10 / 60, icc = 0.3408, the effect 1.3408.
 */
export function designEffect(groups: ArrayLike<number>, k: number): number {
  let number = 0;
  let successes = 0;
  let squares = 0;
  for (let count = 0; count < groups.length; count++) {
    const times = groups[count]!;
    number += times;
    successes += times * count;
    squares += times * count * count;
  }
  if (k < 2 || number < groupsLeast) return 1;
  const between = (squares - (successes * successes) / number) / k / (number - 1);
  const within = (successes - squares / k) / (number * (k - 1));
  if (between + within === 0) return 1;
  return 1 + Math.max(0, ((k - 1) * (between - within)) / (between + (k - 1) * within));
}

const groupsLeast = 30;
