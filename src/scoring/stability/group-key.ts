import { mix } from '../../state/containers/mix.ts';

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
    let mixed = mix(modelWords[modelAt + i]!) + agentWords[agentAt + i]!;
    mixed = mix(mixed | 0) + exampleWords[exampleAt + i]!;
    key[i] = mix(mixed | 0);
  }
}
