import { type FileHandle, open } from 'node:fs/promises';
import type { LogRecord } from '../../stream/event.ts';
import { readFrame } from './frame.ts';
import { listSegments, type Segment } from './segments.ts';

/** Records of one partition that follow each other, or what lies in their place. */
export type Batch =
  | { readonly records: readonly LogRecord[] }
  /** Records up to `next` are in no file: their segment was taken away. */
  | { readonly next: number }
  /** The record at the position is damaged. */
  | { readonly problem: string };

/** Reads a partition from an offset on, a bounded batch at a time. */
export interface SegmentReader {
  /** The next records below `end`, which is durable. Only to be called while the position is below it. */
  read(end: number): Promise<Batch>;
  close(): Promise<void>;
}

const chunkBytes = 2 ** 18;
const batchRecords = 500;

/** A reader of a partition's folder that begins at `offset`; the records are valid until the next call of `read`. */
export function segmentReader(folder: string, offset: number): SegmentReader {
  const reading: Reading = { folder, offset, open: undefined };
  return {
    read: (end) => readBatch(reading, end),
    close: () => closeSegment(reading),
  };
}

interface Reading {
  readonly folder: string;
  /** Offset of the next record that is wanted. */
  offset: number;
  open: OpenSegment | undefined;
}

interface OpenSegment {
  readonly segment: Segment;
  readonly file: FileHandle;
  /** Position of the next record in the file, and its offset: it may lie before the one that is wanted. */
  at: number;
  offset: number;
  /** Bytes of the file from that position on. */
  buffer: Buffer;
  /** Next offset that was not durable when they were read: what they hold from there on may be other bytes now. */
  end: number;
}

async function readBatch(reading: Reading, end: number): Promise<Batch> {
  const skipped = reading.open === undefined ? await openSegment(reading) : undefined;
  if (skipped !== undefined) return skipped;
  const open = reading.open!;
  let [wanted, isRead] = [chunkBytes, false];
  for (;;) {
    const { records, problem } = takeRecords(open);
    const fresh = records.filter((record) => record.offset >= reading.offset);
    if (fresh.length > 0) {
      reading.offset = open.offset;
      return { records: fresh };
    }
    if (records.length > 0) {
      isRead = false;
      continue;
    }
    if (isRead && problem !== 'short') return await damaged(reading);
    if (isRead && open.buffer.length < wanted) return await behindSegment(reading);
    if (isRead) wanted *= 2;
    open.buffer = await bytesAt(open, wanted);
    open.end = end;
    isRead = true;
  }
}

/** Opens the segment that holds the next record. */
async function openSegment(reading: Reading): Promise<Batch | undefined> {
  const segments = await listSegments(reading.folder);
  const segment = segments.findLast(({ first }) => first <= reading.offset) ?? segments[0];
  if (segment === undefined) return { problem: `${reading.folder} holds no segment` };
  if (segment.first > reading.offset) return skipTo(reading, segment.first);
  const file = await open(segment.path, 'r');
  reading.open = { segment, file, at: 0, offset: segment.first, buffer: Buffer.alloc(0), end: 0 };
  return undefined;
}

/** The file ends before the next record: the next segment goes on, or what lay between is gone. */
async function behindSegment(reading: Reading): Promise<Batch> {
  const { segment, offset, buffer } = reading.open!;
  const next = (await listSegments(reading.folder)).find(({ first }) => first > segment.first);
  if (buffer.length > 0 || next === undefined || next.first < offset) return await damaged(reading);
  await closeSegment(reading);
  return next.first > reading.offset ? skipTo(reading, next.first) : { records: [] };
}

/** The file is opened anew at the next call: a person may have put another in its place. */
async function damaged(reading: Reading): Promise<Batch> {
  const { segment, at, offset } = reading.open!;
  await closeSegment(reading);
  return { problem: `${segment.path} is damaged at byte ${at}, where the record with offset ${offset} belongs` };
}

function skipTo(reading: Reading, next: number): Batch {
  reading.offset = next;
  return { next };
}

/** Bytes of the file from its next record on: so many, or all that it has. */
async function bytesAt({ file, at }: OpenSegment, wanted: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(wanted);
  let length = 0;
  while (length < wanted) {
    const { bytesRead } = await file.read(bytes, length, wanted - length, at + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** Takes whole records out of the bytes that were read, and says why there is none behind them. */
function takeRecords(open: OpenSegment): {
  readonly records: readonly LogRecord[];
  readonly problem: 'short' | 'damaged' | undefined;
} {
  const { buffer } = open;
  const records: LogRecord[] = [];
  let problem: 'short' | 'damaged' | undefined;
  let taken = 0;
  while (records.length < batchRecords && open.offset < open.end) {
    const frame = readFrame(buffer, taken);
    if (typeof frame === 'string') problem = frame;
    else if (frame.record.offset !== open.offset) problem = 'damaged';
    if (typeof frame === 'string' || problem !== undefined) break;
    records.push(frame.record);
    taken = frame.end;
    open.offset++;
  }
  open.buffer = buffer.subarray(taken);
  open.at += taken;
  return { records, problem };
}

async function closeSegment(reading: Reading): Promise<void> {
  const { file } = reading.open ?? {};
  reading.open = undefined;
  await file?.close();
}
