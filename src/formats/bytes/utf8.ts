import { Buffer, isUtf8 } from 'node:buffer';

/** Text of bytes[start, end); undefined where they are not strict UTF-8. A byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = asBuffer(bytes).toString('utf8', start, end);
  // Node writes U+FFFD for what it cannot decode. Searching for it costs next to nothing; only where it is found are the
  // bytes checked.
  return text.includes('\ufffd') && !isUtf8Text(bytes, start, end) ? undefined : text;
}

/** Returns whether bytes[start, end) are strict UTF-8. */
export function isUtf8Text(bytes: Uint8Array, start: number, end: number): boolean {
  return isUtf8(bytes.subarray(start, end));
}

/** Index of the first byte of bytes[start, end) that begins no whole UTF-8 character; `end` where there is none. */
export function firstUndecodable(bytes: Uint8Array, start: number, end: number): number {
  if (isUtf8Text(bytes, start, end)) return end;
  let good = start;
  let bad = end;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isUtf8Text(bytes, start, lastWhole(bytes, start, middle))) good = middle;
    else bad = middle;
  }
  return lastWhole(bytes, start, good);
}

/** `end`, or the start of the character that `end` cuts. */
function lastWhole(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= start && at >= end - 3; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return at + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 1) > end ? at : end;
  }
  return end;
}

/** Text of bytes[start, end) that are known to be UTF-8. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('utf8', start, end);
}

/** The same bytes, as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
