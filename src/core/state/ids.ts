import { sharedDoubles } from '../shared-arrays.ts';

/**
 * Identities of 128 bits, each with the event time at which it was met: what de-duplication remembers. What lies below the floor is
 * forgotten; it leaves memory when its place is needed.
 *
 * They lie in segments by their highest byte, and in a segment in their order: open addressing with linear probing, where the home of an
 * identity is the place that it would have among evenly spread ones. Hence files hold them sorted and are read in one pass over
 * memory, and a segment grows without moving the others.
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
  /** What was met since the last cut, in slots one after the other. */
  changes: Slots;
  /** So much was met since the last cut that the next holds everything. */
  changedAll: boolean;
}

/** Slots of 24 bytes in two views of one buffer: four words (at 6 * slot), then a time (at 3 * slot + 2). The last one is always free. */
export interface Slots {
  readonly words: Uint32Array;
  readonly times: Float64Array;
  /** Slots that are somebody's home; those after them take what is displaced past the end. */
  readonly homes: number;
  used: number;
}

/** Ids are counted, and forgotten, by spans of event time of this length. */
export const bucketMs = 5_000;

/** The time in a free slot. */
const free: number = Number.NEGATIVE_INFINITY;
const segmentCount = 256;
const leastHomes = 64;
/** Share of its homes that a segment's ids take when it is made, and when it is full. */
const initialLoad = 0.6;
const fullLoad = 0.85;
/** Shares between which a segment that was full keeps its size. */
const leastLoad = 0.45;
const mostLoad = 0.65;
const leastSpare = 8;
const slotBytes = 24;
const changesMax: number = 1 << 20;

/** None. */
export function createIds(): Ids {
  return {
    segments: Array.from({ length: segmentCount }, () => undefined),
    floor: Number.NEGATIVE_INFINITY,
    counts: new Map(),
    size: 0,
    changes: slotsFor(0),
    changedAll: false,
  };
}

/** Bytes that so many ids take once as many leave as come. */
export function idsBytes(count: number): number {
  return Math.ceil((count / initialLoad) * (1 + 1 / 16)) * slotBytes;
}

/** Makes room for so many ids where there are none yet. */
export function reserveIds(ids: Ids, count: number): void {
  const each = count / segmentCount;
  if (each < leastHomes) return;
  for (let number = 0; number < segmentCount; number++) ids.segments[number] ??= slotsFor(each);
}

/** Whether an id (4 words at `words[at]`) is remembered. */
export function isKnown(ids: Ids, words: Uint32Array, at: number): boolean {
  const segment = ids.segments[words[at]! >>> 24];
  if (segment === undefined) return false;
  const slot = find(segment, words, at);
  return isAt(segment, slot, words, at) && isRemembered(ids, segment, slot);
}

/**
 * Whether an id was met at `horizon` or later, which lies at the floor or above. If not, it is remembered as met at `ts`, unless that lies
 * below the floor. One search does for the question and the entry.
 */
export function meet(ids: Ids, words: Uint32Array, at: number, ts: number, horizon: number): boolean {
  const number = words[at]! >>> 24;
  const segment = (ids.segments[number] ??= slotsFor(0));
  const slot = find(segment, words, at);
  const known = isAt(segment, slot, words, at);
  if (known && timeIn(segment, slot) >= horizon) return true;
  if (ts < ids.floor) return false;
  if (known) replaceTime(ids, segment, slot, ts);
  else insert(ids, number, slot, words, at, ts);
  noteChange(ids, words, at, ts);
  return false;
}

/** Remembers when an id was met, instead of what was known: no change, since a cut holds it already. */
export function enter(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  if (ts < ids.floor) return;
  const number = words[at]! >>> 24;
  const segment = (ids.segments[number] ??= slotsFor(0));
  const slot = find(segment, words, at);
  if (isAt(segment, slot, words, at)) replaceTime(ids, segment, slot, ts);
  else insert(ids, number, slot, words, at, ts);
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
  ids.changes = slotsFor(0);
  ids.changedAll = false;
}

/** Segments in the order of what they hold, but those that hold nothing. */
export function takenSegments({ segments }: Ids): readonly Slots[] {
  return segments.filter((segment) => segment !== undefined);
}

/** Whether a slot holds an id that is not forgotten. */
export function isRemembered({ floor }: Ids, slots: Slots, slot: number): boolean {
  const time = timeIn(slots, slot);
  return time !== free && time >= floor;
}

/** The time in a slot, -Infinity where it is free. */
export function timeIn({ times }: Slots, slot: number): number {
  return times[3 * slot + 2]!;
}

/** Number of slots. */
export function slotsIn({ times }: Slots): number {
  return times.length / 3;
}

/** Slots for so many ids, of which the last needs `least` slots. */
function slotsFor(count: number, least: number = 0): Slots {
  const homes = homesFor(count);
  const spare = leastSpare + (homes >> 4);
  const times = sharedDoubles(3 * (Math.max(homes, least) + spare)).fill(free);
  return { words: new Uint32Array(times.buffer), times, homes, used: 0 };
}

function longer(old: Slots): Slots {
  const made = slotsFor(0, 2 * slotsIn(old));
  made.words.set(old.words);
  made.used = old.used;
  return made;
}

function noteChange(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  if (ids.changedAll) return;
  if (ids.changes.used === changesMax) {
    clearIdChanges(ids);
    ids.changedAll = true;
    return;
  }
  if (ids.changes.used === slotsIn(ids.changes) - 1) ids.changes = longer(ids.changes);
  write(ids.changes, ids.changes.used++, words, at, ts);
}

function replaceTime(ids: Ids, segment: Slots, slot: number, ts: number): void {
  if (isRemembered(ids, segment, slot)) count(ids, timeIn(segment, slot), -1);
  segment.times[3 * slot + 2] = ts;
  count(ids, ts, 1);
}

/** Puts an id that its segment does not hold into it; `slot` is where `find` would have it. */
function insert(ids: Ids, number: number, slot: number, words: Uint32Array, at: number, ts: number): void {
  let segment = ids.segments[number]!;
  let place = slot;
  while (segment.used >= fullLoad * segment.homes || !freeSlot(segment, place)) {
    segment = renewed(ids, segment);
    ids.segments[number] = segment;
    place = find(segment, words, at);
  }
  write(segment, place, words, at, ts);
  segment.used++;
  count(ids, ts, 1);
}

function count(ids: Ids, ts: number, change: 1 | -1): void {
  const bucket = bucketOf(ts);
  const counted = (ids.counts.get(bucket) ?? 0) + change;
  if (counted === 0) ids.counts.delete(bucket);
  else ids.counts.set(bucket, counted);
  ids.size += change;
}

function homesFor(count: number): number {
  return Math.max(leastHomes, Math.ceil(count / initialLoad));
}

/** The segment without what is forgotten: in its place as long as that is of about the right size, else in one that is. */
function renewed(ids: Ids, old: Slots): Slots {
  const first = gatherLast(ids, old);
  const kept = slotsIn(old) - first;
  const homes = kept > leastLoad * old.homes && kept < mostLoad * old.homes ? old.homes : homesFor(kept);
  let last = -1;
  for (let slot = first; slot < slotsIn(old); slot++) last = Math.max(last + 1, homeOf(homes, old.words[6 * slot]!));
  const made = homes === old.homes && last + leastSpare < slotsIn(old) ? old : slotsFor(kept, last + 1);
  spread(old, first, made);
  return made;
}

/** Moves what is remembered to the end, in its order; the first slot of it. */
function gatherLast(ids: Ids, slots: Slots): number {
  let first = slotsIn(slots);
  for (let slot = first - 1; slot >= 0; slot--)
    if (isRemembered(ids, slots, slot)) write(slots, --first, slots.words, 6 * slot, timeIn(slots, slot));
  return first;
}

/** Moves the slots from one on to their places and frees those between. In one segment, no place lies behind what is to be moved there. */
function spread(from: Slots, first: number, to: Slots): void {
  const end = slotsIn(from);
  let next = 0;
  for (let slot = first; slot < end; slot++) {
    const place = Math.max(next, homeOf(to.homes, from.words[6 * slot]!));
    write(to, place, from.words, 6 * slot, timeIn(from, slot));
    for (; next < place; next++) to.times[3 * next + 2] = free;
    next = place + 1;
  }
  to.times.fill(free, 3 * next);
  to.used = end - first;
}

function homeOf(homes: number, word: number): number {
  return Math.floor(((word & 0xffffff) * homes) / 0x1000000);
}

/** The slot of an id, or the one that it would take from a greater one or from nobody. */
function find(segment: Slots, words: Uint32Array, at: number): number {
  let slot = homeOf(segment.homes, words[at]!);
  while (timeIn(segment, slot) !== free && isBefore(segment.words, 6 * slot, words, at)) slot++;
  return slot;
}

function isBefore(words: Uint32Array, at: number, others: Uint32Array, othersAt: number): boolean {
  for (let i = 0; i < 4; i++) {
    const word = words[at + i]!;
    const other = others[othersAt + i]!;
    if (word !== other) return word < other;
  }
  return false;
}

function isAt(segment: Slots, slot: number, words: Uint32Array, at: number): boolean {
  if (timeIn(segment, slot) === free) return false;
  for (let i = 0; i < 4; i++) if (segment.words[6 * slot + i] !== words[at + i]) return false;
  return true;
}

/** Moves what lies in a slot and after it on by one. False: there is no place for that. */
function freeSlot(segment: Slots, slot: number): boolean {
  let hole = slot;
  while (timeIn(segment, hole) !== free) hole++;
  if (hole === slotsIn(segment) - 1) return false;
  // `copyWithin` takes longer for so few.
  for (let i = 6 * hole - 1; i >= 6 * slot; i--) segment.words[i + 6] = segment.words[i]!;
  return true;
}

function write(into: Slots, slot: number, words: Uint32Array, at: number, ts: number): void {
  for (let i = 0; i < 4; i++) into.words[6 * slot + i] = words[at + i]!;
  into.times[3 * slot + 2] = ts;
}
