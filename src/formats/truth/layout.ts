import { type Data, DataType } from 'apache-arrow';
import { isValid, type ListCells, type TextCells, type TextEntries } from './cells.ts';

/** A column that contradicts itself (damage) or its type. The message goes behind file, row of the batch, and column. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
  readonly row: number | undefined;

  constructor(message: string, row?: number) {
    super(message);
    this.row = row;
  }
}

/**
 * Turns Arrow data into text cells: utf8, large_utf8, utf8_view, or a dictionary of those with any integer index. undefined
 * for type null. `dictionaries` remembers what was already turned, so that batches share it. Everything that is read later
 * without a check is checked here: offsets rise and stay within their buffers, codes within their dictionary.
 */
export function textCells(data: Data, dictionaries: Map<unknown, TextEntries>): TextCells | undefined {
  const { type, length } = data;
  if (DataType.isNull(type)) return undefined;
  const valid = validity(data);
  if (!DataType.isDictionary(type)) return { entries: plainText(data), codes: undefined, valid };
  const codes = sharedInts(integers(data.values, length), length);
  const chunks = (data.dictionary?.data ?? []) as readonly Data[];
  let entries = dictionaries.get(data.dictionary);
  if (entries === undefined) {
    entries = joined(chunks);
    dictionaries.set(data.dictionary, entries);
  }
  const size = entries.offsets.length - 1;
  for (let i = 0; i < length; i++) {
    const code = codes[i]!;
    if ((code < 0 || code >= size) && isValid(valid, i)) {
      throw new LayoutError(`dictionary code ${code} of ${size} entries; the file is damaged, write it again`);
    }
  }
  return { entries, codes, valid };
}

/** Lists of Arrow data of type list or large_list, with the data of their items. */
export function listCells(data: Data): { readonly lists: ListCells; readonly items: Data } {
  const { length } = data;
  const items = data.children[0]!;
  const offsets = sharedInts(integers(data.valueOffsets as unknown, length + 1), length + 1);
  checkOffsets(offsets, items.length);
  return { lists: { offsets, valid: validity(data) }, items };
}

/** Validity map of Arrow data, undefined where nothing is null. */
export function validity(data: Data): Uint8Array | undefined {
  if (data.nullCount <= 0) return undefined;
  if (data.offset !== 0 || data.nullBitmap.length * 8 < data.length) throw damaged();
  return shared(data.nullBitmap);
}

/** Whether a text type is one that `textCells` takes. */
export function isTextType(type: DataType): boolean {
  return DataType.isNull(type) || isPlainText(DataType.isDictionary(type) ? type.dictionary : type);
}

/** The same bytes over a SharedArrayBuffer: themselves where they lie in one. */
export function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function isPlainText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

/** Entries of a dictionary; it has several chunks where it grew by deltas. */
function joined(chunks: readonly Data[]): TextEntries {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return { ...plainText(only), valid: validity(only) };
  const parts = chunks.map((chunk) => ({ ...plainText(chunk), valid: validity(chunk), rows: chunk.length }));
  const rows = sum(parts.map((part) => part.rows));
  const size = sum(parts.map((part) => part.offsets[part.rows]! - part.offsets[0]!));
  checkSize(size);
  const offsets = new Int32Array(new SharedArrayBuffer(4 * (rows + 1)));
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  const valid = new Uint8Array(new SharedArrayBuffer((rows + 7) >> 3));
  let row = 0;
  for (const part of parts) {
    const first = part.offsets[0]!;
    const start = offsets[row]!;
    bytes.set(part.bytes.subarray(first, part.offsets[part.rows]), start);
    for (let i = 0; i < part.rows; i++, row++) {
      if (isValid(part.valid, i)) valid[row >> 3]! |= 1 << (row & 7);
      offsets[row + 1] = start + part.offsets[i + 1]! - first;
    }
  }
  return { offsets, bytes, valid };
}

function plainText(data: Data): TextEntries {
  const { type, length } = data;
  if (DataType.isUtf8View(type)) return viewText(data);
  if (!isPlainText(type)) throw new LayoutError(`type ${type} is no text`);
  const given = integers(data.valueOffsets as unknown, length + 1);
  const bytes = shared(data.values as Uint8Array);
  const offsets = sharedInts(given, length + 1);
  checkOffsets(offsets, bytes.length);
  return { offsets, bytes, valid: undefined };
}

/** Texts of at most 12 bytes lie in their view, longer ones in a buffer: {length, prefix, buffer, offset}. */
function viewText(data: Data): TextEntries {
  const { length, variadicBuffers } = data;
  const raw = data.values as Uint8Array;
  if (raw.byteLength < 16 * length) throw damaged();
  const views = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const valid = validity(data);
  const sizes = (i: number): number => (isValid(valid, i) ? views.getInt32(16 * i, true) : 0);
  const offsets = new Int32Array(new SharedArrayBuffer(4 * (length + 1)));
  let total = 0;
  for (let i = 0; i < length; i++) {
    const size = sizes(i);
    if (size < 0) throw damaged();
    total += size;
    checkSize(total);
    offsets[i + 1] = total;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(total));
  for (let i = 0; i < length; i++) {
    const size = sizes(i);
    if (size === 0) continue;
    const source = size <= 12 ? raw : variadicBuffers[views.getInt32(16 * i + 8, true)];
    const from = size <= 12 ? 16 * i + 4 : views.getInt32(16 * i + 12, true);
    if (source === undefined || from < 0 || from + size > source.length) throw damaged();
    bytes.set(source.subarray(from, from + size), offsets[i]!);
  }
  return { offsets, bytes, valid: undefined };
}

/** The first `count` integers of an index or offset buffer of any width, as 32-bit ones; itself where it is that already. */
function integers(values: unknown, count: number): Int32Array {
  if (!ArrayBuffer.isView(values)) throw damaged();
  const array = values as Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array | BigInt64Array;
  // No offsets at all is how some writers store a column of no rows.
  if (array.length === 0 && count === 1) return new Int32Array(1);
  if (array.length < count) throw damaged();
  if (array instanceof Int32Array) return array.subarray(0, count);
  if (array instanceof BigInt64Array || (array as unknown) instanceof BigUint64Array)
    return narrowed(array as BigInt64Array, count);
  return Int32Array.from((array as Uint32Array).subarray(0, count));
}

/** 64-bit integers as 32-bit ones, -1 for what does not fit, without making a BigInt of each. */
function narrowed(array: BigInt64Array, count: number): Int32Array {
  const halves = new Int32Array(array.buffer, array.byteOffset, 2 * count);
  const narrow = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const low = halves[2 * i]!;
    narrow[i] = halves[2 * i + 1] === 0 && low >= 0 ? low : -1;
  }
  return narrow;
}

function sharedInts(array: Int32Array, count: number): Int32Array {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new Int32Array(new SharedArrayBuffer(4 * count));
  copy.set(array);
  return copy;
}

function checkOffsets(offsets: Int32Array, end: number): void {
  let before = 0;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    if (offset < before || offset > end) throw damaged();
    before = offset;
  }
}

function checkSize(bytes: number): void {
  if (bytes > 0x7fffffff) throw new LayoutError('a batch holds more than 2 GiB of text; write smaller batches');
}

function damaged(): LayoutError {
  return new LayoutError(
    'the buffers contradict each other, or a batch holds more than 2 GiB; write the file again, in smaller batches',
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
