import { sharedBytes } from '../../state/containers/shared-arrays.ts';

/** Pieces one after the other over a SharedArrayBuffer, which every thread can read. */
export function sharedCopy(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = sharedBytes(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
