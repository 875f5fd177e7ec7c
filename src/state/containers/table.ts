import { mix } from './hash128.ts';
import { sharedBytes, sharedDoubles, sharedIntegers } from './shared-arrays.ts';

/**
 * A table of fixed-width rows of doubles, addressed by four integer keys: what all numeric state is held in. It notes which
 * rows changed since the last checkpoint, so that a checkpoint costs in proportion to change.
 *
 * Rows lie in chunks, keys first; a growing table copies nothing but its index. Row numbers are memory addresses, no part of the
 * state: equal contents are equal states.
 */
export interface Table {
  /** Number of value columns. */
  readonly values: number;
  /** Doubles a row takes: 4 keys and the values. */
  readonly stride: number;
  readonly chunks: Float64Array[];
  /** Rows ever taken; `free` holds those given back. */
  taken: number;
  readonly free: number[];
  /** Open addressing, linear probing: slots[2p] is the hash of a row's keys, slots[2p + 1] the row + 1, or 0. */
  slots: Int32Array;
  size: number;
  readonly changes: Changes;
}

/** The changes since the last checkpoint. */
interface Changes {
  /** 1: the row is in `rows`. */
  marks: Uint8Array;
  rows: number[];
  /** Keys of rows removed that the last checkpoint may hold, four a row. */
  removedKeys: number[];
}

/** A listener to the rows of a delta that is read into a table. */
export interface RowListener {
  /** A row is new, and of zeros. */
  added(row: number): void;
  /** A row is about to be removed. */
  removed(row: number): void;
  /** A row is about to be written, and has been. */
  leaves(row: number): void;
  comes(row: number): void;
}

export const keyColumns = 4;
const chunkShift = 8;
const chunkRows: number = 1 << chunkShift;
/** First keys from here on are words of identities. Others are codes of slices: so many fit into no memory. */
const leastIdentity: number = 2 ** 24;
/** Below this size an index grows by four, and rows are entered again half as often. */
const smallIndex = 65_536;

/** An empty table. */
export function createTable(values: number): Table {
  return {
    values,
    stride: keyColumns + values,
    chunks: [],
    taken: 0,
    free: [],
    slots: sharedIntegers(32),
    size: 0,
    changes: { marks: sharedBytes(chunkRows), rows: [], removedKeys: [] },
  };
}

/** Row of the keys, or -1. */
export function findRow(table: Table, k0: number, k1: number, k2: number, k3: number): number {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const hashed = hash(k0, k1, k2, k3);
  for (let slot = homeOf(hashed, mask); ; slot = (slot + 1) & mask) {
    const row = slots[2 * slot + 1]! - 1;
    if (row < 0) return -1;
    if (slots[2 * slot] === hashed && hasKeys(table, row, k0, k1, k2, k3)) return row;
  }
}

/** Row of the keys. Where there was none there is one now, of zeros, and `size` has grown. The caller marks it when it writes to it. */
export function rowOf(table: Table, k0: number, k1: number, k2: number, k3: number): number {
  reserveRows(table, 1);
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const hashed = hash(k0, k1, k2, k3);
  let slot = homeOf(hashed, mask);
  for (; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
    const row = slots[2 * slot + 1]! - 1;
    if (slots[2 * slot] === hashed && hasKeys(table, row, k0, k1, k2, k3)) return row;
  }
  return enterRow(table, slot, hashed, k0, k1, k2, k3);
}

/** Adds a row of zeros; the keys must be new. */
export function insertRow(table: Table, k0: number, k1: number, k2: number, k3: number): number {
  reserveRows(table, 1);
  const hashed = hash(k0, k1, k2, k3);
  return enterRow(table, freeSlot(table.slots, hashed), hashed, k0, k1, k2, k3);
}

/** Makes the index long enough for so many more rows. */
export function reserveRows(table: Table, more: number): void {
  if ((table.size + more) * 4 > table.slots.length) growIndex(table, (table.size + more) * 4);
}

/** Says that a row changed. */
export function markRow(table: Table, row: number): void {
  const { changes } = table;
  if (changes.marks[row] === 1) return;
  changes.marks[row] = 1;
  changes.rows.push(row);
}

/** Takes a row out. */
export function removeRow(table: Table, row: number): void {
  const chunk = table.chunks[row >> chunkShift]!;
  const at = (row & (chunkRows - 1)) * table.stride;
  unlink(table, row);
  for (let i = 0; i < keyColumns; i++) table.changes.removedKeys.push(chunk[at + i]!);
  chunk[at] = Number.NaN;
  table.free.push(row);
  table.size--;
}

/** The chunk that holds a row. */
export function chunkOf(table: Table, row: number): Float64Array {
  return table.chunks[row >> chunkShift]!;
}

/** One of the four keys of a row. */
export function keyOf(table: Table, row: number, key: number): number {
  return table.chunks[row >> chunkShift]![(row & (chunkRows - 1)) * table.stride + key]!;
}

/** Returns whether the key of a row is before that of another, word by word: an order that does not depend on where rows lie. */
export function keyIsBefore(table: Table, row: number, other: number): boolean {
  for (let key = 0; key < keyColumns; key++) {
    const difference = keyOf(table, row, key) - keyOf(table, other, key);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Index of a row's first value in its chunk; its keys lie before it. */
export function valuesAt(table: Table, row: number): number {
  return (row & (chunkRows - 1)) * table.stride + keyColumns;
}

/** Numbers of the rows that are there. */
export function liveRows(table: Table): number[] {
  const rows: number[] = [];
  for (let row = 0; row < table.taken; row++) if (isLive(table, row)) rows.push(row);
  return rows;
}

/** Returns whether a row number is in use. */
export function isLive(table: Table, row: number): boolean {
  return !Number.isNaN(table.chunks[row >> chunkShift]![(row & (chunkRows - 1)) * table.stride]!);
}

/** Forgets what changed: the caller has it. */
export function clearChanges(table: Table): void {
  const { changes } = table;
  for (const row of changes.rows) changes.marks[row] = 0;
  changes.rows = [];
  changes.removedKeys = [];
}

/** A row that was given back, zeros again. */
function takeFreeRow(table: Table): number {
  const row = table.free.pop()!;
  const at = (row & (chunkRows - 1)) * table.stride;
  table.chunks[row >> chunkShift]!.fill(0, at, at + table.stride);
  return row;
}

function takeRow(table: Table): number {
  const row = table.taken++;
  if (row >> chunkShift === table.chunks.length) table.chunks.push(sharedDoubles(chunkRows * table.stride));
  const { changes } = table;
  if (row >= changes.marks.length) {
    const marks = sharedBytes(2 * changes.marks.length);
    marks.set(changes.marks);
    changes.marks = marks;
  }
  return row;
}

function hasKeys(table: Table, row: number, k0: number, k1: number, k2: number, k3: number): boolean {
  const chunk = table.chunks[row >> chunkShift]!;
  const at = (row & (chunkRows - 1)) * table.stride;
  return chunk[at] === k0 && chunk[at + 1] === k1 && chunk[at + 2] === k2 && chunk[at + 3] === k3;
}

/** Takes a row for new keys and enters it in the index. */
function enterRow(table: Table, slot: number, hashed: number, k0: number, k1: number, k2: number, k3: number): number {
  const { slots } = table;
  const row = table.free.length > 0 ? takeFreeRow(table) : takeRow(table);
  const chunk = table.chunks[row >> chunkShift]!;
  const at = (row & (chunkRows - 1)) * table.stride;
  chunk[at] = k0;
  chunk[at + 1] = k1;
  chunk[at + 2] = k2;
  chunk[at + 3] = k3;
  slots[2 * slot] = hashed;
  slots[2 * slot + 1] = row + 1;
  table.size++;
  markRow(table, row);
  return row;
}

function freeSlot(slots: Int32Array, hashed: number): number {
  const mask = slots.length / 2 - 1;
  let slot = homeOf(hashed, mask);
  while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  return slot;
}

/** Backward-shift deletion: no tombstones, so probes stay short for good. */
function unlink(table: Table, row: number): void {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const chunk = table.chunks[row >> chunkShift]!;
  const at = (row & (chunkRows - 1)) * table.stride;
  let hole = homeOf(hash(chunk[at]!, chunk[at + 1]!, chunk[at + 2]!, chunk[at + 3]!), mask);
  while (slots[2 * hole + 1] !== row + 1) hole = (hole + 1) & mask;
  for (let next = (hole + 1) & mask; slots[2 * next + 1] !== 0; next = (next + 1) & mask) {
    const home = homeOf(slots[2 * next]!, mask);
    if (((next - home) & mask) < ((next - hole) & mask)) continue;
    slots[2 * hole] = slots[2 * next]!;
    slots[2 * hole + 1] = slots[2 * next + 1]!;
    hole = next;
  }
  slots[2 * hole + 1] = 0;
}

function growIndex(table: Table, least: number): void {
  const { slots } = table;
  let { length } = slots;
  while (length < least) length *= length < smallIndex ? 4 : 2;
  table.slots = sharedIntegers(length);
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] === 0) continue;
    const slot = freeSlot(table.slots, slots[at]!);
    table.slots[2 * slot] = slots[at]!;
    table.slots[2 * slot + 1] = slots[at + 1]!;
  }
}

/** The highest bits of a hash: then an index that grows is copied in one pass over memory. */
function homeOf(hashed: number, mask: number): number {
  return hashed >>> Math.clz32(mask);
}

/**
 * An identity is spread already, and its first word is enough: so rows that come in the order of their keys, as a snapshot has them, come in
 * the order of the index too, and to read them is one pass over memory.
 */
function hash(k0: number, k1: number, k2: number, k3: number): number {
  if (k0 >= leastIdentity) return k0 | 0;
  return mix(k0 ^ Math.imul(k1, 0x9e3779b1) ^ Math.imul(k2, 0x27d4eb2f) ^ Math.imul(k3, 0x165667b1));
}
