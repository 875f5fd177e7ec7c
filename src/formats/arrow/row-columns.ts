import {
  type Data,
  DataType,
  type Dictionary,
  makeBuilder,
  type Schema,
  Struct,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { type Json, sizeOf } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
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
  const builder = makeBuilder({ type: new Struct(schema.fields), nullValues: [null, undefined] });
  let batches: Data<Struct>[] = [];
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Row): void {
      const fields = fieldsOf(columns, row);
      builder.append(fields as never);
      // JSON is text here: values of a row may nest deeper than any stack.
      built.bytes += sizeOf(fields);
      built.rows++;
    },
    endBatch(): void {
      batches.push(builder.flush());
      built.rows = 0;
      built.bytes = 0;
    },
    finish(): Data<Struct>[] {
      if (built.rows > 0 || batches.length === 0) built.endBatch();
      const finished = batches;
      batches = [];
      shareDictionaries(finished);
      return finished;
    },
  };
  return built;
}

/** Fields as the builder takes them. The names are ours: no object inherits a property of these names. */
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
    return 'list' in kind ? (value as readonly unknown[]).map((item) => cellOf(kind.list, item)) : value;
  }
  if (kind === 'json') return jsonText(value as Json);
  return kind === 'int64' || kind === 'time' ? BigInt(Math.floor(value as number)) : value;
}

/** Gives all batches the complete dictionaries of the last one, each in one piece: DuckDB and Polars refuse dictionaries that grow. */
function shareDictionaries(batches: readonly Data[]): void {
  const whole = new Map<number, Vector>();
  for (const data of batches.flatMap(dictionariesIn).reverse()) {
    const { id, dictionary } = data.type;
    const shared = whole.get(id) ?? vectorFromArray([...data.dictionary!], dictionary as DataType);
    whole.set(id, shared);
    data.dictionary = shared;
  }
}

function dictionariesIn(data: Data): Data<Dictionary>[] {
  return DataType.isDictionary(data.type) ? [data as Data<Dictionary>] : data.children.flatMap(dictionariesIn);
}
