import type { Json } from './json.ts';
import type { Prediction } from './prediction.ts';
import type { RateOf } from './reading.ts';
import type { Truth } from './truth.ts';

/** A prediction that found its truth: what a family scores. */
export interface Joined {
  readonly prediction: Prediction;
  readonly truth: Truth;
  /** What `callsEqual` found, once somebody asked. */
  equal: boolean | undefined;
}

/** A cell holds an exact integer count, or an exact sum of fractions (`core/exact-sum.ts`). */
export type CellKind = 'count' | 'sum';

/** Where a family writes what one outcome adds. Cells and breakdowns are addressed by their index in the family's own lists. */
export interface Tally {
  count(cell: number, amount: number): void;
  sum(cell: number, value: number): void;
  /** Adds to one column of the entry (key, subkey) of a breakdown; subkey is `""` where the breakdown has one key only. */
  entry(breakdown: number, key: string, subkey: string, column: number, amount: number): void;
}

/** What was remembered for one group of events: any merge of slices, panes and partitions. */
export interface TallyReader {
  count(cell: number): number;
  sum(cell: number): number;
  /** Entries of a breakdown by key, then subkey, in code unit order; `undefined` where this view keeps none (windows). */
  entries(breakdown: number): readonly BreakdownEntry[] | undefined;
}

export interface BreakdownEntry {
  readonly key: string;
  readonly subkey: string;
  readonly columns: readonly number[];
}

/**
 * A published scoring method, with its options closed over: how one joined event is scored, what is remembered of it, what is
 * reported. All functions are pure. Counts and sums are additive, so every rate is a reading of sums over any set of events.
 *
 * - `Prepared`: what can be worked out from the truth row alone, once for all predictions of that row.
 * - `Outcome`: the numbers of one event (a variant of it may stand for "skipped").
 */
export interface Family<Prepared, Outcome> {
  readonly name: FamilyName;
  readonly cells: readonly CellKind[];
  /** Number of columns of each breakdown. */
  readonly breakdowns: readonly number[];
  /** `undefined`: the family does not apply to this truth row. */
  prepare(truth: Truth): Prepared | undefined;
  /** `undefined`: the family does not apply to this event (calls not recorded). */
  score(input: Joined, prepared: Prepared): Outcome | undefined;
  /** The one outcome of a truth row that most of its predictions have, where `score` returns the same object for all of them. */
  usual?(prepared: Prepared): Outcome | undefined;
  tally(outcome: Outcome, into: Tally): void;
  /** Nothing to complain of; decides which rows `scores: failures` keeps. A skipped event is perfect. */
  perfect(outcome: Outcome): boolean;
  /** The family's part of the score row (spec: outputs, section 3), with the details that let a person see why. */
  row(outcome: Outcome, input: Joined, prepared: Prepared): Json;
  /** The family's block of a summary group (spec: outputs, section 2); null where nothing was scored or skipped. */
  read(cells: TallyReader, rate: RateOf): Block | null;
}

/** A family whose preparation and outcome are nobody's business. */
export type AnyFamily = Family<unknown, unknown>;

/** A summary block: rates, means, numbers, null, and records of them. Plain JSON. */
export type Block = { readonly [key: string]: unknown };

/** Families that tally per event, in the order of every report. (`stability` groups events and lies apart.) */
export const familyNames = ['decision', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured'] as const;
export type FamilyName = (typeof familyNames)[number];

export type Mode = 'spec' | 'upstream';

/** Names a family's cells: `at.x` is the index of cell x in `kinds`. */
export interface CellNames<Name extends string> {
  readonly kinds: readonly CellKind[];
  readonly at: Readonly<Record<Name, number>>;
}

/** `cellNames({ scored: 'count', f1: 'sum' })`. */
export function cellNames<const Kinds extends Readonly<Record<string, CellKind>>>(
  kinds: Kinds,
): CellNames<keyof Kinds & string> {
  const names = Object.keys(kinds);
  const at = Object.fromEntries(names.map((name, index) => [name, index])) as Record<keyof Kinds & string, number>;
  return { kinds: Object.values(kinds), at };
}
