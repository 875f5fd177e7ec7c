import { mix } from '../../state/containers/identity.ts';

/**
 * MurmurHash3 x86_128 (A. Appleby, public domain) over 32-bit words, fed block by block: `hash` is its four lanes, zeros at
 * the start. A few nanoseconds a block, where hashing bytes one by one costs four times that.
 */
const c1 = 0x239b961b;
const c2 = 0xab0e9789 | 0;
const c3 = 0x38b34ae5;
const c4 = 0xa1e38b93 | 0;

/** Zeros the lanes. `fill` takes longer than to hash a short text. */
export function begin(hash: Int32Array): void {
  hash[0] = 0;
  hash[1] = 0;
  hash[2] = 0;
  hash[3] = 0;
}

/** Takes in one block of four words. */
export function absorb(hash: Int32Array, w1: number, w2: number, w3: number, w4: number): void {
  const before1 = hash[0]!;
  const before2 = hash[1]!;
  const before3 = hash[2]!;
  const before4 = hash[3]!;
  const h1 = step(rotate(before1 ^ Math.imul(rotate(Math.imul(w1, c1), 15), c2), 19), before2, 0x561ccd1b);
  const h2 = step(rotate(before2 ^ Math.imul(rotate(Math.imul(w2, c2), 16), c3), 17), before3, 0x0bcaa747);
  const h3 = step(rotate(before3 ^ Math.imul(rotate(Math.imul(w3, c3), 17), c4), 15), before4, 0x96cd1c35 | 0);
  const h4 = step(rotate(before4 ^ Math.imul(rotate(Math.imul(w4, c4), 18), c1), 13), h1, 0x32ac3b17);
  hash[0] = h1;
  hash[1] = h2;
  hash[2] = h3;
  hash[3] = h4;
}

/** Takes in bytes [start, end) of a view: their number, then the bytes, filled up with zeros. */
export function absorbBytes(hash: Int32Array, view: DataView, start: number, end: number): void {
  absorb(hash, end - start, 0, 0, 0);
  let at = start;
  for (; at + 16 <= end; at += 16) {
    absorb(
      hash,
      view.getInt32(at, true),
      view.getInt32(at + 4, true),
      view.getInt32(at + 8, true),
      view.getInt32(at + 12, true),
    );
  }
  if (at < end)
    absorb(hash, word(view, at, end), word(view, at + 4, end), word(view, at + 8, end), word(view, at + 12, end));
}

/** Mixes the lanes once all is taken in. */
export function finish(hash: Int32Array): void {
  const all = (hash[0]! + hash[1]! + hash[2]! + hash[3]!) | 0;
  const m1 = mix(all);
  const m2 = mix((hash[1]! + all) | 0);
  const m3 = mix((hash[2]! + all) | 0);
  const m4 = mix((hash[3]! + all) | 0);
  const mixed = (m1 + m2 + m3 + m4) | 0;
  hash[0] = mixed;
  hash[1] = (m2 + mixed) | 0;
  hash[2] = (m3 + mixed) | 0;
  hash[3] = (m4 + mixed) | 0;
}

/** Up to four bytes from `at`, little-endian. */
function word(view: DataView, at: number, end: number): number {
  if (at + 4 <= end) return view.getInt32(at, true);
  let value = 0;
  for (let i = end - 1; i >= at; i--) value = (value << 8) | view.getUint8(i);
  return value;
}

function step(rotated: number, neighbour: number, plus: number): number {
  return (Math.imul((rotated + neighbour) | 0, 5) + plus) | 0;
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}
