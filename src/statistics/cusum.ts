/**
 * The Bernoulli CUSUM (M. R. Reynolds and Z. G. Stoumbos, "A CUSUM chart for monitoring a proportion when inspecting continuously", Journal of
 * Quality Technology 31 (1999) 87) in integers: `B <- max(0, B) + up` after a bad case, `- down` after a good one; it signals where B >= H.
 */
export interface Weights {
  readonly up: number;
  readonly down: number;
}

/** A chart that is ready to use. */
export interface Design {
  readonly weights: Weights;
  /** H: the least level that signals. */
  readonly threshold: number;
  /** Exact mean number of cases to a false alarm. */
  readonly falseAlarmCases: number;
}

/** The score of n cases of which `bad` are bad: with down = 1 it is m bad - n, m = up + 1. */
export function scoreOf({ up, down }: Weights, bad: number, n: number): number {
  return (up + down) * bad - down * n;
}

/**
 * Weights for rates p0 (in control) and p1 (to be caught), 0 < p0 < p1 < 1. Optimal are r2 - r1 for bad and -r1 for good, r1 = -ln((1 - p1) /
 * (1 - p0)), r2 = ln(p1 (1 - p0) / (p0 (1 - p1))) (Moustakides 1986). Here is the simplest fraction down / (up + down) near r1 / r2: it is optimal
 * for a rate that lies within a tenth of p1 - p0 of p1.
 *
 * Example: p0 = 0.02, p1 = 0.039221 give r1 / r2 = 1 / 35: up 34, down 1.
 */
export function weightsFor(p0: number, p1: number): Weights {
  const share = shareOf(p0, p1);
  for (let down = 1; ; down++) {
    const up = Math.round(down / share) - down;
    if (up > 0 && Math.abs(caughtRate(p0, down / (up + down)) - p1) <= (p1 - p0) / 10) return { up, down };
  }
}

/** The rate that weights with down / (up + down) = share are optimal for, above p0; p0 < share < 1. */
export function caughtRate(p0: number, share: number): number {
  let low = p0;
  let high = 1;
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (shareOf(p0, middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

/** The smallest threshold whose exact mean number of cases to a false alarm at rate p0 reaches `cases`. */
export function designOf(weights: Weights, p0: number, cases: number): Design {
  const chain = chainOf(weights, p0);
  const at = (threshold: number): number => meanCasesIn(chain, threshold)[0]!;
  let low = 0;
  let high = 1;
  while (at(high) < cases) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle) < cases) low = middle;
    else high = middle;
  }
  return { weights, threshold: high, falseAlarmCases: at(high) };
}

/** Exact mean number of cases to a signal at rate p, 0 < p < 1, from B = 0. */
export function meanCases(weights: Weights, threshold: number, p: number): number {
  return meanCasesIn(chainOf(weights, p), threshold)[0]!;
}

/** Exact mean number of cases to a signal at rate p1 where the chart has run at rate p0 for long without one. */
export function steadyCases(weights: Weights, threshold: number, p0: number, p1: number): number {
  const mean = meanCasesIn(chainOf(weights, p1), threshold);
  const steady = quasiStationary(weights, threshold, p0);
  return mean.reduce((sum, cases, state) => sum + cases * steady[state]!, 0);
}

/** r1 / r2, which lies between p0 and p1. */
function shareOf(p0: number, p1: number): number {
  const r1 = Math.log1p(-p0) - Math.log1p(-p1);
  return r1 / (r1 + Math.log(p1 / p0));
}

/**
 * The Markov chain over B = 0, 1, … at rate p, eliminated from 0 up: the mean number of cases from a state is `cases[state]` and, with
 * probability `to[up * state + k - 1]`, the mean of the state k above. H does not enter: it is the state from which on nothing is left to wait.
 */
interface Chain {
  readonly weights: Weights;
  readonly p: number;
  states: number;
  /** Both have room for more states. */
  cases: Float64Array;
  to: Float64Array;
  /** Where the next state is worked out: probabilities of the states from `state - down` to `state + up`. */
  readonly row: Float64Array;
}

const firstRoom = 64;

function chainOf(weights: Weights, p: number): Chain {
  const { up, down } = weights;
  const [cases, to] = [new Float64Array(firstRoom), new Float64Array(firstRoom * up)];
  return { weights, p, states: 0, cases, to, row: new Float64Array(down + up + 1) };
}

/** Mean numbers of cases to a signal from each state below the threshold: (I - Q) a = 1, solved by back substitution. */
function meanCasesIn(chain: Chain, threshold: number): Float64Array {
  while (chain.states < threshold) eliminate(chain);
  const { cases, to, weights } = chain;
  const { up } = weights;
  const mean = new Float64Array(threshold);
  for (let state = threshold - 1; state >= 0; state--) {
    let sum = cases[state]!;
    const last = Math.min(up, threshold - 1 - state);
    for (let k = 1; k <= last; k++) sum += to[up * state + k - 1]! * mean[state + k]!;
    mean[state] = sum;
  }
  return mean;
}

/**
 * Adds the next state. Its own weight is never 1 - (what returns to it) but the sum of what leaves it: nothing is subtracted, so that no
 * digit is lost however rare the signal (Grassmann, Taksar and Heyman 1985).
 */
function eliminate(chain: Chain): void {
  const { weights, p, row } = chain;
  const { up, down } = weights;
  const state = chain.states++;
  if (state === chain.cases.length) {
    chain.cases = doubled(chain.cases);
    chain.to = doubled(chain.to);
  }
  const { cases, to } = chain;
  row.fill(0);
  row[down + up] = p;
  row[Math.max(0, down - state)]! += 1 - p;
  let waited = 1;
  for (let k = Math.max(0, down - state); k < down; k++) {
    const below = state - down + k;
    const weight = row[k]!;
    waited += weight * cases[below]!;
    for (let l = 1; l <= up; l++) row[k + l]! += weight * to[up * below + l - 1]!;
  }
  let leaves = 0;
  for (let k = 1; k <= up; k++) leaves += row[down + k]!;
  cases[state] = waited / leaves;
  for (let k = 1; k <= up; k++) to[up * state + k - 1] = row[down + k]! / leaves;
}

function doubled(values: Float64Array): Float64Array {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}

/** Distribution of B after long at rate p without a signal: the left eigenvector of Q, by power iteration. */
function quasiStationary({ up, down }: Weights, threshold: number, p: number): Float64Array {
  let now = new Float64Array(threshold);
  now[0] = 1;
  for (let change = 1; change > 1e-13; ) {
    const next = new Float64Array(threshold);
    for (let state = 0; state < threshold; state++) {
      if (state + up < threshold) next[state + up]! += p * now[state]!;
      next[Math.max(0, state - down)]! += (1 - p) * now[state]!;
    }
    const left = next.reduce((sum, weight) => sum + weight, 0);
    change = 0;
    for (let state = 0; state < threshold; state++) {
      next[state]! /= left;
      change = Math.max(change, Math.abs(next[state]! - now[state]!));
    }
    now = next;
  }
  return now;
}
