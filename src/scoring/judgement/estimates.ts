import { type Estimate, wilson } from '../reading.ts';

/**
 * Numbers of all traffic from those events of it that were chosen, each with its own chance, to be judged. An event that was chosen with
 * chance p stands for w = 1/p events (Hájek 1971); variances are those of the linearised ratio, with n/(n-1).
 */

/** Judged events of a kind: how many, and the sums of their weights and of the squares of those. */
export interface Weighted {
  readonly n: number;
  readonly w: number;
  readonly ww: number;
}

const none: Estimate = { value: null, lower: null, upper: null };

/** Adds kinds up. */
export function together(...kinds: readonly Weighted[]): Weighted {
  return kinds.reduce((a, b) => ({ n: a.n + b.n, w: a.w + b.w, ww: a.ww + b.ww }), { n: 0, w: 0, ww: 0 });
}

/**
 * Share of all traffic that is of a kind, with Wilson's interval for as many independent events as have the same variance (Korn and Graubard
 * 1998); where all judged events are alike, as many as their weights are worth (Kish 1965).
 */
export function shareOfTraffic(kind: Weighted, others: Weighted, z: number): Estimate {
  const all = together(kind, others);
  if (all.n === 0) return none;
  const value = kind.w / all.w;
  const variance = ((1 - value) ** 2 * kind.ww + value ** 2 * others.ww) / all.w ** 2;
  const usual = all.w ** 2 / all.ww;
  const effective = variance === 0 ? usual : (value * (1 - value) * (all.n - 1)) / (variance * all.n);
  const [lower, upper] = wilson(value * effective, effective, z);
  return { value, lower, upper };
}

/** Sums over judged events with weights w and scores x. */
export interface WeightedScores extends Weighted {
  readonly wx: number;
  readonly wwx: number;
  readonly wwxx: number;
}

/** Mean score of all traffic; of one event it has no interval. */
export function meanOfTraffic({ n, w, ww, wx, wwx, wwxx }: WeightedScores, z: number): Estimate {
  if (n === 0) return none;
  const value = wx / w;
  if (n < 2) return { value, lower: null, upper: null };
  // Rounding may leave a little less than nothing where all scores are equal.
  const variance = (Math.max(0, wwxx - 2 * value * wwx + value ** 2 * ww) / w ** 2) * (n / (n - 1));
  const half = z * Math.sqrt(variance);
  return { value, lower: value - half, upper: value + half };
}

/** How a judge and the rules agree on the judged events that the rules have a verdict on. */
export interface AgainstRules {
  readonly rightPass: Weighted;
  readonly rightFail: Weighted;
  readonly wrongPass: Weighted;
  readonly wrongFail: Weighted;
}

/**
 * Success of all traffic as the judge sees it, from the verdict of the rules on every event and the judge's on some (prediction-powered
 * inference: Angelopoulos et al. 2023): the share that the rules call right, plus by how much the judge's share is above theirs. Its variance is
 * the sum of both variances.
 */
export function correctedSuccess(
  traffic: { readonly n: number; readonly right: number } | undefined,
  { rightPass, rightFail, wrongPass, wrongFail }: AgainstRules,
  z: number,
): Estimate {
  const agreed = together(rightPass, wrongFail);
  const all = together(agreed, rightFail, wrongPass);
  if (traffic === undefined || traffic.n === 0 || all.n === 0) return none;
  const share = traffic.right / traffic.n;
  const gain = (wrongPass.w - rightFail.w) / all.w;
  const value = clamped(share + gain);
  if (all.n < 2) return { value, lower: null, upper: null };
  const squares = wrongPass.ww * (1 - gain) ** 2 + rightFail.ww * (1 + gain) ** 2 + agreed.ww * gain ** 2;
  const ofGain = squares === 0 ? unseen(all) : (squares / all.w ** 2) * (all.n / (all.n - 1));
  const half = z * Math.sqrt((share * (1 - share)) / traffic.n + ofGain);
  return { value, lower: clamped(share + gain - half), upper: clamped(share + gain + half) };
}

/** Variance of a difference of which none was seen: as if the next event showed one (Laplace's rule of succession). */
function unseen({ w, ww }: Weighted): number {
  const effective = w ** 2 / ww;
  const share = 1 / (effective + 2);
  return (share * (1 - share)) / effective;
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** Cohen's kappa of two verdicts by how often each pair of them was given; null where chance alone explains everything, as with no event. */
export function cohensKappa(bothPass: number, onlyFirst: number, onlySecond: number, bothFail: number): number | null {
  const n = bothPass + onlyFirst + onlySecond + bothFail;
  const first = bothPass + onlyFirst;
  const second = bothPass + onlySecond;
  // All counts times n: exact until the one division.
  const byChance = first * second + (n - first) * (n - second);
  const agreed = (bothPass + bothFail) * n;
  return n * n === byChance ? null : (agreed - byChance) / (n * n - byChance);
}
