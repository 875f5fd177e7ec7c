import type { Profile } from './profile.ts';

/** What MCPEval documents. */
export const specProfile: Profile = {
  sparesExtras: (expected, predicted) => predicted.length === expected.length,
  /** By code unit. */
  combinationOrder: (names) => [...names].sort(),
  mismatchKey: (gold, position) => gold.names[position]!,
};
