import type { ScorerOptions } from '../../src/service/scorer.ts';

/** The parts of a scorer that keeps nothing: what it saves is told of alone. */
export const keepsNothing: Pick<ScorerOptions, 'checkpoints' | 'deadLetters' | 'newId' | 'rebuild' | 'snapshots'> = {
  checkpoints: { load: async () => [], save: async () => undefined, wantsSnapshot: () => false },
  deadLetters: { write: async () => undefined, close: async () => undefined },
  newId: () => crypto.randomUUID(),
  rebuild: false,
  snapshots: undefined,
};
