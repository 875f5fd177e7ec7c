import { open, rm } from 'node:fs/promises';
import { keyOf, type LogRecord } from '../../stream/event.ts';
import type { Log } from '../../ports.ts';
import { syncFolder } from '../object-store/make-folder.ts';
import { type Entry, frameBytes, groupBytes } from './frame.ts';
import { segmentReader } from './segment-reader.ts';
import { listSegments, segmentPath } from './segments.ts';

/** Bytes below which a log is left as it is. */
const bytesMin = 2 ** 20;
const groupBytesMax = 8 * 2 ** 20;

/**
 * Makes the log of a partition as small as its newest rows, where they are less than half of it: they are written again behind its end, and all before
 * is removed, the oldest first. Killed at any moment it leaves the same rows. Resolves with whether anything was done.
 */
export async function compactTruth(folder: string, end: number, log: Log): Promise<boolean> {
  const newest = new Map<string, number>();
  const bytes = { all: 0, live: 0 };
  const rows = new Map<string, number>();
  const problem = await eachRecord(folder, end, async (record) => {
    const key = nameOf(record);
    const size = frameBytes(entryOf(record));
    bytes.all += size;
    bytes.live += (record.start < 0 ? 0 : size) - (rows.get(key) ?? 0);
    rows.set(key, record.start < 0 ? 0 : size);
    newest.set(key, record.offset);
  });
  if (problem !== undefined || bytes.all < bytesMin || 2 * bytes.live >= bytes.all) return false;
  const old = (await listSegments(folder)).filter(({ first }) => first < end);
  await writeNewest(folder, end, newest);
  for (const { path } of old) await rm(path, { force: true });
  log.info({ folder, before: bytes.all, after: bytes.live }, 'rows of truth that later ones replaced are removed');
  return true;
}

async function writeNewest(folder: string, end: number, newest: ReadonlyMap<string, number>): Promise<void> {
  const file = await open(segmentPath(folder, end), 'w');
  let offset = end;
  let group: { readonly entries: Entry[]; bytes: number; lastMs: number } = { entries: [], bytes: 0, lastMs: 0 };
  const write = async (): Promise<void> => {
    const bytes = groupBytes(group.entries, offset, group.lastMs);
    await file.appendFile(bytes);
    await file.datasync();
    offset += group.entries.length;
    group = { entries: [], bytes: 0, lastMs: group.lastMs };
  };
  try {
    await eachRecord(folder, end, async (record) => {
      group.lastMs = record.timestamp;
      if (record.start < 0 || newest.get(nameOf(record)) !== record.offset) return;
      const entry = entryOf(record);
      group.entries.push(entry);
      group.bytes += frameBytes(entry);
      if (group.bytes >= groupBytesMax) await write();
    });
    await write();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
}

/** Calls `each` with the records below `end`; returns what is damaged. */
async function eachRecord(
  folder: string,
  end: number,
  each: (record: LogRecord) => Promise<void>,
): Promise<string | undefined> {
  let next = (await listSegments(folder))[0]?.first ?? end;
  const reader = segmentReader(folder, next);
  try {
    while (next < end) {
      const batch = await reader.read(end);
      if ('problem' in batch) return batch.problem;
      if ('next' in batch) next = batch.next;
      else
        for (const record of batch.records) {
          await each(record);
          next = record.offset + 1;
        }
    }
    return undefined;
  } finally {
    await reader.close();
  }
}

function nameOf(record: LogRecord): string {
  return Buffer.from(keyOf(record) ?? []).toString('latin1');
}

function entryOf(record: LogRecord): Entry {
  const { bytes, start, end } = record;
  return { key: keyOf(record) ?? undefined, value: start < 0 ? null : bytes.subarray(start, end) };
}
