/**
 * The integer histograms over groups, by slice and gold label. All measures are readings of their sums, so no fraction is in the state.
 *
 * - `counters`: the keys of `counterKeys`
 * - `shapes`: complete groups by label counts and whether the mode is right (`shapeKey`)
 * - `correct`: complete groups by number of runs equal to gold
 * - `flips`: complete groups by number of adjacent runs that differ
 * - `successes`: complete groups whose every run has a verdict, by number of runs that succeeded
 * - `unlabelled`: the same of groups without a gold label, which no other histogram holds; kept once, as that of label 0
 */
export const histogramNames = ['counters', 'shapes', 'correct', 'flips', 'successes', 'unlabelled'] as const;
export const histogramAt = { counters: 0, shapes: 1, correct: 2, flips: 3, successes: 4, unlabelled: 5 } as const;

/** Keys of `counters`: groups of which any run arrived; runs received less runs held; groups dropped from memory. */
export const counterKeys = { seen: 0, ignored: 1, dropped: 2 } as const;

/** Histograms are kept for each gold label. */
export const histogramLabels = 4;

/** Keys that the histograms of one slice and gold label can have, all together; those of `unlabelled` are k + 1 more. */
export function histogramKeys(k: number): number {
  const counters = Object.keys(counterKeys).length;
  const shapes = 2 * waysToShare(k, 5);
  const runsCorrect = k + 1;
  const flips = k;
  const successes = k + 1;
  return counters + shapes + runsCorrect + flips + successes;
}

/** In how many ways a number can be shared among `parts`, in no order. */
function waysToShare(number: number, parts: number): number {
  const ways = new Array<number>(number + 1).fill(0);
  ways[0] = 1;
  // The parts of a number are as many as the parts of at most that size.
  for (let size = 1; size <= parts; size++) {
    for (let sum = size; sum <= number; sum++) ways[sum]! += ways[sum - size]!;
  }
  return ways[number]!;
}

/** The additions of one view: any merge of slices and partitions. */
export interface StabilityReader {
  /** Totals by key. A total of 0 may be there or not. */
  counts(histogram: number, gold: number): ReadonlyMap<number, number>;
}

/** The label counts of a complete group in descending order, and whether its mode is its gold label. */
interface Shape {
  readonly counts: readonly number[];
  readonly modeCorrect: boolean;
}

/**
 * A shape as one integer: the four greatest of the (at most five) counts as digits of base k + 1, then one bit for the mode. The
 * fifth count is what is left of k. Below 2^53 up to k = 8,190.
 */
export function shapeKey(k: number, descending: ArrayLike<number>, modeCorrect: boolean): number {
  let key = 0;
  for (let i = 0; i < 4; i++) key = key * (k + 1) + descending[i]!;
  return 2 * key + (modeCorrect ? 1 : 0);
}

/** The shape of a key. */
export function shapeOf(k: number, key: number): Shape {
  const counts = [0, 0, 0, 0, k];
  let rest = Math.floor(key / 2);
  for (let i = 3; i >= 0; i--) {
    counts[i] = rest % (k + 1);
    counts[4]! -= counts[i]!;
    rest = Math.floor(rest / (k + 1));
  }
  return { counts, modeCorrect: key % 2 === 1 };
}
