import { entryOf, type ListCells, listLength, type TextCells, type TruthBatch } from './cells.ts';
import { absorb, absorbBytes, begin, finish } from '../bytes/word-hash.ts';

/** Label code of a row without a label. */
export const noLabel = 255;

/**
 * Adds the hashes of a batch's rows to `sum` (four words; start with zeros): a 128-bit hash of what a truth table says. It
 * is a sum, so neither the order of rows, nor batches, files or Arrow variants enter. JSON counts by its text. `labels` are
 * those of the whole table.
 */
export function addContent(batch: TruthBatch, labels: Uint8Array, firstRow: number, sum: Uint32Array): void {
  const hash = new Int32Array(4);
  const words = new Int32Array(4);
  const id = textHasher({ entries: batch.ids, codes: undefined, valid: undefined });
  const tools = itemsHasher(batch.tools);
  const expected = itemsHasher(batch.expected);
  const reference = textHasher(batch.reference);
  for (let row = 0; row < batch.rows; row++) {
    begin(hash);
    id(row, words, 0);
    reference(row, words, 2);
    absorb(hash, words[0]!, words[1]!, words[2]!, words[3]!);
    absorb(hash, labels[firstRow + row]!, listLength(batch.tools, row), listLength(batch.expected, row), 0);
    tools(row, hash, words);
    expected(row, hash, words);
    finish(hash);
    for (let i = 0; i < 4; i++) sum[i]! += hash[i]!;
  }
}

/** Adds a content hash as text (32 hexadecimal digits) to `sum`. */
export function addContentText(text: string, sum: Uint32Array): void {
  for (let i = 0; i < 4; i++) sum[i]! += Number.parseInt(text.slice(8 * i, 8 * i + 8), 16);
}

/** Writes the two words of a cell to `words[at, at + 2)`: of its text, or -1 for null (which no text has but by a chance of 2^-64). */
type TextHasher = (cell: number, words: Int32Array, at: number) => void;

/** Texts of a dictionary are hashed once. */
function textHasher(cells: TextCells | undefined): TextHasher {
  const scratch = new Int32Array(4);
  const { bytes, offsets } = cells?.entries ?? { bytes: new Uint8Array(0), offsets: new Int32Array(1) };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const known = cells?.codes && hashesOf(offsets, view, scratch);
  return (cell, words, at) => {
    const entry = entryOf(cells, cell);
    if (entry < 0) {
      words[at] = -1;
      words[at + 1] = -1;
    } else if (known !== undefined) {
      words[at] = known[2 * entry]!;
      words[at + 1] = known[2 * entry + 1]!;
    } else {
      hashBytes(view, offsets[entry]!, offsets[entry + 1]!, scratch);
      words[at] = scratch[0]!;
      words[at + 1] = scratch[1]!;
    }
  };
}

/** Takes in the items of a row's list. */
function itemsHasher(lists: ListCells | undefined): (row: number, hash: Int32Array, words: Int32Array) => void {
  const name = textHasher(lists?.names);
  const detail = textHasher(lists?.details);
  return (row, hash, words) => {
    const length = listLength(lists, row);
    const first = lists?.offsets[row] ?? 0;
    for (let item = first; item < first + length; item++) {
      name(item, words, 0);
      detail(item, words, 2);
      absorb(hash, words[0]!, words[1]!, words[2]!, words[3]!);
    }
  };
}

function hashesOf(offsets: Int32Array, view: DataView, scratch: Int32Array): Int32Array {
  const words = new Int32Array(2 * (offsets.length - 1));
  for (let entry = 0; entry < offsets.length - 1; entry++) {
    hashBytes(view, offsets[entry]!, offsets[entry + 1]!, scratch);
    words[2 * entry] = scratch[0]!;
    words[2 * entry + 1] = scratch[1]!;
  }
  return words;
}

function hashBytes(view: DataView, start: number, end: number, hash: Int32Array): void {
  begin(hash);
  absorbBytes(hash, view, start, end);
  finish(hash);
}
