import type { AnyFamily } from '../scoring/family.ts';
import { namedTruth, type ToolNaming } from '../scoring/tool-names.ts';
import type { Truth, TruthTable } from '../scoring/truth.ts';

/** A truth row parsed, with what each family prepared of it (undefined: the family does not apply). */
export interface PreparedTruth {
  readonly row: number;
  /** With the names by which tools are compared. */
  readonly truth: Truth;
  /** The row as it came. */
  readonly given: Truth;
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

/** Puts a cache in front of a table, for the families that score with it and the names that they compare. */
export function activeTruth(table: TruthTable, families: readonly AnyFamily[], naming?: ToolNaming): ActiveTruth {
  const cache: (PreparedTruth | undefined)[] = new Array(cachedRows).fill(undefined);
  return {
    table,
    row(row) {
      const slot = row & (cachedRows - 1);
      const cached = cache[slot];
      if (cached?.row === row) return cached;
      const fresh = prepareTruth(row, table.read(row), families, naming);
      cache[slot] = fresh;
      return fresh;
    },
  };
}

/** A parsed row with what the families prepare of it. */
export function prepareTruth(
  row: number,
  given: Truth,
  families: readonly AnyFamily[],
  naming?: ToolNaming,
): PreparedTruth {
  const truth = namedTruth(given, naming);
  return { row, truth, given, prepared: families.map((family) => family.prepare(truth)) };
}
