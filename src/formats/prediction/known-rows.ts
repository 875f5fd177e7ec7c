import { type KnownHashes, knownHashes } from './known-hashes.ts';

/** What the rows of tables have had before; so nothing here need know what is wrong with an event. */
export interface KnownRows {
  /** Labels by hashes of contents of which an event was accepted. */
  readonly contents: KnownHashes;
  /** Codes of models and agents, and of tags. */
  readonly names: KnownHashes;
  readonly tags: KnownHashes;
  /** Generation of the names that the codes belong to. */
  generation: number;
}

const contentsKnown = 1 << 14;
const namesKnown = 1 << 10;

/** No rows. */
export function knownRows(): KnownRows {
  return {
    contents: knownHashes(contentsKnown),
    names: knownHashes(namesKnown),
    tags: knownHashes(namesKnown),
    generation: -1,
  };
}
