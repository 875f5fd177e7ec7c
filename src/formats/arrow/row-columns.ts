import { type Data, DataType, type Dictionary, makeVector, type Schema, Struct, Utf8 } from 'apache-arrow';
import { type Json, sizeOf } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import { type Codes, columnOf } from './column.ts';
import type { ColumnKind, Columns } from './schema.ts';

/** Rows that grow into Arrow columns, batch by batch. */
export interface RowColumns {
  /** Number of rows in the open batch, and their approximate size in bytes. */
  readonly rows: number;
  readonly bytes: number;
  /** Adds a row: values by column name; absent and null are null, other names are ignored. */
  add(row: Row): void;
  endBatch(): void;
  /** All batches since the last call, the open one among them, as batches of the schema; each `category` has one dictionary in all. */
  finish(): Data<Struct>[];
}

type Row = Readonly<Record<string, unknown>>;

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const type = new Struct(schema.fields);
  const codes: Codes = new Map();
  let open: Row[] = [];
  let batches: Data<Struct>[] = [];
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Row): void {
      const fields = fieldsOf(columns, row);
      open.push(fields);
      // JSON is text here: values of a row may nest deeper than any stack.
      built.bytes += sizeOf(fields);
      built.rows++;
    },
    endBatch(): void {
      batches.push(columnOf(type, open, codes) as Data<Struct>);
      open = [];
      built.rows = 0;
      built.bytes = 0;
    },
    finish(): Data<Struct>[] {
      if (built.rows > 0 || batches.length === 0) built.endBatch();
      const finished = batches;
      batches = [];
      completeDictionaries(finished, codes);
      return finished;
    },
  };
  return built;
}

/** Fields as `columnOf` takes them. The names are ours: no object inherits a property of these names. */
function fieldsOf(columns: Columns, value: Row): Row {
  const fields: Record<string, unknown> = {};
  for (const name in columns) {
    const { kind, absent } = columns[name]!;
    fields[name] = cellOf(kind, value[name] ?? absent);
  }
  return fields;
}

function cellOf(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof kind === 'object') {
    if ('struct' in kind) return fieldsOf(kind.struct, value as Row);
    if ('list' in kind) return (value as readonly unknown[]).map((item) => cellOf(kind.list, item));
    return Object.entries(value).map(([key, item]) => ({ key, value: cellOf(kind.map, item) }));
  }
  if (kind === 'json') return jsonText(value as Json);
  return kind === 'int64' || kind === 'time' ? BigInt(Math.floor(value as number)) : value;
}

/** Gives all batches the same dictionaries: DuckDB and Polars refuse dictionaries that grow from batch to batch. */
function completeDictionaries(batches: readonly Data[], codes: Codes): void {
  const dictionaries = new Map(
    [...codes].map(([id, known]) => [id, makeVector(columnOf(new Utf8(), [...known.keys()], codes))]),
  );
  for (const data of batches.flatMap(dictionariesIn)) data.dictionary = dictionaries.get(data.type.id)!;
}

function dictionariesIn(data: Data): Data<Dictionary>[] {
  return DataType.isDictionary(data.type) ? [data as Data<Dictionary>] : data.children.flatMap(dictionariesIn);
}
