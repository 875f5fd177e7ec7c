import type { AnyFamily } from '../scoring/family.ts';
import type { Truth, TruthTable } from '../scoring/truth.ts';

/** A truth row parsed, with what each family prepared of it (undefined: the family does not apply). */
export interface PreparedTruth {
  readonly row: number;
  readonly truth: Truth;
  readonly prepared: readonly unknown[];
  /** Names of its tools and of its expected calls, once they were needed. */
  toolNames?: ReadonlySet<string>;
}

/** A version of the truth whose rows are parsed and prepared once while they are used. */
export interface ActiveTruth {
  readonly table: TruthTable;
  /** A row that the table has. */
  readonly row: (row: number) => PreparedTruth;
}

const cachedRows = 1 << 14;

/** Puts a cache in front of a table, for the families that score with it. */
export function activeTruth(table: TruthTable, families: readonly AnyFamily[]): ActiveTruth {
  const cache: (PreparedTruth | undefined)[] = new Array(cachedRows).fill(undefined);
  return {
    table,
    row(row) {
      const slot = row & (cachedRows - 1);
      const cached = cache[slot];
      if (cached?.row === row) return cached;
      const fresh = prepareTruth(row, table.read(row), families);
      cache[slot] = fresh;
      return fresh;
    },
  };
}

/** A parsed row with what the families prepare of it. */
export function prepareTruth(row: number, truth: Truth, families: readonly AnyFamily[]): PreparedTruth {
  return { row, truth, prepared: families.map((family) => family.prepare(truth)) };
}
