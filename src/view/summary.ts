import type { Block } from '../scoring/metric.ts';
import type { RejectCode } from '../state/reject.ts';

/** Record counts of a partition or of all (docs/reference/semantics.md). */
export interface RecordCounts {
  readonly read: number;
  readonly scored: number;
  readonly pending: number;
  readonly expired: number;
  readonly duplicates: number;
  readonly late: number;
  readonly unverified: number;
  readonly calls_not_recorded: number;
  /** Codes that occurred, in the order of `rejectCodes`. */
  readonly rejected: Readonly<Partial<Record<RejectCode, number>>>;
}

/** Blocks of one group: null where a family scored and skipped nothing, absent where it is disabled. */
export type Blocks = Readonly<Record<string, Block | null | undefined>>;

/** One group of one window: the total (no dimensions), or one value of a configured set of dimensions. */
export interface Group {
  /** The set of dimensions, as configured: `model`, `agent`, `tags.<name>`. */
  readonly dimensions: readonly string[];
  /** A value for each of them. */
  readonly values: readonly string[];
  /** `all`, or a window as configured (`5m`). */
  readonly window: string;
  /** Predictions scored in this group and window. */
  readonly scored: number;
  readonly blocks: Blocks;
  /** The cells of all families that the blocks were read from, in their layout. */
  readonly row: Float64Array;
}

/** A reading of the merged state at one time T. */
export interface View {
  /** T in ms; undefined when nothing was read. */
  readonly asOfMs: number | undefined;
  readonly records: RecordCounts;
  /** The total first, then set by set as configured, values by code unit; for `all`, then each window ascending. */
  readonly groups: readonly Group[];
  /** Whether groups beyond a limit are summed as `__other__`. */
  readonly folded: boolean;
}
