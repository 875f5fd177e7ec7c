import { type Data, makeData, type Schema, Struct } from 'apache-arrow';
import type { Columns } from './arrow-schema.ts';
import { type GrowingColumn, growingColumn } from './growing-column.ts';

/** Rows that grow into Arrow columns. */
export interface RowColumns {
  readonly rows: number;
  /** Bytes that the rows take, about. */
  readonly bytes: number;
  /** Adds a row: values by column name; absent and null are null, other names are ignored. */
  add(row: Readonly<Record<string, unknown>>): void;
  /** The rows so far as a batch of the schema, and none from then on. */
  finish(): Data<Struct>;
}

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const { fields } = schema;
  const names = fields.map(({ name }) => name);
  const begin = (): GrowingColumn[] => fields.map(({ name, type }) => growingColumn(columns[name]!.kind, type));
  let open = begin();
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Readonly<Record<string, unknown>>): void {
      for (let at = 0; at < names.length; at++) built.bytes += open[at]!.push(row[names[at]!]);
      built.rows++;
    },
    finish(): Data<Struct> {
      const children = open.map((column) => column.finish());
      const data = makeData({ type: new Struct(fields), length: built.rows, children });
      open = begin();
      built.rows = 0;
      built.bytes = 0;
      return data;
    },
  };
  return built;
}
