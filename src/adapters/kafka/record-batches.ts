import { crc32 } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import type { LogRecord, Unread } from '../../stream/event.ts';
import { codecReady, decompress } from './compression.ts';
import { readVarint } from '../../formats/bytes/varint.ts';
import {
  batchAt,
  batchPrefixBytes,
  malformed,
  readInt64,
  type ReadLimits,
  readRecords,
  recordBytesLeast,
  tooLarge,
  type UnreadBatch,
} from './records.ts';

/** The records of a partition in a fetch response, in order. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  /** Offset after the last batch that was read; undefined if no batch was read. */
  readonly nextOffset: number | undefined;
  /** The reason why the batch behind them cannot be read. */
  readonly problem: string | undefined;
  /** The batch behind them, if it is too large, or its producer made it unreadable. */
  readonly unread: UnreadBatch | undefined;
}

/** Records of producer `producerId` from `firstOffset` to its next abort marker were taken back. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/**
 * Reads the record batches of one partition in one pass, with numbers for offsets, and without a copy of what is not compressed. Records
 * of aborted transactions and control records are left out but passed: `nextOffset` counts them, and also those that compaction took
 * from the end of a batch. A batch is refused if its checksum, lengths, counts or offsets contradict each other; if its checksum and header
 * are right, it is as its producer made it, and its records are refused. The last batch
 * of a response may be cut, and is fetched again; not so the first: a broker sends at least one whole.
 *
 * @returns undefined where there is nothing to read
 */
export async function readBatches(
  bytes: Buffer,
  aborted: readonly AbortedTransaction[],
  limits: ReadLimits,
  highWatermark: number = Number.POSITIVE_INFINITY,
): Promise<FetchedRecords | undefined> {
  const open = openTransactions(aborted);
  const records: LogRecord[] = [];
  let nextOffset: number | undefined;
  let unread: UnreadBatch | undefined;
  for (let at = 0; at < bytes.length && unread === undefined; ) {
    const before = records.length;
    try {
      const end = endOfBatch(bytes, at);
      if (end === undefined) break;
      const read = await readBatch(bytes.subarray(at, end), nextOffset ?? 0, open, limits, records);
      if (read === undefined) break;
      const next = typeof read === 'number' ? read : read.nextOffset;
      if (next > highWatermark) throw new Error(`it reaches to offset ${next}, behind the end at ${highWatermark}`);
      if (typeof read === 'number') nextOffset = read;
      else unread = read;
      at = end;
    } catch (error) {
      records.length = before;
      const place = bytes.length - at < 8 ? '' : ` at offset ${readInt64(bytes, at)}`;
      return { records, nextOffset, problem: `the batch${place}: ${(error as Error).message}`, unread };
    }
  }
  const found = nextOffset !== undefined || unread !== undefined;
  return found ? { records, nextOffset, problem: undefined, unread } : undefined;
}

const recordBatchMagic = 2;
const codecMask = 0x07;
const transactional = 0x10;
const control = 0x20;

/** Returns the end of a batch; undefined if the batch is cut and not the first. */
function endOfBatch(bytes: Buffer, at: number): number | undefined {
  const length = at + batchPrefixBytes <= bytes.length ? bytes.readInt32BE(at + batchAt.length) : undefined;
  if (length !== undefined && length <= batchAt.magic - batchPrefixBytes) throw new Error(`its length is ${length}`);
  const end = at + batchPrefixBytes + (length ?? 0);
  if (length !== undefined && end <= bytes.length) return end;
  if (at > 0) return undefined;
  throw new Error(`it has ${bytes.length} bytes, fewer than it says`);
}

/** Appends the records of one batch. Returns the offset after it, or the batch if it is refused; undefined if the limits stop here. */
async function readBatch(
  bytes: Buffer,
  leastOffset: number,
  open: OpenTransactions,
  limits: ReadLimits,
  into: LogRecord[],
): Promise<number | UnreadBatch | undefined> {
  const firstOffset = readInt64(bytes, 0);
  if (!(firstOffset >= leastOffset)) throw new Error(`offset ${leastOffset} or more is expected`);
  if (bytes[batchAt.magic] !== recordBatchMagic) return refusedMessage(bytes, firstOffset);
  if (bytes.length < batchAt.records) throw new Error(`${bytes.length} bytes are less than its header`);
  if (crc32c(bytes.subarray(batchAt.attributes)) !== bytes.readUInt32BE(batchAt.crc))
    throw new Error('its bytes do not match their CRC-32C');
  const attributes = bytes.readInt16BE(batchAt.attributes);
  const lastOffsetDelta = bytes.readInt32BE(batchAt.lastOffsetDelta);
  const count = bytes.readInt32BE(batchAt.count);
  const nextOffset = firstOffset + lastOffsetDelta + 1;
  if (lastOffsetDelta < 0 || count < 0 || count > lastOffsetDelta + 1 || !Number.isSafeInteger(nextOffset))
    throw new Error(`${count} records are said to lie at ${lastOffsetDelta + 1} offsets`);
  open.reach(nextOffset);
  if ((attributes & control) !== 0) {
    if (isAbortMarker(bytes)) open.end(bytes);
    return nextOffset;
  }
  if (count === 0 || ((attributes & transactional) !== 0 && open.includes(bytes))) return nextOffset;
  const codec = attributes & codecMask;
  if (codec !== 0) await codecReady(codec);
  if (codec !== 0 && limits.left <= 0) return undefined;
  const before = into.length;
  const place = `the batch of offsets ${firstOffset} to ${nextOffset - 1} (${count} records)`;
  const refused = (unread: Unread): UnreadBatch => ({ firstOffset, count, nextOffset, unread });
  try {
    const body = codec === 0 ? bytes : await decompress(codec, bytes.subarray(batchAt.records), limits.batchBytes);
    if (body === undefined) return refused(tooLarge(`${place} has`, limits));
    if (codec !== 0) limits.left -= body.length;
    readRecords(bytes, body, codec === 0 ? batchAt.records : 0, into);
    return nextOffset;
  } catch (error) {
    into.length = before;
    const room = codec === 0 ? bytes.length - batchAt.records : limits.batchBytes;
    // No broker takes a batch with a count that cannot be: it would be as many refused records.
    if (count * recordBytesLeast > room) throw error;
    return refused(malformed(place, error));
  }
}

/**
 * A message of the format before Kafka 0.11, which old segments may still hold: refused at its offset as one record. Throws where its
 * checksum says that it is damage of something else.
 */
function refusedMessage(bytes: Buffer, offset: number): UnreadBatch {
  const magic = bytes[batchAt.magic]!;
  if (magic > 1 || crc32(bytes.subarray(batchAt.magic)) !== bytes.readUInt32BE(batchPrefixBytes))
    throw new Error(`its format (magic ${magic}) is not known`);
  const detail = `the message at offset ${offset} has the format of Kafka before 0.11 (magic ${magic}), which is not read; have a newer client write its topic anew`;
  return { firstOffset: offset, count: 1, nextOffset: offset + 1, unread: { code: 'not_json', detail } };
}

interface OpenTransactions {
  /** Opens the transactions that begin below an offset. */
  reach(nextOffset: number): void;
  /** Returns whether the producer of a batch has an open transaction. */
  includes(batch: Buffer): boolean;
  /** Ends the transaction of the marker's producer. */
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
    includes: (batch) => producers.has(readInt64(batch, batchAt.producerId)),
    end: (marker) => void producers.delete(readInt64(marker, batchAt.producerId)),
  };
}

/** The key of a control record: version and type, int16 each; type 0 aborts. Control batches are never compressed. */
function isAbortMarker(batch: Buffer): boolean {
  if (batch.readInt32BE(batchAt.count) < 1) return false;
  const cursor = { bytes: batch, at: batchAt.records };
  readVarint(cursor);
  cursor.at++;
  readVarint(cursor);
  readVarint(cursor);
  return readVarint(cursor) >= 4 && batch.readInt16BE(cursor.at + 2) === 0;
}
