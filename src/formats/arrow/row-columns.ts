import { type Data, makeData, type Schema, Struct } from 'apache-arrow';
import type { Columns } from './schema.ts';
import { fieldOf, type GrowingColumn, growingColumn } from './growing-column.ts';

/** Rows that grow into Arrow columns. */
export interface RowColumns {
  readonly rows: number;
  /** Bytes that the rows take, about, but for the latest few. */
  readonly bytes: number;
  /** Adds a row: values by column name; absent and null are null, other names are ignored. */
  add(row: Readonly<Record<string, unknown>>): void;
  /** The rows so far as a batch of the schema, and none from then on. */
  finish(): Data<Struct>;
}

/** Rows that become columns at once: enough to write to one column after the other, few enough to hold them, whatever their size. */
const rowsAtOnce = 128;

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const { fields } = schema;
  let open: GrowingColumn[] = fields.map(({ name, type }) => growingColumn(columns[name]!.kind, type));
  let latest: Readonly<Record<string, unknown>>[] = [];
  const settle = (): void => {
    for (let at = 0; at < fields.length; at++) built.bytes += open[at]!.push(fieldOf(latest, fields[at]!.name, null));
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
    finish(): Data<Struct> {
      settle();
      const children = open.map((column) => column.finish());
      const data = makeData({ type: new Struct(fields), length: built.rows, children });
      open = open.map((column) => column.renewed());
      built.rows = 0;
      built.bytes = 0;
      return data;
    },
  };
  return built;
}
