/** A place in bytes that are being read. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * A signed number in 7-bit groups, the least first (zigzag): up to 5 bytes for 32 bits, 10 for 64. Exact below 2^53, which every offset
 * and time is. Throws where it has more, also by the end of the bytes.
 */
export function readVarint(cursor: Cursor, bytesMost: number = 5): number {
  const { bytes } = cursor;
  let byte = bytes[cursor.at++]!;
  if (byte < 0x80) return (byte >>> 1) ^ -(byte & 1);
  let value = byte & 0x7f;
  let factor = 128;
  for (let read = 1; read < bytesMost && cursor.at < bytes.length; read++) {
    byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    factor *= 128;
  }
  throw new Error('a number in it has no end');
}
