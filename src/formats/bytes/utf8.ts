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
  const text = utf8Text(bytes, start, end);
  let at = start;
  for (let from = 0; ; from++, at += replacement.length) {
    const next = text.indexOf('\ufffd', from);
    if (next < 0) return end;
    at += Buffer.byteLength(text.slice(from, next));
    if (!asBuffer(bytes.subarray(at, Math.min(end, at + replacement.length))).equals(replacement)) return at;
    from = next;
  }
}

/** U+FFFD, which stands in a decoded text for bytes that are no UTF-8. */
const replacement = Buffer.from('\ufffd');

/** Text of bytes[start, end), which must be UTF-8. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('utf8', start, end);
}

/** The same bytes, as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
