import { Buffer } from 'node:buffer';

/**
 * Memory for the files of one folder after the other: what a system gives anew, it has to clear first, which takes longer than to read a file
 * into it.
 */
export interface Room {
  /** Bytes that nobody else holds until `empty`. */
  take(size: number): Buffer;
  /** Says that all that was taken may be written over. What was not taken since the last time is let go. */
  empty(): void;
}

/** Files of the next folder may be so much longer: memory that is not written to costs nothing. */
const headroom = 1.25;
/** A file takes no piece that is so much longer: the full state is read last and would find none. */
const wasteMost = 2;

/** No memory yet. */
export function createRoom(): Room {
  let free: Buffer[] = [];
  let taken: Buffer[] = [];
  return {
    take(size) {
      const at = free.findIndex(({ length }) => length >= size && length <= wasteMost * size);
      const piece = at < 0 ? Buffer.allocUnsafeSlow(Math.ceil(headroom * size)) : free.splice(at, 1)[0]!;
      taken.push(piece);
      return piece.subarray(0, size);
    },
    empty() {
      free = taken;
      taken = [];
    },
  };
}
