import type { LogRecord } from '../../stream/event.ts';
import { type Cursor, readVarint } from '../bytes/varint.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';

/** The value of a record's header, the last of that name; undefined where there is none, or where headers cannot be read. */
export function headerOf(record: LogRecord, name: string): Uint8Array | undefined {
  return headersOf(record).findLast(([known]) => known === name)?.[1];
}

/** The headers of a record in their order; none where they cannot be read. */
export function headersOf({
  bytes,
  headersAt,
}: LogRecord): [name: string | undefined, value: Uint8Array | undefined][] {
  if (headersAt === undefined) return [];
  const cursor: Cursor = { bytes, at: headersAt };
  try {
    return Array.from({ length: readVarint(cursor) }, () => {
      const key = readPart(cursor);
      return [key && decodeUtf8(key, 0, key.length), readPart(cursor)];
    });
  } catch {
    return [];
  }
}

function readPart(cursor: Cursor): Uint8Array | undefined {
  const length = readVarint(cursor);
  if (length < 0) return undefined;
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new Error('a header is longer than its bytes');
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}
