import type { LogRecord } from '../../stream/event.ts';
import { decompress } from './compression.ts';
import { readMessageSet } from './kafkajs-parts.ts';

/** The records of a partition in a fetch response, in order. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  /** Offset after the last one that was looked at; undefined where there was none. */
  readonly nextOffset: number | undefined;
  /** Why what comes then cannot be read. */
  readonly problem: string | undefined;
}

/** Records of producer `producerId` from `firstOffset` to its next abort marker were taken back. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/**
 * Reads the record batches of one partition: in one pass, with numbers for offsets, and without a copy of what is not compressed. The
 * records of aborted transactions and control records are left out, but passed: `nextOffset` counts them, and also those that compaction
 * took from the end of a batch. The tail of a response may hold a part of a batch, which is fetched again. Layout:
 * kafka.apache.org/documentation, "Message format".
 *
 * @returns undefined where there is no whole batch
 */
export async function readBatches(
  bytes: Buffer,
  aborted: readonly AbortedTransaction[],
): Promise<FetchedRecords | undefined> {
  const open = openTransactions(aborted);
  const records: LogRecord[] = [];
  let nextOffset: number | undefined;
  for (let at = 0; at + batchPrefixBytes <= bytes.length; ) {
    const end = at + batchPrefixBytes + bytes.readInt32BE(at + lengthAt);
    if (end > bytes.length || end < at + batchPrefixBytes) break;
    const before = records.length;
    try {
      nextOffset = await readBatch(bytes.subarray(at, end), open, records);
    } catch (error) {
      records.length = before;
      return {
        records,
        nextOffset,
        problem: `the batch at offset ${readInt64(bytes, at)}: ${(error as Error).message}`,
      };
    }
    at = end;
  }
  return nextOffset === undefined ? undefined : { records, nextOffset, problem: undefined };
}

const lengthAt = 8;
const magicAt = 16;
const attributesAt = 21;
const lastOffsetDeltaAt = 23;
const firstTimestampAt = 27;
const maxTimestampAt = 35;
const producerIdAt = 43;
const countAt = 57;
const recordsAt = 61;
const batchPrefixBytes = 12;

const recordBatchMagic = 2;
const codecMask = 0x07;
const logAppendTime = 0x08;
const transactional = 0x10;
const control = 0x20;

/** Appends the records of one batch and returns the offset after it. */
async function readBatch(bytes: Buffer, open: OpenTransactions, into: LogRecord[]): Promise<number> {
  if (bytes[magicAt] !== recordBatchMagic) return await readOldBatch(bytes, into);
  if (bytes.length < recordsAt) throw new Error(`${bytes.length} bytes are less than its header`);
  const attributes = bytes.readInt16BE(attributesAt);
  const nextOffset = readInt64(bytes, 0) + bytes.readInt32BE(lastOffsetDeltaAt) + 1;
  open.reach(nextOffset);
  if ((attributes & control) !== 0) {
    if (isAbortMarker(bytes)) open.end(bytes);
    return nextOffset;
  }
  if ((attributes & transactional) !== 0 && open.includes(bytes)) return nextOffset;
  const codec = attributes & codecMask;
  const body = codec === 0 ? bytes : await decompress(codec, bytes.subarray(recordsAt));
  readRecords(bytes, attributes, body, codec === 0 ? recordsAt : 0, into);
  return nextOffset;
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function readRecords(header: Buffer, attributes: number, body: Buffer, start: number, into: LogRecord[]): void {
  const firstOffset = readInt64(header, 0);
  const firstTimestamp = readInt64(header, firstTimestampAt);
  const appended = (attributes & logAppendTime) === 0 ? undefined : readInt64(header, maxTimestampAt);
  const count = header.readInt32BE(countAt);
  const cursor: Cursor = { bytes: body, at: start };
  for (let read = 0; read < count; read++) {
    const length = readVarint(cursor);
    const end = cursor.at + length;
    if (length < 0 || end > body.length) throw cutShort(read);
    cursor.at++;
    const timestampDelta = readVarint(cursor);
    const offset = firstOffset + readVarint(cursor);
    const keyLength = readVarint(cursor);
    const keyAt = cursor.at;
    if (keyLength > 0) cursor.at += keyLength;
    const valueLength = readVarint(cursor);
    if (cursor.at + Math.max(0, valueLength) > end) throw cutShort(read);
    into.push({
      bytes: body,
      start: valueLength < 0 ? -1 : cursor.at,
      end: valueLength < 0 ? -1 : cursor.at + valueLength,
      key: keyLength < 0 ? null : body.subarray(keyAt, keyAt + keyLength),
      offset,
      timestamp: appended ?? firstTimestamp + timestampDelta,
    });
    // Headers lie between: nothing asks for them.
    cursor.at = end;
  }
}

function cutShort(read: number): Error {
  return new Error(`its record ${read} is longer than its bytes`);
}

/** A signed number in 7-bit groups, the least first (zigzag). Exact below 2^53, which every offset and time is. */
function readVarint(cursor: Cursor): number {
  const { bytes } = cursor;
  let byte = bytes[cursor.at++]!;
  let value = byte & 0x7f;
  let factor = 128;
  while (byte >= 0x80) {
    byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) * factor;
    factor *= 128;
  }
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/** A message in the format before Kafka 0.11, which old segments may still hold: one, or a compressed set of them. */
async function readOldBatch(bytes: Buffer, into: LogRecord[]): Promise<number> {
  for (const { key, value, offset, timestamp } of await readMessageSet(bytes)) {
    const length = value === null ? -1 : value.length;
    const range = { bytes: value ?? Buffer.alloc(0), start: value === null ? -1 : 0, end: length };
    into.push({ ...range, key, offset: Number(offset), timestamp: Number(timestamp ?? -1) });
  }
  return readInt64(bytes, 0) + 1;
}

interface OpenTransactions {
  /** Opens those that begin below an offset. */
  reach(nextOffset: number): void;
  /** Whether the producer of a batch has one. */
  includes(batch: Buffer): boolean;
  /** The one of the marker's producer ends here. */
  end(marker: Buffer): void;
}

/**
 * The aborted transactions that are open at one batch after the other. As in Kafka's own client (CompletedFetch): transactions are aborted
 * from their first offset to the abort marker of their producer; several may be open at once.
 */
function openTransactions(aborted: readonly AbortedTransaction[]): OpenTransactions {
  const ahead = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset);
  const producers = new Set<number>();
  let next = 0;
  return {
    reach(nextOffset) {
      while (next < ahead.length && ahead[next]!.firstOffset < nextOffset) producers.add(ahead[next++]!.producerId);
    },
    includes: (batch) => producers.has(readInt64(batch, producerIdAt)),
    end: (marker) => void producers.delete(readInt64(marker, producerIdAt)),
  };
}

/** The key of a control record: version and type, int16 each; type 0 aborts. Control batches are never compressed. */
function isAbortMarker(batch: Buffer): boolean {
  if (batch.readInt32BE(countAt) < 1) return false;
  const cursor: Cursor = { bytes: batch, at: recordsAt };
  readVarint(cursor);
  cursor.at++;
  readVarint(cursor);
  readVarint(cursor);
  return readVarint(cursor) >= 4 && batch.readInt16BE(cursor.at + 2) === 0;
}
