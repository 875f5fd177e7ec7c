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

/** Judged events of a kind, right or wrong by the rules, that an interval needs at least: of fewer nothing is known of the kind. */
const leastJudged = 3;

/**
 * Success of all traffic as the judge sees it, from the verdict of the rules on every event and the judge's on some (prediction-powered
 * inference: Angelopoulos et al. 2023): the share that the rules call right, plus by how much the judge's share is above theirs.
 *
 * A judge that contradicts the rules is rare among the events that they call right, and those are chosen with a small chance, so the variance that is
 * seen is mostly that of nothing seen. The interval takes right and wrong events apart: the judge's share among each by Wilson, weighted by how many
 * there are, added up by the distances of the ends (MOVER: Zou and Donner 2008), with the variance of the share of the rules.
 */
export function correctedSuccess(
  traffic: { readonly n: number; readonly right: number } | undefined,
  { rightPass, rightFail, wrongPass, wrongFail }: AgainstRules,
  z: number,
): Estimate {
  const all = together(rightPass, wrongFail, rightFail, wrongPass);
  if (traffic === undefined || traffic.n === 0 || all.n === 0) return none;
  const share = traffic.right / traffic.n;
  const value = clamped(share + (wrongPass.w - rightFail.w) / all.w);
  const right = passingOf(share, rightPass, rightFail, z);
  const wrong = passingOf(1 - share, wrongPass, wrongFail, z);
  if (right === undefined || wrong === undefined) return { value, lower: null, upper: null };
  const ofRules = (z * z * share * (1 - share)) / traffic.n;
  const center = right.value + wrong.value;
  const end = (side: 'lower' | 'upper'): number =>
    Math.sqrt((right[side] - right.value) ** 2 + (wrong[side] - wrong.value) ** 2 + ofRules);
  return {
    value,
    lower: Math.min(value, clamped(center - end('lower'))),
    upper: Math.max(value, clamped(center + end('upper'))),
  };
}

/** Part of all traffic that is of a kind and passes, with the ends of its interval; undefined where too few of the kind are judged. */
function passingOf(
  share: number,
  pass: Weighted,
  fail: Weighted,
  z: number,
): { readonly value: number; readonly lower: number; readonly upper: number } | undefined {
  if (share === 0) return { value: 0, lower: 0, upper: 0 };
  const { n, w, ww } = together(pass, fail);
  if (n < leastJudged) return undefined;
  const effective = w ** 2 / ww;
  const passing = pass.w / w;
  const [lower, upper] = wilson(passing * effective, effective, z);
  return { value: share * passing, lower: share * lower, upper: share * upper };
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
