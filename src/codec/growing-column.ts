import { type Data, type DataType, type Dictionary, type List, makeData, makeVector, type Struct } from 'apache-arrow';
import type { Json } from '../core/json.ts';
import type { ColumnKind, Columns } from './arrow-schema.ts';
import { type GrowingBits, growingBits, growingBytes, growingValues } from './growing-values.ts';
import { jsonText } from './json-text.ts';

/** A column that grows; `push` takes null and undefined for null, and returns the bytes added. */
export interface GrowingColumn {
  push(value: unknown): number;
  /** Adds so many nulls: what a struct that is null has in its children. */
  skip(count: number): void;
  finish(): Data;
}

/** An empty column of a kind, and of the Arrow type that the kind has. */
export function growingColumn(kind: ColumnKind, type: DataType): GrowingColumn {
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
      return growingFlags(type);
    case 'int32':
      return growingNumbers(type, 4, (values) => new Int32Array(values));
    case 'float64':
      return growingNumbers(type, 8, (values) => values);
    case 'int64':
      return growingNumbers(type, 8, bigInts);
    case 'time':
      return growingNumbers(type, 8, bigInts);
  }
}

function growingNumbers(
  type: DataType,
  width: number,
  arrayOf: (values: Float64Array) => Int32Array | Float64Array | BigInt64Array,
): GrowingColumn {
  const present = growingBits();
  const values = growingValues((length) => new Float64Array(length));
  return {
    push(value) {
      const given = isGiven(value);
      present.push(given);
      values.push(given ? numberOf(value) : 0);
      return width;
    },
    skip(count) {
      present.skip(count);
      values.fill(0, count);
    },
    finish: () => dataOf(type, present, { data: arrayOf(values.all()) }),
  };
}

function growingFlags(type: DataType): GrowingColumn {
  const present = growingBits();
  const flags = growingBits();
  return {
    push(value) {
      present.push(isGiven(value));
      flags.push(value === true);
      return 1;
    },
    skip(count) {
      present.skip(count);
      flags.skip(count);
    },
    finish: () => dataOf(type, present, { data: flags.bitmap() }),
  };
}

function growingText(type: DataType, textOf: (value: unknown) => string): GrowingColumn {
  const present = growingBits();
  const ends = growingEnds();
  const bytes = growingBytes();
  return {
    push(value) {
      const before = bytes.length;
      const given = isGiven(value);
      present.push(given);
      if (given) bytes.write(textOf(value));
      ends.push(bytes.length);
      return bytes.length - before + 4;
    },
    skip(count) {
      present.skip(count);
      ends.fill(bytes.length, count);
    },
    finish: () => dataOf(type, present, { valueOffsets: ends.all(), data: bytes.all() }),
  };
}

/** Where each value ends, behind a 0. */
function growingEnds(): ReturnType<typeof growingValues<Int32Array>> {
  const ends = growingValues((length) => new Int32Array(length));
  ends.push(0);
  return ends;
}

function growingCategory(type: Dictionary): GrowingColumn {
  const present = growingBits();
  const codes = growingValues((length) => new Int32Array(length));
  const known = new Map<string, number>();
  const texts = growingText(type.dictionary as DataType, String);
  const codeOf = (text: string): number => {
    const code = known.get(text) ?? known.size;
    if (code === known.size) {
      known.set(text, code);
      texts.push(text);
    }
    return code;
  };
  return {
    push(value) {
      const given = isGiven(value);
      present.push(given);
      codes.push(given ? codeOf(String(value)) : 0);
      return 4;
    },
    skip(count) {
      present.skip(count);
      codes.fill(0, count);
    },
    finish: () => dataOf(type, present, { data: codes.all(), dictionary: makeVector(texts.finish()) }),
  };
}

function growingList(item: ColumnKind, type: List): GrowingColumn {
  const present = growingBits();
  const ends = growingEnds();
  const items = growingColumn(item, type.children[0]!.type);
  let length = 0;
  return {
    push(value) {
      let bytes = 4;
      const given = isGiven(value);
      present.push(given);
      if (given) for (const one of value as readonly unknown[]) bytes += items.push(one);
      if (given) length += (value as readonly unknown[]).length;
      ends.push(length);
      return bytes;
    },
    skip(count) {
      present.skip(count);
      ends.fill(length, count);
    },
    finish: () => dataOf(type, present, { valueOffsets: ends.all(), child: items.finish() }),
  };
}

function growingStruct(columns: Columns, type: Struct): GrowingColumn {
  const present = growingBits();
  const names = type.children.map(({ name }) => name);
  const absent = names.map((name) => columns[name]!.absent ?? null);
  const children = type.children.map((field) => growingColumn(columns[field.name]!.kind, field.type));
  // Nulls that the children do not have yet: a family that is off has nothing else.
  let owed = 0;
  const settle = (): void => {
    if (owed > 0) for (const child of children) child.skip(owed);
    owed = 0;
  };
  const skip = (count: number): void => {
    present.skip(count);
    owed += count;
  };
  return {
    push(value) {
      if (!isGiven(value)) {
        skip(1);
        return 1;
      }
      settle();
      present.push(true);
      const fields = value as Readonly<Record<string, unknown>>;
      let bytes = 1;
      // The names are ours: no object inherits a property of theirs.
      for (let at = 0; at < names.length; at++) bytes += children[at]!.push(fields[names[at]!] ?? absent[at]);
      return bytes;
    },
    skip,
    finish() {
      settle();
      return dataOf(type, present, { children: children.map((child) => child.finish()) });
    },
  };
}

/** `makeData` over a type that is only known at run time. */
function dataOf(type: DataType, present: GrowingBits, parts: Readonly<Record<string, unknown>>): Data {
  const { length, zeros } = present;
  const nulls = zeros === 0 ? { nullCount: 0 } : { nullCount: zeros, nullBitmap: present.bitmap() };
  return makeData({ type, length, ...nulls, ...parts } as unknown as Parameters<typeof makeData>[0]) as Data;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function numberOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : (value as number);
}

/** By halves, the lower first, as Arrow has them: a bigint for each value costs more than all else of it. */
function bigInts(values: Float64Array): BigInt64Array {
  const whole = new BigInt64Array(values.length);
  const halves = new Int32Array(whole.buffer);
  for (let at = 0; at < values.length; at++) {
    const upper = Math.floor(values[at]! / 2 ** 32);
    halves[2 * at] = values[at]! - upper * 2 ** 32;
    halves[2 * at + 1] = upper;
  }
  return whole;
}
