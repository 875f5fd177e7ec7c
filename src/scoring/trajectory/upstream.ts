import type { Profile } from './profile.ts';

/** What MCPEval's own code does. */
export const upstreamProfile: Profile = {
  /** More calls of expected tools are fine; a nameless one is of no expected tool. */
  sparesExtras(expected, predicted) {
    if (predicted.length === expected.length) return true;
    const names = new Set<string | undefined>(expected.map((call) => call.name));
    return predicted.every((call) => names.has(call.name));
  },
  combinationOrder: (names) => names,
  mismatchKey(gold, position) {
    const name = gold.names[position]!;
    return gold.counts.get(name)! > 1 ? `${name}_${position}` : name;
  },
};
