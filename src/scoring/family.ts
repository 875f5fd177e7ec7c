import type { AttributionKind } from './attribution.ts';
import type { FeedbackFact } from './feedback/fact.ts';
import type { Json } from './json.ts';
import type { Judgement } from './judgement/judgement.ts';
import { type Block, type BreakdownEntry, type Metrics, readMetrics } from './metric.ts';
import type { Call, Prediction } from './prediction.ts';
import type { RateOf } from './reading.ts';
import { type RowFields, readRow } from './row.ts';
import type { Truth } from './truth.ts';

export type Mode = 'spec' | 'upstream';

/** A prediction that found its truth: what a family scores. */
export interface Joined {
  readonly prediction: Prediction;
  readonly truth: Truth;
  /** Result of `callsOf` (join.ts), filled on its first use: the only field that is filled late. */
  calls: readonly Call[] | undefined;
}

/** A cell holds an exact integer count, or an exact sum of fractions. */
export type CellKind = 'count' | 'sum';

/** Writer of the numbers that one outcome adds. Cells and breakdowns are addressed by their index in the family's own lists. */
export interface Tally {
  count(cell: number, amount: number): void;
  sum(cell: number, value: number): void;
  /** Adds to one column of the entry (key, subkey) of a breakdown; subkey is `""` where the breakdown has one key only. */
  entry(breakdown: number, key: string, subkey: string, column: number, amount: number): void;
  /**
   * Names the tool or argument that an event is attributed to which is bad by a cell: it counts there, where less is better, or does not, where more
   * is. Alarms of the rates that are read from the cell name it. For bad events alone; once an event and cell, however often it is called.
   */
  attribute(cell: number, kind: AttributionKind, tool: string, argument?: string): void;
}

/** Predictions that the rules have a verdict on, and those that they call right. */
export interface Traffic {
  readonly n: number;
  readonly right: number;
}

/** Reader of the numbers of one group of events: any merge of slices, panes and partitions. */
export interface TallyReader {
  count(cell: number): number;
  sum(cell: number): number;
  /** Predictions of the group and those right by the rules, judged or not; undefined where no judgements are read. */
  readonly traffic?: Traffic | undefined;
  /** Entries of a breakdown by key, then subkey, in code unit order; `undefined` where this view keeps none (windows). */
  entries(breakdown: number): readonly BreakdownEntry[] | undefined;
}

/** Counters that grow with the events scored, by model and by labels of their own. A reading is a sum of counts. */
export interface Counter<Sums> {
  /** Without `assay_` and `_total`. */
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly { readonly values: readonly string[]; of(sums: Sums): number }[];
}

/** The part of a family that needs no options. Its metrics are read from `Sums`, its row from `Scored`. */
export interface Declaration<Sums, Scored> {
  /** Key in summaries and score rows. */
  readonly name: string;
  /** The question that it answers. */
  readonly question: string;
  /** The publication that defines it. */
  readonly source: string;
  readonly metrics: Metrics<Sums>;
  /** Fields of the score row; none where the unit is no event. */
  readonly row: RowFields<Scored>;
  readonly counters: readonly Counter<Sums>[];
  /** The cells and their sums, where they depend on no option. */
  readonly cells?: readonly CellKind[];
  sums?(from: TallyReader): Sums;
  /**
   * Single events are scored, or groups of runs of one example (reported since the beginning only), or judgements on events are added up.
   */
  readonly unit: 'event' | 'runs' | 'judgement';
  /**
   * `none`: an event is counted when it is accepted, whether or not its truth is known, and truth never changes what it adds. The first cell counts
   * these events. Absent: an event is counted when it is scored.
   */
  readonly truth?: 'none';
}

/** A declaration of any family. */
export type AnyDeclaration = Declaration<unknown, unknown>;

/** A scored event, from which the family's part of a score row is read. */
export interface Scored<Prepared, Outcome> {
  readonly outcome: Outcome;
  readonly input: Joined;
  readonly prepared: Prepared;
}

/** Functions of a family that adds up judgements. */
export interface Judged<Outcome> {
  /** The outcome of a judgement; undefined: the family does not take it. */
  take(judgement: Judgement): Outcome | undefined;
  /** Returns whether it passes, for the comparison with other judges of the same prediction. */
  passes?(judgement: Judgement): boolean | undefined;
  /** Counts two judges of one prediction, of which the rules have the verdict `exact`. */
  compare?(
    pair: readonly { readonly by: string; readonly passes: boolean }[],
    exact: boolean | undefined,
    into: Tally,
  ): void;
}

/**
 * A published scoring method, with its options closed over: how one joined event is scored, counted and reported. All functions are pure. Counts and sums are additive, so every rate is a reading of sums over any set of events.
 *
 * - `Prepared`: the parts of the truth row that every event needs, worked out once for all predictions of that row.
 * - `Outcome`: the numbers of one event (a variant of it may stand for "skipped").
 * - `Sums`: the cells of any set of events, named.
 */
export interface Family<Prepared, Outcome, Sums> extends Declaration<Sums, Scored<Prepared, Outcome>> {
  readonly unit: 'event' | 'judgement';
  readonly cells: readonly CellKind[];
  /** Number of columns of each breakdown. */
  readonly breakdowns: readonly number[];
  /** `undefined`: the family does not apply to this truth row. */
  prepare(truth: Truth): Prepared | undefined;
  /** `undefined`: the family does not apply to this event (calls not recorded). */
  score(input: Joined, prepared: Prepared): Outcome | undefined;
  tally(outcome: Outcome, into: Tally): void;
  /** The event counts as skipped, and in nothing else. */
  skipped?(outcome: Outcome): boolean;
  /** Arguments of the event that the family could not check, by their names. */
  unchecked?(outcome: Outcome): readonly string[];
  /** Tools of the event whose schema the family cannot use, by their names. */
  unusable?(outcome: Outcome): readonly string[];
  /** Its verdict on an event as a whole: judgements are compared with that of the family of the highest rank which has one. */
  readonly verdict?: { readonly rank: number; of(outcome: Outcome): boolean | undefined };
  /** Where the unit is a judgement. */
  readonly judged?: Judged<Outcome>;
  /** The outcome of a fact of feedback, where the family adds those up; undefined: it does not count this one. */
  feedback?(fact: FeedbackFact): Outcome | undefined;
  /** Returns whether the event has no fault; decides which rows `scores: failures` keeps. A skipped event is perfect. */
  perfect(outcome: Outcome): boolean;
  sums(from: TallyReader): Sums;
  /** Returns whether no event was scored or skipped: the block is null. */
  isEmpty(sums: Sums): boolean;
}

/** A family whose unit is a group of runs: the state collects the groups, and its numbers are read from counts (`From`). */
export interface RunsFamily<From, Sums> extends Omit<Declaration<Sums, never>, 'cells' | 'sums'> {
  readonly unit: 'runs';
  sums(from: From): Sums;
  /** Returns whether no group was seen: the block is null. */
  isEmpty(sums: Sums): boolean;
}

/** Any family, whatever its preparation and outcome. */
export type AnyFamily = Family<unknown, unknown, unknown>;

/** The family's block of a summary group (docs/reference/outputs.md); null where nothing was scored or skipped. */
export function readBlock<Sums, From>(
  family: {
    readonly metrics: Metrics<Sums>;
    sums(from: From): Sums;
    isEmpty(sums: Sums): boolean;
  },
  from: From,
  rate: RateOf,
): Block | null {
  const sums = family.sums(from);
  return family.isEmpty(sums) ? null : readMetrics(family.metrics, sums, rate);
}

/** The family's part of the score row (docs/reference/outputs.md), with the details that let a person see why. */
export function readFamilyRow<Prepared, Outcome, Sums>(
  family: Family<Prepared, Outcome, Sums>,
  scored: Scored<Prepared, Outcome>,
): Json {
  return family.skipped?.(scored.outcome) ? { skipped: true } : readRow(family.row, scored);
}

/** Names a family's cells: `at.x` is the index of cell x in `kinds`. */
export interface CellNames<Name extends string> {
  readonly kinds: readonly CellKind[];
  readonly at: Readonly<Record<Name, number>>;
  /** Adds to cells by their names; true is 1. */
  add(into: Tally, amounts: Readonly<Partial<Record<Name, number | boolean>>>): void;
  /** Reads every cell by its name. */
  read(from: TallyReader): Readonly<Record<Name, number>>;
}

/** `cellNames({ scored: 'count', f1: 'sum' })`. */
export function cellNames<const Kinds extends Readonly<Record<string, CellKind>>>(
  kinds: Kinds,
): CellNames<keyof Kinds & string> {
  const names = Object.keys(kinds) as (keyof Kinds & string)[];
  const byName = (of: (index: number) => number): Record<keyof Kinds & string, number> => {
    const named = {} as Record<keyof Kinds & string, number>;
    for (let index = 0; index < names.length; index++) named[names[index]!] = of(index);
    return named;
  };
  const at = byName((index) => index);
  return {
    kinds: Object.values(kinds),
    at,
    add(into, amounts) {
      for (const name of names) if (amounts[name]) into[kinds[name]!](at[name], Number(amounts[name]));
    },
    read: (from) => byName((index) => from[kinds[names[index]!]!](index)),
  };
}
