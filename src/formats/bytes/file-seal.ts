import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import { checksum } from './checksum.ts';
import { asBuffer } from './utf8.ts';

/** A seal is a checksum of a whole file that stands in the file itself, as text: that of the file with this in its place. */
export const blankSeal: string = '.'.repeat(16);

/** Seals a file that holds `blankSeal`, at its last place. Throws where there is none. */
export function seal(bytes: Uint8Array): void {
  const at = placeOf(bytes, blankSeal);
  if (at < 0) throw new Error('a file to be sealed has no place for the seal');
  write(bytes, at, sealOf(bytes));
}

/** Whether a file is what it was when it was sealed with this text. The bytes change for a moment. */
export function isSealed(bytes: Uint8Array, text: string | undefined): boolean {
  if (text?.length !== blankSeal.length) return false;
  const at = placeOf(bytes, text);
  if (at < 0) return false;
  write(bytes, at, blankSeal);
  const found = sealOf(bytes);
  write(bytes, at, text);
  return found === text;
}

/** It lies in the footer: the search begins at the end. */
function placeOf(bytes: Uint8Array, text: string): number {
  return asBuffer(bytes).lastIndexOf(text, bytes.length, 'latin1');
}

function write(bytes: Uint8Array, at: number, text: string): void {
  asBuffer(bytes).write(text, at, 'latin1');
}

function sealOf(bytes: Uint8Array): string {
  return hexadecimal(checksum(bytes, bytes.length));
}
