/**
 * 128-bit identity of an id: MurmurHash3 x86_128 (A. Appleby, public domain) over its UTF-8 bytes. State keeps identities
 * instead of ids: fixed width, and two of 10^9 ids collide with a probability below 10^-20.
 */
const c1 = 0x239b961b;
const c2 = 0xab0e9789 | 0;
const c3 = 0x38b34ae5;
const c4 = 0xa1e38b93 | 0;

/** Bytes to be hashed, and the same as words (little endian wherever this program is built for). */
interface Block {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

/** A buffer for the bytes to be hashed: bytes one by one into words cost five times as much. */
const scratch = blockOf(2048);
const encoder = new TextEncoder();

/** Writes the identity of bytes[start, end) to `words[at, at + 4)`. */
export function hash128OfBytes(bytes: Uint8Array, start: number, end: number, words: Uint32Array, at: number): void {
  const length = end - start;
  const block = length <= scratch.bytes.length ? scratch : blockOf(length);
  block.bytes.set(bytes.subarray(start, end));
  hash(block, length, words, at);
}

/** Writes the identity of a text's UTF-8 bytes to `words[at, at + 4)`. */
export function hash128OfText(text: string, words: Uint32Array, at: number): void {
  const { read, written } = encoder.encodeInto(text, scratch.bytes);
  if (read === text.length) {
    hash(scratch, written, words, at);
    return;
  }
  const bytes = utf8(text);
  hash128OfBytes(bytes, 0, bytes.length, words, at);
}

/** MurmurHash3's 32-bit finaliser: a permutation in which each bit reaches every other. */
export function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** UTF-8 of a text; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

function blockOf(length: number): Block {
  const bytes = new Uint8Array((length + 15) & ~15);
  return { bytes, words: new Int32Array(bytes.buffer) };
}

/** Hashes the first `length` bytes of a block. */
function hash({ bytes, words }: Block, length: number, into: Uint32Array, at: number): void {
  const whole = (length >> 4) * 4;
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  for (let i = 0; i < whole; i += 4) {
    h1 = (Math.imul(rotate(h1 ^ lane1(words[i]!), 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 = (Math.imul(rotate(h2 ^ lane2(words[i + 1]!), 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 = (Math.imul(rotate(h3 ^ lane3(words[i + 2]!), 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 = (Math.imul(rotate(h4 ^ lane4(words[i + 3]!), 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  if (length > 4 * whole) {
    for (let i = length; i < 4 * whole + 16; i++) bytes[i] = 0;
    h1 ^= lane1(words[whole]!);
    h2 ^= lane2(words[whole + 1]!);
    h3 ^= lane3(words[whole + 2]!);
    h4 ^= lane4(words[whole + 3]!);
  }
  finish(h1 ^ length, h2 ^ length, h3 ^ length, h4 ^ length, into, at);
}

function lane1(word: number): number {
  return Math.imul(rotate(Math.imul(word, c1), 15), c2);
}

function lane2(word: number): number {
  return Math.imul(rotate(Math.imul(word, c2), 16), c3);
}

function lane3(word: number): number {
  return Math.imul(rotate(Math.imul(word, c3), 17), c4);
}

function lane4(word: number): number {
  return Math.imul(rotate(Math.imul(word, c4), 18), c1);
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
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
