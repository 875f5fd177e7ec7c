import type { Judgement } from '../../src/scoring/judgement/judgement.ts';

/** A judgement of family `judge` that is full marks, but for what is given. */
export function judgementOf(given: Partial<Judgement>): Judgement {
  const cost = { inputTokens: 0, outputTokens: 0, nanoUsd: 0 };
  const usual = { name: 'judge', score: 1, scale: [0, 1], by: 'm', probability: 1, hasReference: true, cost } as const;
  return { ...usual, failed: undefined, exact: undefined, ...given };
}
