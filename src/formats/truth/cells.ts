import type { Buffer } from 'node:buffer';
import { asBuffer } from '../bytes/utf8.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';

/**
 * Columns of a truth table in the one layout that everything else reads, whatever Arrow variant they came in. All arrays
 * lie over SharedArrayBuffers where the table was opened from one, and are the file's own bytes where its layout allows it.
 */

/**
 * Texts of a batch: UTF-8 of entry e is bytes[offsets[e], offsets[e + 1]); cell i is entry i, or codes[i] of a dictionary.
 */
export interface TextCells {
  readonly entries: TextEntries;
  readonly codes: Int32Array | undefined;
  /** One bit a cell, 0 for null; undefined where no cell is null. */
  readonly valid: Uint8Array | undefined;
}

/** Cells of one dictionary share this object. */
export interface TextEntries {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
  readonly valid: Uint8Array | undefined;
}

/**
 * Lists of a batch, of {name, detail}: tools with parameters, or expected calls with arguments. List i holds the items
 * [offsets[i], offsets[i + 1]). A part that is null everywhere is undefined.
 */
export interface ListCells {
  readonly offsets: Int32Array;
  readonly valid: Uint8Array | undefined;
  readonly names: TextCells | undefined;
  readonly details: TextCells | undefined;
  /** Further equal values by the details of a call. */
  readonly accepts: TextCells | undefined;
}

/** The rows of one record batch; a column that is absent or null everywhere is undefined. (Labels lie apart, as codes.) */
export interface TruthBatch {
  readonly rows: number;
  readonly ids: TextEntries;
  readonly tools: ListCells | undefined;
  readonly expected: ListCells | undefined;
  readonly reference: TextCells | undefined;
  readonly alternatives: TextCells | undefined;
  /** Names alone. */
  readonly forbidden: ListCells | undefined;
}

/** Entry of a cell, -1 where it is null. */
export function entryOf(cells: TextCells | undefined, cell: number): number {
  if (cells === undefined || !isValid(cells.valid, cell)) return -1;
  if (cells.codes === undefined) return cell;
  const entry = cells.codes[cell]!;
  return isValid(cells.entries.valid, entry) ? entry : -1;
}

/** Bit of a validity map, which counts from the least bit of each byte. */
export function isValid(valid: Uint8Array | undefined, at: number): boolean {
  return valid === undefined || ((valid[at >> 3]! >> (at & 7)) & 1) === 1;
}

/** Number of items of a list, -1 where it is null. */
export function listLength(lists: ListCells | undefined, at: number): number {
  if (lists === undefined || !isValid(lists.valid, at)) return -1;
  return lists.offsets[at + 1]! - lists.offsets[at]!;
}

/** The values read of dictionaries, by entry: batches share them. */
export type Memo<Value> = Map<TextEntries, Value[]>;

/** Dictionaries with more entries are read anew for each cell, so that the memo stays small. */
const entriesMax = 65_536;

/** Reads the text of a cell, undefined where it is null; that of a dictionary once. */
export function cellReader<Value>(
  cells: TextCells | undefined,
  read: (bytes: Buffer, start: number, end: number) => Value,
  memo: Memo<Value> = new Map(),
): (cell: number) => Value | undefined {
  if (cells === undefined) return () => undefined;
  const { entries, codes } = cells;
  const { offsets } = entries;
  const bytes = asBuffer(entries.bytes);
  const readEntry = (entry: number): Value => read(bytes, offsets[entry]!, offsets[entry + 1]!);
  if (codes === undefined || offsets.length > entriesMax)
    return (cell) => {
      const entry = entryOf(cells, cell);
      return entry < 0 ? undefined : readEntry(entry);
    };
  const cached = getOrPut(memo, entries, () => []);
  return (cell) => {
    const entry = entryOf(cells, cell);
    return entry < 0 ? undefined : (cached[entry] ??= readEntry(entry));
  };
}
