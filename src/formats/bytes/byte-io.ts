import { extended } from '../../state/containers/extended.ts';

/** A growing run of bytes; numbers are little endian. */
export interface Writer {
  bytes: Uint8Array;
  view: DataView;
  /** Bytes written. */
  at: number;
}

/** A place in a run of bytes. Reading past the end throws a RangeError. */
export interface Reader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
}

const wideFlag = 0x80000000;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An empty run with room for `capacity` bytes. */
export function createWriter(capacity: number): Writer {
  const bytes = new Uint8Array(capacity);
  return { bytes, view: new DataView(bytes.buffer), at: 0 };
}

/** A reader of bytes[at, end). */
export function createReader(bytes: Uint8Array, at: number, end: number): Reader {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, end), at };
}

/** Makes room for `count` more bytes. */
export function reserve(writer: Writer, count: number): void {
  const needed = writer.at + count;
  if (needed <= writer.bytes.length) return;
  writer.bytes = extended(writer.bytes, new Uint8Array(Math.max(needed, 2 * writer.bytes.length)));
  writer.view = new DataView(writer.bytes.buffer);
}

/** Writes a whole number below 2^32. */
export function putUint32(writer: Writer, value: number): void {
  reserve(writer, 4);
  writer.view.setUint32(writer.at, value, true);
  writer.at += 4;
}

/** Reads what `putUint32` wrote. */
export function takeUint32(reader: Reader): number {
  const value = reader.view.getUint32(reader.at, true);
  reader.at += 4;
  return value;
}

/** Writes a double. */
export function putFloat(writer: Writer, value: number): void {
  reserve(writer, 8);
  writer.view.setFloat64(writer.at, value, true);
  writer.at += 8;
}

/** Reads what `putFloat` wrote. */
export function takeFloat(reader: Reader): number {
  const value = reader.view.getFloat64(reader.at, true);
  reader.at += 8;
  return value;
}

/** Writes any JavaScript string: length and UTF-8, or UTF-16 units where lone surrogates have no UTF-8. */
export function putText(writer: Writer, text: string): void {
  reserve(writer, 4 + text.length * 3);
  const { written } = encoder.encodeInto(text, writer.bytes.subarray(writer.at + 4));
  if (written === text.length || !/\p{Surrogate}/u.test(text)) {
    writer.view.setUint32(writer.at, written, true);
    writer.at += 4 + written;
    return;
  }
  writer.view.setUint32(writer.at, (text.length | wideFlag) >>> 0, true);
  writer.at += 4;
  for (let i = 0; i < text.length; i++, writer.at += 2) writer.view.setUint16(writer.at, text.charCodeAt(i), true);
}

/** Reads what `putText` wrote. */
export function takeText(reader: Reader): string {
  const length = takeUint32(reader);
  if (length < wideFlag) {
    const start = reader.at;
    skip(reader, length);
    return decoder.decode(reader.bytes.subarray(start, start + length));
  }
  const start = reader.at;
  skip(reader, (length - wideFlag) * 2);
  const parts: string[] = [];
  for (let at = start; at < reader.at; at += 2) parts.push(String.fromCharCode(reader.view.getUint16(at, true)));
  return parts.join('');
}

function skip(reader: Reader, count: number): void {
  if (reader.at + count > reader.view.byteLength) throw new RangeError(`${count} bytes expected at ${reader.at}`);
  reader.at += count;
}
