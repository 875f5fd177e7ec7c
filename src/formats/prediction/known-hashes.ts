/** Numbers by hashes of 128 bits that were met lately: each place of a fixed number keeps the last one that belongs there. */
export interface KnownHashes {
  /** The number of the hash at `words[at, at + 4)`; -1 where there is none, or no more. */
  find(words: Words, at: number): number;
  put(words: Words, at: number, number: number): void;
  clear(): void;
}

type Words = Int32Array | Uint32Array;

/** Places for `size` hashes: a power of two. */
export function knownHashes(size: number): KnownHashes {
  const hashes = new Int32Array(4 * size);
  const numbers = new Int32Array(size).fill(-1);
  const placeOf = (words: Words, at: number): number => words[at]! & (size - 1);
  return {
    find(words, at) {
      const place = placeOf(words, at);
      const isSame =
        hashes[4 * place] === (words[at]! | 0) &&
        hashes[4 * place + 1] === (words[at + 1]! | 0) &&
        hashes[4 * place + 2] === (words[at + 2]! | 0) &&
        hashes[4 * place + 3] === (words[at + 3]! | 0);
      return isSame ? numbers[place]! : -1;
    },
    put(words, at, number) {
      const place = placeOf(words, at);
      for (let i = 0; i < 4; i++) hashes[4 * place + i] = words[at + i]!;
      numbers[place] = number;
    },
    clear: () => void numbers.fill(-1),
  };
}
