import { type Data, DataType, makeData, util } from 'apache-arrow';
import { getOrPut } from '../../state/containers/get-or-put.ts';

/** Codes of the texts in each dictionary, by the id of its type. */
export type Codes = Map<number, Map<string, number>>;

/**
 * Makes a column of values; null and undefined are null. 64-bit numbers are given as bigints, maps as lists of {key, value}. Codes of new texts
 * are added; dictionaries are left to the caller.
 */
export function columnOf(type: DataType, values: readonly unknown[], codes: Codes): Data {
  const nullCount = values.reduce<number>((nulls, value) => nulls + (isGiven(value) ? 0 : 1), 0);
  const nulls = nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: util.packBools(values.map(isGiven)) };
  // The type is only known at run time.
  const parts = { type, length: values.length, ...nulls, ...contentOf(type, values, codes) };
  return makeData(parts as unknown as Parameters<typeof makeData>[0]) as Data;
}

/** Buffers and children of a column. */
function contentOf(type: DataType, values: readonly unknown[], codes: Codes): object {
  if (DataType.isStruct(type)) {
    const structs = values as readonly (Readonly<Record<string, unknown>> | null | undefined)[];
    const fieldOf = (name: string): unknown[] => structs.map((value) => value?.[name]);
    return { children: type.children.map((field) => columnOf(field.type, fieldOf(field.name), codes)) };
  }
  if (DataType.isList(type) || DataType.isMap(type)) {
    const lists = values.map((value) => (value ?? []) as readonly unknown[]);
    const child = columnOf(type.children[0]!.type, lists.flat(), codes);
    return { valueOffsets: offsetsOf(lists.map(({ length }) => length)), child };
  }
  if (DataType.isUtf8(type)) {
    // Halves of a surrogate pair must not meet where texts are joined.
    const texts = values.map((value) => (isGiven(value) ? String(value).toWellFormed() : ''));
    return { valueOffsets: offsetsOf(texts.map((text) => Buffer.byteLength(text))), data: Buffer.from(texts.join('')) };
  }
  if (DataType.isBool(type)) return { data: util.packBools(values.map((value) => value === true)) };
  if (DataType.isDictionary(type)) return { data: numbersOf(type.indices, codesOf(type.id, values, codes)) };
  return { data: numbersOf(type, values) };
}

function numbersOf({ ArrayType }: DataType, values: readonly unknown[]): ArrayBufferView {
  const zero = ArrayType === BigInt64Array ? 0n : 0;
  return ArrayType.from(values, (value: unknown) => value ?? zero);
}

function codesOf(id: number, values: readonly unknown[], codes: Codes): (number | null)[] {
  const known = getOrPut(codes, id, () => new Map<string, number>());
  return values.map((value) => {
    if (!isGiven(value)) return null;
    const text = String(value);
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
}

/** Start of each value, and the end of the last. */
function offsetsOf(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) offsets[at + 1] = offsets[at]! + lengths[at]!;
  return offsets;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
