import { mix } from '../containers/hash128.ts';

/**
 * Writes the key of the group (example, model, agent) to `key[0, 4)`, from their identities: `ids` has 4 words of each. Each word is mixed
 * from the three words of its place, one to one in each of them; identities are uniform, so two of 10^9 groups collide with a probability below
 * 10^-20, as ids do.
 */
export function writeGroupKey(key: Uint32Array, ids: Uint32Array): void {
  for (let i = 0; i < 4; i++) {
    let mixed = mix(ids[4 + i]!) + ids[8 + i]!;
    mixed = mix(mixed | 0) + ids[i]!;
    key[i] = mix(mixed | 0);
  }
}
