import { type Data, type Schema, Struct } from 'apache-arrow';
import type { Columns } from './schema.ts';
import { growingColumn } from './growing-column.ts';

/** Rows that grow into Arrow columns, batch by batch. */
export interface RowColumns {
  /** Rows of the open batch, and the bytes that they take, about, but for the latest few. */
  readonly rows: number;
  readonly bytes: number;
  /** Adds a row: values by column name; absent and null are null, other names are ignored. */
  add(row: Row): void;
  endBatch(): void;
  /** All batches since the last call, the open one among them, as batches of the schema; each `category` has one dictionary in all. */
  finish(): Data<Struct>[];
}

/** Rows that become columns at once: enough to write to one column after the other, few enough to hold them, whatever their size. */
export const rowsAtOnce = 128;

type Row = Readonly<Record<string, unknown>>;

/** Rows on their way into columns, some at a time. */
export interface RowBlocks {
  add(row: Row): void;
  /** Hands over what is left. */
  settle(): void;
}

/** Collects rows for whoever takes them at once. */
export function rowBlocks(take: (rows: readonly Row[]) => void): RowBlocks {
  let latest: Row[] = [];
  const settle = (): void => {
    if (latest.length > 0) take(latest);
    latest = [];
  };
  return {
    settle,
    add(row) {
      if (latest.push(row) === rowsAtOnce) settle();
    },
  };
}

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const column = growingColumn({ struct: columns }, new Struct(schema.fields));
  const blocks = rowBlocks((rows) => {
    built.bytes += column.push(rows);
  });
  let batches: Data<Struct>[] = [];
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Row): void {
      blocks.add(row);
      built.rows++;
    },
    endBatch(): void {
      blocks.settle();
      batches.push(column.endBatch() as Data<Struct>);
      built.rows = 0;
      built.bytes = 0;
    },
    finish(): Data<Struct>[] {
      if (built.rows > 0 || batches.length === 0) built.endBatch();
      column.completeDictionaries();
      const finished = batches;
      batches = [];
      return finished;
    },
  };
  return built;
}
