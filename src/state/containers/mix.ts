/** MurmurHash3's 32-bit finaliser (A. Appleby, public domain): a permutation in which each bit reaches every other. */
export function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
