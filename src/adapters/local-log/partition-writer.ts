import { type FileHandle, open, rm } from 'node:fs/promises';
import { syncFolder } from '../object-store/make-folder.ts';
import { addMark, bytesFrom, type Positions } from './backlog.ts';
import { type Entry, frameBytes, groupBytes } from './frame.ts';
import type { Mark } from './scan.ts';
import { type Segment, segmentBytes, segmentPath } from './segments.ts';

/** A segment that is no longer written to. */
export interface EndedSegment extends Segment {
  /** Append time of its last record, ms. */
  readonly lastMs: number;
}

/** Where a partition is written on. */
export interface PartitionEnd {
  readonly ended: readonly EndedSegment[];
  /** The segment that is written to; undefined where there is none yet. */
  readonly active: (Segment & { readonly bytes: number }) | undefined;
  readonly nextOffset: number;
  readonly lastMs: number;
  readonly quietMs: number;
  /** At least one: where it begins. */
  readonly marks: readonly Mark[];
}

export interface PartitionWriterOptions {
  readonly folder: string;
  readonly from: PartitionEnd;
  readonly nowMs: () => number;
  readonly onDurable: (nextOffset: number) => void;
  /** Called with what a write failed of, and with undefined when one has succeeded. */
  readonly onWrite: (error: Error | undefined) => void;
  /** Bytes beyond which a segment is ended. */
  readonly segmentBytesMax?: number;
}

/** The writer of a partition. What is appended while a write is under way is written together, as the next one. */
export interface PartitionWriter {
  /** Resolves when the entries are durable; rejects with the error of their write, of which nothing stays. */
  append(entries: readonly Entry[]): Promise<void>;
  /** Time in ms since the last write, 0 while one is under way; and time without records that the log tells of at its end. */
  quiet(): { readonly sinceMs: number; readonly writtenMs: number };
  /** Bytes from an offset on, with those that wait to be written. */
  bytesFrom(offset: number): number;
  nextOffset(): number;
  /** Removes segments below `covered` whose last record was appended before `beforeMs`. */
  retain(covered: number, beforeMs: number): Promise<void>;
  /** Resolves when all is written that was appended. */
  close(): Promise<void>;
}

/** A writer of a partition that ends as `from` says. */
export function partitionWriter({
  segmentBytesMax = segmentBytes,
  ...options
}: PartitionWriterOptions): PartitionWriter {
  const { from } = options;
  const writing: Writing = {
    ...options,
    segmentBytesMax,
    ended: [...from.ended],
    active: from.active && { ...from.active, file: undefined, isTorn: false },
    nextOffset: from.nextOffset,
    lastMs: from.lastMs,
    quietMs: from.quietMs,
    quietSince: performance.now(),
    positions: { marks: [...from.marks] },
    waiting: [],
    waitingBytes: 0,
    work: Promise.resolve(),
    isWriting: false,
  };
  return {
    append: (entries) => append(writing, entries),
    quiet: () => ({
      sinceMs: writing.isWriting ? 0 : performance.now() - writing.quietSince,
      writtenMs: writing.quietMs,
    }),
    bytesFrom: (offset) => bytesFrom(writing.positions, offset) + writing.waitingBytes,
    nextOffset: () => writing.nextOffset,
    retain: (covered, beforeMs) => inOrder(writing, () => removeEnded(writing, covered, beforeMs)),
    async close() {
      await inOrder(writing, async () => writing.active?.file?.close());
    },
  };
}

interface Writing extends Omit<PartitionWriterOptions, 'from'> {
  readonly segmentBytesMax: number;
  readonly ended: EndedSegment[];
  active: Active | undefined;
  nextOffset: number;
  lastMs: number;
  quietMs: number;
  /** On the clock of `performance.now()`. */
  quietSince: number;
  readonly positions: Positions;
  waiting: Waiting[];
  waitingBytes: number;
  /** Writes, and removals of segments, one after the other. */
  work: Promise<unknown>;
  isWriting: boolean;
}

interface Active extends Segment {
  /** Durable bytes. */
  bytes: number;
  file: FileHandle | undefined;
  /** Bytes may lie behind the durable ones: they are cut off before the next write. */
  isTorn: boolean;
}

interface Waiting {
  readonly entries: readonly Entry[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Bytes of one write, unless a single call has more. */
const groupBytesMax = 8 * 2 ** 20;

function append(writing: Writing, entries: readonly Entry[]): Promise<void> {
  writing.waitingBytes += sizeOf(entries);
  const durable = new Promise<void>((resolve, reject) => void writing.waiting.push({ entries, resolve, reject }));
  if (!writing.isWriting) {
    writing.isWriting = true;
    void inOrder(writing, () => writeWaiting(writing));
  }
  return durable;
}

function inOrder(writing: Writing, work: () => Promise<void>): Promise<void> {
  const done = writing.work.then(work);
  writing.work = done.catch(() => undefined);
  return done;
}

async function writeWaiting(writing: Writing): Promise<void> {
  while (writing.waiting.length > 0) {
    const group = takeGroup(writing);
    const entries = group.flatMap((each) => each.entries);
    try {
      await write(writing, entries);
      for (const { resolve } of group) resolve();
      writing.onWrite(undefined);
    } catch (error) {
      for (const { reject } of group) reject(error as Error);
      writing.onWrite(error as Error);
    }
    writing.waitingBytes -= sizeOf(entries);
  }
  writing.isWriting = false;
}

function takeGroup(writing: Writing): Waiting[] {
  let bytes = 0;
  const count = writing.waiting.findIndex(({ entries }) => {
    bytes += sizeOf(entries);
    return bytes > groupBytesMax;
  });
  return writing.waiting.splice(0, count < 0 ? writing.waiting.length : Math.max(1, count));
}

/** Makes entries durable, all or none. */
async function write(writing: Writing, entries: readonly Entry[]): Promise<void> {
  const active = await activeSegment(writing);
  const timestamp = Math.max(writing.lastMs, writing.nowMs());
  const bytes = groupBytes(entries, writing.nextOffset, timestamp);
  try {
    if (active.isTorn) await active.file!.truncate(active.bytes);
    active.isTorn = true;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await active.file!.write(bytes, at, bytes.length - at, active.bytes + at);
      at += bytesWritten;
    }
    await active.file!.datasync();
    active.isTorn = false;
  } catch (error) {
    // The room is given back at once; where that fails too it is tried before the next write.
    await active.file!.truncate(active.bytes).catch(() => undefined);
    throw error;
  }
  active.bytes += bytes.length;
  writing.nextOffset += entries.length;
  writing.lastMs = timestamp;
  noteQuiet(writing, entries);
  addMark(writing.positions, {
    offset: writing.nextOffset,
    bytes: (writing.positions.marks.at(-1)?.bytes ?? 0) + bytes.length,
  });
  writing.onDurable(writing.nextOffset);
}

function noteQuiet(writing: Writing, entries: readonly Entry[]): void {
  for (const entry of entries) writing.quietMs = 'quietMs' in entry ? writing.quietMs + entry.quietMs : 0;
  writing.quietSince = performance.now();
}

/** The segment that is written to, opened; a new one where the last is full. */
async function activeSegment(writing: Writing): Promise<Active> {
  if (writing.active !== undefined && writing.active.bytes >= writing.segmentBytesMax) await endActive(writing);
  writing.active ??= await newSegment(writing);
  writing.active.file ??= await open(writing.active.path, 'r+');
  return writing.active;
}

async function endActive(writing: Writing): Promise<void> {
  const { first, path, file } = writing.active!;
  const next = await newSegment(writing);
  await file?.close();
  writing.ended.push({ first, path, lastMs: writing.lastMs });
  writing.active = next;
}

async function newSegment({ folder, nextOffset }: Writing): Promise<Active> {
  const path = segmentPath(folder, nextOffset);
  const file = await open(path, 'w');
  try {
    await syncFolder(folder);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { first: nextOffset, path, bytes: 0, file, isTorn: false };
}

/** The oldest go first. The last one goes too, once it is covered: an empty one that says the next offset takes its place. */
async function removeEnded(writing: Writing, covered: number, beforeMs: number): Promise<void> {
  const { active, ended, nextOffset, lastMs } = writing;
  if (active !== undefined && active.bytes > 0 && covered >= nextOffset && lastMs < beforeMs) await endActive(writing);
  while (ended.length > 0) {
    const [oldest, next] = [ended[0]!, ended[1] ?? writing.active!];
    if (next.first > covered || oldest.lastMs >= beforeMs) return;
    await rm(oldest.path, { force: true });
    ended.shift();
  }
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + frameBytes(entry), 0);
}
