import { type Reader, reserve, takeFloat, type Writer } from './byte-io.ts';
import type { Steps } from '../../state/steps.ts';

/**
 * Rows of doubles as bytes: blocks of 512 rows, in a block column after column. A column of whole numbers that lie close
 * together is kept as its least value and the distances from it, in 0, 1, 2 or 4 bytes each; any other as doubles.
 */
const blockRows = 512;
/** Doubles from one column of a tile to the next: eight more than a block, or all columns would share a few cache lines. */
export const tileStride: number = blockRows + 8;
/** Set in a column's width byte where a least value other than 0 follows. */
const baseFlag = 0x10;

/** Copies rows [from, from + count) of a source into a tile: the value of column c and row i goes to c * tileStride + i. */
type Fill = (tile: Float64Array, from: number, count: number) => void;

/** Takes the rows of a tile. */
type Drain = (tile: Float64Array, count: number) => void;

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

/** Reads what `putBlocks` wrote. */
export function takeBlocks(reader: Reader, rows: number, columns: number, drain: Drain): void {
  const tile = new Float64Array(tileStride * columns);
  for (let from = 0; from < rows; from += blockRows) {
    const count = Math.min(blockRows, rows - from);
    for (let column = 0; column < columns; column++) takeColumn(reader, tile, column * tileStride, count);
    drain(tile, count);
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
  const { bytes, view } = reader;
  const kind = view.getUint8(reader.at++);
  const least = kind & baseFlag ? takeFloat(reader) : 0;
  const width = kind & ~baseFlag;
  const { at } = reader;
  const end = start + count;
  if (width === 0) tile.fill(least, start, end);
  else if (width === 1) for (let i = 0; i < count; i++) tile[start + i] = bytes[at + i]! + least;
  else if (width === 2) for (let i = 0; i < count; i++) tile[start + i] = view.getUint16(at + i * 2, true) + least;
  else if (width === 4) for (let i = 0; i < count; i++) tile[start + i] = view.getUint32(at + i * 4, true) + least;
  else if (width === 8) doublesOf(tile, start, count).set(bytes.subarray(at, at + count * 8));
  else throw new RangeError(`column width ${width} at byte ${at - 1}`);
  reader.at += count * width;
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
