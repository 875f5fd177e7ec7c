import { Buffer } from 'node:buffer';
import { hashOf, isSame } from '../bytes/short-texts.ts';
import { type Names, numberedPrefix } from './span.ts';

/** The place of the attribute whose name is bytes[start, end); `numberedPlace`, or `notRead`. */
export type PlaceOfBytes = (bytes: Uint8Array, start: number, end: number) => number;

export const notRead = -1;
export const numberedPlace = -2;

/** Finds places by the bytes of names, without making texts of them: most names are not read, and the others are known. */
export function placesByBytes(names: Names): PlaceOfBytes {
  const buckets: Known[][] = Array.from({ length: bucketCount }, () => []);
  for (const [name, place] of names) {
    const bytes = Buffer.from(name);
    if (bytes.length > 0) buckets[hashOf(bytes, 0, bytes.length) & (bucketCount - 1)]!.push({ bytes, place });
  }
  return (bytes, start, end) => {
    const length = end - start;
    if (length === 0) return notRead;
    const bucket = buckets[hashOf(bytes, start, length) & (bucketCount - 1)]!;
    for (let at = 0; at < bucket.length; at++) {
      const known = bucket[at]!;
      if (known.bytes.length === length && isSame(known.bytes, 0, bytes, start, length)) return known.place;
    }
    const isNumbered = length > prefix.length && isSame(prefix, 0, bytes, start, prefix.length);
    return isNumbered ? numberedPlace : notRead;
  };
}

interface Known {
  readonly bytes: Uint8Array;
  readonly place: number;
}

const bucketCount = 256;
const prefix = Buffer.from(numberedPrefix);
