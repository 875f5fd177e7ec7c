/** Random draws from one integer: the same seed gives the same draws on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole, in [0, below). */
  int(below: number): number;
  /** Whole, in [from, to]. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A copy in random order. */
  shuffled<T>(list: readonly T[]): T[];
  /** Draws of their own: how many are taken there changes nothing here. */
  fork(): Random;
}

/** sfc32 (C. Doty-Humphrey, PractRand), seeded by one 32-bit integer. */
export function prng(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const word = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
  for (let i = 0; i < 15; i++) word();
  const next = (): number => word() / 2 ** 32;
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    between: (from, to) => from + int(to - from + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[int(list.length)]!,
    shuffled(list) {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [copy[i], copy[j]] = [copy[j]!, copy[i]!];
      }
      return copy;
    },
    fork: () => prng(word()),
  };
}
