import {
  contentIn,
  createSegment,
  find,
  type IdSegment,
  isAt,
  isTaken,
  listed,
  put,
  renewed,
  slotsIn,
  timeIn,
  write,
} from './id-segment.ts';
import { keysBetween } from './keys-between.ts';

/**
 * Identities of 96 bits, each with a hash of its content (32 bits) and the event time at which it was met: what de-duplication remembers. What lies below the floor is
 * forgotten; it leaves memory when its place is needed.
 *
 * They lie in segments by their highest byte, and in a segment in their order. Hence files hold them sorted and are read in one pass
 * over memory, and a segment grows without moving the others.
 */
export interface Ids {
  /** By the highest byte. */
  readonly segments: (IdSegment | undefined)[];
  /** Event time below which nothing is remembered: a multiple of `bucketMs`. */
  floor: number;
  /** How many are remembered, by the bucket of their time. */
  readonly counts: Map<number, number>;
  /** How many are remembered. */
  size: number;
  /** The ids since the last checkpoint: a list. */
  changes: IdSegment;
  /** So much was met since the last checkpoint that the next holds everything. */
  changedAll: boolean;
}

/** Ids are counted, and forgotten, by spans of event time of this length. */
export const bucketMs = 5_000;

/** One for each value of the highest byte. */
export const segmentCount = 256;
const changesMax: number = 1 << 20;
const changesKept: number = 1 << 16;

/** None. */
export function createIds(): Ids {
  return {
    segments: Array.from({ length: segmentCount }, () => undefined),
    floor: Number.NEGATIVE_INFINITY,
    counts: new Map(),
    size: 0,
    changes: createSegment(0),
    changedAll: false,
  };
}

/** Returns whether an id (4 words at `words[at]`) is remembered. */
export function isKnown(ids: Ids, words: Uint32Array, at: number): boolean {
  const segment = ids.segments[segmentOf(words[at]!)];
  if (segment === undefined) return false;
  const slot = find(segment, words, at);
  return isAt(segment, slot, words, at) && isTaken(segment, slot, ids.floor);
}

/** The event time at which an id was met that is remembered; undefined for any other. */
export function timeKnown(ids: Ids, words: Uint32Array, at: number): number | undefined {
  const segment = ids.segments[segmentOf(words[at]!)];
  if (segment === undefined) return undefined;
  const slot = find(segment, words, at);
  return isAt(segment, slot, words, at) && isTaken(segment, slot, ids.floor) ? timeIn(segment, slot) : undefined;
}

/** The hash of the content with which an id was met that is remembered. */
export function contentOf(ids: Ids, words: Uint32Array, at: number): number {
  const segment = ids.segments[segmentOf(words[at]!)]!;
  return contentIn(segment, find(segment, words, at));
}

/**
 * Returns whether an id was met at `horizon` or later, which lies at the floor or above. If not, it is remembered as met at `ts`, unless
 * that lies below the floor. One search does for the question and the entry.
 */
export function meet(ids: Ids, words: Uint32Array, at: number, ts: number, horizon: number): boolean {
  const number = segmentOf(words[at]!);
  const segment = (ids.segments[number] ??= createSegment(0));
  const slot = find(segment, words, at);
  const known = isAt(segment, slot, words, at);
  if (known && timeIn(segment, slot) >= horizon) return true;
  if (ts < ids.floor) return false;
  if (!known) insert(ids, number, slot, words, at, ts);
  else rewrite(ids, segment, slot, words, at, ts);
  count(ids, ts, 1);
  noteChange(ids, words, at, ts);
  return false;
}

/**
 * Remembers when an id was met, instead of what was known: no change, since the checkpoint holds it already. A segment that is not there
 * yet is made for so many ids as are expected.
 */
export function enter(ids: Ids, words: Uint32Array, at: number, ts: number, expected: number): void {
  if (ts < ids.floor) return;
  const number = segmentOf(words[at]!);
  const segment = (ids.segments[number] ??= createSegment(expected));
  const slot = find(segment, words, at);
  if (isAt(segment, slot, words, at)) rewrite(ids, segment, slot, words, at, ts);
  else insert(ids, number, slot, words, at, ts);
  count(ids, ts, 1);
}

/** Forgets what was met before a bucket began. */
export function forgetBelow(ids: Ids, floor: number): void {
  if (floor <= ids.floor) return;
  for (const bucket of keysBetween(ids.counts, bucketOf(ids.floor), bucketOf(floor) - 1)) {
    ids.size -= ids.counts.get(bucket)!;
    ids.counts.delete(bucket);
  }
  ids.floor = floor;
}

/** The bucket of an event time. */
export function bucketOf(ts: number): number {
  return Math.floor(ts / bucketMs);
}

/** Forgets what changed: the caller has it. */
export function clearIdChanges(ids: Ids): void {
  // As many are to be expected until the next checkpoint.
  if (slotsIn(ids.changes) <= changesKept) ids.changes.used = 0;
  else ids.changes = createSegment(0);
  ids.changedAll = false;
}

/** Segments in the order of what they hold, but those that hold nothing. */
export function takenSegments({ segments }: Ids): readonly IdSegment[] {
  return segments.filter((segment) => segment !== undefined);
}

/** The segment that an id with this first word belongs to. */
function segmentOf(word: number): number {
  return word >>> 24;
}

function noteChange(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  if (ids.changedAll) return;
  if (ids.changes.used < changesMax) ids.changes = listed(ids.changes, words, at, ts);
  else {
    clearIdChanges(ids);
    ids.changedAll = true;
  }
}

/** Gives an id another content and time, which is still to be counted. */
function rewrite(ids: Ids, segment: IdSegment, slot: number, words: Uint32Array, at: number, ts: number): void {
  if (isTaken(segment, slot, ids.floor)) count(ids, timeIn(segment, slot), -1);
  write(segment, slot, words, at, ts);
}

/** Puts an id that its segment does not hold into it; `slot` is where `find` would have it. */
function insert(ids: Ids, number: number, slot: number, words: Uint32Array, at: number, ts: number): void {
  let segment = ids.segments[number]!;
  for (let to = slot; !put(segment, to, words, at, ts); to = find(segment, words, at)) {
    segment = renewed(segment, ids.floor);
    ids.segments[number] = segment;
  }
}

/** Counts ids that are remembered. */
function count(ids: Ids, ts: number, change: number): void {
  const bucket = bucketOf(ts);
  const counted = (ids.counts.get(bucket) ?? 0) + change;
  if (counted === 0) ids.counts.delete(bucket);
  else ids.counts.set(bucket, counted);
  ids.size += change;
}
