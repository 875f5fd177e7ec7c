import { identityOfBytes } from '../core/identity.ts';
import {
  entryOf,
  listLength,
  type PairLists,
  type TextCells,
  type TextEntries,
  type TruthBatch,
} from './truth-cells.ts';

/** Label code of a row without a label. */
export const noLabel = 255;

/**
 * 128-bit hash of what a truth table says: the sum of its rows' hashes, so neither the order of rows, nor batches, files or Arrow
 * variants enter. JSON counts by its text. `words` is added to; start with zeros.
 */
export function addContent(batch: TruthBatch, labels: Uint8Array, firstRow: number, words: Uint32Array): void {
  const hash = rowHasher();
  const id = textHasher({ entries: batch.ids, codes: undefined, valid: undefined });
  const tools = pairHasher(batch.tools);
  const expected = pairHasher(batch.expected);
  const reference = textHasher(batch.reference);
  for (let row = 0; row < batch.rows; row++) {
    hash.start();
    id(row, hash);
    hash.word(labels[firstRow + row]!);
    tools(row, hash);
    expected(row, hash);
    reference(row, hash);
    hash.addTo(words);
  }
}

/** A content hash as text: 32 hexadecimal digits. */
export function contentText(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** Collects the words of one row, then hashes them. */
interface RowHasher {
  start(): void;
  word(word: number): void;
  /** Four words: the identity of bytes, or of nothing. */
  bytes(bytes: Uint8Array, start: number, end: number): void;
  words(from: Uint32Array, at: number): void;
  addTo(sum: Uint32Array): void;
}

function rowHasher(): RowHasher {
  let row = new Uint32Array(256);
  let bytesOfRow = new Uint8Array(row.buffer);
  let size = 0;
  const hashed = new Uint32Array(4);
  return {
    start() {
      size = 0;
    },
    word(word) {
      reserve(1);
      row[size++] = word;
    },
    bytes(bytes, start, end) {
      reserve(4);
      identityOfBytes(bytes, start, end, row, size);
      size += 4;
    },
    words(from, at) {
      reserve(4);
      for (let i = at; i < at + 4; i++) row[size++] = from[i]!;
    },
    addTo(sum) {
      identityOfBytes(bytesOfRow, 0, 4 * size, hashed, 0);
      for (let i = 0; i < 4; i++) sum[i]! += hashed[i]!;
    },
  };

  function reserve(words: number): void {
    if (size + words <= row.length) return;
    const grown = new Uint32Array(2 * row.length);
    grown.set(row);
    row = grown;
    bytesOfRow = new Uint8Array(row.buffer);
  }
}

type CellHasher = (cell: number, hash: RowHasher) => void;

/** What null counts as; no text hashes to it but by a chance of 2^-128. */
const nothing = Uint32Array.of(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);

function textHasher(cells: TextCells | undefined): CellHasher {
  if (cells === undefined) return (_cell, hash) => hash.words(nothing, 0);
  const { entries } = cells;
  const identities = cells.codes && identitiesOf(entries);
  return (cell, hash) => {
    const entry = entryOf(cells, cell);
    if (entry < 0) hash.words(nothing, 0);
    else if (identities !== undefined) hash.words(identities, 4 * entry);
    else hash.bytes(entries.bytes, entries.offsets[entry]!, entries.offsets[entry + 1]!);
  };
}

function pairHasher(pairs: PairLists | undefined): CellHasher {
  const name = textHasher(pairs?.names);
  const detail = textHasher(pairs?.details);
  return (row, hash) => {
    const length = listLength(pairs?.lists, row);
    hash.word(length);
    const first = pairs?.lists.offsets[row] ?? 0;
    for (let item = first; item < first + length; item++) {
      name(item, hash);
      detail(item, hash);
    }
  };
}

/** Identities of the entries of a dictionary, four words each. */
function identitiesOf({ offsets, bytes }: TextEntries): Uint32Array {
  const size = offsets.length - 1;
  const words = new Uint32Array(4 * size);
  for (let entry = 0; entry < size; entry++) {
    identityOfBytes(bytes, offsets[entry]!, offsets[entry + 1]!, words, 4 * entry);
  }
  return words;
}
