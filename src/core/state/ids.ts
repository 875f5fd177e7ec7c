import { sharedDoubles, sharedIntegers } from '../shared-arrays.ts';

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
  /** Event time below which nothing is remembered. */
  floor: number;
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

/** The time in a free slot. */
const free: number = Number.NEGATIVE_INFINITY;
const segmentCount = 256;
const leastHomes = 16;
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

/** Event time at which an id (4 words at `words[at]`) was met, as far as that is remembered. */
export function metAt(ids: Ids, words: Uint32Array, at: number): number | undefined {
  const segment = ids.segments[words[at]! >>> 24];
  if (segment === undefined) return undefined;
  const slot = find(segment, words, at);
  return isAt(segment, slot, words, at) && isRemembered(ids, segment, slot) ? timeIn(segment, slot) : undefined;
}

/** Remembers when an id was met, instead of what was known. */
export function meet(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  enter(ids, words, at, ts);
  if (ids.changedAll) return;
  if (ids.changes.used === changesMax) {
    clearIdChanges(ids);
    ids.changedAll = true;
    return;
  }
  if (ids.changes.used === slotsIn(ids.changes) - 1) ids.changes = longer(ids.changes);
  write(ids.changes, ids.changes.used++, words, at, ts);
}

/** As `meet`, of what a cut holds already. */
export function enter(ids: Ids, words: Uint32Array, at: number, ts: number): void {
  const number = words[at]! >>> 24;
  for (;;) {
    const segment = (ids.segments[number] ??= slotsFor(0));
    const slot = find(segment, words, at);
    if (isAt(segment, slot, words, at)) {
      write(segment, slot, words, at, ts);
      return;
    }
    if (segment.used < fullLoad * segment.homes && freeSlot(segment, slot)) {
      write(segment, slot, words, at, ts);
      segment.used++;
      return;
    }
    ids.segments[number] = renewed(ids, segment);
  }
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

function homesFor(count: number): number {
  return Math.max(leastHomes, Math.ceil(count / initialLoad));
}

/** The segment without what is forgotten: in its place as long as that is of about the right size, else in one that is. */
function renewed(ids: Ids, old: Slots): Slots {
  let kept = 0;
  for (let slot = 0; slot < slotsIn(old); slot++)
    if (isRemembered(ids, old, slot)) write(old, kept++, old.words, 6 * slot, timeIn(old, slot));
  const homes = kept > leastLoad * old.homes && kept < mostLoad * old.homes ? old.homes : homesFor(kept);
  const places = sharedIntegers(kept);
  let place = -1;
  for (let at = 0; at < kept; at++) {
    place = Math.max(place + 1, homeOf(homes, old.words[6 * at]!));
    places[at] = place;
  }
  const stays = homes === old.homes && place + leastSpare < slotsIn(old);
  const made = stays ? old : slotsFor(kept, place + 1);
  spread(old, made, places);
  return made;
}

/** Moves the first slots to their places, which lie at or behind them, and frees those between. */
function spread(from: Slots, to: Slots, places: Int32Array): void {
  let end = slotsIn(to);
  for (let at = places.length - 1; at >= 0; at--) {
    const place = places[at]!;
    write(to, place, from.words, 6 * at, timeIn(from, at));
    to.times.fill(free, 3 * (place + 1), 3 * end);
    end = place;
  }
  to.times.fill(free, 0, 3 * end);
  to.used = places.length;
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
