import type { AnyFamily } from '../scoring/family.ts';
import type { Truth, TruthTable } from '../scoring/truth.ts';
import type { RowDelta } from '../state/row-delta.ts';
import type { EventBatch } from './event.ts';
import { type RememberedResults, rememberedResults } from './remembered.ts';

/** A truth row parsed, with what each family prepared of it (undefined: the family does not apply). */
export interface PreparedTruth {
  readonly row: number;
  readonly truth: Truth;
  readonly prepared: readonly unknown[];
  /** By family: its usual outcome and what that adds, once the row was asked for again. */
  readonly usual: ({ readonly outcome: unknown; readonly delta: RowDelta } | undefined)[];
  reused: boolean;
  /** Names of the tools that it knows, once they were asked for. */
  toolNames?: ReadonlySet<string>;
}

/** A version of the truth behind direct-mapped caches: what is asked for again costs a comparison. */
export interface ActiveTruth {
  readonly table: TruthTable;
  /** Row of the example of an event, or -1. */
  find(batch: EventBatch, event: number): number;
  /** The parsed row; cheap when it was used lately. */
  row(row: number): PreparedTruth;
  /** What events came to with its rows; undefined where nothing is to be remembered. */
  readonly remembered: RememberedResults | undefined;
}

const cacheRows = 1 << 14;

/** What the families make of a parsed row. */
export function prepareTruth(row: number, truth: Truth, families: readonly AnyFamily[]): PreparedTruth {
  return {
    row,
    truth,
    prepared: families.map((family) => family.prepare(truth)),
    usual: families.map(() => undefined),
    reused: false,
  };
}

/** Puts the caches in front of a table, for the families that will ask. */
export function activeTruth(table: TruthTable, families: readonly AnyFamily[]): ActiveTruth {
  const cache: (PreparedTruth | undefined)[] = new Array(cacheRows).fill(undefined);
  return {
    table,
    find: finder(table),
    remembered: rememberedResults(),
    row(row) {
      const slot = row & (cacheRows - 1);
      const cached = cache[slot];
      if (cached !== undefined && cached.row === row) {
        cached.reused = true;
        return cached;
      }
      const truth = table.read(row);
      const fresh = prepareTruth(row, truth, families);
      cache[slot] = fresh;
      return fresh;
    },
  };
}

const foundRows = 1 << 16;

/** An entry holds row + 2, or 0, and three words of an identity; the fourth says where it lies. */
function finder(table: TruthTable): ActiveTruth['find'] {
  const entries = new Int32Array(4 * foundRows);
  return (batch, event) => {
    const { example: words } = batch;
    const at = 4 * event;
    const entry = 4 * (words[at]! & (foundRows - 1));
    const w1 = words[at + 1]! | 0;
    const w2 = words[at + 2]! | 0;
    const w3 = words[at + 3]! | 0;
    const known = entries[entry]!;
    if (known > 0 && entries[entry + 1] === w1 && entries[entry + 2] === w2 && entries[entry + 3] === w3)
      return known - 2;
    const row = table.find(batch.exampleId(event), words[at]);
    entries[entry] = row + 2;
    entries[entry + 1] = w1;
    entries[entry + 2] = w2;
    entries[entry + 3] = w3;
    return row;
  };
}
