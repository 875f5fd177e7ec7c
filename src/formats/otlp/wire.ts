import type { Buffer } from 'node:buffer';
import protobuf from 'protobufjs/minimal.js';
import { asBuffer, decodeUtf8 } from '../bytes/utf8.ts';

/** Bytes of a message, and the place in them. */
export interface Source {
  readonly bytes: Buffer;
  readonly wire: protobuf.Reader;
}

/** The beginning of a message. */
export function sourceOf(bytes: Uint8Array): Source {
  return { bytes: asBuffer(bytes), wire: new protobuf.Reader(bytes) };
}

/** Messages may nest as deep as other decoders let them. */
export const nestedMost = 100;

/** What stands before the value of a field: its number, and how long the value is. */
export const wireTypes = { varint: 0, bits64: 1, lengthDelimited: 2, bits32: 5 } as const;

export type WireType = (typeof wireTypes)[keyof typeof wireTypes];

/** Number and wire type of a field, as the one number that they are on the wire. */
export function tagOf(field: number, type: WireType): number {
  return 8 * field + type;
}

/** The tag of the next field. Nearly all are of one byte: they need no call. */
export function tagIn({ bytes, wire }: Source): number {
  const byte = bytes[wire.pos]!;
  if (byte >= 0x80) return wire.tag();
  wire.pos++;
  return byte;
}

/** Where the length-delimited value that begins here ends: it begins behind its length. Throws where it is longer than what it lies in. */
export function endOf(source: Source, outer: number): number {
  const { bytes, wire } = source;
  let length = bytes[wire.pos]!;
  if (length < 0x80) wire.pos++;
  else length = wire.size();
  const end = wire.pos + length;
  if (!(end <= outer)) throw new Error(`the ${length} bytes from byte ${wire.pos} on are cut`);
  return end;
}

/** Throws where a text is not UTF-8. */
export function textIn(source: Source, outer: number, decode = decodeUtf8): string {
  const { bytes, wire } = source;
  const end = endOf(source, outer);
  const text = decode(bytes, wire.pos, end);
  if (text === undefined) throw new Error(`the text that ends at byte ${end} is not UTF-8`);
  wire.pos = end;
  return text;
}

/** Bytes as text in lower-case hexadecimal, or in base64. */
export function bytesIn(source: Source, outer: number, encoding: 'hex' | 'base64'): string {
  const { bytes, wire } = source;
  const end = endOf(source, outer);
  const text = bytes.toString(encoding, wire.pos, end);
  wire.pos = end;
  return text;
}

/** An integer of 64 bits: a number where that is exact, else its text. */
export function integerIn({ bytes, wire }: Source): number | string {
  const byte = bytes[wire.pos]!;
  if (byte < 0x80) {
    wire.pos++;
    return byte;
  }
  const integer = wire.int64();
  const number = integer.high * 2 ** 32 + (integer.low >>> 0);
  return Number.isSafeInteger(number) ? number : String(integer);
}

/** Passes over a field that nobody reads. Throws where its wire type is none, and where it is cut. */
export function pass(source: Source, tag: number, outer: number): void {
  const type = tag & 7;
  if (tag < 8) throw new Error(`byte ${source.wire.pos - 1} begins a field of number 0`);
  if (type === wireTypes.lengthDelimited) source.wire.pos = endOf(source, outer);
  else source.wire.skipType(type, 0, tag >>> 3);
}

/** Throws where the last field of a message reached beyond it. */
export function atEnd({ wire }: Source, end: number): void {
  if (wire.pos !== end) throw new Error(`a field of the message that ends at byte ${end} does not end with it`);
}
