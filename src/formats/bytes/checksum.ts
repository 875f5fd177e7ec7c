const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** Bytes of a checksum. */
export const checksumBytes = 8;

/**
 * 64 bits over bytes[0, length), as two unsigned halves. The low one is xxHash32 with seed 0 ("xxHash fast digest algorithm",
 * version 0.1.1, section XXH32), the high one merges the same four lanes in the opposite order. A change inside one aligned word
 * of four bytes, so any single flipped bit, always shows in both; anything else passes with probability 2^-64.
 *
 * @example checksum(new Uint8Array(0), 0)[0] // 0x02cc5d05
 */
export function checksum(bytes: Uint8Array, length: number): [low: number, high: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const end = length - (length % 16);
  if (end === 0) return [finish(view, 0, prime5), finish(view, 0, prime4)];
  const [a, b, c, d] = lanes(view, end);
  const low = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  const high = rotate(d, 1) + rotate(c, 7) + rotate(b, 12) + rotate(a, 18);
  return [finish(view, end, low), finish(view, end, high)];
}

function lanes(view: DataView, end: number): [number, number, number, number] {
  let a = (prime1 + prime2) | 0;
  let b = prime2 | 0;
  let c = 0;
  let d = -prime1 | 0;
  for (let at = 0; at < end; at += 16) {
    a = Math.imul(rotate(a + Math.imul(view.getInt32(at, true), prime2), 13), prime1);
    b = Math.imul(rotate(b + Math.imul(view.getInt32(at + 4, true), prime2), 13), prime1);
    c = Math.imul(rotate(c + Math.imul(view.getInt32(at + 8, true), prime2), 13), prime1);
    d = Math.imul(rotate(d + Math.imul(view.getInt32(at + 12, true), prime2), 13), prime1);
  }
  return [a, b, c, d];
}

function finish(view: DataView, from: number, merged: number): number {
  const length = view.byteLength;
  let hash = (merged + length) | 0;
  let at = from;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate(hash + Math.imul(view.getUint32(at, true), prime3), 17), prime4);
  }
  for (; at < length; at++) hash = Math.imul(rotate(hash + Math.imul(view.getUint8(at), prime5), 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
