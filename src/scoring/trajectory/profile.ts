import type { Call } from '../prediction.ts';
import type { ExpectedCall } from '../truth.ts';
import type { Gold } from './gold.ts';

/** Where the two modes differ. */
export interface Profile {
  /** Returns whether calls beyond the expected ones, all of which are there, leave strict success standing. */
  sparesExtras(expected: readonly ExpectedCall[], predicted: readonly Call[]): boolean;
  /** Distinct names, given in order of first appearance, in the order of a combination's key. */
  combinationOrder(names: readonly string[]): readonly string[];
  /** Key of a mismatch at a position among the aggregates. */
  mismatchKey(gold: Gold, position: number): string;
}

/** MCPEval as it is documented. */
export const specProfile: Profile = {
  sparesExtras: (expected, predicted) => predicted.length === expected.length,
  /** By code unit. */
  combinationOrder: (names) => [...names].sort(),
  mismatchKey: ({ calls }, position) => calls[position]!.name,
};

/** MCPEval as its own code behaves. */
export const upstreamProfile: Profile = {
  /** More calls of expected tools are fine; a nameless one is of no expected tool. */
  sparesExtras(expected, predicted) {
    if (predicted.length === expected.length) return true;
    const names = new Set<string | undefined>(expected.map((call) => call.name));
    return predicted.every((call) => names.has(call.name));
  },
  combinationOrder: (names) => names,
  mismatchKey({ calls, counts }, position) {
    const { name } = calls[position]!;
    return counts.get(name)! > 1 ? `${name}_${position}` : name;
  },
};
