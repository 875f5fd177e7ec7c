import type { LogRecord } from '../../stream/event.ts';
import { type Cursor, readVarint } from '../bytes/varint.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';

/** The value of a record's header, the last of that name; undefined where there is none, or where headers cannot be read. */
export function headerOf(record: LogRecord, name: string): Uint8Array | undefined {
  const { bytes, headersAt } = record;
  if (headersAt === undefined) return undefined;
  let found: Uint8Array | undefined;
  try {
    const cursor: Cursor = { bytes, at: headersAt };
    for (let left = readVarint(cursor); left > 0; left--) {
      const key = readPart(cursor);
      const value = readPart(cursor);
      if (key !== undefined && decodeUtf8(key, 0, key.length) === name) found = value;
    }
    return found;
  } catch {
    return undefined;
  }
}

function readPart(cursor: Cursor): Uint8Array | undefined {
  const length = readVarint(cursor);
  if (length < 0) return undefined;
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new Error('a header is longer than its bytes');
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}
