import type { ScoringServiceOptions } from './scoring-service.ts';

/** The parts of a service that writes nothing. */
export const keepsNothing: Pick<
  ScoringServiceOptions,
  'checkpoints' | 'deadLetters' | 'newId' | 'rebuild' | 'snapshots'
> = {
  checkpoints: { load: async () => [], save: async () => undefined, wantsSnapshot: () => false },
  deadLetters: { write: async () => undefined, close: async () => undefined },
  newId: () => crypto.randomUUID(),
  rebuild: false,
  snapshots: undefined,
};
