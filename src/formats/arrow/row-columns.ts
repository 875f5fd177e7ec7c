import { type Data, type Schema, Struct } from 'apache-arrow';
import type { Columns } from './schema.ts';
import { growingColumn } from './growing-column.ts';

/** Rows that grow into Arrow columns, batch by batch. */
export interface RowColumns {
  /** Rows of the open batch, and the bytes that they take, about, but for the latest few. */
  readonly rows: number;
  readonly bytes: number;
  /** Adds a row: values by column name; absent and null are null, other names are ignored. */
  add(row: Readonly<Record<string, unknown>>): void;
  endBatch(): void;
  /** All batches since the last call, the open one among them, as batches of the schema; each `category` has one dictionary in all. */
  finish(): Data<Struct>[];
}

/** Rows that become columns at once: enough to write to one column after the other, few enough to hold them, whatever their size. */
const rowsAtOnce = 128;

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const column = growingColumn({ struct: columns }, new Struct(schema.fields));
  let latest: Readonly<Record<string, unknown>>[] = [];
  let batches: Data<Struct>[] = [];
  const settle = (): void => {
    built.bytes += column.push(latest);
    latest = [];
  };
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Readonly<Record<string, unknown>>): void {
      latest.push(row);
      built.rows++;
      if (latest.length === rowsAtOnce) settle();
    },
    endBatch(): void {
      settle();
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
