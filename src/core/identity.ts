/**
 * 128-bit identity of an id: MurmurHash3 x86_128 (A. Appleby, public domain) over its UTF-8 bytes. State keeps identities
 * instead of ids: fixed width, and two of 10^9 ids collide with a probability below 10^-20.
 */
const c1 = 0x239b961b;
const c2 = 0xab0e9789 | 0;
const c3 = 0x38b34ae5;
const c4 = 0xa1e38b93 | 0;

/** Writes the identity of bytes[start, end) to `words[at, at + 4)`. */
export function identityOfBytes(bytes: Uint8Array, start: number, end: number, words: Uint32Array, at: number): void {
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  const length = end - start;
  const blocksEnd = start + (length & ~15);
  for (let i = start; i < blocksEnd; i += 16) {
    h1 = Math.imul(rotate(h1 ^ Math.imul(rotate(Math.imul(word(bytes, i), c1), 15), c2), 19) + h2, 5) + 0x561ccd1b;
    h2 = Math.imul(rotate(h2 ^ Math.imul(rotate(Math.imul(word(bytes, i + 4), c2), 16), c3), 17) + h3, 5) + 0x0bcaa747;
    h3 = Math.imul(rotate(h3 ^ Math.imul(rotate(Math.imul(word(bytes, i + 8), c3), 17), c4), 15) + h4, 5) + 0x96cd1c35;
    h4 = Math.imul(rotate(h4 ^ Math.imul(rotate(Math.imul(word(bytes, i + 12), c4), 18), c1), 13) + h1, 5) + 0x32ac3b17;
  }
  const tail = length & 15;
  if (tail > 12) h4 ^= Math.imul(rotate(Math.imul(partial(bytes, blocksEnd + 12, end), c4), 18), c1);
  if (tail > 8) h3 ^= Math.imul(rotate(Math.imul(partial(bytes, blocksEnd + 8, end), c3), 17), c4);
  if (tail > 4) h2 ^= Math.imul(rotate(Math.imul(partial(bytes, blocksEnd + 4, end), c2), 16), c3);
  if (tail > 0) h1 ^= Math.imul(rotate(Math.imul(partial(bytes, blocksEnd, end), c1), 15), c2);
  finish(h1 ^ length, h2 ^ length, h3 ^ length, h4 ^ length, words, at);
}

const scratch = new Uint8Array(2048);

/** Writes the identity of a text's UTF-8 bytes to `words[at, at + 4)`. */
export function identityOfText(text: string, words: Uint32Array, at: number): void {
  const length = text.length;
  let bytes = scratch;
  if (length > bytes.length) bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return identityOfBytes(...encoded(text), words, at);
    bytes[i] = unit;
  }
  identityOfBytes(bytes, 0, length, words, at);
}

function encoded(text: string): [Uint8Array, number, number] {
  const bytes = utf8(text);
  return [bytes, 0, bytes.length];
}

/** UTF-8 of a text; a lone surrogate becomes U+FFFD. (The core has no TextEncoder: it imports nothing.) */
export function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    let point = character.codePointAt(0)!;
    if (point >= 0xd800 && point < 0xe000) point = 0xfffd;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return Uint8Array.from(bytes);
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** Up to four bytes from `at`, little-endian. */
function partial(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(end, at + 4) - 1; i >= at; i--) value = (value << 8) | bytes[i]!;
  return value;
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function finish(h1: number, h2: number, h3: number, h4: number, words: Uint32Array, at: number): void {
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = mix(h1);
  h2 = mix(h2);
  h3 = mix(h3);
  h4 = mix(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  words[at] = h1;
  words[at + 1] = h2 + h1;
  words[at + 2] = h3 + h1;
  words[at + 3] = h4 + h1;
}
