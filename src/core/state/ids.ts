import { createSlots, find, isAt, isTaken, listed, put, putAfter, renewed } from './slots.ts';
import { setTime, type Slots, slotsIn, timeIn } from './slots.ts';

/**
 * Identities of 128 bits, each with the event time at which it was met: what de-duplication remembers. What lies below the floor is
 * forgotten; it leaves memory when its place is needed.
 *
 * They lie in segments by their highest byte, and in a segment in their order. Hence files hold them sorted and are read in one pass
 * over memory, and a segment grows without moving the others.
 */
export interface Ids {
  /** By the highest byte. */
  readonly segments: (Slots | undefined)[];
  /** Event time below which nothing is remembered: a multiple of `bucketMs`. */
  floor: number;
  /** How many are remembered, by the bucket of their time. */
  readonly counts: Map<number, number>;
  /** How many are remembered. */
  size: number;
  /** What was met since the last cut: a list. */
  changes: Slots;
  /** So much was met since the last cut that the next holds everything. */
  changedAll: boolean;
}

/** Ids are counted, and forgotten, by spans of event time of this length. */
export const bucketMs = 5_000;

const segmentCount = 256;
const changesMax: number = 1 << 20;
/** Buckets above the floor that are counted without a map: many more than a horizon has. */
const nearBuckets = 4_096;

/** None. */
export function createIds(): Ids {
  return {
    segments: Array.from({ length: segmentCount }, () => undefined),
    floor: Number.NEGATIVE_INFINITY,
    counts: new Map(),
    size: 0,
    changes: createSlots(0),
    changedAll: false,
  };
}

/** Makes room for so many ids where there are none yet. */
export function reserveIds(ids: Ids, count: number): void {
  if (count < segmentCount) return;
  for (let number = 0; number < segmentCount; number++) ids.segments[number] ??= createSlots(count / segmentCount);
}

/** Whether an id (4 words at `words[at]`) is remembered. */
export function isKnown(ids: Ids, words: Uint32Array, at: number): boolean {
  const segment = ids.segments[segmentOf(words, at)];
  if (segment === undefined) return false;
  const slot = find(segment, words, at);
  return isAt(segment, slot, words, at) && isTaken(segment, slot, ids.floor);
}

/**
 * Whether an id was met at `horizon` or later, which lies at the floor or above. If not, it is remembered as met at `ts`, unless that lies
 * below the floor. One search does for the question and the entry.
 */
export function meet(ids: Ids, words: Uint32Array, at: number, ts: number, horizon: number): boolean {
  const number = segmentOf(words, at);
  const segment = (ids.segments[number] ??= createSlots(0));
  const slot = find(segment, words, at);
  const known = isAt(segment, slot, words, at);
  if (known && timeIn(segment, slot) >= horizon) return true;
  if (ts < ids.floor) return false;
  if (!known) insert(ids, number, slot, words, at, ts);
  else {
    if (isTaken(segment, slot, ids.floor)) count(ids, timeIn(segment, slot), -1);
    setTime(segment, slot, ts);
  }
  count(ids, ts, 1);
  noteChange(ids, words, at, ts);
  return false;
}

/** Rows of ids and times by columns: four of words, one of times. */
export type IdColumns = readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/**
 * Remembers what a cut holds already, instead of what was known. Ids in their order need no search. `recount` is due afterwards: while
 * ids are entered, `counts` and `size` are not kept.
 */
export function enter(ids: Ids, columns: IdColumns, rows: number): void {
  const [first, second, third, fourth, times] = columns;
  const words = new Uint32Array(4);
  let number = -1;
  let segment: Slots | undefined;
  let last = -1;
  for (let row = 0; row < rows; row++) {
    const ts = times[row]!;
    if (ts < ids.floor) continue;
    words[0] = first[row]!;
    words[1] = second[row]!;
    words[2] = third[row]!;
    words[3] = fourth[row]!;
    if (segment !== undefined && segmentOf(words, 0) === number) {
      const slot = putAfter(segment, last, words, 0, ts);
      if (slot >= 0) {
        last = slot;
        continue;
      }
    }
    number = segmentOf(words, 0);
    segment = ids.segments[number] ??= createSlots(0);
    last = find(segment, words, 0);
    if (isAt(segment, last, words, 0)) setTime(segment, last, ts);
    else {
      insert(ids, number, last, words, 0, ts);
      segment = ids.segments[number]!;
      last = find(segment, words, 0);
    }
  }
}

/** Counts what is remembered. */
export function recount(ids: Ids): void {
  const from = bucketOf(ids.floor);
  const near = new Float64Array(nearBuckets);
  ids.counts.clear();
  ids.size = 0;
  for (const segment of takenSegments(ids)) {
    const slots = slotsIn(segment);
    for (let slot = 0; slot < slots; slot++) {
      if (!isTaken(segment, slot, ids.floor)) continue;
      const at = Math.floor(timeIn(segment, slot) / bucketMs) - from;
      if (at < nearBuckets) near[at]!++;
      else count(ids, timeIn(segment, slot), 1);
    }
  }
  for (let at = 0; at < nearBuckets; at++) {
    if (near[at] === 0) continue;
    ids.counts.set(from + at, near[at]!);
    ids.size += near[at]!;
  }
}

/** Forgets what was met before a bucket began. */
export function forgetBelow(ids: Ids, floor: number): void {
  if (floor <= ids.floor) return;
  ids.floor = floor;
  for (const [bucket, counted] of ids.counts) {
    if (bucket * bucketMs >= floor) continue;
    ids.counts.delete(bucket);
    ids.size -= counted;
  }
}

/** The bucket of an event time. */
export function bucketOf(ts: number): number {
  return Math.floor(ts / bucketMs);
}

/** Forgets what changed: the caller has it. */
export function clearIdChanges(ids: Ids): void {
  ids.changes = createSlots(0);
  ids.changedAll = false;
}

/** Segments in the order of what they hold, but those that hold nothing. */
export function takenSegments({ segments }: Ids): readonly Slots[] {
  return segments.filter((segment) => segment !== undefined);
}

/** The segment that an id belongs to. */
export function segmentOf(words: Uint32Array, at: number): number {
  return words[at]! >>> 24;
}

function noteChange(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  if (ids.changedAll) return;
  if (ids.changes.used < changesMax) ids.changes = listed(ids.changes, words, at, ts);
  else {
    clearIdChanges(ids);
    ids.changedAll = true;
  }
}

/** Puts an id that its segment does not hold into it; `slot` is where `find` would have it. */
function insert(ids: Ids, number: number, slot: number, words: Uint32Array, at: number, ts: number): void {
  let segment = ids.segments[number]!;
  for (let to = slot; !put(segment, to, words, at, ts); to = find(segment, words, at)) {
    segment = renewed(segment, ids.floor);
    ids.segments[number] = segment;
  }
}

function count(ids: Ids, ts: number, change: 1 | -1): void {
  const bucket = bucketOf(ts);
  const counted = (ids.counts.get(bucket) ?? 0) + change;
  if (counted === 0) ids.counts.delete(bucket);
  else ids.counts.set(bucket, counted);
  ids.size += change;
}
