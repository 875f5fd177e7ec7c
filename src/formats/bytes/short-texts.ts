import { decodeUtf8 } from './utf8.ts';

/** Text of bytes[start, end); undefined where they are not strict UTF-8. */
export type TextOf = (bytes: Uint8Array, start: number, end: number) => string | undefined;

/**
 * A decoder that remembers short texts, for values that repeat: comparing bytes costs a fraction of making a text of them. It holds a bounded
 * number of texts, each in a place of its own by its bytes: one may take the place of another.
 */
export function shortTexts(): TextOf {
  const texts: string[] = new Array(places).fill('');
  const lengths = new Uint8Array(places);
  const held = new Uint8Array(places * longest);
  return (bytes, start, end) => {
    const length = end - start;
    if (length > longest || length === 0) return decodeUtf8(bytes, start, end);
    const place = hashOf(bytes, start, length) & (places - 1);
    const from = place * longest;
    if (lengths[place] === length && isSame(held, from, bytes, start, length)) return texts[place];
    const text = decodeUtf8(bytes, start, end);
    if (text === undefined) return undefined;
    for (let at = 0; at < length; at++) held[from + at] = bytes[start + at]!;
    lengths[place] = length;
    texts[place] = text;
    return text;
  };
}

const places = 1024;
const longest = 32;

/** A number that tells most names apart by a few of their bytes; `length` > 0. */
export function hashOf(bytes: Uint8Array, start: number, length: number): number {
  const last = bytes[start + length - 1]!;
  return length + 7 * last + 31 * bytes[start + (length >> 1)]! + 61 * bytes[start + (length >> 2)]!;
}

/** Whether a[aStart, aStart + length) and b[bStart, bStart + length) are equal. */
export function isSame(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[aStart + at] !== b[bStart + at]) return false;
  return true;
}
