import type { Counted } from '../scoring/metric.ts';
import { z95 } from '../scoring/reading.ts';
import { fewestEvents, jackknifeVariance, type LeftOut, studentInterval } from './jackknife.ts';
import { mcnemarExact } from './mcnemar.ts';
import { type Interval, newcombe, newcombePaired, type Proportion } from './newcombe.ts';

/** A number of one side, with what it is known to be read from. */
export type Sample = { readonly value: number | null } & (
  | (Proportion & { readonly kind: 'rate' })
  /** A mean of scores from 0 to 1, x their sum; with the variance of the mean where the scores are known. */
  | (Proportion & { readonly kind: 'mean'; readonly variance: number | undefined })
  /** Events by cell, and the number that is a function of them. */
  | { readonly kind: 'counted'; readonly counts: readonly number[]; readonly of: Counted['of'] }
  | { readonly kind: 'plain' }
);

/** The values of each event of both sides: a flag, a score from 0 to 1, or its cell. */
export interface Pairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** How a number differs between two sides. */
export interface Difference {
  readonly a: number | null;
  readonly b: number | null;
  /** Events; null where it is not known. */
  readonly n_a: number | null;
  readonly n_b: number | null;
  /** 95 % interval of b - a; null where there is none. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** The p value of the exact McNemar test. */
  readonly p: number | null;
  readonly method: 'newcombe' | 'newcombe_paired_mcnemar' | 'jackknife' | 'jackknife_paired' | null;
  /** True if b differs from a beyond what chance explains; null where that cannot be said. */
  readonly differs: boolean | null;
  /** No event changed; of unpaired sides: their numbers are of equally many events, and equal. */
  readonly same: boolean;
}

/** Changes that a paired test needs to tell anything at 5 %: five of one kind have p = 2 / 2^5. */
const fewestChanges = 6;
const level = 0.05;

/**
 * Two sides that scored different events. Rates by Newcombe's interval; means of scores from 0 to 1 of which only the sum is known by the same
 * (no such scores vary more than flags of that mean: Bhatia and Davis, "A better bound on the variance", American Mathematical Monthly 107,
 * 2000), so that their interval is rather too wide; others by the jackknife.
 */
export function independentDifference(a: Sample, b: Sample): Difference {
  const { value: valueA } = a;
  const { value: valueB } = b;
  const [eventsA, eventsB] = [eventsOf(a), eventsOf(b)];
  const same = valueA !== null && valueA === valueB && eventsA !== null && eventsA === eventsB;
  const ends = { a: valueA, b: valueB, n_a: eventsA, n_b: eventsB, p: null, same };
  if (valueA === null || valueB === null) return { ...ends, ...unknown };
  const [spreadA, spreadB] = [varianceOf(a), varianceOf(b)];
  const n = Math.min(ends.n_a ?? 0, ends.n_b ?? 0);
  if (spreadA !== undefined && spreadB !== undefined && n >= fewestEvents)
    return { ...ends, ...within(studentInterval(valueB - valueA, spreadA + spreadB, n - 1)), method: 'jackknife' };
  if (!isPart(a) || !isPart(b)) return { ...ends, ...unknown };
  return { ...ends, ...within(newcombe(a, b, z95)), method: 'newcombe' };
}

/** Two sides that scored the same events: rates are tested exactly (McNemar), others by the jackknife of the differences. */
export function pairedDifference(kind: 'rate' | 'mean' | Counted, pairs: Pairs): Difference {
  return kind === 'rate' ? pairedRates(pairs) : kind === 'mean' ? pairedMeans(pairs) : pairedCounts(pairs, kind);
}

const unknown = { lower: null, upper: null, method: null, differs: null };

function within([lower, upper]: Interval) {
  return { lower, upper, differs: lower > 0 || upper < 0 };
}

function pairedRates({ a, b }: Pairs): Difference {
  const table = { both: 0, first: 0, second: 0, none: 0 };
  for (const [at, one] of a.entries())
    table[one === 1 ? (b[at] === 1 ? 'both' : 'first') : b[at] === 1 ? 'second' : 'none']++;
  const n = a.length;
  const ends = { n_a: n, n_b: n, same: n > 0 && table.first + table.second === 0 };
  if (n === 0) return { a: null, b: null, ...ends, p: null, ...unknown };
  const [lower, upper] = ends.same ? [0, 0] : newcombePaired(table, z95);
  const p = mcnemarExact(table.second, table.first);
  const [valueA, valueB] = [(table.both + table.first) / n, (table.both + table.second) / n];
  return { a: valueA, b: valueB, ...ends, lower, upper, p, method: 'newcombe_paired_mcnemar', differs: p < level };
}

function pairedMeans({ a, b }: Pairs): Difference {
  const n = a.length;
  const values = n === 0 ? [null, null] : [sumOf(a) / n, sumOf(b) / n];
  const differences = b.map((value, at) => value - a[at]!);
  const total = sumOf(differences);
  const left = differences.map((difference) => ({ value: (total - difference) / (n - 1), count: 1 }));
  return pairedBy(values, left, differences.filter((difference) => difference !== 0).length);
}

function pairedCounts({ a, b }: Pairs, { cells, of }: Counted): Difference {
  const [countsA, countsB] = [countsOf(a, cells), countsOf(b, cells)];
  const together = countsOf(
    a.map((cell, at) => cell * cells + b[at]!),
    cells * cells,
  );
  const left = together.flatMap((count, both): LeftOut[] => {
    if (count === 0) return [];
    const without = (counts: readonly number[], cell: number): number => of(oneLess(counts, cell)) ?? 0;
    return [{ value: without(countsB, both % cells) - without(countsA, Math.floor(both / cells)), count }];
  });
  const changes = a.filter((cell, at) => cell !== b[at]).length;
  return pairedBy([of(countsA), of(countsB)], left, changes);
}

function pairedBy(values: readonly (number | null)[], left: readonly LeftOut[], changes: number): Difference {
  const [a, b] = values as [number | null, number | null];
  const n = left.reduce((total, { count }) => total + count, 0);
  const ends = { a, b, n_a: n, n_b: n, p: null, same: a !== null && changes === 0 };
  if (a === null || b === null || n < fewestEvents) return { ...ends, ...unknown };
  const interval = within(studentInterval(b - a, jackknifeVariance(left), n - 1));
  return { ...ends, ...interval, method: 'jackknife_paired', differs: interval.differs && changes >= fewestChanges };
}

function eventsOf(sample: Sample): number | null {
  if (sample.kind === 'plain') return null;
  return sample.kind === 'counted' ? sumOf(sample.counts) : sample.n;
}

function isPart(sample: Sample): sample is Sample & Proportion {
  return sample.kind === 'rate' || sample.kind === 'mean';
}

function varianceOf(sample: Sample): number | undefined {
  if (sample.kind === 'mean') return sample.variance;
  if (sample.kind !== 'counted') return undefined;
  const { counts, of } = sample;
  return jackknifeVariance(
    counts.flatMap((count, cell) => (count === 0 ? [] : [{ value: of(oneLess(counts, cell)) ?? 0, count }])),
  );
}

/** Variance of the mean of scores. */
export function varianceOfMean(scores: readonly number[]): number | undefined {
  const n = scores.length;
  if (n < 2) return undefined;
  const total = sumOf(scores);
  return jackknifeVariance(scores.map((score) => ({ value: (total - score) / (n - 1), count: 1 })));
}

/** How many events have each cell. */
export function countsOf(cells: readonly number[], size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const cell of cells) counts[cell]!++;
  return counts;
}

function oneLess(counts: readonly number[], cell: number): number[] {
  return counts.map((count, at) => (at === cell ? count - 1 : count));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
