import { frameBytesMin, mayBeginAt, readFrame } from './frame.ts';

/** Offset at a position of a log in bytes. */
export interface Mark {
  readonly offset: number;
  readonly bytes: number;
}

/** The content of a segment, as a writer finds it at its start. */
export interface Scan {
  /** Position behind the last whole record: bytes from here on were never durable. */
  readonly end: number;
  /** Offset of the record that comes next. */
  readonly nextOffset: number;
  /** Append time of the last record in ms; 0 where there is none. */
  readonly lastMs: number;
  /** Time without records that the records at its end tell of, in ms. */
  readonly quietMs: number;
  /** Positions of records now and then. */
  readonly marks: readonly Mark[];
  /** The first place that holds no record though records behind it were written once it was durable; undefined where all is whole. */
  readonly damage: Mark | undefined;
}

/** Bytes between two marks. */
const markBytes = 65_536;

/**
 * Reads all records of a segment. A record that is not whole is the torn end of the last write, unless a record of a later group lies behind it:
 * then it was durable, and is damaged now.
 */
export function scanSegment(bytes: Buffer, firstOffset: number): Scan {
  const marks: Mark[] = [{ offset: firstOffset, bytes: 0 }];
  let [at, nextOffset, lastMs, quietMs] = [0, firstOffset, 0, 0];
  let damage: Mark | undefined;
  for (;;) {
    const frame = readFrame(bytes, at);
    if (typeof frame === 'string' || frame.record.offset !== nextOffset) {
      const later = laterGroup(bytes, at, nextOffset);
      if (later === undefined) return { end: at, nextOffset, lastMs, quietMs, marks, damage };
      damage ??= { offset: nextOffset, bytes: at };
      [at, nextOffset] = [later.bytes, later.offset];
      continue;
    }
    const { record, end } = frame;
    if (at - marks.at(-1)!.bytes >= markBytes) marks.push({ offset: nextOffset, bytes: at });
    quietMs = record.quietMs === undefined ? 0 : quietMs + record.quietMs;
    [at, nextOffset, lastMs] = [end, nextOffset + 1, record.timestamp];
  }
}

/** The first record behind a position whose group was begun after `offset` was durable. */
function laterGroup(bytes: Buffer, from: number, offset: number): Mark | undefined {
  for (let at = from + 1; at + frameBytesMin <= bytes.length; at++) {
    if (!mayBeginAt(bytes, at, offset)) continue;
    const frame = readFrame(bytes, at);
    if (typeof frame === 'string') continue;
    if (frame.record.offset - frame.index > offset) return { offset: frame.record.offset, bytes: at };
  }
  return undefined;
}
