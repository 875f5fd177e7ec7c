import type { Buffer } from 'node:buffer';
import { extended } from '../../state/containers/extended.ts';
import { sharedBytes } from '../../state/containers/shared-arrays.ts';
import { asBuffer } from './utf8.ts';

/**
 * Arrays that grow. What is taken out of one leaves it empty, with room for about as much: to grow is to clear fresh memory and to
 * copy.
 */

/** Bits from the least of each byte on. */
export interface GrowingBits {
  readonly length: number;
  push(bit: boolean): void;
  /** What there is: it lasts until the next push. */
  read(): Bits;
  take(): Bits;
}

interface Bits {
  readonly length: number;
  readonly zeros: number;
  readonly bitmap: Uint8Array;
}

export type Values = Int32Array | Float64Array;

/** Numbers of one width. */
export interface GrowingValues<Kind extends Values> {
  push(value: number): void;
  read(): Kind;
  take(): Kind;
}

/** Text as UTF-8, one after the other. */
export interface GrowingBytes {
  readonly length: number;
  write(text: string): void;
  read(): Uint8Array;
  take(): Uint8Array;
}

const firstCapacity = 256;

/** No bits. */
export function growingBits(): GrowingBits {
  let bytes = sharedBytes(firstCapacity >> 3);
  let zeros = 0;
  const bits = {
    length: 0,
    push(bit: boolean): void {
      const at = bits.length++;
      if (at >> 3 === bytes.length) bytes = extended(bytes, sharedBytes(2 * bytes.length));
      if (bit) bytes[at >> 3]! |= 1 << (at & 7);
      else zeros++;
    },
    read: () => ({ length: bits.length, zeros, bitmap: bytes.subarray(0, (bits.length + 7) >> 3) }),
    take() {
      const taken = bits.read();
      bytes = sharedBytes((Math.max(firstCapacity, taken.length) + 7) >> 3);
      bits.length = 0;
      zeros = 0;
      return taken;
    },
  };
  return bits;
}

/** No values. */
export function growingValues<Kind extends Values>(empty: (length: number) => Kind): GrowingValues<Kind> {
  let values = empty(firstCapacity);
  let length = 0;
  const read = (): Kind => values.subarray(0, length) as Kind;
  return {
    read,
    push(value) {
      if (length === values.length) values = extended(values, empty(2 * length));
      values[length++] = value;
    },
    take() {
      const taken = read();
      values = empty(Math.max(firstCapacity, length));
      length = 0;
      return taken;
    },
  };
}

/** Up to so many characters are written one by one: a call of `Buffer.write` costs more. */
const shortText = 48;

/** Texts of another batch are seldom so much longer. */
const margin = 1.125;

/** No bytes. */
export function growingBytes(): GrowingBytes {
  let buffer = sharedBuffer(firstCapacity);
  const bytes = {
    length: 0,
    write(text: string): void {
      const most = bytes.length + 3 * text.length;
      if (most > buffer.length) buffer = extended(buffer, sharedBuffer(2 * most));
      const ascii = text.length <= shortText && writeAscii(buffer, bytes.length, text);
      bytes.length += ascii ? text.length : buffer.write(text, bytes.length, 'utf8');
    },
    read: () => buffer.subarray(0, bytes.length),
    take() {
      const taken = bytes.read();
      buffer = sharedBuffer(Math.max(firstCapacity, Math.ceil(margin * bytes.length)));
      bytes.length = 0;
      return taken;
    },
  };
  return bytes;
}

function sharedBuffer(length: number): Buffer {
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
