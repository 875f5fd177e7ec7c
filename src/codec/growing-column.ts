import { Buffer } from 'node:buffer';
import { type Data, type DataType, type Dictionary, type List, makeData, makeVector, type Struct } from 'apache-arrow';
import type { Json } from '../core/json.ts';
import type { ColumnKind, Columns } from './arrow-schema.ts';
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
function growingNulls(): {
  push(value: unknown): boolean;
  skip(count: number): void;
  finish(): { nullCount: number; nullBitmap?: Uint8Array };
} {
  const bits: number[] = [];
  let nullCount = 0;
  return {
    push(value) {
      const present = value !== null && value !== undefined;
      bits.push(present ? 1 : 0);
      if (!present) nullCount++;
      return present;
    },
    skip(count) {
      for (let i = 0; i < count; i++) bits.push(0);
      nullCount += count;
    },
    finish: () => (nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: bitmapOf(bits) }),
  };
}

function growingNumbers(
  type: DataType,
  width: number,
  arrayOf: (values: readonly number[]) => Int32Array | Float64Array | BigInt64Array,
): GrowingColumn {
  const nulls = growingNulls();
  const values: number[] = [];
  return {
    push(value) {
      values.push(nulls.push(value) ? numberOf(value) : 0);
      return width;
    },
    skip(count) {
      nulls.skip(count);
      for (let i = 0; i < count; i++) values.push(0);
    },
    finish: () => dataOf(type, values.length, { ...nulls.finish(), data: arrayOf(values) }),
  };
}

function growingBits(type: DataType): GrowingColumn {
  const nulls = growingNulls();
  const bits: number[] = [];
  return {
    push(value) {
      bits.push(nulls.push(value) && value === true ? 1 : 0);
      return 1;
    },
    skip(count) {
      nulls.skip(count);
      for (let i = 0; i < count; i++) bits.push(0);
    },
    finish: () => dataOf(type, bits.length, { ...nulls.finish(), data: bitmapOf(bits) }),
  };
}

function growingText(type: DataType, textOf: (value: unknown) => string): GrowingColumn {
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
    skip(count) {
      nulls.skip(count);
      for (let i = 0; i < count; i++) offsets.push(size);
    },
    finish: () =>
      dataOf(type, offsets.length - 1, {
        ...nulls.finish(),
        valueOffsets: Int32Array.from(offsets),
        data: new Uint8Array(bytes.buffer, bytes.byteOffset, size),
      }),
  };
}

function growingCategory(type: Dictionary): GrowingColumn {
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
    skip(count) {
      nulls.skip(count);
      for (let i = 0; i < count; i++) codes.push(0);
    },
    finish: () =>
      dataOf(type, codes.length, {
        ...nulls.finish(),
        data: Int32Array.from(codes),
        dictionary: makeVector(texts.finish()),
      }),
  };
}

function growingList(item: ColumnKind, type: List): GrowingColumn {
  const nulls = growingNulls();
  const items = growingColumn(item, type.children[0]!.type);
  const offsets = [0];
  return {
    push(value) {
      let bytes = 4;
      const list = nulls.push(value) ? (value as readonly unknown[]) : [];
      for (const one of list) bytes += items.push(one);
      offsets.push(offsets.at(-1)! + list.length);
      return bytes;
    },
    skip(count) {
      nulls.skip(count);
      const end = offsets.at(-1)!;
      for (let i = 0; i < count; i++) offsets.push(end);
    },
    finish: () =>
      dataOf(type, offsets.length - 1, {
        ...nulls.finish(),
        valueOffsets: Int32Array.from(offsets),
        child: items.finish(),
      }),
  };
}

function growingStruct(columns: Columns, type: Struct): GrowingColumn {
  const nulls = growingNulls();
  const names = type.children.map(({ name }) => name);
  const children = type.children.map((field) => growingColumn(columns[field.name]!.kind, field.type));
  let length = 0;
  // Nulls that the children do not have yet: a family that is off has nothing else.
  let owed = 0;
  const settle = (): void => {
    if (owed > 0) for (const child of children) child.skip(owed);
    owed = 0;
  };
  const skip = (count: number): void => {
    nulls.skip(count);
    length += count;
    owed += count;
  };
  return {
    push(value) {
      if (value === null || value === undefined) {
        skip(1);
        return 1;
      }
      settle();
      nulls.push(value);
      length++;
      const fields = value as Readonly<Record<string, unknown>>;
      let bytes = 1;
      for (let at = 0; at < names.length; at++)
        bytes += children[at]!.push(Object.hasOwn(fields, names[at]!) ? fields[names[at]!] : null);
      return bytes;
    },
    skip,
    finish() {
      settle();
      return dataOf(type, length, { ...nulls.finish(), children: children.map((child) => child.finish()) });
    },
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
