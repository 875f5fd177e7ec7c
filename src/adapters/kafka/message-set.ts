import { crc32 } from 'node:zlib';
import type { LogRecord, Unread } from '../../stream/event.ts';
import { codecReady, decompress } from './compression.ts';
import { malformed, readInt64, type ReadLimits, tooLarge, type UnreadBatch } from './records.ts';

const sizeAt = 8;
const crcAt = 12;
const magicAt = 16;
const attributesAt = 17;
const timestampAt = 18;
const prefixBytes = 12;
const codecMask = 0x07;
const logAppendTime = 0x08;

/**
 * Appends a message of the format before Kafka 0.11, which old segments may still hold: one record, or a compressed set of them. Returns
 * the offset after it, or what is too large of it: one record at its offset, as no header counts those within. Undefined where the limits
 * stop here.
 */
export async function readMessage(
  bytes: Buffer,
  limits: ReadLimits,
  into: LogRecord[],
): Promise<number | UnreadBatch | undefined> {
  const message = parseMessage(bytes, 0);
  const { attributes, record } = message;
  const nextOffset = record.offset + 1;
  const codec = attributes & codecMask;
  if (codec === 0) {
    into.push(record);
    return nextOffset;
  }
  await codecReady(codec);
  if (limits.left <= 0) return undefined;
  const place = `the message set up to offset ${record.offset}`;
  const refused = (unread: Unread): UnreadBatch => ({ firstOffset: record.offset, count: 1, nextOffset, unread });
  try {
    const plain = await decompress(codec, bytes.subarray(record.start, record.end), limits.batchBytes);
    if (plain === undefined) return refused(tooLarge(`${place} has`, limits));
    limits.left -= plain.length;
    readSet(plain, message, into);
    return nextOffset;
  } catch (error) {
    return refused(malformed(place, error));
  }
}

/** The messages within a compressed one: theirs is its offset, or (magic 1) that of the last of them. */
function readSet(plain: Buffer, wrapper: Message, into: LogRecord[]): void {
  const inner: LogRecord[] = [];
  for (let at = 0; at < plain.length; ) {
    const { attributes, record, end } = parseMessage(plain, at);
    if ((attributes & codecMask) !== 0) throw new Error('a compressed message lies in another');
    const previous = inner.at(-1);
    if (record.offset < 0 || (previous !== undefined && record.offset <= previous.offset))
      throw new Error(`a message is at offset ${record.offset}, out of order`);
    inner.push(record);
    at = end;
  }
  const { offset, timestamp } = wrapper.record;
  const last = inner.at(-1)?.offset ?? 0;
  const base = wrapper.magic === 0 ? 0 : offset - last;
  if (base < 0 || base + last > offset) throw new Error(`its messages do not end at its offset ${offset}`);
  const isAppended = (wrapper.attributes & logAppendTime) !== 0;
  for (const record of inner)
    into.push({ ...record, offset: base + record.offset, timestamp: isAppended ? timestamp : record.timestamp });
}

interface Message {
  readonly magic: number;
  readonly attributes: number;
  readonly record: LogRecord;
  readonly end: number;
}

function parseMessage(all: Buffer, from: number): Message {
  if (from + attributesAt >= all.length) throw new Error('a message is longer than its bytes');
  const end = from + prefixBytes + all.readInt32BE(from + sizeAt);
  if (end > all.length || end <= from + attributesAt) throw new Error('a message is longer than its bytes');
  const bytes = all.subarray(from, end);
  if (crc32(bytes.subarray(magicAt)) !== bytes.readUInt32BE(crcAt))
    throw new Error('the bytes of a message do not match their CRC-32');
  const magic = bytes[magicAt]!;
  if (magic > 1) throw new Error(`the format of a message (magic ${magic}) is not known`);
  const key = readRange(bytes, magic === 0 ? timestampAt : timestampAt + 8);
  const value = readRange(bytes, key.next);
  if (value.next !== bytes.length) throw new Error('a message is longer than its value');
  const record: LogRecord = {
    bytes,
    start: value.start,
    end: value.end,
    keyStart: key.start,
    keyEnd: key.end,
    offset: readInt64(bytes, 0),
    timestamp: magic === 0 ? -1 : readInt64(bytes, timestampAt),
  };
  return { magic, attributes: bytes[attributesAt]!, record, end };
}

interface Range {
  /** -1 where there is nothing. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function readRange(bytes: Buffer, at: number): Range {
  const length = at + 4 <= bytes.length ? bytes.readInt32BE(at) : bytes.length;
  const start = at + 4;
  if (length === -1) return { start: -1, end: -1, next: start };
  if (length < 0 || start + length > bytes.length) throw new Error('a key or value of a message is longer than it');
  return { start, end: start + length, next: start + length };
}
