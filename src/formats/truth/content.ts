import { hash128OfBytes } from '../../state/containers/hash128.ts';
import { cellReader, entryOf, type ListCells, listLength, type TextCells, type TruthBatch } from './cells.ts';

/** Label code of a row without a label. */
export const noLabel = 255;

/** Words of a row before its items: id, reference, label, number of tools and of expected calls. */
const rowWords = 11;
/** Words of a text: its identity, or -1 throughout for null (which no text has but by a chance of 2^-128). */
const textWords = 4;
const itemWords = 2 * textWords;

/**
 * Adds the hashes of a batch's rows to `sum` (four words; start with zeros): a 128-bit hash of the content of a truth table. It
 * is a sum, so neither the order of rows, nor batches, files or Arrow variants enter. JSON counts by its text. `labels` are
 * those of the whole table.
 */
export function addContent(batch: TruthBatch, labels: Uint8Array, firstRow: number, sum: Uint32Array): void {
  const hash = new Uint32Array(4);
  const id = textHasher({ entries: batch.ids, codes: undefined, valid: undefined });
  const reference = textHasher(batch.reference);
  const tools = itemsHasher(batch.tools);
  const expected = itemsHasher(batch.expected);
  const further = furtherHasher(batch);
  let words = new Uint32Array(rowWords);
  for (let row = 0; row < batch.rows; row++) {
    const toolCount = listLength(batch.tools, row);
    const callCount = listLength(batch.expected, row);
    const callsAt = rowWords + itemWords * Math.max(0, toolCount);
    const callsEnd = callsAt + itemWords * Math.max(0, callCount);
    const end = callsEnd + further.words(row);
    if (end > words.length) words = new Uint32Array(2 * end);
    id(row, words, 0);
    reference(row, words, textWords);
    words[rowWords - 3] = labels[firstRow + row]!;
    words[rowWords - 2] = toolCount;
    words[rowWords - 1] = callCount;
    tools(row, words, rowWords);
    expected(row, words, callsAt);
    if (end > callsEnd) further.write(row, words, callsEnd);
    hash128OfBytes(new Uint8Array(words.buffer), 0, 4 * end, hash, 0);
    for (let i = 0; i < 4; i++) sum[i]! += hash[i]!;
  }
}

/** Words of the cells that few rows have: alternatives, forbidden tools, and rules of expected calls. Rows without such cells have no such words. */
function furtherHasher({ alternatives, forbidden, expected }: TruthBatch) {
  const [alternative, tool, accept] = [alternatives, forbidden?.names, expected?.accepts].map(textHasher);
  const callsOf = (row: number): number => (expected?.accepts ? Math.max(0, listLength(expected, row)) : 0);
  const isFilled = (row: number): boolean =>
    entryOf(alternatives, row) >= 0 ||
    listLength(forbidden, row) >= 0 ||
    Array.from({ length: callsOf(row) }).some((_, i) => entryOf(expected!.accepts, expected!.offsets[row]! + i) >= 0);
  return {
    words: (row: number): number =>
      isFilled(row) ? 1 + textWords * (1 + Math.max(0, listLength(forbidden, row)) + callsOf(row)) : 0,
    write(row: number, words: Uint32Array, at: number): void {
      const tools = listLength(forbidden, row);
      words[at] = tools;
      alternative!(row, words, at + 1);
      let next = at + 1 + textWords;
      for (let i = 0; i < tools; i++, next += textWords) tool!(forbidden!.offsets[row]! + i, words, next);
      for (let i = 0; i < callsOf(row); i++, next += textWords) accept!(expected!.offsets[row]! + i, words, next);
    },
  };
}

/** Adds a content hash as text (32 hexadecimal digits) to `sum`. */
export function addContentText(text: string, sum: Uint32Array): void {
  for (let i = 0; i < 4; i++) sum[i]! += Number.parseInt(text.slice(8 * i, 8 * i + 8), 16);
}

/** Writes the words of a text, or of the items of a list, to `words` from `at` on. */
type Hasher = (cell: number, words: Uint32Array, at: number) => void;

function textHasher(cells: TextCells | undefined): Hasher {
  const hashAt = cellReader(cells, (bytes, start, end) => {
    const hash = new Uint32Array(textWords);
    hash128OfBytes(bytes, start, end, hash, 0);
    return hash;
  });
  return (cell, words, at) => {
    const hash = hashAt(cell);
    if (hash === undefined) words.fill(-1, at, at + textWords);
    else words.set(hash, at);
  };
}

function itemsHasher(lists: ListCells | undefined): Hasher {
  const name = textHasher(lists?.names);
  const detail = textHasher(lists?.details);
  return (row, words, at) => {
    const first = lists?.offsets[row] ?? 0;
    for (let i = 0; i < listLength(lists, row); i++) {
      name(first + i, words, at + itemWords * i);
      detail(first + i, words, at + itemWords * i + textWords);
    }
  };
}
