import { allMetrics, declarations, type Headline, headlinesOf } from '../../scoring/families.ts';
import type { TallyReader } from '../../scoring/family.ts';
import { wilson } from '../../scoring/reading.ts';
import type { Layout } from '../../state/row-layout.ts';

/** A number that has a history. Rates have an interval, the others none. */
export interface HistoryMetric extends Headline {
  readonly read: (cells: readonly number[]) => Counts | number | null;
}

/** A share of a whole. */
export interface Counts {
  readonly numerator: number;
  readonly denominator: number;
}

/** A reading of one metric; null at 0/0. */
export interface HistoryValue {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** The counts behind it; undefined where it is no rate. */
  readonly counts: Counts | undefined;
}

/**
 * The families whose metrics have a history. A point holds their cells, which are additive counts, one family after the other: rates
 * over any span are read from their sums.
 */
const families = declarations
  .filter((family) => family.cells !== undefined && allMetrics([family]).some(({ metric }) => isCharted(metric)))
  .map((family, index, all) => ({
    family,
    first: all.slice(0, index).reduce((sum, { cells }) => sum + cells!.length, 0),
    size: family.cells!.length,
  }));

/** Number of cells of a group in a point. */
export const historySize: number = families.reduce((sum, { size }) => sum + size, 0);

/** The metrics that have a history, in the order of the charts. */
export const historyMetrics: readonly HistoryMetric[] = families.flatMap(({ family, first }) => {
  const headlines = new Map(headlinesOf([family]).map((headline) => [headline.path, headline]));
  return allMetrics([family]).flatMap(({ keys, metric }): HistoryMetric[] => {
    const headline = headlines.get([family.name, ...keys].join('.'));
    if (!headline?.history || (metric.kind !== 'rate' && metric.kind !== 'number')) return [];
    return [
      {
        ...headline,
        read(cells) {
          const read = metric.of(family.sums!(readerOf(cells, first)));
          return typeof read === 'object' && read !== null ? { numerator: read[0], denominator: read[1] } : read;
        },
      },
    ];
  });
});

/** The cells of a group in a point, from its row of all cells; zeros where a family is disabled. */
export function cellsOf(row: Float64Array, { families: scored, slots }: Layout): number[] {
  return families.flatMap(({ family, size }) => {
    const index = scored.findIndex(({ name }) => name === family.name);
    return Array.from({ length: size }, (_, cell) => (index < 0 ? 0 : row[slots[index]![cell]!]!));
  });
}

/** Reads a metric from counts, with its interval at `z` standard deviations where it is a rate. */
export function historyValue(metric: HistoryMetric, cells: readonly number[], z: number): HistoryValue {
  const read = metric.read(cells);
  if (read === null || typeof read === 'number') return { value: read, lower: null, upper: null, counts: undefined };
  const { numerator, denominator } = read;
  if (denominator === 0) return { value: null, lower: null, upper: null, counts: read };
  const [lower, upper] = wilson(numerator, denominator, z);
  return { value: numerator / denominator, lower, upper, counts: read };
}

function readerOf(cells: readonly number[], first: number): TallyReader {
  return { count: (cell) => cells[first + cell]!, sum: () => 0, entries: () => undefined };
}

function isCharted(metric: object): boolean {
  return 'history' in metric && metric.history === true;
}
