import {
  type Data,
  type DataType,
  type Dictionary,
  type List,
  type Map_,
  makeData,
  makeVector,
  type Struct,
} from 'apache-arrow';
import type { Json } from '../../scoring/json.ts';
import { sharedDoubles, sharedIntegers } from '../../state/containers/shared-arrays.ts';
import { type ColumnKind, type Columns, entryColumns } from './schema.ts';
import { growingBits, growingBytes, type GrowingValues, growingValues, type Values } from '../bytes/growing-values.ts';
import { jsonText } from '../json/json-text.ts';

/** A column that grows batch by batch. */
export interface GrowingColumn {
  /**
   * Adds the values of some rows, null and undefined as null, and returns the bytes added. Many at once: row after row, every value of a row
   * would go to another place in memory.
   */
  push(values: readonly unknown[]): number;
  /** The open batch, without dictionaries: it lasts until the next push. */
  read(): Data;
  /** Ends a batch; its dictionaries are empty until they are complete. */
  endBatch(): Data;
  /** Gives all batches since the last call the dictionary that they share. */
  completeDictionaries(): void;
}

/** An empty column of a kind, and of the Arrow type that the kind has. */
export function growingColumn(kind: ColumnKind, type: DataType): GrowingColumn {
  if (typeof kind === 'object') {
    if ('struct' in kind) return growingStruct(type as Struct, kind.struct);
    if ('map' in kind) return growingMap(type as Map_, kind.map);
    return growingList(type as List, growingColumn(kind.list, (type as List).children[0]!.type));
  }
  switch (kind) {
    case 'utf8':
      return growingText(type, String);
    case 'json':
      return growingText(type, (value) => jsonText(value as Json));
    case 'category':
    case 'label':
      return growingCategory(type as Dictionary);
    case 'bool':
      return growingFlags(type);
    case 'int32':
      return growingNumbers(type, growingValues(sharedIntegers), (values) => values);
    case 'float64':
      return growingNumbers(type, growingValues(sharedDoubles), (values) => values);
    case 'int64':
    case 'time':
      return growingNumbers(type, growingValues(sharedDoubles), bigInts);
  }
}

/** What a kind of column adds to the validity of its values. It goes through them by index: of an iterator, each step leaves an object behind. */
interface Content {
  /** Returns the bytes added. */
  push(values: readonly unknown[]): number;
  /** The buffers and children of the open batch. */
  read(): Readonly<Record<string, unknown>>;
  /** The same, and none from then on. */
  take(): Readonly<Record<string, unknown>>;
  completeDictionaries?(): void;
}

function growing(type: DataType, content: Content): GrowingColumn {
  const present = growingBits();
  const dataOf = ({ length, zeros, bitmap }: ReturnType<typeof present.read>, parts: object): Data => {
    const nulls = zeros === 0 ? { nullCount: 0 } : { nullCount: zeros, nullBitmap: bitmap };
    // The type is only known at run time.
    return makeData({ type, length, ...nulls, ...parts } as unknown as Parameters<typeof makeData>[0]) as Data;
  };
  return {
    push(values) {
      for (let at = 0; at < values.length; at++) present.push(isGiven(values[at]));
      return content.push(values);
    },
    read: () => dataOf(present.read(), content.read()),
    endBatch: () => dataOf(present.take(), content.take()),
    completeDictionaries: () => content.completeDictionaries?.(),
  };
}

function growingNumbers<Kind extends Values>(
  type: DataType,
  numbers: GrowingValues<Kind>,
  arrayOf: (values: Kind) => Kind | BigInt64Array,
): GrowingColumn {
  return growing(type, {
    push(values) {
      for (let at = 0; at < values.length; at++) numbers.push((values[at] ?? 0) as number);
      return numbers.read().BYTES_PER_ELEMENT * values.length;
    },
    read: () => ({ data: arrayOf(numbers.read()) }),
    take: () => ({ data: arrayOf(numbers.take()) }),
  });
}

function growingFlags(type: DataType): GrowingColumn {
  const flags = growingBits();
  return growing(type, {
    push(values) {
      for (let at = 0; at < values.length; at++) flags.push(values[at] === true);
      return values.length;
    },
    read: () => ({ data: flags.read().bitmap }),
    take: () => ({ data: flags.take().bitmap }),
  });
}

function growingText(type: DataType, textOf: (value: unknown) => string): GrowingColumn {
  const bytes = growingBytes();
  const ends = growingEnds();
  return growing(type, {
    push(values) {
      const before = bytes.length;
      for (let at = 0; at < values.length; at++) {
        const value = values[at];
        if (isGiven(value)) bytes.write(textOf(value));
        ends.push(bytes.length);
      }
      return bytes.length - before + 4 * values.length;
    },
    read: () => ({ valueOffsets: ends.read(), data: bytes.read() }),
    take: () => ({ valueOffsets: ends.take(), data: bytes.take() }),
  });
}

/** Where each value of a batch ends, behind a 0. */
function growingEnds(): ReturnType<typeof growingValues<Int32Array>> {
  const ends = growingValues(sharedIntegers);
  ends.push(0);
  return {
    ...ends,
    take() {
      const taken = ends.take();
      ends.push(0);
      return taken;
    },
  };
}

function growingCategory(type: Dictionary): GrowingColumn {
  const codes = growingValues(sharedIntegers);
  const known = new Map<string, number>();
  const batches: Data[] = [];
  const codeOf = (text: string): number => {
    const code = known.get(text) ?? known.size;
    if (code === known.size) known.set(text, code);
    return code;
  };
  const column = growing(type, {
    push(values) {
      for (let at = 0; at < values.length; at++) {
        const value = values[at];
        codes.push(isGiven(value) ? codeOf(String(value)) : 0);
      }
      return 4 * values.length;
    },
    read: () => ({ data: new type.indices.ArrayType(codes.read()) }),
    take: () => ({ data: new type.indices.ArrayType(codes.take()) }),
    completeDictionaries() {
      const texts = growingText(type.dictionary as DataType, String);
      texts.push([...known.keys()]);
      const dictionary = makeVector(texts.endBatch());
      for (const batch of batches.splice(0)) batch.dictionary = dictionary;
      known.clear();
    },
  });
  return {
    ...column,
    endBatch() {
      const batch = column.endBatch();
      batches.push(batch);
      return batch;
    },
  };
}

function growingMap(type: Map_, value: ColumnKind): GrowingColumn {
  const entries = growingStruct(type.children[0]!.type as unknown as Struct, entryColumns(value));
  const lists = growingList(type, entries);
  return { ...lists, push: (values) => lists.push(values.map(entriesOf)) };
}

function entriesOf(value: unknown): unknown {
  return isGiven(value) ? Object.entries(value as object).map(([key, of]) => ({ key, value: of })) : null;
}

function growingList(type: List | Map_, items: GrowingColumn): GrowingColumn {
  const ends = growingEnds();
  let length = 0;
  return growing(type, {
    push(values) {
      const all: unknown[] = [];
      for (let at = 0; at < values.length; at++) {
        const value = values[at];
        if (isGiven(value)) for (const one of value as readonly unknown[]) all.push(one);
        ends.push(length + all.length);
      }
      length += all.length;
      return items.push(all) + 4 * values.length;
    },
    read: () => ({ valueOffsets: ends.read(), child: items.read() }),
    take() {
      length = 0;
      return { valueOffsets: ends.take(), child: items.endBatch() };
    },
    completeDictionaries: () => items.completeDictionaries(),
  });
}

function growingStruct(type: Struct, columns: Columns): GrowingColumn {
  const fields = type.children.map((field) => {
    const { kind, absent = null } = columns[field.name]!;
    return { name: field.name, absent, column: growingColumn(kind, field.type) };
  });
  return growing(type, {
    push(values) {
      let bytes = values.length;
      for (const { name, absent, column } of fields) bytes += column.push(fieldOf(values, name, absent));
      return bytes;
    },
    read: () => ({ children: fields.map(({ column }) => column.read()) }),
    take: () => ({ children: fields.map(({ column }) => column.endBatch()) }),
    completeDictionaries() {
      for (const { column } of fields) column.completeDictionaries();
    },
  });
}

/** A field of each value; null where the value is null. The names are ours: no object inherits a property of theirs. */
function fieldOf(values: readonly unknown[], name: string, absent: unknown): unknown[] {
  const found = new Array<unknown>(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Readonly<Record<string, unknown>> | null | undefined;
    found[at] = isGiven(value) ? (value![name] ?? absent) : null;
  }
  return found;
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
