/**
 * Doubles in a SharedArrayBuffer, for values that are large or made often and outlive a turn of the event loop. V8 counts the bytes of
 * other buffers: when they have grown by 64 MB it begins a full collection, in which each new buffer takes part for some milliseconds.
 */
export function sharedDoubles(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

/** As `sharedDoubles`, of signed 32-bit integers. */
export function sharedIntegers(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

/** As `sharedDoubles`, of bytes. */
export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** Makes rows of so many zeros, of which many lie in one buffer. */
export function rowsOfZeros(width: number): () => Float64Array {
  let piece = sharedDoubles(0);
  let at = 0;
  return () => {
    if (at === piece.length) {
      piece = sharedDoubles(rowsInPiece * width);
      at = 0;
    }
    at += width;
    return piece.subarray(at - width, at);
  };
}

const rowsInPiece = 64;
