import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignore } from '../object-store/object-store.ts';

/** A file of a partition: its records follow each other, and those of the next segment follow them. */
export interface Segment {
  /** Offset of its first record. */
  readonly first: number;
  readonly path: string;
}

/** Bytes beyond which a segment is ended. */
export const segmentBytes: number = 64 * 2 ** 20;

/** The folder of a partition: no folder of checkpoints is named so. */
export function partitionPath(folder: string, topic: string, partition: number): string {
  return join(folder, `${topic}-${partition}`);
}

/** The path of the segment that begins at an offset. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(offsetDigits, '0')}.log`);
}

/** The segments in the folder of a partition, by offset. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const names = (await readdir(folder).catch(ignore('ENOENT'))) ?? [];
  return names
    .filter((name) => segmentName.test(name))
    .map((name) => ({ first: Number(name.slice(0, offsetDigits)), path: join(folder, name) }))
    .sort((a, b) => a.first - b.first);
}

/** Bytes of a segment, and when it was last written in ms. */
export async function segmentSize({ path }: Segment): Promise<{ readonly bytes: number; readonly lastMs: number }> {
  const { size, mtimeMs } = await stat(path);
  return { bytes: size, lastMs: mtimeMs };
}

const offsetDigits = 16;
const segmentName = /^\d{16}\.log$/;
