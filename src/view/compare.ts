import { headlinesOf } from '../scoring/families.ts';
import type { Metric as DeclaredMetric } from '../scoring/metric.ts';
import { type RangeOf, shareRange } from '../scoring/range.ts';
import { betterOf, type Declared, declaredAt, rowReader } from './declared.ts';
import {
  countsOf,
  type Difference,
  independentDifference,
  pairedDifference,
  type Sample,
  varianceOfMean,
} from './difference.ts';
import { type Examples, type Matched, matchExamples } from './examples.ts';
import { type Directed, type Flip, flipsOf } from './flips.ts';
import {
  isProblem,
  type Metric,
  type Problem,
  parseSlice,
  readMetric,
  type Slice,
  type SummaryGroup,
} from './summary-lookup.ts';

/** Is one model good enough to replace another, by one metric (docs/reference/scoring.md, "Comparison"; Fledgling). Null where either has no value. */
export interface Comparison {
  readonly metric: string;
  readonly a: number | null;
  readonly b: number | null;
  /** a - b; where lower is better, a candidate that is worse has a negative one. */
  readonly gap: number | null;
  readonly verdict: 'minimal' | 'moderate' | 'significant' | null;
  readonly needs_tuning: boolean | null;
}

/** The same, with what chance can explain of it. */
export interface Change extends Comparison, Omit<Difference, 'differs' | 'same'> {
  readonly better: 'higher' | 'lower' | null;
  /** b - a. */
  readonly difference: number | null;
  /** The change of the candidate, beyond chance; `same` where there is none; null where that cannot be said. */
  readonly change: 'better' | 'worse' | 'same' | 'unclear' | null;
}

/** The content of a file. */
export type Side = { readonly name: string } & (
  | { readonly kind: 'summary'; readonly group: SummaryGroup }
  | { readonly kind: 'scores'; readonly examples: Examples }
);

/** A candidate against the reference. */
export interface Compared {
  readonly changes: readonly Change[];
  /** Headline metrics that one side does not say. */
  readonly left_out: readonly string[];
  /** Events that both scored; null where the two are compared as different samples. */
  readonly paired: number | null;
  /** Events that changed, the worst first; null where they are not paired. */
  readonly flips: readonly Flip[] | null;
}

/** A file, and which of its groups is meant. */
export interface Comparand {
  readonly file: string;
  readonly slice: Slice;
}

/** Reads `FILE` (the total) or `FILE#model=x`. */
export function parseComparand(text: string): Comparand {
  const hash = text.lastIndexOf('#');
  const slice = hash < 0 ? undefined : parseSlice(text.slice(hash + 1));
  return slice === undefined ? { file: text, slice: new Map() } : { file: text.slice(0, hash), slice };
}

/** Paths of the metrics that are compared where none is named. */
export const headlinePaths: readonly string[] = headlinesOf().map(({ path }) => path);

/**
 * Compares a candidate (b) with a reference (a) by metrics. One that is required must be known on both sides, else that is a problem; any other
 * is left out where a side has no value.
 *
 * args_exact_rate 90 of 100 against 80 of 100: gap 0.1 (rounded), moderate, no tuning needed; difference -0.1 [-0.1995, -0.0001]: worse.
 */
export function compareSides(
  a: Side,
  b: Side,
  paths: readonly string[],
  required: ReadonlySet<string>,
): Compared | Problem {
  const bothScored = a.kind === 'scores' && b.kind === 'scores';
  const matched = bothScored ? matchExamples(a.examples, b.examples) : undefined;
  const changes: Change[] = [];
  const leftOut: string[] = [];
  for (const path of paths) {
    const change = compareMetric(a, b, path, matched);
    const isKnown = !isProblem(change) && change.a !== null && change.b !== null;
    if (!isKnown && !required.has(path)) leftOut.push(path);
    else if (isProblem(change)) return change;
    else changes.push(change);
  }
  if (changes.length === 0)
    return { problem: `${a.name} and ${b.name} have no value in common of ${paths.join(', ')}` };
  const flips =
    bothScored && matched !== undefined ? flipsOf(a.examples, b.examples, matched, directedOf(changes)) : null;
  return { changes, left_out: leftOut, paired: matched?.a.length ?? null, flips };
}

/** The fields of a comparison that are the same with and without intervals. */
export function comparisonOf({ metric, a, b, gap, verdict, needs_tuning }: Change): Comparison {
  return { metric, a, b, gap, verdict, needs_tuning };
}

/** Metrics that one event can make worse or better: of a macro average it is but a cell. */
function directedOf(changes: readonly Change[]): Directed[] {
  return changes.flatMap(({ metric, better }) =>
    better === null || declaredAt(metric)?.metric.kind === 'number' ? [] : [{ path: metric, better }],
  );
}

const moderateFrom = 0.05;
const significantAbove = 0.15;
const tolerance = 1e-9;

function compareMetric(a: Side, b: Side, path: string, matched: Matched | undefined): Change | Problem {
  const declared = declaredAt(path);
  const better = betterOf(declared);
  if (matched !== undefined && a.kind === 'scores' && b.kind === 'scores') {
    const kind = declared && pairable(declared.metric);
    const [ofA, ofB] = [a.examples.columns.get(path), b.examples.columns.get(path)];
    if (kind === undefined || ofA === undefined || ofB === undefined) return { problem: notInRows(path) };
    return changeOf(path, better, pairedDifference(kind, valuesOf(ofA, ofB, matched)));
  }
  const first = sampleOf(a, path, declared);
  if (isProblem(first)) return first;
  const second = sampleOf(b, path, declared);
  if (isProblem(second)) return second;
  return changeOf(path, better, independentDifference(first, second));
}

function pairable(metric: DeclaredMetric<unknown>): Parameters<typeof pairedDifference>[0] | undefined {
  if (metric.kind === 'rate' || metric.kind === 'mean') return metric.kind;
  return metric.kind === 'number' ? metric.counted : undefined;
}

/** The values of the events that both sides have. */
function valuesOf(ofA: readonly number[], ofB: readonly number[], matched: Matched) {
  const values = { a: [] as number[], b: [] as number[] };
  matched.a.forEach((placeA, at) => {
    const [one, other] = [ofA[placeA]!, ofB[matched.b[at]!]!];
    if (Number.isNaN(one) || Number.isNaN(other)) return;
    values.a.push(one);
    values.b.push(other);
  });
  return values;
}

function sampleOf(side: Side, path: string, declared: Declared | undefined): Sample | Problem {
  if (side.kind === 'scores') return sampleOfRows(side.examples, path, declared);
  const metric = readMetric(side.group, path);
  return isProblem(metric)
    ? { problem: `${side.name}: ${metric.problem}` }
    : sampleOfNumber(side.group, metric, declared);
}

function sampleOfNumber(group: SummaryGroup, { value, part }: Metric, declared: Declared | undefined): Sample {
  const counted = declared?.metric.kind === 'number' ? declared.metric.counted : undefined;
  const counts = counted?.ofBlock((group[declared!.family.name] ?? {}) as Readonly<Record<string, unknown>>);
  if (counted !== undefined && counts !== undefined) return { kind: 'counted', value, counts, of: counted.of };
  if (part === undefined || part.n === 0) return { kind: 'plain', value };
  if (part.kind === 'rate') return { ...part, kind: 'rate', value };
  // Scores of runs need not lie between 0 and 1: entropy does not.
  const isBounded = declared?.family.unit === 'event' && part.x >= 0 && part.x <= part.n;
  return isBounded ? { ...part, kind: 'mean', value, variance: undefined } : { kind: 'plain', value };
}

function sampleOfRows({ columns }: Examples, path: string, declared: Declared | undefined): Sample | Problem {
  const kind = declared && pairable(declared.metric);
  const values = columns.get(path)?.filter((value) => !Number.isNaN(value));
  if (kind === undefined || values === undefined) return { problem: notInRows(path) };
  if (typeof kind === 'object') {
    const counts = countsOf(values, kind.cells);
    return { kind: 'counted', value: kind.of(counts), counts, of: kind.of };
  }
  if (values.length === 0) return { kind: 'plain', value: null };
  const x = values.reduce((sum, value) => sum + value, 0);
  const part = { x, n: values.length, value: x / values.length };
  return kind === 'rate' ? { kind, ...part } : { kind, ...part, variance: varianceOfMean(values) };
}

function notInRows(path: string): string {
  return `${path}: score rows do not say it; compare summaries`;
}

/** The readers of the metrics that score rows say, of some paths. */
export function rowReaders(paths: readonly string[]) {
  return new Map(
    paths.flatMap((path) => {
      const declared = declaredAt(path);
      const read = declared && rowReader(declared);
      return read === undefined ? [] : [[path, read] as const];
    }),
  );
}

function changeOf(metric: string, better: 'higher' | 'lower' | undefined, of: Difference): Change {
  const { differs, same, lower, upper, ...rest } = of;
  const difference = of.a === null || of.b === null ? null : of.b - of.a;
  const gained = (difference ?? 0) > 0 === (better === 'higher');
  const known = differs ? (gained ? 'better' : 'worse') : differs === null ? null : 'unclear';
  const change = same ? 'same' : better === undefined ? null : known;
  const most = greatestDifference(declaredAt(metric));
  const within = { lower: lower && Math.max(lower, -most), upper: upper && Math.min(upper, most) };
  return { metric, better: better ?? null, ...rest, ...within, difference, ...verdictOf(of, better), change };
}

/** Width of the range of a metric; infinite where options set it. */
function greatestDifference(declared: Declared | undefined): number {
  const { range = shareRange } = (declared?.metric ?? {}) as { readonly range?: RangeOf };
  return typeof range === 'function' ? Number.POSITIVE_INFINITY : range[1] - range[0];
}

/** The rule of 15 points, which looks at values only. */
function verdictOf({ a, b }: Difference, better: 'higher' | 'lower' | undefined) {
  if (a === null || b === null) return { gap: null, verdict: null, needs_tuning: null };
  const gap = a - b;
  const worse = better === 'lower' ? -gap : gap;
  const verdict = worse < moderateFrom ? 'minimal' : worse <= significantAbove ? 'moderate' : 'significant';
  return { gap, verdict, needs_tuning: worse > significantAbove + tolerance } as const;
}
