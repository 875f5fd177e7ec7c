import { type About, fieldOfRow, rate, type RateMetric } from './metric.ts';

/** A share of the events that are counted in a cell; a score row has it as a flag. */
export function flagRate<Cell extends string>(
  cell: Cell,
  field: string,
  about: Omit<About, 'better'>,
): RateMetric<Readonly<Record<Cell | 'n', number>>> {
  return rate({ ...about, better: 'higher', of: (sums) => [sums[cell], sums.n], ofRow: fieldOfRow(field) });
}
