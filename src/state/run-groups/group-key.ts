import { mix } from '../containers/hash128.ts';

/**
 * Writes the key of the group (example, model, agent) to `key[0, 4)`, from their identities: 4 words each, that of the example in one
 * array, those of the names in another. Each word is mixed from the three words of its place, one to one in each of them; identities are
 * uniform, so two of 10^9 groups collide with a probability below 10^-20, as ids do.
 */
export function writeGroupKey(
  key: Uint32Array,
  example: Uint32Array,
  exampleAt: number,
  names: Uint32Array,
  modelAt: number,
  agentAt: number,
): void {
  for (let i = 0; i < 4; i++) {
    let mixed = mix(names[modelAt + i]!) + names[agentAt + i]!;
    mixed = mix(mixed | 0) + example[exampleAt + i]!;
    key[i] = mix(mixed | 0);
  }
}
