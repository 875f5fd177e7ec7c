import type { LabelCode } from '../scoring/label.ts';
import type { Verdict } from '../scoring/stability/index.ts';
import type { DeltaCopies, RowDelta } from '../state/row-delta.ts';

/** What an event's content and its truth come to: the same for every event with the same of both. */
export interface Result {
  readonly delta: RowDelta;
  readonly callsNotRecorded: boolean;
  /** Gold label and verdict for the group of its run; undefined where groups are not collected, or it is in none. */
  readonly gold: LabelCode | undefined;
  readonly verdict: Verdict;
  /** By family of the layout, where somebody is told; undefined where it does not apply. */
  readonly outcomes: readonly unknown[] | undefined;
  /** A family that applies has something to complain of. */
  readonly failed: boolean;
  /** Whether the rules call it right; undefined where they have no verdict. */
  readonly exact: boolean | undefined;
}

/** A result that lasts. */
export function lasting(result: Result, copies: DeltaCopies): Result {
  return { ...result, delta: copies.copyOf(result.delta) };
}
