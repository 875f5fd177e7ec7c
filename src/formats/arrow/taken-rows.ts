import { type Data, DataType, makeData } from 'apache-arrow';
import { sharedBytes, sharedIntegers } from '../../state/containers/shared-arrays.ts';

/** Rows of a column in an order of one's own, each as often as it is named. Not of a dictionary. */
export function takenRows(data: Data, rows: Int32Array): Data {
  const { type, nullCount, nullBitmap } = data;
  const length = rows.length;
  const nulls = nullCount === 0 ? { nullCount: 0 } : { nullCount: -1, nullBitmap: takenBits(nullBitmap, rows) };
  // The type is only known at run time.
  const parts = { type, length, ...nulls, ...takenContent(data, rows) } as unknown as Parameters<typeof makeData>[0];
  return makeData(parts) as Data;
}

function takenContent({ type, children, values, valueOffsets }: Data, rows: Int32Array): object {
  if (DataType.isStruct(type)) return { children: children.map((child) => takenRows(child, rows)) };
  if (DataType.isBool(type)) return { data: takenBits(values, rows) };
  if (valueOffsets === undefined) return { data: takenValues(values, rows) };
  const taken = takenOffsets(valueOffsets, rows);
  if (DataType.isUtf8(type)) return { valueOffsets: taken, data: takenText(values, valueOffsets, rows, taken) };
  return { valueOffsets: taken, child: takenRows(children[0]!, itemsOf(valueOffsets, rows, taken)) };
}

function takenBits(bits: Uint8Array, rows: Int32Array): Uint8Array {
  const taken = sharedBytes((rows.length + 7) >> 3);
  for (let byte = 0; byte < taken.length; byte++) {
    const end = Math.min(8 * byte + 8, rows.length);
    let eight = 0;
    for (let at = 8 * byte; at < end; at++) {
      const row = rows[at]!;
      eight |= ((bits[row >> 3]! >> (row & 7)) & 1) << (at & 7);
    }
    taken[byte] = eight;
  }
  return taken;
}

function takenValues<Kind extends Int32Array | Float64Array>(values: Kind, rows: Int32Array): Kind {
  const bytes = values.BYTES_PER_ELEMENT * rows.length;
  const taken = new (values.constructor as new (buffer: ArrayBufferLike) => Kind)(new SharedArrayBuffer(bytes));
  for (let at = 0; at < rows.length; at++) taken[at] = values[rows[at]!]!;
  return taken;
}

function takenOffsets(offsets: Int32Array, rows: Int32Array): Int32Array {
  const taken = sharedIntegers(rows.length + 1);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    taken[at + 1] = taken[at]! + offsets[row + 1]! - offsets[row]!;
  }
  return taken;
}

/** Up to so many bytes are copied one by one: a call costs more. */
const shortText = 32;

function takenText(text: Uint8Array, offsets: Int32Array, rows: Int32Array, taken: Int32Array): Uint8Array {
  const bytes = sharedBytes(taken[rows.length]!);
  for (let at = 0; at < rows.length; at++) {
    const [to, end] = [taken[at]!, taken[at + 1]!];
    const from = offsets[rows[at]!]!;
    if (end - to > shortText) bytes.set(text.subarray(from, from + end - to), to);
    else for (let i = to; i < end; i++) bytes[i] = text[from + i - to]!;
  }
  return bytes;
}

/** Which items the lists of some rows have. */
function itemsOf(offsets: Int32Array, rows: Int32Array, taken: Int32Array): Int32Array {
  const items = sharedIntegers(taken[rows.length]!);
  for (let at = 0; at < rows.length; at++) {
    const first = offsets[rows[at]!]! - taken[at]!;
    for (let item = taken[at]!; item < taken[at + 1]!; item++) items[item] = first + item;
  }
  return items;
}
