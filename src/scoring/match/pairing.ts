/** A pair of positions. */
export type Pair = readonly [left: number, right: number];

/** Returns whether the left thing at a position may be paired with the right one. */
export type Fits = (left: number, right: number) => boolean;

/**
 * A maximum one-to-one matching by augmenting paths (Kuhn 1955; Berge 1957), sorted by left position. Left ones are taken in their order, and
 * each tries the right ones in theirs.
 *
 * Left 0 fits 0 and 1, left 1 fits 0 alone: left 0 moves to 1.
 */
export function maximumMatching(left: number, right: number, fits: Fits): Pair[] {
  // Of numbers that are few, a plain array is made sooner than a typed one.
  const leftOf = new Array<number>(right).fill(-1);
  const seen = new Array<number>(right).fill(-1);
  for (let i = 0; i < left; i++) augment(i, i, leftOf, seen, fits);
  return pairsOf(leftOf);
}

/** The pairs, sorted by left position, of what each right position is paired with (-1: with nothing). */
function pairsOf(leftOf: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  for (let j = 0; j < leftOf.length; j++) if (leftOf[j]! >= 0) pairs.push([leftOf[j]!, j]);
  return pairs.length > 1 ? pairs.sort(([a], [b]) => a - b) : pairs;
}

/** `round` marks what was tried for the left one that is to be placed. */
function augment(i: number, round: number, leftOf: number[], seen: number[], fits: Fits): boolean {
  // A free one first: most traffic needs no path.
  for (let j = 0; j < leftOf.length; j++) {
    if (leftOf[j]! >= 0 || !fits(i, j)) continue;
    leftOf[j] = i;
    return true;
  }
  for (let j = 0; j < leftOf.length; j++) {
    if (leftOf[j]! < 0 || seen[j] === round || !fits(i, j)) continue;
    seen[j] = round;
    if (!augment(leftOf[j]!, round, leftOf, seen, fits)) continue;
    leftOf[j] = i;
    return true;
  }
  return false;
}

/** Each left one in turn takes the first free right one that fits. */
export function greedyFromLeft(left: number, right: number, fits: Fits): Pair[] {
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  for (let i = 0; i < left; i++) {
    for (let j = 0; j < right; j++) {
      if (taken.has(j) || !fits(i, j)) continue;
      taken.add(j);
      pairs.push([i, j]);
      break;
    }
  }
  return pairs;
}

/** Each right one in turn takes the first free left one that fits. */
export function greedyFromRight(left: number, right: number, fits: Fits): Pair[] {
  const pairs = greedyFromLeft(right, left, (j, i) => fits(i, j)).map(([j, i]): Pair => [i, j]);
  return pairs.sort(([a], [b]) => a - b);
}

/** A longest common subsequence of fitting pairs; of several, one that pairs the lowest positions. */
export function longestInOrder(left: number, right: number, fits: Fits): Pair[] {
  const width = right + 1;
  const lengths = new Uint16Array((left + 1) * width);
  for (let i = left - 1; i >= 0; i--) {
    for (let j = right - 1; j >= 0; j--) {
      const paired = fits(i, j) ? lengths[(i + 1) * width + j + 1]! + 1 : 0;
      lengths[i * width + j] = Math.max(paired, lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < left && j < right; ) {
    const length = lengths[i * width + j]!;
    if (fits(i, j) && length === lengths[(i + 1) * width + j + 1]! + 1) pairs.push([i++, j++]);
    else if (lengths[i * width + j + 1] === length) j++;
    else i++;
  }
  return pairs;
}

/** The fitting pairs at equal positions. */
export function pairsInPlace(left: number, right: number, fits: Fits): Pair[] {
  const pairs: Pair[] = [];
  for (let i = 0; i < Math.min(left, right); i++) if (fits(i, i)) pairs.push([i, i]);
  return pairs;
}

/**
 * An assignment of least total cost, in which all of the shorter side are paired, sorted by left position (Kuhn 1955 and Munkres 1957, in the
 * form with potentials: Jonker and Volgenant 1987). `costs` has the right positions of each left one in turn. Cubic.
 */
export function leastCost(left: number, right: number, costs: Int32Array): Pair[] {
  if (left > right) {
    const turned = costs.map((_, at) => costs[(at % left) * right + Math.floor(at / left)]!);
    const pairs = leastCost(right, left, turned).map(([j, i]): Pair => [i, j]);
    return pairs.sort(([a], [b]) => a - b);
  }
  const assignment: Assignment = {
    costs,
    right,
    leftOf: new Array<number>(right).fill(-1),
    leftPotential: new Float64Array(left),
    rightPotential: new Float64Array(right),
    least: new Float64Array(right),
    before: new Int32Array(right),
    used: new Uint8Array(right),
  };
  for (let i = 0; i < left; i++) assign(i, assignment);
  return pairsOf(assignment.leftOf);
}

interface Assignment {
  readonly costs: Int32Array;
  readonly right: number;
  /** By right position: what it is paired with, or -1. */
  readonly leftOf: number[];
  readonly leftPotential: Float64Array;
  readonly rightPotential: Float64Array;
  /** The search under way, by right position: the least reduced cost to reach it, from where, and whether its path is known. */
  readonly least: Float64Array;
  readonly before: Int32Array;
  readonly used: Uint8Array;
}

/** Pairs one more left position: a shortest path from it to a free right one, along which the others move. */
function assign(from: number, assignment: Assignment): void {
  const { leftOf, leftPotential, rightPotential, least, before, used, right } = assignment;
  least.fill(Number.POSITIVE_INFINITY);
  used.fill(0);
  let i = from;
  let column = -1;
  for (;;) {
    const next = nearest(i, column, assignment);
    const step = least[next]!;
    leftPotential[from]! += step;
    for (let j = 0; j < right; j++) {
      if (used[j]) {
        leftPotential[leftOf[j]!]! += step;
        rightPotential[j]! -= step;
      } else least[j]! -= step;
    }
    column = next;
    if (leftOf[column] === -1) break;
    used[column] = 1;
    i = leftOf[column]!;
  }
  while (before[column] !== -1) {
    leftOf[column] = leftOf[before[column]!]!;
    column = before[column]!;
  }
  leftOf[column] = from;
}

/** The right position that is reached at the least cost by way of `i`; a free one before others at the same. */
function nearest(i: number, column: number, assignment: Assignment): number {
  const { costs, right, leftOf, leftPotential, rightPotential, least, before, used } = assignment;
  const first = i * right;
  const potential = leftPotential[i]!;
  let next = -1;
  for (let j = 0; j < right; j++) {
    if (used[j]) continue;
    const reduced = costs[first + j]! - potential - rightPotential[j]!;
    if (reduced < least[j]!) {
      least[j] = reduced;
      before[j] = column;
    }
    const isNearer = next < 0 || least[j]! < least[next]! || (least[j] === least[next] && leftOf[j]! < leftOf[next]!);
    if (isNearer) next = j;
  }
  return next;
}
