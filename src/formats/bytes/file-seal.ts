import { crc32 } from 'node:zlib';
import { asBuffer } from './utf8.ts';

/** A seal is the CRC-32 of a whole file, as text that stands in the file itself: that of the file with dots in its place. */
export const blankSeal: string = '.'.repeat(8);

/** Seals a file that holds `blankSeal`, at its last place. Throws where there is none. */
export function seal(bytes: Uint8Array): void {
  const at = placeOf(bytes, blankSeal);
  if (at < 0) throw new Error('a file to be sealed has no place for the seal');
  asBuffer(bytes).write(sealOf(bytes, at), at, 'latin1');
}

/** Returns whether a file is unchanged since it was sealed with this text. */
export function isSealed(bytes: Uint8Array, text: string | undefined): boolean {
  if (text?.length !== blankSeal.length) return false;
  const at = placeOf(bytes, text);
  return at >= 0 && sealOf(bytes, at) === text;
}

/** It lies in the footer: the search begins at the end. */
function placeOf(bytes: Uint8Array, text: string): number {
  return asBuffer(bytes).lastIndexOf(text, bytes.length, 'latin1');
}

function sealOf(bytes: Uint8Array, at: number): string {
  const before = crc32(blankSeal, crc32(bytes.subarray(0, at)));
  return crc32(bytes.subarray(at + blankSeal.length), before)
    .toString(16)
    .padStart(blankSeal.length, '0');
}
