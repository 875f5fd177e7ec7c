import { type Data, DataType } from 'apache-arrow';
import { isTextType, rising, textCells } from '../truth/layout.ts';
import { entryOf, isValid } from '../truth/cells.ts';
import { extended } from '../../state/containers/extended.ts';

/** Bytes that are written one after the other. */
export interface Scratch {
  bytes: Uint8Array;
  length: number;
}

/** Writes a cell so that equal bytes are equal cells, of columns of one type. */
export type CellWriter = (row: number) => void;

const nothing = 0xff;

/** Writes the cells of a column; undefined where it is of a type that is not hashed. `without`: a field of its items that nobody reads. */
export function cellWriter(data: Data, into: Scratch, without?: string): CellWriter | undefined {
  const { type, children } = data;
  if (DataType.isNull(type)) return () => writeByte(into, nothing);
  if (isTextType(type)) return textWriter(data, into);
  if (DataType.isBool(type))
    return unlessNull(data, into, (row) => writeByte(into, isValid(data.values as Uint8Array, row) ? 1 : 0));
  if (DataType.isInt(type) || DataType.isFloat(type)) return numberWriter(data, into);
  if (DataType.isStruct(type)) {
    const fields = children.filter((_, at) => type.children[at]!.name !== without);
    const writers = fields.map((field) => cellWriter(field, into));
    if (!writers.every((one) => one !== undefined)) return undefined;
    return unlessNull(data, into, (row) => {
      for (const write of writers) write(row);
    });
  }
  if (!DataType.isList(type)) return undefined;
  const item = cellWriter(children[0]!, into, without);
  if (item === undefined) return undefined;
  const offsets = rising(data.valueOffsets, data.length, children[0]!.length);
  return unlessNull(data, into, (row) => {
    writeNumber(into, offsets[row + 1]! - offsets[row]!);
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) item(at);
  });
}

function textWriter(data: Data, into: Scratch): CellWriter {
  const cells = textCells(data, new Map())!;
  const { offsets, bytes } = cells.entries;
  return (row) => {
    const entry = entryOf(cells, row);
    if (entry < 0) {
      writeByte(into, nothing);
      return;
    }
    const [start, end] = [offsets[entry]!, offsets[entry + 1]!];
    writeByte(into, 0);
    writeNumber(into, end - start);
    writeBytes(into, bytes, start, end);
  };
}

function numberWriter(data: Data, into: Scratch): CellWriter {
  const values = data.values as Int32Array;
  const width = values.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return unlessNull(data, into, (row) => writeBytes(into, bytes, row * width, (row + 1) * width));
}

function unlessNull(data: Data, into: Scratch, write: CellWriter): CellWriter {
  return (row) => {
    const isThere = data.nullCount <= 0 || data.getValid(row);
    writeByte(into, isThere ? 0 : nothing);
    if (isThere) write(row);
  };
}

function writeByte(into: Scratch, byte: number): void {
  grow(into, 1);
  into.bytes[into.length++] = byte;
}

function writeNumber(into: Scratch, number: number): void {
  grow(into, 4);
  for (let shift = 0; shift < 32; shift += 8) into.bytes[into.length++] = number >>> shift;
}

function writeBytes(into: Scratch, from: Uint8Array, start: number, end: number): void {
  grow(into, end - start);
  if (end - start > shortBytes) into.bytes.set(from.subarray(start, end), into.length);
  else for (let at = start; at < end; at++) into.bytes[into.length + at - start] = from[at]!;
  into.length += end - start;
}

/** Up to so many, one by one is quicker than a view of them. */
const shortBytes = 64;

function grow(into: Scratch, by: number): void {
  let size = into.bytes.length;
  while (size < into.length + by) size *= 2;
  if (size > into.bytes.length) into.bytes = extended(into.bytes, new Uint8Array(size));
}
