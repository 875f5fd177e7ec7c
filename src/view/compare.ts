import { allMetrics } from '../scoring/families.ts';
import {
  findGroup,
  isProblem,
  type Metric,
  type Problem,
  parseSlice,
  readMetric,
  type Slice,
  type SummaryGroup,
  type SummaryGroups,
  sliceText,
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

/** A summary file, and which of its groups is meant. */
export interface Comparand {
  readonly file: string;
  readonly slice: Slice;
}

/** Compared where the user names no metric: each that both sides have. */
export const defaultMetrics: readonly string[] = ['arguments.args_exact_rate', 'structured.exact_match_rate'];

/** Reads `FILE` (the total) or `FILE#model=x`. */
export function parseComparand(text: string): Comparand {
  const hash = text.lastIndexOf('#');
  const slice = hash < 0 ? undefined : parseSlice(text.slice(hash + 1));
  return slice === undefined ? { file: text, slice: new Map() } : { file: text.slice(0, hash), slice };
}

/**
 * Compares a reference (a) with a candidate (b) by one metric, or by the default metrics. A problem where a group or a path does
 * not exist.
 *
 * args_exact_rate 0.9 against 0.8: gap 0.1 (rounded), moderate, no tuning needed; against 0.7: gap 0.2, significant, tuning needed.
 */
export function compareSummaries(
  a: { readonly summary: SummaryGroups; readonly slice: Slice },
  b: { readonly summary: SummaryGroups; readonly slice: Slice },
  metric: string | undefined,
): readonly Comparison[] | Problem {
  const groups = [findGroup(a.summary, a.slice), findGroup(b.summary, b.slice)];
  const [groupA, groupB] = groups;
  if (groupA === undefined) return { problem: `the first summary has no group ${sliceText(a.slice)}` };
  if (groupB === undefined) return { problem: `the second summary has no group ${sliceText(b.slice)}` };
  if (metric !== undefined) {
    const compared = compareMetric(groupA, groupB, metric);
    return isProblem(compared) ? compared : [compared];
  }
  const compared = defaultMetrics
    .map((path) => compareMetric(groupA, groupB, path))
    .filter((one): one is Comparison => !isProblem(one) && one.gap !== null);
  if (compared.length > 0) return compared;
  return { problem: `the summaries have no value in common of ${defaultMetrics.join(', ')}; name one with --metric` };
}

const moderateFrom = 0.05;
const significantAbove = 0.15;
const tolerance = 1e-9;

function compareMetric(groupA: SummaryGroup, groupB: SummaryGroup, path: string): Comparison | Problem {
  const a = readMetric(groupA, path);
  if (isProblem(a)) return { problem: `first summary: ${a.problem}` };
  const b = readMetric(groupB, path);
  if (isProblem(b)) return { problem: `second summary: ${b.problem}` };
  return judge(a, b);
}

/** Paths of metrics of which less is better. A label within a path is none of the metric's. */
const lowerIsBetter: ReadonlySet<string> = new Set(
  allMetrics()
    .filter(({ metric }) => metric.kind !== 'labels' && metric.better === 'lower')
    .map(({ family, keys }) => [family.name, ...keys].join('.')),
);

function judge(a: Metric, b: Metric): Comparison {
  const shown = { metric: a.path, a: a.value, b: b.value };
  if (a.value === null || b.value === null) return { ...shown, gap: null, verdict: null, needs_tuning: null };
  const gap = a.value - b.value;
  const worse = lowerIsBetter.has(a.path) ? -gap : gap;
  const verdict = worse < moderateFrom ? 'minimal' : worse <= significantAbove ? 'moderate' : 'significant';
  return { ...shown, gap, verdict, needs_tuning: worse > significantAbove + tolerance };
}
