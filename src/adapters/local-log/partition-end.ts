import { open, readFile } from 'node:fs/promises';
import type { Log } from '../../ports.ts';
import { syncFolder } from '../object-store/make-folder.ts';
import type { EndedSegment, PartitionEnd } from './partition-writer.ts';
import { type Scan, scanSegment } from './scan.ts';
import { listSegments, type Segment, segmentSize } from './segments.ts';

/**
 * Finds where a partition is written on. Bytes behind its last whole record were never durable: they are cut off, and logged. Where a record is damaged
 * that was durable, its segment is ended as it is, for a person to look at.
 */
export async function partitionEnd(folder: string, log: Log): Promise<PartitionEnd> {
  const segments = await listSegments(folder);
  const last = segments.at(-1);
  if (last === undefined)
    return { ended: [], active: undefined, nextOffset: 0, lastMs: 0, quietMs: 0, marks: [{ offset: 0, bytes: 0 }] };
  const { ended, marks, bytes } = await endedSegments(segments.slice(0, -1));
  const scan = scanSegment(await readFile(last.path), last.first);
  await settleTail(last, scan, log);
  await syncFolder(folder);
  const { nextOffset, quietMs, damage } = scan;
  const lastMs = scan.nextOffset > last.first ? scan.lastMs : await lastMsOf(segments.at(-2));
  const all = [
    ...marks,
    ...scan.marks.map((mark) => ({ ...mark, bytes: bytes + mark.bytes })),
    { offset: nextOffset, bytes: bytes + scan.end },
  ];
  const found = { nextOffset, lastMs, quietMs, marks: all };
  if (damage === undefined) return { ...found, ended, active: { ...last, bytes: scan.end } };
  log.error({ file: last.path, byte: damage.bytes, offset: damage.offset }, 'a record of the log is damaged');
  return { ...found, ended: [...ended, { ...last, lastMs }], active: undefined };
}

async function endedSegments(segments: readonly Segment[]): Promise<{
  readonly ended: readonly EndedSegment[];
  readonly marks: PartitionEnd['marks'];
  readonly bytes: number;
}> {
  const ended: EndedSegment[] = [];
  const marks = [];
  let sum = 0;
  for (const segment of segments) {
    const { bytes, lastMs } = await segmentSize(segment);
    ended.push({ ...segment, lastMs });
    marks.push({ offset: segment.first, bytes: sum });
    sum += bytes;
  }
  return { ended, marks, bytes: sum };
}

async function lastMsOf(segment: Segment | undefined): Promise<number> {
  return segment === undefined ? 0 : scanSegment(await readFile(segment.path), segment.first).lastMs;
}

async function settleTail({ path }: Segment, { end }: Scan, log: Log): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    if (size !== end) {
      await file.truncate(end);
      const fields = { file: path, byte: end, bytes: size - end };
      log.warn(fields, 'the last write to the log was cut short: its rest is cut off');
    }
    // Whole records of a killed process may not be on the disk yet, and are about to be scored.
    await file.datasync();
  } finally {
    await file.close();
  }
}
