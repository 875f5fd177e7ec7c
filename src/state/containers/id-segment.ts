import { sharedDoubles } from './shared-arrays.ts';

/**
 * Identities of 96 bits, each with a word of its content and an event time: as a list, one after the other, or as a segment of an order (`ids.ts`), by open
 * addressing with linear probing, where the home of an identity is the place that it would have among evenly spread ones.
 *
 * A slot has 24 bytes, in two views of one buffer: three words and that of the content (at 6 * slot), then a time (at 3 * slot + 2). The last slot is always free.
 */
export interface IdSegment {
  readonly words: Uint32Array;
  readonly times: Float64Array;
  /** Slots that are homes; those after them take what is displaced past the end. */
  readonly homes: number;
  used: number;
}

/** Words of an identity; the next one is that of its content. */
const idWords = 3;
/** The time in a free slot. */
const free: number = Number.NEGATIVE_INFINITY;
const leastHomes = 128;
/** Share of its homes that a segment's ids take when it is made, and when it is full. */
const initialLoad = 0.6;
const fullLoad = 0.85;
/** Segments of less than so many ids are made larger: they are as likely to grow. */
const fewIds = 128;
const fewLoad = 0.4;
/** Shares between which a segment that was full keeps its size. */
const leastLoad = 0.45;
const mostLoad = 0.65;
const leastSpare = 8;
const slotBytes = 24;

/** Free slots for so many ids. */
export function createSegment(count: number): IdSegment {
  const slots = unwrittenSegment(homesFor(count), 0);
  slots.times.fill(free);
  return slots;
}

/** So many homes, at least so many slots, and some to spare: the caller writes them all, the free ones too. */
function unwrittenSegment(homes: number, least: number): IdSegment {
  const spare = leastSpare + (homes >> 4);
  const times = sharedDoubles(3 * (Math.max(homes, least) + spare));
  return { words: new Uint32Array(times.buffer), times, homes, used: 0 };
}

/** Bytes that segments of so many ids take once as many leave as come. */
export function segmentBytes(count: number): number {
  return Math.ceil((count / initialLoad) * (1 + 1 / 16)) * slotBytes;
}

/** Number of slots. */
export function slotsIn({ times }: IdSegment): number {
  return times.length / 3;
}

/** The time in a slot, -Infinity where it is free. */
export function timeIn({ times }: IdSegment, slot: number): number {
  return times[3 * slot + 2]!;
}

/** Returns whether a slot holds an id whose time is at the floor or above. */
export function isTaken(slots: IdSegment, slot: number, floor: number): boolean {
  const time = timeIn(slots, slot);
  return time !== free && time >= floor;
}

/** The word of the content in a slot. */
export function contentIn({ words }: IdSegment, slot: number): number {
  return words[6 * slot + idWords]!;
}

/** The list with one more id (4 words at `words[at]`) at its end. */
export function listed(list: IdSegment, words: Uint32Array, at: number, ts: number): IdSegment {
  const kept = list.used < slotsIn(list) - 1 ? list : longer(list);
  write(kept, kept.used++, words, at, ts);
  return kept;
}

/** The slot of an id in a segment, or the one that it would take from a greater one, or a free one. */
export function find(segment: IdSegment, words: Uint32Array, at: number): number {
  let slot = homeOf(segment.homes, words[at]!);
  while (timeIn(segment, slot) !== free && isBefore(segment.words, 6 * slot, words, at)) slot++;
  return slot;
}

/** Returns whether a slot holds this id. */
export function isAt(segment: IdSegment, slot: number, words: Uint32Array, at: number): boolean {
  if (timeIn(segment, slot) === free) return false;
  for (let i = 0; i < idWords; i++) if (segment.words[6 * slot + i] !== words[at + i]) return false;
  return true;
}

/** Puts an id into the slot where `find` would have it. False: there is no room. */
export function put(segment: IdSegment, slot: number, words: Uint32Array, at: number, ts: number): boolean {
  if (segment.used >= fullLoad * segment.homes || !freeSlot(segment, slot)) return false;
  write(segment, slot, words, at, ts);
  segment.used++;
  return true;
}

/** Says that slots are free. */
function freeSlots({ times }: IdSegment, from: number, end: number): void {
  for (let slot = from; slot < end; slot++) times[3 * slot + 2] = free;
}

/** The slot that an identity with this first word would have among evenly spread ones. */
function homeOf(homes: number, word: number): number {
  return (((word & 0xffffff) * homes) / 0x1000000) >>> 0;
}

/** The segment without what lies below the floor: in its place as long as that is of about the right size, else in one that is. */
export function renewed(old: IdSegment, floor: number): IdSegment {
  const first = gatherLast(old, floor);
  const kept = slotsIn(old) - first;
  const homes = kept > leastLoad * old.homes && kept < mostLoad * old.homes ? old.homes : homesFor(kept);
  let last = -1;
  for (let slot = first; slot < slotsIn(old); slot++) last = Math.max(last + 1, homeOf(homes, old.words[6 * slot]!));
  const made = homes === old.homes && last + leastSpare < slotsIn(old) ? old : unwrittenSegment(homes, last + 1);
  spread(old, first, made);
  return made;
}

/** Moves what is kept to the end, in its order; the first slot of it. */
function gatherLast(slots: IdSegment, floor: number): number {
  let first = slotsIn(slots);
  for (let slot = first - 1; slot >= 0; slot--)
    if (isTaken(slots, slot, floor)) write(slots, --first, slots.words, 6 * slot, timeIn(slots, slot));
  return first;
}

/** Moves the slots from one on to their places and frees those between. In one segment, no place lies behind what is to be moved there. */
function spread(from: IdSegment, first: number, to: IdSegment): void {
  const end = slotsIn(from);
  let next = 0;
  for (let slot = first; slot < end; slot++) {
    const place = Math.max(next, homeOf(to.homes, from.words[6 * slot]!));
    write(to, place, from.words, 6 * slot, timeIn(from, slot));
    freeSlots(to, next, place);
    next = place + 1;
  }
  freeSlots(to, next, slotsIn(to));
  to.used = end - first;
}

function longer(old: IdSegment): IdSegment {
  const made = unwrittenSegment(leastHomes, 2 * slotsIn(old));
  made.words.set(old.words);
  made.used = old.used;
  return made;
}

function homesFor(count: number): number {
  return Math.max(leastHomes, Math.ceil(count / (count < fewIds ? fewLoad : initialLoad)));
}

/** Returns whether one id comes before another. */
function isBefore(words: Uint32Array, at: number, others: Uint32Array, othersAt: number): boolean {
  for (let i = 0; i < idWords; i++) {
    const word = words[at + i]!;
    const other = others[othersAt + i]!;
    if (word !== other) return word < other;
  }
  return false;
}

/** Moves what lies in a slot and after it on by one. False: there is no place for that. */
function freeSlot(segment: IdSegment, slot: number): boolean {
  let hole = slot;
  while (timeIn(segment, hole) !== free) hole++;
  if (hole === slotsIn(segment) - 1) return false;
  // `copyWithin` takes longer for so few.
  for (let i = 6 * hole - 1; i >= 6 * slot; i--) segment.words[i + 6] = segment.words[i]!;
  return true;
}

/** Writes an id with its content and time into a slot. */
export function write(into: IdSegment, slot: number, words: Uint32Array, at: number, ts: number): void {
  for (let i = 0; i < 4; i++) into.words[6 * slot + i] = words[at + i]!;
  into.times[3 * slot + 2] = ts;
}
