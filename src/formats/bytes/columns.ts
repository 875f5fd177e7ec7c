import { chunkOf, keyColumns, reserveRows, rowOf, type Table, valuesAt } from '../../state/containers/table.ts';
import { type Reader, reserve, takeFloat, type Writer } from './byte-io.ts';
import type { Steps } from '../../state/steps.ts';

/**
 * Rows of doubles as bytes: blocks of 512 rows, in a block column after column. A column of whole numbers that lie close
 * together is kept as its least value and the distances from it, in 0, 1, 2 or 4 bytes each; any other as doubles.
 */
export const blockRows = 512;
/** Doubles from one column of a tile to the next: eight more than a block, or all columns would share a few cache lines. */
export const tileStride: number = blockRows + 8;
/** Set in a column's width byte where a least value other than 0 follows. */
const baseFlag = 0x10;

/** Copies rows [from, from + count) of a source into a tile: the value of column c and row i goes to c * tileStride + i. */
type Fill = (tile: Float64Array, from: number, count: number) => void;

/** Writes `rows` rows of `columns` columns, a block a step. */
export function* putBlocks(writer: Writer, rows: number, columns: number, fill: Fill): Steps<void> {
  const tile = new Float64Array(tileStride * columns);
  for (let from = 0; from < rows; from += blockRows) {
    const count = Math.min(blockRows, rows - from);
    fill(tile, from, count);
    for (let column = 0; column < columns; column++) putColumn(writer, tile, column * tileStride, count);
    yield;
  }
}

/** Rows of which blocks are still to be read. */
export interface Blocks {
  readonly columns: number;
  /** Holds the block that was read last, of so many rows. */
  readonly tile: Float64Array;
  count: number;
  left: number;
}

/** What `putBlocks` wrote, of which nothing was read yet. */
export function blocksOf(rows: number, columns: number): Blocks {
  return { columns, tile: new Float64Array(tileStride * columns), count: 0, left: rows };
}

/** Reads the next block; false where there is none. */
export function takeBlock(reader: Reader, blocks: Blocks): boolean {
  const { tile, columns, left } = blocks;
  const count = Math.min(blockRows, left);
  for (let column = 0; column < columns && count > 0; column++) takeColumn(reader, tile, column * tileStride, count);
  blocks.count = count;
  blocks.left -= count;
  return count > 0;
}

/** Writes table rows, keys and values. */
export function putRows(writer: Writer, table: Table, rows: ArrayLike<number>): Steps<void> {
  return putBlocks(writer, rows.length, table.stride, (tile, from, count) => fillRows(table, rows, tile, from, count));
}

/** Reads what `putRows` wrote into a table: rows that it holds are overwritten, others added. */
export function takeRows(reader: Reader, table: Table, rows: number): void {
  reserveRows(table, rows);
  const blocks = blocksOf(rows, table.stride);
  while (takeBlock(reader, blocks)) drainRows(table, blocks.tile, blocks.count);
}

/** Writes a list as rows of `columns` numbers each. */
export function putList(writer: Writer, list: readonly number[], columns: number): Steps<void> {
  return putBlocks(writer, list.length / columns, columns, (tile, from, count) => {
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < columns; c++) tile[c * tileStride + i] = list[(from + i) * columns + c]! + 0;
    }
  });
}

/** Reads what `putList` wrote. */
export function takeList(reader: Reader, rows: number, columns: number): number[] {
  const list: number[] = [];
  const blocks = blocksOf(rows, columns);
  while (takeBlock(reader, blocks))
    for (let i = 0; i < blocks.count; i++)
      for (let c = 0; c < columns; c++) list.push(blocks.tile[c * tileStride + i]!);
  return list;
}

function fillRows(table: Table, rows: ArrayLike<number>, tile: Float64Array, from: number, count: number): void {
  const { stride } = table;
  const quads = stride - (stride % 4);
  for (let i = 0; i < count; i++) {
    const row = rows[from + i]!;
    const chunk = chunkOf(table, row);
    const at = valuesAt(table, row) - keyColumns;
    // Four at a time: this loop is a third of the cost of a checkpoint.
    for (let c = 0; c < quads; c += 4) {
      const to = c * tileStride + i;
      tile[to] = chunk[at + c]!;
      tile[to + tileStride] = chunk[at + c + 1]!;
      tile[to + 2 * tileStride] = chunk[at + c + 2]!;
      tile[to + 3 * tileStride] = chunk[at + c + 3]!;
    }
    for (let c = quads; c < stride; c++) tile[c * tileStride + i] = chunk[at + c]!;
  }
  // A key of -0 is found as 0: it makes the same bytes as 0.
  for (let c = 0; c < keyColumns; c++) for (let i = 0; i < count; i++) tile[c * tileStride + i]! += 0;
}

/** Rows of a tile that is being drained. */
const drained = new Int32Array(blockRows);

/** In two loops: what a compiler makes of one is long, and is made anew with each kind of key that it meets. */
function drainRows(table: Table, tile: Float64Array, count: number): void {
  for (let i = 0; i < count; i++)
    drained[i] = rowOf(table, tile[i]!, tile[tileStride + i]!, tile[2 * tileStride + i]!, tile[3 * tileStride + i]!);
  copyValues(table, tile, count);
}

function copyValues(table: Table, tile: Float64Array, count: number): void {
  const { values } = table;
  for (let i = 0; i < count; i++) {
    const chunk = chunkOf(table, drained[i]!);
    const at = valuesAt(table, drained[i]!);
    for (let c = 0; c < values; c++) chunk[at + c] = tile[(keyColumns + c) * tileStride + i]!;
  }
}

function putColumn(writer: Writer, tile: Float64Array, start: number, count: number): void {
  const end = start + count;
  let least = tile[start]!;
  let greatest = least;
  let whole = true;
  for (let i = start; i < end; i++) {
    const value = tile[i]!;
    if (value !== Math.floor(value) || Object.is(value, -0)) {
      whole = false;
      break;
    }
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  const width = whole ? widthOf(greatest - least) : 8;
  reserve(writer, 9 + count * width);
  const based = width < 8 && least !== 0;
  writer.bytes[writer.at++] = based ? width | baseFlag : width;
  if (based) {
    writer.view.setFloat64(writer.at, least, true);
    writer.at += 8;
  }
  putDistances(writer, tile, start, count, width, least);
  writer.at += count * width;
}

function putDistances(writer: Writer, tile: Float64Array, start: number, count: number, width: number, least: number) {
  const { bytes, view, at } = writer;
  if (width === 1) for (let i = 0; i < count; i++) bytes[at + i] = tile[start + i]! - least;
  else if (width === 2) for (let i = 0; i < count; i++) view.setUint16(at + i * 2, tile[start + i]! - least, true);
  else if (width === 4) for (let i = 0; i < count; i++) view.setUint32(at + i * 4, tile[start + i]! - least, true);
  else if (width === 8) bytes.set(doublesOf(tile, start, count), at);
}

function takeColumn(reader: Reader, tile: Float64Array, start: number, count: number): void {
  const kind = reader.view.getUint8(reader.at++);
  least[0] = kind & baseFlag ? takeFloat(reader) : 0;
  const width = kind & ~baseFlag;
  const into = tile.subarray(start, start + count);
  if (width === 0) into.fill(least[0]);
  else if (width === 1) takeBytes(reader, into);
  else if (width === 2) takeShorts(reader, into);
  else if (width === 4) takeWords(reader, into);
  else if (width === 8) doublesOf(tile, start, count).set(reader.bytes.subarray(reader.at, reader.at + count * 8));
  else throw new RangeError(`column width ${width} at byte ${reader.at - 1}`);
  reader.at += count * width;
}

/** In an array, so that it is a double whatever its value; in functions of their own, so that each is compiled once. */
const least = new Float64Array(1);

function takeBytes({ bytes, at }: Reader, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = bytes[at + i]! + least[0]!;
}

function takeShorts({ view, at }: Reader, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = view.getUint16(at + i * 2, true) + least[0]!;
}

function takeWords({ view, at }: Reader, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = view.getUint32(at + i * 4, true) + least[0]!;
}

/** Part of a tile as bytes, in the machine's byte order: little endian wherever this program is built for. */
function doublesOf(tile: Float64Array, start: number, count: number): Uint8Array {
  return new Uint8Array(tile.buffer, start * 8, count * 8);
}

/** Bytes that hold whole numbers from 0 to `range`; 8 where nothing below a double does. */
function widthOf(range: number): number {
  if (range === 0) return 0;
  if (range <= 0xff) return 1;
  if (range <= 0xffff) return 2;
  return range <= 0xffffffff ? 4 : 8;
}
