import { Buffer } from 'node:buffer';
import { hash128OfBytes, hash128OfText } from '../../state/containers/hash128.ts';
import { sharedIntegers } from '../../state/containers/shared-arrays.ts';
import type { TextEntries } from './cells.ts';
import { utf8Text } from '../bytes/utf8.ts';

/**
 * Where to find an id: open addressing over the ids' own bytes. slots[2p] is the hash of an id, slots[2p + 1] its row + 1,
 * 0 where slot p is free; p is the hash, modulo the power-of-two size, or the next free slot after. (A JavaScript Map stops
 * at 2^24 entries, and costs 70 bytes of garbage-collected memory a row where this costs 12 to 24.)
 */
export interface TruthIndex {
  readonly slots: Int32Array;
  /** First row of each batch, then the number of rows. */
  readonly starts: Int32Array;
}

const loadMax = 2 / 3;
const slotBytes = 8;

/** Bytes of an index by its number of rows. */
export function indexBytes(rows: number): number {
  return slotBytes * slotsOf(rows);
}

function slotsOf(rows: number): number {
  let size = 8;
  while (size * loadMax < rows) size *= 2;
  return size;
}

/**
 * Index over the ids of all batches. `repeated` is called for the first id that occurs twice, with both its rows, and must
 * throw. Linear: 0.2 to 0.4 us a row.
 */
export function buildIndex(
  batches: readonly TextEntries[],
  repeated: (id: string, first: number, second: number) => never,
): TruthIndex {
  const starts = startsOf(batches);
  const rows = starts[batches.length]!;
  const size = slotsOf(rows);
  const slots = sharedIntegers(2 * size);
  const index = { slots, starts };
  const mask = size - 1;
  let row = 0;
  for (const { offsets, bytes } of batches) {
    for (let i = 0; i < offsets.length - 1; i++) {
      const start = offsets[i]!;
      const end = offsets[i + 1]!;
      const hash = hashOfBytes(bytes, start, end);
      let slot = hash & mask;
      while (slots[2 * slot + 1] !== 0) {
        if (slots[2 * slot] === hash && isAt(index, batches, slots[2 * slot + 1]! - 1, bytes, start, end)) {
          repeated(utf8Text(bytes, start, end), slots[2 * slot + 1]! - 1, row);
        }
        slot = (slot + 1) & mask;
      }
      slots[2 * slot] = hash;
      slots[2 * slot + 1] = ++row;
    }
  }
  return index;
}

const scratch = Buffer.alloc(3 * 1024);

/** Row of an id, -1 where it is not there. */
export function findText(
  index: TruthIndex,
  batches: readonly TextEntries[],
  id: string,
  hash: number = hashOfText(id),
): number {
  // An id of 512 characters has at most 1,024 units, and a unit at most 3 bytes.
  const bytes = id.length > 1024 ? Buffer.alloc(3 * id.length) : scratch;
  const length = bytes.write(id, 0, 'utf8');
  const { slots } = index;
  const mask = slots.length / 2 - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const row = slots[2 * slot + 1]! - 1;
    if (row < 0) return -1;
    if (slots[2 * slot] === (hash | 0) && isAt(index, batches, row, bytes, 0, length)) return row;
  }
}

/** Batch that holds a row. */
export function batchOf(starts: Int32Array, row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= row) low = middle;
    else high = middle;
  }
  return low;
}

function isAt(
  index: TruthIndex,
  batches: readonly TextEntries[],
  row: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const at = batchOf(index.starts, row);
  const ids = batches[at]!;
  const i = row - index.starts[at]!;
  const from = ids.offsets[i]!;
  if (ids.offsets[i + 1]! - from !== end - start) return false;
  for (let k = start; k < end; k++) if (ids.bytes[from + k - start] !== bytes[k]) return false;
  return true;
}

function startsOf(batches: readonly TextEntries[]): Int32Array {
  const starts = sharedIntegers(batches.length + 1);
  batches.forEach(({ offsets }, at) => {
    starts[at + 1] = starts[at]! + offsets.length - 1;
  });
  return starts;
}

const words = new Uint32Array(4);

/** The first word of the identity. */
function hashOfText(text: string): number {
  hash128OfText(text, words, 0);
  return words[0]!;
}

function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  hash128OfBytes(bytes, start, end, words, 0);
  return words[0]! | 0;
}
