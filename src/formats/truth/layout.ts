import { type Data, DataType } from 'apache-arrow';
import { sharedBytes, sharedIntegers } from '../../state/containers/shared-arrays.ts';
import { sharedCopy } from '../bytes/shared-copy.ts';
import { entryOf, isValid, type ListCells, type TextCells, type TextEntries } from './cells.ts';

/** A column that contradicts itself (damage) or its type. The message goes behind file, row of the batch, and column. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
  readonly row: number | undefined;

  constructor(message: string, row?: number) {
    super(message);
    this.row = row;
  }
}

/** Returns whether a text type is one that `textCells` takes. */
export function isTextType(type: DataType): boolean {
  return DataType.isNull(type) || isPlainText(DataType.isDictionary(type) ? type.dictionary : type);
}

/**
 * Turns Arrow data into text cells: utf8, large_utf8, utf8_view, or a dictionary of those with any integer index. undefined
 * for type null. `dictionaries` caches the dictionaries that were turned, so that batches share them. Everything that is read later
 * without a check is checked here: offsets rise and stay within their buffers, codes within their dictionary.
 */
export function textCells(data: Data, dictionaries: Map<unknown, TextEntries>): TextCells | undefined {
  const { type, length } = data;
  if (DataType.isNull(type)) return undefined;
  const valid = validity(data);
  if (!DataType.isDictionary(type)) return { entries: plainText(data), codes: undefined, valid };
  const codes = integers(data.values, length);
  let entries = dictionaries.get(data.dictionary);
  if (entries === undefined) {
    entries = joined((data.dictionary?.data ?? []) as readonly Data[]);
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

/**
 * Turns Arrow data of type list or large_list into lists of {name, detail}, or of names alone. An item that is null says nothing: it
 * is refused rather than guessed at.
 */
export function listCells(
  data: Data,
  { detail, accept }: { readonly detail?: string; readonly accept?: string },
  dictionaries: Map<unknown, TextEntries>,
): ListCells | undefined {
  if (DataType.isNull(data.type)) return undefined;
  const items = data.children[0]!;
  const { type } = items;
  const lists = { offsets: rising(data.valueOffsets, data.length, items.length), valid: validity(data) };
  if (!DataType.isStruct(type))
    return { ...lists, names: textCells(items, dictionaries), details: undefined, accepts: undefined };
  const itemsValid = validity(items);
  for (let row = 0; itemsValid !== undefined && row < data.length; row++) {
    if (!isValid(lists.valid, row)) continue;
    const first = lists.offsets[row]!;
    for (let item = first; item < lists.offsets[row + 1]!; item++) {
      if (!isValid(itemsValid, item))
        throw new LayoutError(`item ${item - first} of the list is null; leave it out of the list`, row);
    }
  }
  const field = (name: string | undefined): TextCells | undefined => {
    const child = items.children[type.children.findIndex((one) => one.name === name)];
    if (name === undefined || child === undefined) return undefined;
    if (child.length < items.length) {
      const problem = `${child.length} cells of ${name} for ${items.length} items`;
      throw new LayoutError(`${problem}; the file is damaged, write it again`);
    }
    return textCells(child, dictionaries);
  };
  return { ...lists, names: field('name'), details: field(detail), accepts: field(accept) };
}

/** Ids are looked up by their bytes: none is null, and a dictionary of them is written out. */
export function idEntries(cells: TextCells | undefined, rows: number): TextEntries {
  for (let row = 0; row < rows; row++)
    if (entryOf(cells, row) < 0) throw new LayoutError('is null; give every row an id, or drop the row', row);
  const { entries, codes } = cells!;
  if (codes === undefined) return entries;
  const { offsets, bytes } = entries;
  return writtenOut(rows, (row) => bytes.subarray(offsets[codes[row]!], offsets[codes[row]! + 1]));
}

/** Validity map of Arrow data, undefined where nothing is null. */
function validity(data: Data): Uint8Array | undefined {
  if (data.nullCount <= 0) return undefined;
  if (data.offset !== 0 || data.nullBitmap.length * 8 < data.length) throw damaged();
  return shared(data.nullBitmap);
}

/** The same bytes over a SharedArrayBuffer: themselves where they lie in one. */
function shared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : sharedCopy([bytes]);
}

function isPlainText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

/** Entries of a dictionary; it has several chunks where it grew by deltas. */
function joined(chunks: readonly Data[]): TextEntries {
  const parts = chunks.map((chunk) => ({ ...plainText(chunk), valid: validity(chunk) }));
  if (parts.length === 1) return parts[0]!;
  const texts = parts.flatMap(({ offsets, bytes, valid }) =>
    Array.from({ length: offsets.length - 1 }, (_, at) =>
      isValid(valid, at) ? bytes.subarray(offsets[at], offsets[at + 1]) : undefined,
    ),
  );
  const valid = sharedBytes((texts.length + 7) >> 3);
  texts.forEach((text, row) => {
    if (text !== undefined) valid[row >> 3]! |= 1 << (row & 7);
  });
  return { ...writtenOut(texts.length, (row) => texts[row] ?? new Uint8Array(0)), valid };
}

/** Texts one after the other. */
function writtenOut(rows: number, textAt: (row: number) => Uint8Array): TextEntries {
  const offsets = sharedIntegers(rows + 1);
  let total = 0;
  for (let row = 0; row < rows; row++) {
    total += textAt(row).length;
    if (total > 0x7fffffff) throw new LayoutError('a batch holds more than 2 GiB of text; write smaller batches');
    offsets[row + 1] = total;
  }
  const bytes = sharedBytes(total);
  for (let row = 0; row < rows; row++) bytes.set(textAt(row), offsets[row]!);
  return { offsets, bytes, valid: undefined };
}

function plainText(data: Data): TextEntries {
  const { type, length } = data;
  if (DataType.isUtf8View(type)) return viewText(data);
  if (!isPlainText(type)) throw new LayoutError(`type ${type} is no text`);
  const bytes = shared(data.values as Uint8Array);
  return { offsets: rising(data.valueOffsets, length, bytes.length), bytes, valid: undefined };
}

/** Texts of at most 12 bytes lie in their view, longer ones in a buffer: {length, prefix, buffer, offset}. */
function viewText(data: Data): TextEntries {
  const { length, variadicBuffers } = data;
  const raw = data.values as Uint8Array;
  if (raw.byteLength < 16 * length) throw damaged();
  const views = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const valid = validity(data);
  return writtenOut(length, (row) => {
    const size = isValid(valid, row) ? views.getInt32(16 * row, true) : 0;
    if (size < 0) throw damaged();
    const source = size <= 12 ? raw : variadicBuffers[views.getInt32(16 * row + 8, true)];
    const from = size <= 12 ? 16 * row + 4 : views.getInt32(16 * row + 12, true);
    if (source === undefined || from < 0 || from + size > source.length) throw damaged();
    return source.subarray(from, from + size);
  });
}

/** Offsets of `count` values, which rise and stay below `end`; throws LayoutError. */
export function rising(values: unknown, count: number, end: number): Int32Array {
  // No offsets at all is how some writers store a column of no rows.
  const none = count === 0 && ArrayBuffer.isView(values) && values.byteLength === 0;
  const offsets = none ? sharedIntegers(1) : integers(values, count + 1);
  let before = 0;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    if (offset < before || offset > end) throw damaged();
    before = offset;
  }
  return offsets;
}

/** The first `count` integers of an index or offset buffer of any width, as shared 32-bit ones; itself where it is that already. */
function integers(values: unknown, count: number): Int32Array {
  if (!ArrayBuffer.isView(values)) throw damaged();
  const array = values as Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array | BigInt64Array;
  if (array.length < count) throw damaged();
  if (array instanceof Int32Array && array.buffer instanceof SharedArrayBuffer) return array.subarray(0, count);
  const copy = sharedIntegers(count);
  if (array instanceof BigInt64Array || (array as unknown) instanceof BigUint64Array) {
    // Without making a BigInt of each; -1 for what does not fit.
    const halves = new Int32Array(array.buffer, array.byteOffset, 2 * count);
    for (let i = 0; i < count; i++) copy[i] = halves[2 * i + 1] === 0 ? Math.max(halves[2 * i]!, -1) : -1;
  } else copy.set((array as Int32Array).subarray(0, count));
  return copy;
}

function damaged(): LayoutError {
  return new LayoutError(
    'the buffers contradict each other, or a batch holds more than 2 GiB; write the file again, in smaller batches',
  );
}
