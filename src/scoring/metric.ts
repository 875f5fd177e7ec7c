import type { RangeOf } from './range.ts';
import { type Band, type Estimate, type Mean, meanOf, type Rate, type RateOf } from './reading.ts';

/**
 * A metric is data: how its number is read from the sums of a family (`S`), and its texts for people and programs. Whatever
 * shows, checks, exports or documents numbers is a loop over these records; nothing keeps a list of metrics of its own.
 */
export type Metric<S> =
  | RateMetric<S>
  | MeanMetric<S>
  | NumberMetric<S>
  | EstimateMetric<S>
  | CountMetric<S>
  | BandMetric<S>
  | MatrixMetric<S>
  | NumberedMetric<S>
  | GroupMetric<S>
  | LabelsMetric<S>
  | BreakdownMetric<S>;

/** Metrics by the key that they have in a summary. */
export type Metrics<S> = Readonly<Record<string, Metric<S>>>;

export interface About {
  readonly title: string;
  /** The definition in a sentence. */
  readonly help: string;
  /** Which change is good; absent where none is. */
  readonly better?: 'higher' | 'lower';
  /** Short title: the metric is a column of the tables of groups. */
  readonly headline?: string;
  /** Its course over time is kept and drawn. */
  readonly history?: true;
  /** It is watched where the configuration names no watches. */
  readonly watched?: true;
}

/**
 * The addition of one event, read back from its score row, or from the part of it under the metric's group: 0 to 1; undefined where the
 * event is not counted. Absent where a row does not say it.
 */
export type OfRow = (row: RowPart) => number | undefined;

export type RowPart = Readonly<Record<string, unknown>>;

/** x of n, reported with its Wilson interval. */
export interface RateMetric<S> extends About {
  readonly kind: 'rate';
  of(sums: S): readonly [numerator: number, denominator: number];
  readonly ofRow?: OfRow;
  /** It counts a kind of hallucination: alerts fire where more than this share of the opportunities are hallucinated. */
  readonly budget?: number;
  /** Value at 0/0; null by default. */
  whenEmpty?(sums: S): number | null;
}

/** The mean of fractions. */
export interface MeanMetric<S> extends About {
  readonly kind: 'mean';
  of(sums: S): readonly [sum: number, count: number];
  readonly ofRow?: OfRow;
  readonly range?: RangeOf;
  whenEmpty?(sums: S): number | null;
}

/** A number without counts: pooled scores, macro averages. */
export interface NumberMetric<S> extends About {
  readonly kind: 'number';
  of(sums: S): number | null;
  readonly range?: RangeOf;
  readonly counted?: Counted;
  /** The same from added counts; undefined where they do not say it. */
  ofBlock?(from: AddedCounts): number | null | undefined;
  /** Where it is a mean: what stands beside it and says what each part of it weighs. */
  readonly weight?: string;
  /** The share's numerator and denominator, where it is a number of events: it can be watched as a rate can. */
  share?(sums: S): readonly [numerator: number, denominator: number];
}

/** Counts in a block: those beside a number, the family's, and the label that it is of. */
export type AddedCounts = { readonly beside: RowPart; readonly block: RowPart; readonly label: number };

/** A number of all traffic that is estimated from a part of it; `z`: half the width of its interval, in standard deviations. */
export interface EstimateMetric<S> extends About {
  readonly kind: 'estimate';
  readonly range?: RangeOf;
  of(sums: S, z: number): Estimate;
}

/** A number that is a function of how many events fall into each of some cells: then the chance in it can be worked out. */
export interface Counted {
  /** Number of cells. */
  readonly cells: number;
  of(counts: readonly number[]): number | null;
  /** The counts, from the family's block of a summary; undefined where it is none. */
  ofBlock(block: RowPart): readonly number[] | undefined;
  /** The cell of an event, from its score row; undefined where the event is not counted. */
  ofRow(row: RowPart): number | undefined;
}

export interface CountMetric<S> extends About {
  readonly kind: 'count';
  of(sums: S): number;
  /** It is set, and no sum. */
  readonly isOption?: true;
}

/** excellent, good, fair or poor. */
export interface BandMetric<S> extends About {
  readonly kind: 'band';
  of(sums: S): Band | null;
}

/** Counts by two closed lists of names. */
export interface MatrixMetric<S> extends About {
  readonly kind: 'matrix';
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  of(sums: S, row: number, column: number): number;
}

/** Means numbered from 1. */
export interface NumberedMetric<S> extends About {
  readonly kind: 'numbered';
  of(sums: S): readonly (readonly [sum: number, count: number])[];
}

/** Metrics under a key of their own. */
export interface GroupMetric<S> {
  readonly kind: 'group';
  of(sums: S): unknown;
  readonly metrics: Metrics<unknown>;
}

/** The same metrics for each name of a closed list of labels. */
export interface LabelsMetric<S> {
  readonly kind: 'labels';
  /** The configuration names the labels: here are none, and a block may have any. */
  readonly isOpen?: true;
  readonly names: readonly string[];
  of(sums: S, index: number): unknown;
  readonly metrics: Metrics<unknown>;
}

/** An entry of a breakdown: its key, a second one (or `""`), and its columns. */
export interface BreakdownEntry {
  readonly key: string;
  readonly subkey: string;
  readonly columns: readonly number[];
}

/** Numbers by names from the data. `undefined` where none are kept: in windows. */
export interface BreakdownMetric<S> extends About {
  readonly kind: 'breakdown';
  of(sums: S): readonly BreakdownEntry[] | undefined;
  /** Keys one below the other: 1 or 2. */
  readonly depth: 1 | 2;
  readonly value: Metric<BreakdownEntry>;
}

/** A flag (1 or 0) or a fraction of a score row. */
export function fieldOfRow(key: string): OfRow {
  return (row) => {
    const value = row[key];
    return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : undefined;
  };
}

type Without<M> = Omit<M, 'kind'>;

/** A share x/n: `of` gives its counts. */
export const rate = <S>(metric: Without<RateMetric<S>>): RateMetric<S> => ({ kind: 'rate', ...metric });
/** A mean of fractions: `of` gives their sum and their number. */
export const mean = <S>(metric: Without<MeanMetric<S>>): MeanMetric<S> => ({ kind: 'mean', ...metric });
/** A number that has no counts; null where it is undefined. */
export const number = <S>(metric: Without<NumberMetric<S>>): NumberMetric<S> => ({ kind: 'number', ...metric });
/** A number of all traffic, with an interval. */
export const estimate = <S>(metric: Without<EstimateMetric<S>>): EstimateMetric<S> => ({ kind: 'estimate', ...metric });
/** A number of things. */
export const count = <S>(metric: Without<CountMetric<S>>): CountMetric<S> => ({ kind: 'count', ...metric });
/** A word for a score. */
export const bandOf = <S>(metric: Without<BandMetric<S>>): BandMetric<S> => ({ kind: 'band', ...metric });
/** Counts by row and column. */
export const matrix = <S>(metric: Without<MatrixMetric<S>>): MatrixMetric<S> => ({ kind: 'matrix', ...metric });
/** Means numbered from 1. */
export const numbered = <S>(metric: Without<NumberedMetric<S>>): NumberedMetric<S> => ({ kind: 'numbered', ...metric });
/** Numbers by names from the data. */
export const breakdown = <S>(metric: Without<BreakdownMetric<S>>): BreakdownMetric<S> => ({
  kind: 'breakdown',
  ...metric,
});

/** Metrics of a part of the sums. */
export function group<S, Part, M extends Metrics<Part>>(
  of: (sums: S) => Part,
  metrics: M,
): GroupMetric<S> & { metrics: M } {
  return { kind: 'group', of, metrics };
}

/** Metrics of each label's part of the sums. */
export function byLabel<S, Part, M extends Metrics<Part>>(
  names: readonly string[],
  of: (sums: S, index: number) => Part,
  metrics: M,
): LabelsMetric<S> & { metrics: M } {
  return { kind: 'labels', names, of, metrics };
}

/** A summary block: plain JSON. */
export type Block = { readonly [key: string]: unknown };

/** The type of the block that metrics give. */
export type BlockOf<M> = { readonly [Key in keyof M]: ValueOf<M[Key]> };

type ValueOf<M> = M extends { kind: 'rate' }
  ? Rate
  : M extends { kind: 'mean' }
    ? Mean
    : M extends { kind: 'number' }
      ? number | null
      : M extends { kind: 'estimate' }
        ? Estimate
        : M extends { kind: 'count' }
          ? number
          : M extends { kind: 'band' }
            ? Band | null
            : M extends { kind: 'matrix' }
              ? Readonly<Record<string, Readonly<Record<string, number>>>>
              : M extends { kind: 'numbered' }
                ? Readonly<Record<string, Mean>>
                : M extends { kind: 'group'; metrics: infer Inner }
                  ? BlockOf<Inner>
                  : M extends { kind: 'labels'; metrics: infer Inner }
                    ? Readonly<Record<string, BlockOf<Inner>>>
                    : Readonly<Record<string, unknown>>;

/** Reads all metrics from sums: the family's block of a summary group. A breakdown of which nothing is kept has no key. */
export function readMetrics<S>(metrics: Metrics<S>, sums: S, rateOf: RateOf): Block {
  const block: Record<string, unknown> = {};
  for (const key of Object.keys(metrics)) {
    const value = readMetric(metrics[key]!, sums, rateOf);
    if (value !== undefined) block[key] = value;
  }
  return block;
}

/** Reads one metric from sums. */
export function readMetric<S>(metric: Metric<S>, sums: S, rateOf: RateOf): unknown {
  switch (metric.kind) {
    case 'rate':
      return filled(metric, sums, rateOf(...metric.of(sums)));
    case 'mean':
      return filled(metric, sums, meanOf(...metric.of(sums)));
    case 'number':
    case 'count':
    case 'band':
      return metric.of(sums);
    case 'estimate':
      return metric.of(sums, rateOf.z);
    case 'matrix':
      return record(metric.rows, (_, row) => record(metric.columns, (_name, column) => metric.of(sums, row, column)));
    case 'numbered':
      return Object.fromEntries(metric.of(sums).map(([sum, n], index) => [String(index + 1), meanOf(sum, n)]));
    case 'group':
      return readMetrics(metric.metrics, metric.of(sums), rateOf);
    case 'labels':
      return record(metric.names, (_, index) => readMetrics(metric.metrics, metric.of(sums, index), rateOf));
    case 'breakdown':
      return readBreakdown(metric, sums, rateOf);
  }
}

function filled<S, Value extends Rate | Mean>(metric: RateMetric<S> | MeanMetric<S>, sums: S, read: Value): Value {
  if (read.value !== null || metric.whenEmpty === undefined) return read;
  return { ...read, value: metric.whenEmpty(sums) };
}

function readBreakdown<S>(metric: BreakdownMetric<S>, sums: S, rateOf: RateOf): Block | undefined {
  const entries = metric.of(sums);
  if (entries === undefined) return undefined;
  const value = (entry: BreakdownEntry): unknown => readMetric(metric.value, entry, rateOf);
  // Object.fromEntries defines its keys: `__proto__` is one like any other.
  if (metric.depth === 1) return Object.fromEntries(entries.map((entry) => [entry.key, value(entry)]));
  const byKey = new Map<string, [string, unknown][]>();
  for (const entry of entries) {
    const held = byKey.get(entry.key);
    if (held) held.push([entry.subkey, value(entry)]);
    else byKey.set(entry.key, [[entry.subkey, value(entry)]]);
  }
  return Object.fromEntries([...byKey].map(([key, values]) => [key, Object.fromEntries(values)]));
}

function record<T>(names: readonly string[], of: (name: string, index: number) => T): Readonly<Record<string, T>> {
  const named: Record<string, T> = {};
  for (let index = 0; index < names.length; index++) named[names[index]!] = of(names[index]!, index);
  return named;
}
