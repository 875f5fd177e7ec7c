import { type Data, type DataType, type Dictionary, type List, makeData, makeVector, type Struct } from 'apache-arrow';
import type { Json } from '../../scoring/json.ts';
import { sharedDoubles, sharedIntegers } from '../../state/containers/shared-arrays.ts';
import type { ColumnKind, Columns } from './schema.ts';
import { type GrowingBits, growingBits, growingBytes, growingValues } from '../bytes/growing-values.ts';
import { jsonText } from '../json/json-text.ts';

/** A column that grows. */
export interface GrowingColumn {
  /**
   * Adds the values of some rows, null and undefined as null, and returns the bytes added. Many at once: row after row, every value of a row
   * would go to another place in memory.
   */
  push(values: readonly unknown[]): number;
  finish(): Data;
  /** An empty column like this one, with room for about as much as it holds: to grow is to clear fresh memory and to copy. */
  renewed(): GrowingColumn;
}

/** An empty column of a kind, and of the Arrow type that the kind has. */
export function growingColumn(kind: ColumnKind, type: DataType): GrowingColumn {
  if (typeof kind === 'object') {
    if ('struct' in kind) return growingStruct(type as Struct, structFields(kind.struct, type as Struct));
    return growingList(type as List, growingColumn(kind.list, (type as List).children[0]!.type));
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
  expected = 0,
): GrowingColumn {
  const present = growingBits(expected);
  const numbers = growingValues(sharedDoubles, expected);
  return {
    push(values) {
      for (const value of values) {
        const given = isGiven(value);
        present.push(given);
        numbers.push(given ? (value as number) : 0);
      }
      return width * values.length;
    },
    finish: () => dataOf(type, present, { data: arrayOf(numbers.all()) }),
    renewed: () => growingNumbers(type, width, arrayOf, present.length),
  };
}

function growingFlags(type: DataType, expected = 0): GrowingColumn {
  const present = growingBits(expected);
  const flags = growingBits(expected);
  return {
    push(values) {
      for (const value of values) {
        present.push(isGiven(value));
        flags.push(value === true);
      }
      return values.length;
    },
    finish: () => dataOf(type, present, { data: flags.bitmap() }),
    renewed: () => growingFlags(type, present.length),
  };
}

function growingText(
  type: DataType,
  textOf: (value: unknown) => string,
  expected = 0,
  expectedBytes = 0,
): GrowingColumn {
  const present = growingBits(expected);
  const ends = growingEnds(expected);
  const bytes = growingBytes(expectedBytes);
  return {
    push(values) {
      const before = bytes.length;
      for (const value of values) {
        const given = isGiven(value);
        present.push(given);
        if (given) bytes.write(textOf(value));
        ends.push(bytes.length);
      }
      return bytes.length - before + 4 * values.length;
    },
    finish: () => dataOf(type, present, { valueOffsets: ends.all(), data: bytes.all() }),
    renewed: () => growingText(type, textOf, present.length, Math.ceil(margin * bytes.length)),
  };
}

/** Texts of another batch are seldom so much longer. */
const margin = 1.125;

/** Where each value ends, behind a 0. */
function growingEnds(expected: number): ReturnType<typeof growingValues<Int32Array>> {
  const ends = growingValues(sharedIntegers, expected + 1);
  ends.push(0);
  return ends;
}

function growingCategory(type: Dictionary, expected = 0): GrowingColumn {
  const present = growingBits(expected);
  const codes = growingValues(sharedIntegers, expected);
  const known = new Map<string, number>();
  const codeOf = (text: string): number => {
    const code = known.get(text) ?? known.size;
    if (code === known.size) known.set(text, code);
    return code;
  };
  return {
    push(values) {
      for (const value of values) {
        const given = isGiven(value);
        present.push(given);
        codes.push(given ? codeOf(String(value)) : 0);
      }
      return 4 * values.length;
    },
    finish() {
      const texts = growingText(type.dictionary as DataType, String);
      texts.push([...known.keys()]);
      return dataOf(type, present, { data: codes.all(), dictionary: makeVector(texts.finish()) });
    },
    renewed: () => growingCategory(type, present.length),
  };
}

function growingList(type: List, items: GrowingColumn, expected = 0): GrowingColumn {
  const present = growingBits(expected);
  const ends = growingEnds(expected);
  let length = 0;
  return {
    push(values) {
      const all: unknown[] = [];
      for (const value of values) {
        const given = isGiven(value);
        present.push(given);
        if (given) for (const one of value as readonly unknown[]) all.push(one);
        ends.push(length + all.length);
      }
      length += all.length;
      return items.push(all) + 4 * values.length;
    },
    finish: () => dataOf(type, present, { valueOffsets: ends.all(), child: items.finish() }),
    renewed: () => growingList(type, items.renewed(), present.length),
  };
}

interface StructField {
  readonly name: string;
  readonly absent: unknown;
  readonly column: GrowingColumn;
}

function structFields(columns: Columns, type: Struct): StructField[] {
  return type.children.map((field) => {
    const { kind, absent = null } = columns[field.name]!;
    return { name: field.name, absent, column: growingColumn(kind, field.type) };
  });
}

function growingStruct(type: Struct, fields: readonly StructField[], expected = 0): GrowingColumn {
  const present = growingBits(expected);
  return {
    push(values) {
      for (const value of values) present.push(isGiven(value));
      let bytes = values.length;
      for (const { name, absent, column } of fields) bytes += column.push(fieldOf(values, name, absent));
      return bytes;
    },
    finish: () => dataOf(type, present, { children: fields.map(({ column }) => column.finish()) }),
    renewed() {
      const next = fields.map(({ name, absent, column }) => ({ name, absent, column: column.renewed() }));
      return growingStruct(type, next, present.length);
    },
  };
}

/** A field of each value; null where the value is null. The names are ours: no object inherits a property of theirs. */
export function fieldOf(values: readonly unknown[], name: string, absent: unknown): unknown[] {
  const found = new Array<unknown>(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Readonly<Record<string, unknown>> | null | undefined;
    found[at] = isGiven(value) ? (value![name] ?? absent) : null;
  }
  return found;
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
