import type { Buffer } from 'node:buffer';
import { extended } from '../../state/containers/extended.ts';
import { sharedBytes } from '../../state/containers/shared-arrays.ts';
import { asBuffer } from './utf8.ts';

/** Bits from the least of each byte on. */
export interface GrowingBits {
  readonly length: number;
  readonly zeros: number;
  push(bit: boolean): void;
  bitmap(): Uint8Array;
}

export type Values = Int32Array | Float64Array;

/** Numbers of one width. */
export interface GrowingValues<Kind extends Values> {
  push(value: number): void;
  all(): Kind;
}

/** Text as UTF-8, one after the other. */
export interface GrowingBytes {
  readonly length: number;
  write(text: string): void;
  all(): Uint8Array;
}

const firstCapacity = 256;

/** No bits, and room for as many as are expected. */
export function growingBits(expected = 0): GrowingBits {
  let bytes = sharedBytes((Math.max(firstCapacity, expected) + 7) >> 3);
  const bits = {
    length: 0,
    zeros: 0,
    push(bit: boolean): void {
      const at = bits.length++;
      if (at >> 3 === bytes.length) bytes = extended(bytes, sharedBytes(2 * bytes.length));
      if (bit) bytes[at >> 3]! |= 1 << (at & 7);
      else bits.zeros++;
    },
    bitmap: () => bytes.subarray(0, (bits.length + 7) >> 3),
  };
  return bits;
}

/** No values, and room for as many as are expected. */
export function growingValues<Kind extends Values>(empty: (length: number) => Kind, expected = 0): GrowingValues<Kind> {
  let values = empty(Math.max(firstCapacity, expected));
  let length = 0;
  return {
    push(value) {
      if (length === values.length) values = extended(values, empty(2 * length));
      values[length++] = value;
    },
    all: () => values.subarray(0, length) as Kind,
  };
}

/** Up to so many characters are written one by one: a call of `Buffer.write` costs more. */
const shortText = 48;

/** No bytes, and room for as many as are expected. */
export function growingBytes(expected = 0): GrowingBytes {
  let room = sharedRoom(Math.max(firstCapacity, expected));
  const bytes = {
    length: 0,
    write(text: string): void {
      const most = bytes.length + 3 * text.length;
      if (most > room.length) room = extended(room, sharedRoom(2 * most));
      const ascii = text.length <= shortText && writeAscii(room, bytes.length, text);
      bytes.length += ascii ? text.length : room.write(text, bytes.length, 'utf8');
    },
    all: () => room.subarray(0, bytes.length),
  };
  return bytes;
}

function sharedRoom(length: number): Buffer {
  return asBuffer(sharedBytes(length));
}

/** Whether the text is ASCII; what was written of another is to be written over. */
function writeAscii(into: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return false;
    into[at + i] = code;
  }
  return true;
}
