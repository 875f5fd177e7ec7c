import type { AnyFamily } from './family.ts';
import type { Truth, TruthTable } from './truth.ts';

/** A truth row parsed, with what each family prepared of it (undefined: the family does not apply). */
export interface PreparedTruth {
  readonly row: number;
  readonly truth: Truth;
  readonly prepared: readonly unknown[];
}

/** A version of the truth with its parsed rows in a direct-mapped cache: a row that is asked for again costs one comparison. */
export interface ActiveTruth {
  readonly table: TruthTable;
  /** The parsed row; cheap when it was used lately. */
  row(row: number): PreparedTruth;
}

const cacheRows = 1 << 14;

/** Puts a cache in front of a table, for the families that will ask. */
export function activeTruth(table: TruthTable, families: readonly AnyFamily[]): ActiveTruth {
  const cache: (PreparedTruth | undefined)[] = new Array(cacheRows).fill(undefined);
  return {
    table,
    row(row) {
      const slot = row & (cacheRows - 1);
      const cached = cache[slot];
      if (cached !== undefined && cached.row === row) return cached;
      const truth = table.read(row);
      const fresh = { row, truth, prepared: families.map((family) => family.prepare(truth)) };
      cache[slot] = fresh;
      return fresh;
    },
  };
}
