/** Identities of example, model and agent: 4 words each, at `words[at]`. */
interface GroupIdentity {
  readonly exampleWords: Uint32Array;
  readonly exampleAt: number;
  readonly modelWords: Uint32Array;
  readonly modelAt: number;
  readonly agentWords: Uint32Array;
  readonly agentAt: number;
}

/**
 * Writes the key of the group (example, model, agent) to `key[0, 4)`. Each word is mixed from the three words of its place, one to one
 * in each of them; identities are uniform, so two of 10^9 groups collide with a probability below 10^-20, as ids do.
 */
export function writeGroupKey(group: GroupIdentity, key: Uint32Array): void {
  const { exampleWords, exampleAt, modelWords, modelAt, agentWords, agentAt } = group;
  for (let i = 0; i < 4; i++) {
    let mixed = scramble(modelWords[modelAt + i]!) + agentWords[agentAt + i]!;
    mixed = scramble(mixed | 0) + exampleWords[exampleAt + i]!;
    key[i] = scramble(mixed | 0);
  }
}

/** MurmurHash3's 32-bit finaliser (A. Appleby, public domain): a permutation. */
function scramble(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
