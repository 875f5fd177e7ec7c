import type { Call } from '../prediction.ts';
import type { ExpectedCall } from '../truth.ts';
import type { Gold } from './gold.ts';

/** Where the two modes differ. */
export interface Profile {
  /** Whether calls beyond the expected ones, all of which are there, leave strict success standing. */
  sparesExtras(expected: readonly ExpectedCall[], predicted: readonly Call[]): boolean;
  /** Distinct names, given in order of first appearance, in the order of a combination's key. */
  combinationOrder(names: readonly string[]): readonly string[];
  /** Key of a mismatch at a position among the aggregates. */
  mismatchKey(gold: Gold, position: number): string;
}
