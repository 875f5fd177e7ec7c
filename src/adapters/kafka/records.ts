import type { LogRecord, Unread } from '../../stream/event.ts';
import { type Cursor, readVarint } from '../../formats/bytes/varint.ts';

/** A batch that is not read: its records count as refused, one by one from `firstOffset` on. */
export interface UnreadBatch {
  readonly firstOffset: number;
  /** As many as its header says. */
  readonly count: number;
  readonly nextOffset: number;
  readonly unread: Unread;
}

/** The refusal of a batch that has too many plain bytes. */
export function tooLarge(place: string, { batchBytes }: ReadLimits): Unread {
  const detail = `${place} more than ${batchBytes} bytes when decompressed; send smaller batches, or raise limits.batch_bytes`;
  return { code: 'too_large', detail };
}

/** The refusal of a batch that its producer made unreadable: its checksum is right. */
export function malformed(place: string, error: unknown): Unread {
  const detail = `${place} cannot be read, though its checksum is right: ${(error as Error).message}; look at what produced it`;
  return { code: 'not_json', detail };
}

export interface ReadLimits {
  /** Plain bytes of one compressed batch (`limits.batch_bytes`). */
  readonly batchBytes: number;
  /** Plain bytes that may still be made of the whole response; below 1, compressed batches are left to the next fetch. */
  left: number;
}

/** Byte positions in a record batch (kafka.apache.org/documentation, "Message format"); the records follow its header. */
export const batchAt = {
  length: 8,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
  records: 61,
} as const;
/** Bytes before those that the length of a batch counts. */
export const batchPrefixBytes = 12;

const logAppendTime = 0x08;
/** Length, attributes, time stamp, offset, key length, value length and number of headers, of one byte each. */
export const recordBytesLeast = 7;

/**
 * Appends the records of a batch: those that its header counts, which fill `body` from `start` to its end. Throws where one is longer than
 * the bytes, or a part of it longer than itself, or where offsets do not rise within those of the batch.
 */
export function readRecords(header: Buffer, body: Buffer, start: number, into: LogRecord[]): void {
  const firstOffset = readInt64(header, 0);
  const lastOffsetDelta = header.readInt32BE(batchAt.lastOffsetDelta);
  const firstTimestamp = readInt64(header, batchAt.firstTimestamp);
  const isAppended = (header.readInt16BE(batchAt.attributes) & logAppendTime) !== 0;
  const appended = isAppended ? readInt64(header, batchAt.maxTimestamp) : undefined;
  const count = header.readInt32BE(batchAt.count);
  if (count * recordBytesLeast > body.length - start)
    throw new Error(`${count} records do not fit into ${body.length - start} bytes`);
  const cursor: Cursor = { bytes: body, at: start };
  let previousDelta = -1;
  for (let read = 0; read < count; read++) {
    const length = readVarint(cursor);
    const end = cursor.at + length;
    if (length < 0 || end > body.length) throw new Error(`its record ${read} is longer than its bytes`);
    cursor.at++;
    const timestampDelta = readVarint(cursor, 10);
    const offsetDelta = readVarint(cursor);
    if (offsetDelta <= previousDelta || offsetDelta > lastOffsetDelta)
      throw new Error(`its record ${read} is at offset ${firstOffset + offsetDelta}, out of order`);
    previousDelta = offsetDelta;
    const keyLength = readLength(cursor, end, read);
    const keyStart = keyLength < 0 ? -1 : cursor.at;
    cursor.at += Math.max(0, keyLength);
    const keyEnd = cursor.at;
    const valueLength = readLength(cursor, end, read);
    const headersAt = cursor.at + Math.max(0, valueLength);
    checkHeaders({ bytes: body, at: headersAt }, end, read);
    into.push({
      bytes: body,
      start: valueLength < 0 ? -1 : cursor.at,
      end: valueLength < 0 ? -1 : cursor.at + valueLength,
      keyStart,
      keyEnd,
      offset: firstOffset + offsetDelta,
      timestamp: appended ?? firstTimestamp + timestampDelta,
      headersAt,
    });
    cursor.at = end;
  }
  if (cursor.at !== body.length) throw new Error(`${body.length - cursor.at} bytes follow its ${count} records`);
}

/** Throws where a record claims more headers than its bytes can hold: of each there are two lengths. */
function checkHeaders(cursor: Cursor, end: number, record: number): void {
  const count = readVarint(cursor);
  if (count < 0 || 2 * count > end - cursor.at)
    throw new Error(`its record ${record} has ${count} headers, more than fit into its bytes`);
}

/** The length of a key or value, -1 where there is none. */
function readLength(cursor: Cursor, end: number, record: number): number {
  const length = readVarint(cursor);
  if (length >= -1 && cursor.at + length <= end) return length;
  throw new Error(`its record ${record} is longer than its bytes`);
}

/** Exact below 2^53. */
export function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}
