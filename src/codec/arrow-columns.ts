import { Buffer } from 'node:buffer';
import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow';
import type { Json } from '../core/json.ts';
import { jsonText } from './json-text.ts';

/**
 * What a column holds: `json` is utf8 holding JSON text, `category` a dictionary of utf8 that is frozen when the column is
 * finished (one batch a file), `time` a timestamp in ms without a zone (UTC), given as ms or as ISO 8601 text.
 */
export type ColumnKind =
  | 'utf8'
  | 'json'
  | 'category'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'time'
  | { readonly list: ColumnKind }
  | { readonly struct: Columns };

/** Columns, or the fields of a struct, by name. */
export type Columns = Readonly<Record<string, Column>>;

export interface Column {
  readonly kind: ColumnKind;
  /** Never null; whatever lies within a struct or a list may be. */
  readonly required?: true;
}

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

/** An Arrow schema of some columns. */
export function arrowSchema(columns: Columns, metadata: ReadonlyMap<string, string> = new Map()): Schema {
  return new Schema(fieldsOf(columns), new Map(metadata));
}

/** Empty columns of a schema that `arrowSchema` made of `columns`. */
export function rowColumns(columns: Columns, schema: Schema): RowColumns {
  const { fields } = schema;
  const names = fields.map(({ name }) => name);
  const begin = (): Growing[] => fields.map(({ name, type }) => growing(columns[name]!.kind, type));
  let open = begin();
  const built = {
    rows: 0,
    bytes: 0,
    add(row: Readonly<Record<string, unknown>>): void {
      names.forEach((name, at) => {
        built.bytes += open[at]!.push(row[name]);
      });
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

/** A column that grows; `push` takes null and undefined for null, and returns the bytes added. */
interface Growing {
  push(value: unknown): number;
  finish(): Data;
}

function fieldsOf(columns: Columns): Field[] {
  return Object.entries(columns).map(([name, { kind, required }]) => new Field(name, typeOf(kind), !required));
}

function typeOf(kind: ColumnKind): DataType {
  if (typeof kind === 'object') {
    if ('struct' in kind) return new Struct(fieldsOf(kind.struct));
    return new List(new Field('item', typeOf(kind.list), true));
  }
  return plainTypes[kind]();
}

const plainTypes = {
  utf8: () => new Utf8(),
  json: () => new Utf8(),
  category: () => new Dictionary(new Utf8(), new Int32()),
  bool: () => new Bool(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  float64: () => new Float64(),
  time: () => new TimestampMillisecond(),
} as const;

function growing(kind: ColumnKind, type: DataType): Growing {
  if (typeof kind === 'object') {
    if ('struct' in kind) return growingStruct(kind.struct, type as Struct);
    return growingList(kind.list, type as List);
  }
  switch (kind) {
    case 'utf8':
      return growingText(type, String);
    case 'json':
      return growingText(type, (value) => jsonText(value as Json));
    case 'category':
      return growingCategory(type as Dictionary);
    case 'bool':
      return growingBits(type);
    case 'int32':
      return growingNumbers(type, 4, (values) => Int32Array.from(values));
    case 'float64':
      return growingNumbers(type, 8, (values) => Float64Array.from(values));
    case 'int64':
      return growingNumbers(type, 8, bigInts);
    case 'time':
      return growingNumbers(type, 8, bigInts);
  }
}

/** Which values are null. */
function growingNulls(): { push(value: unknown): boolean; finish(): { nullCount: number; nullBitmap?: Uint8Array } } {
  const bits: number[] = [];
  let nullCount = 0;
  return {
    push(value) {
      const present = value !== null && value !== undefined;
      bits.push(present ? 1 : 0);
      if (!present) nullCount++;
      return present;
    },
    finish: () => (nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: bitmapOf(bits) }),
  };
}

function growingNumbers(
  type: DataType,
  width: number,
  arrayOf: (values: readonly number[]) => Int32Array | Float64Array | BigInt64Array,
): Growing {
  const nulls = growingNulls();
  const values: number[] = [];
  return {
    push(value) {
      values.push(nulls.push(value) ? numberOf(value) : 0);
      return width;
    },
    finish: () => dataOf(type, values.length, { ...nulls.finish(), data: arrayOf(values) }),
  };
}

function growingBits(type: DataType): Growing {
  const nulls = growingNulls();
  const bits: number[] = [];
  return {
    push(value) {
      bits.push(nulls.push(value) && value === true ? 1 : 0);
      return 1;
    },
    finish: () => dataOf(type, bits.length, { ...nulls.finish(), data: bitmapOf(bits) }),
  };
}

function growingText(type: DataType, textOf: (value: unknown) => string): Growing {
  const nulls = growingNulls();
  const offsets = [0];
  let bytes = Buffer.alloc(1024);
  let size = 0;
  return {
    push(value) {
      const before = size;
      if (nulls.push(value)) {
        const text = textOf(value);
        if (size + 3 * text.length > bytes.length) {
          const grown = Buffer.alloc(2 * (size + 3 * text.length));
          grown.set(bytes.subarray(0, size));
          bytes = grown;
        }
        size += bytes.write(text, size, 'utf8');
      }
      offsets.push(size);
      return size - before + 4;
    },
    finish: () =>
      dataOf(type, offsets.length - 1, {
        ...nulls.finish(),
        valueOffsets: Int32Array.from(offsets),
        data: new Uint8Array(bytes.buffer, bytes.byteOffset, size),
      }),
  };
}

function growingCategory(type: Dictionary): Growing {
  const nulls = growingNulls();
  const codes: number[] = [];
  const known = new Map<string, number>();
  const texts = growingText(type.dictionary as DataType, String);
  return {
    push(value) {
      if (!nulls.push(value)) {
        codes.push(0);
        return 4;
      }
      const text = String(value);
      let code = known.get(text);
      if (code === undefined) {
        code = known.size;
        known.set(text, code);
        texts.push(text);
      }
      codes.push(code);
      return 4;
    },
    finish: () =>
      dataOf(type, codes.length, {
        ...nulls.finish(),
        data: Int32Array.from(codes),
        dictionary: makeVector(texts.finish()),
      }),
  };
}

function growingList(item: ColumnKind, type: List): Growing {
  const nulls = growingNulls();
  const items = growing(item, type.children[0]!.type);
  const offsets = [0];
  return {
    push(value) {
      let bytes = 4;
      const list = nulls.push(value) ? (value as readonly unknown[]) : [];
      for (const one of list) bytes += items.push(one);
      offsets.push(offsets.at(-1)! + list.length);
      return bytes;
    },
    finish: () =>
      dataOf(type, offsets.length - 1, {
        ...nulls.finish(),
        valueOffsets: Int32Array.from(offsets),
        child: items.finish(),
      }),
  };
}

function growingStruct(columns: Columns, type: Struct): Growing {
  const nulls = growingNulls();
  const names = type.children.map(({ name }) => name);
  const children = type.children.map((field) => growing(columns[field.name]!.kind, field.type));
  let length = 0;
  return {
    push(value) {
      const fields = nulls.push(value) ? (value as Readonly<Record<string, unknown>>) : {};
      length++;
      let bytes = 1;
      names.forEach((name, at) => {
        bytes += children[at]!.push(Object.hasOwn(fields, name) ? fields[name] : null);
      });
      return bytes;
    },
    finish: () => dataOf(type, length, { ...nulls.finish(), children: children.map((child) => child.finish()) }),
  };
}

/** `makeData` over a type that is only known at run time. */
function dataOf(type: DataType, length: number, parts: Readonly<Record<string, unknown>>): Data {
  return makeData({ type, length, ...parts } as unknown as Parameters<typeof makeData>[0]) as Data;
}

function numberOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : (value as number);
}

function bigInts(values: readonly number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}

/** Bits from the least of each byte on. */
function bitmapOf(bits: readonly number[]): Uint8Array {
  const bitmap = new Uint8Array((bits.length + 7) >> 3);
  bits.forEach((bit, at) => {
    bitmap[at >> 3]! |= bit << (at & 7);
  });
  return bitmap;
}
