import type { ScoreRows } from '../../src/ports.ts';

/** Takes every scored event, and makes no rows of them. */
export const noRows: ScoreRows = {
  of: 'all',
  ...{ add: () => undefined, isFull: () => false, spill: async () => undefined, isDue: () => false },
  endSegment: () => ({ note: undefined, write: async () => undefined }),
  ...{ accepted: () => undefined, publish: () => undefined, begin: async () => undefined, drop: () => undefined },
};
