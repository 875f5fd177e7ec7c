import { bucketMs, bucketOf, count, enter, type Ids, segmentCount, segmentOf } from './ids.ts';
import { freeSlots, isAfter, putNext, type Slots, slotsIn, unwrittenSlots } from './slots.ts';

/**
 * Ids that come in their order into a container that holds none: one pass over memory, without a search. One that is out of order, or for
 * which there is no room, and all that follow, are entered as any other.
 */
export interface Filling {
  readonly ids: Ids;
  /** Ids that a segment is made for. */
  readonly each: number;
  segment: Slots | undefined;
  number: number;
  /** The slot after the last id of the segment. */
  next: number;
  /** Ids are entered as any other from now on. */
  isOver: boolean;
  /** By bucket from the floor: how many. */
  readonly near: Float64Array;
}

/** Rows of ids and times by columns: four of words, one of times. */
export type IdColumns = readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/** Buckets above the floor that are counted without a map: many more than a horizon has. */
const nearBuckets = 4_096;

/** Begins with so many ids to come. */
export function beginFilling(ids: Ids, rows: number): Filling {
  const each = rows / segmentCount;
  return { ids, each, segment: undefined, number: -1, next: 0, isOver: false, near: new Float64Array(nearBuckets) };
}

/** Takes some rows. */
export function fill(filling: Filling, [first, second, third, fourth, times]: IdColumns, rows: number): void {
  const { ids, near } = filling;
  const firstBucket = bucketOf(ids.floor);
  const words = new Uint32Array(4);
  for (let row = 0; row < rows; row++) {
    const ts = times[row]!;
    if (ts < ids.floor) continue;
    words[0] = first[row]!;
    words[1] = second[row]!;
    words[2] = third[row]!;
    words[3] = fourth[row]!;
    if (!putInOrder(filling, words, ts)) enter(ids, words, 0, ts);
    else {
      const bucket = bucketOf(ts) - firstBucket;
      if (bucket < nearBuckets) near[bucket]!++;
      else count(ids, ts, 1);
    }
  }
}

/** Makes the container whole. To be called once, after the last row. */
export function endFilling(filling: Filling): void {
  endSegment(filling);
  const { ids, near } = filling;
  near.forEach((counted, bucket) => {
    if (counted > 0) count(ids, ids.floor + bucket * bucketMs, counted);
  });
}

/** Puts an id behind all others; false where that is not its place, or has been so before. */
function putInOrder(filling: Filling, words: Uint32Array, ts: number): boolean {
  if (filling.isOver) return false;
  const number = segmentOf(words, 0);
  if (number !== filling.number) {
    endSegment(filling);
    filling.isOver = number < filling.number;
    if (filling.isOver) return false;
    filling.number = number;
    filling.next = 0;
    filling.segment = unwrittenSlots(filling.each);
    filling.ids.segments[number] = filling.segment;
  }
  const segment = filling.segment!;
  const follows = filling.next === 0 || isAfter(segment, filling.next - 1, words);
  const next = follows ? putNext(segment, filling.next, words, ts) : -1;
  if (next >= 0) filling.next = next;
  else {
    endSegment(filling);
    filling.isOver = true;
  }
  return next >= 0;
}

function endSegment({ segment, next, isOver }: Filling): void {
  if (segment !== undefined && !isOver) freeSlots(segment, next, slotsIn(segment));
}
