/** Cases of a part of a whole, and the bad ones among them. */
export interface Cases {
  readonly n: number;
  readonly bad: number;
}

/** The part of a group in the change of the whole's rate: its own rate changed, and it became more or less frequent. */
export interface PartOfChange {
  readonly byRate: number;
  readonly byMix: number;
}

/**
 * Splits the change of a rate over the parts of its cases (E. M. Kitagawa, "Components of a difference between two rates", Journal of the American
 * Statistical Association 50 (1955) 1168): for each part `(r1 - r0) (w0 + w1) / 2` by its rate r, and by its weight w `(w1 - w0)` times how far
 * its mean rate lies from that of the whole, so that a part that grew is a cause only if it is worse than the others. They add up to the change.
 * A part that is new, or gone, has the rate of the time in which it has one.
 *
 * Example: of 100 and 100 cases 2 and 2 were bad, now 2 and 62: the second has by its rate 0.3, which is the whole change.
 */
export function splitChange(parts: readonly { readonly before: Cases; readonly since: Cases }[]): PartOfChange[] {
  const before = total(parts.map((part) => part.before));
  const since = total(parts.map((part) => part.since));
  const whole = (rateOf(before, since) + rateOf(since, before)) / 2;
  return parts.map((part) => {
    const weights = [part.before.n / before.n, part.since.n / since.n] as const;
    const rates = [rateOf(part.before, part.since), rateOf(part.since, part.before)] as const;
    return {
      byRate: ((rates[1] - rates[0]) * (weights[0] + weights[1])) / 2,
      byMix: (weights[1] - weights[0]) * ((rates[0] + rates[1]) / 2 - whole),
    };
  });
}

/** Adds up cases. */
export function total(parts: readonly Cases[]): Cases {
  return parts.reduce((sum, { n, bad }) => ({ n: sum.n + n, bad: sum.bad + bad }), { n: 0, bad: 0 });
}

function rateOf({ n, bad }: Cases, otherwise: Cases): number {
  if (n > 0) return bad / n;
  return otherwise.n > 0 ? otherwise.bad / otherwise.n : 0;
}
