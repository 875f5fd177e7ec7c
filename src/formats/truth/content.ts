import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import { entryOf, type ListCells, listLength, type TextCells, type TextEntries, type TruthBatch } from './cells.ts';
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
  const tools = listHasher(batch.tools);
  const expected = listHasher(batch.expected);
  const reference = textHasher(batch.reference);
  for (let row = 0; row < batch.rows; row++) {
    begin(hash);
    hashText(id, row, words, 0);
    hashText(reference, row, words, 2);
    absorb(hash, words[0]!, words[1]!, words[2]!, words[3]!);
    absorb(hash, labels[firstRow + row]!, listLength(batch.tools, row), listLength(batch.expected, row), 0);
    hashItems(tools, row, hash, words);
    hashItems(expected, row, hash, words);
    finish(hash);
    for (let i = 0; i < 4; i++) sum[i]! += hash[i]!;
  }
}

/** A content hash as text: 32 hexadecimal digits. */
export function contentText(words: Uint32Array): string {
  return hexadecimal(words);
}

/** Adds a content hash as text to `sum`. */
export function addContentText(text: string, sum: Uint32Array): void {
  for (let i = 0; i < 4; i++) sum[i]! += Number.parseInt(text.slice(8 * i, 8 * i + 8), 16);
}

/** A column of texts, with the hashes of its dictionary where it has one: two words an entry. */
interface TextHasher {
  readonly cells: TextCells | undefined;
  readonly known: Int32Array | undefined;
  readonly view: DataView;
  readonly scratch: Int32Array;
}

interface ListHasher {
  readonly lists: ListCells | undefined;
  readonly names: TextHasher;
  readonly details: TextHasher;
}

function textHasher(cells: TextCells | undefined): TextHasher {
  const bytes = cells?.entries.bytes ?? new Uint8Array(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scratch = new Int32Array(4);
  return { cells, view, scratch, known: cells?.codes && hashesOf(cells.entries, view, scratch) };
}

function listHasher(lists: ListCells | undefined): ListHasher {
  return { lists, names: textHasher(lists?.names), details: textHasher(lists?.details) };
}

function hashItems({ lists, names, details }: ListHasher, row: number, hash: Int32Array, words: Int32Array): void {
  const length = listLength(lists, row);
  const first = lists?.offsets[row] ?? 0;
  for (let item = first; item < first + length; item++) {
    hashText(names, item, words, 0);
    hashText(details, item, words, 2);
    absorb(hash, words[0]!, words[1]!, words[2]!, words[3]!);
  }
}

/**
 * Writes the two words of a cell to `words[at, at + 2)`: of its text, or -1 for null (which no text has but by a chance of
 * 2^-64).
 */
function hashText(hasher: TextHasher, cell: number, words: Int32Array, at: number): void {
  const entry = entryOf(hasher.cells, cell);
  const { known, scratch } = hasher;
  if (entry < 0) {
    words[at] = -1;
    words[at + 1] = -1;
  } else if (known !== undefined) {
    words[at] = known[2 * entry]!;
    words[at + 1] = known[2 * entry + 1]!;
  } else {
    const { offsets } = hasher.cells!.entries;
    hashBytes(hasher.view, offsets[entry]!, offsets[entry + 1]!, scratch);
    words[at] = scratch[0]!;
    words[at + 1] = scratch[1]!;
  }
}

function hashesOf({ offsets }: TextEntries, view: DataView, scratch: Int32Array): Int32Array {
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
