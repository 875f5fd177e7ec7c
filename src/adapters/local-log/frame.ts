import { crc32c } from '@node-rs/crc32';
import type { IntakeRecord } from '../../ports.ts';
import type { LogRecord } from '../../stream/event.ts';

/*
 * A record in a segment, little-endian:
 *
 *     CRC-32C of all that follows (uint32), length of the body in bytes (uint32)
 *     body: kind (uint8), index (uint32), offset (double), append time in ms (double), length of the key (int32, -1: none), key, value
 *
 * Records that are written and made durable together are a group; `index` is the record's place in its group. A group is written only after the
 * one before is durable: a record of a later group proves that the earlier records were whole.
 */
const bodyAt = 8;
const kindAt = 8;
const indexAt = 9;
const offsetAt = 13;
const timestampAt = 21;
const keyLengthAt = 29;
const keyAt = 33;

/** Length of the shortest record, in bytes. */
export const frameBytesMin: number = keyAt;
/** Length of a body that no record exceeds, in bytes: more is damage. */
const bodyBytesMax = 2 ** 27;

const kinds = { value: 0, none: 1, quiet: 2 } as const;

/** Time that passed without a record, in ms: what event time moves on by. */
export interface Quiet {
  readonly quietMs: number;
}

/** A record to be written. */
export type Entry = IntakeRecord | Quiet;

/** A record as it lies in a segment. */
export interface Frame {
  readonly record: LogRecord;
  /** Its place among the records that became durable with it. */
  readonly index: number;
  /** Position behind it. */
  readonly end: number;
}

/** The bytes of records that become durable together, the first with offset `offset`; `timestamp`: their append time in ms. */
export function groupBytes(entries: readonly Entry[], offset: number, timestamp: number): Buffer {
  const sizes = entries.map(frameBytes);
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const [index, entry] of entries.entries()) {
    const frame = bytes.subarray(at, at + sizes[index]!);
    writeFrame(frame, entry, { index, offset: offset + index, timestamp });
    at += frame.length;
  }
  return bytes;
}

/** The size of a record in a segment, in bytes. */
export function frameBytes(entry: Entry): number {
  if ('quietMs' in entry) return keyAt + quietBytes;
  return keyAt + (entry.key?.length ?? 0) + (entry.value?.length ?? 0);
}

/** The bytes of a record's time without records. */
const quietBytes = 8;

/**
 * Reads the record at a position of bytes that end at `end`. `short`: it seems to go on behind the end; `damaged`: there is no
 * record.
 */
export function readFrame(bytes: Buffer, at: number, end: number = bytes.length): Frame | 'short' | 'damaged' {
  if (at + bodyAt > end) return 'short';
  const length = bytes.readUInt32LE(at + 4);
  if (length < keyAt - bodyAt || length > bodyBytesMax) return 'damaged';
  const next = at + bodyAt + length;
  if (next > end) return 'short';
  if (crc32c(bytes.subarray(at + 4, next)) !== bytes.readUInt32LE(at)) return 'damaged';
  return { record: recordOf(bytes, at, next), index: bytes.readUInt32LE(at + indexAt), end: next };
}

/**
 * Returns whether, as far as its fixed fields tell, a record with an offset above `offset` may begin at a position: a quick look before its
 * checksum is computed.
 */
export function mayBeginAt(bytes: Buffer, at: number, offset: number): boolean {
  if (bytes[at + kindAt]! > kinds.quiet) return false;
  const found = bytes.readDoubleLE(at + offsetAt);
  return found > offset && found < offset + 2 ** 32 && Number.isInteger(found);
}

function writeFrame(
  frame: Buffer,
  entry: Entry,
  { index, offset, timestamp }: { readonly index: number; readonly offset: number; readonly timestamp: number },
): void {
  const isQuiet = 'quietMs' in entry;
  const key = isQuiet ? undefined : entry.key;
  const value = isQuiet ? null : entry.value;
  frame.writeUInt32LE(frame.length - bodyAt, 4);
  frame[kindAt] = isQuiet ? kinds.quiet : value === null ? kinds.none : kinds.value;
  frame.writeUInt32LE(index, indexAt);
  frame.writeDoubleLE(offset, offsetAt);
  frame.writeDoubleLE(timestamp, timestampAt);
  frame.writeInt32LE(key?.length ?? -1, keyLengthAt);
  if (isQuiet) frame.writeDoubleLE(entry.quietMs, keyAt);
  if (key !== undefined) frame.set(key, keyAt);
  if (value !== null) frame.set(value, keyAt + (key?.length ?? 0));
  frame.writeUInt32LE(crc32c(frame.subarray(4)), 0);
}

/** The record of bytes whose checksum is right. */
function recordOf(bytes: Buffer, at: number, end: number): LogRecord {
  const kind = bytes[at + kindAt];
  const offset = bytes.readDoubleLE(at + offsetAt);
  const timestamp = bytes.readDoubleLE(at + timestampAt);
  if (kind === kinds.quiet)
    return { bytes, start: -1, end: -1, offset, timestamp, quietMs: bytes.readDoubleLE(at + keyAt) };
  const keyLength = bytes.readInt32LE(at + keyLengthAt);
  const keyStart = keyLength < 0 ? -1 : at + keyAt;
  const keyEnd = keyLength < 0 ? -1 : keyStart + keyLength;
  const start = keyLength < 0 ? at + keyAt : keyEnd;
  const value = kind === kinds.none ? { start: -1, end: -1 } : { start, end };
  return { bytes, ...value, keyStart, keyEnd, offset, timestamp };
}
