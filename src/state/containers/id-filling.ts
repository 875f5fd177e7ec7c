import { bucketMs, bucketOf, count, enter, type Ids, segmentCount, segmentOf } from './ids.ts';
import { freeSlots, homeOf, isBefore, type IdSegment, slotsIn, unwrittenSegment } from './id-segment.ts';

/**
 * Ids that come in their order into a container that holds none: one pass over memory, without a search. One that is out of order, or for
 * which there is no room, and all that follow, are entered as any other.
 */
export interface Filling {
  readonly ids: Ids;
  /** Ids that a segment is made for. */
  readonly each: number;
  segment: IdSegment | undefined;
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
export function fill(filling: Filling, columns: IdColumns, rows: number): void {
  let row = 0;
  while (row < rows && !filling.isOver) row = fillRun(filling, columns, row, rows);
  for (; row < rows; row++) enter(filling.ids, idAt(columns, row), 0, columns[4][row]!);
}

/** Makes the container whole. To be called once, after the last row. */
export function endFilling(filling: Filling): void {
  endSegment(filling);
  const { ids, near } = filling;
  near.forEach((counted, bucket) => {
    if (counted > 0) count(ids, ids.floor + bucket * bucketMs, counted);
  });
}

/**
 * Puts the ids of one segment, from a row on, behind all others. Returns the row after them; where the filling is over then, that of the
 * first id which has no place there. One loop with next to no calls: most of what a restart reads passes through it.
 */
function fillRun(filling: Filling, columns: IdColumns, from: number, rows: number): number {
  const [first, second, third, fourth, times] = columns;
  const number = segmentOf(first[from]!);
  if (number !== filling.number) beginSegment(filling, number);
  if (filling.isOver) return from;
  const { ids, near } = filling;
  const { floor } = ids;
  const firstBucket = bucketOf(floor);
  const segment = filling.segment!;
  const { words, homes } = segment;
  const slotTimes = segment.times;
  const end = slotsIn(segment) - 1;
  let { next } = filling;
  let before = next > 0 ? words[6 * (next - 1)]! : -1;
  let row = from;
  for (; row < rows && segmentOf(first[row]!) === number; row++) {
    const ts = times[row]!;
    if (ts < floor) continue;
    const word = first[row]!;
    const place = Math.max(next, homeOf(homes, word));
    if (place >= end || (word <= before && !isBefore(words, 6 * (next - 1), idAt(columns, row), 0))) {
      filling.isOver = true;
      break;
    }
    freeSlots(segment, next, place);
    words[6 * place] = word;
    words[6 * place + 1] = second[row]!;
    words[6 * place + 2] = third[row]!;
    words[6 * place + 3] = fourth[row]!;
    slotTimes[3 * place + 2] = ts;
    segment.used++;
    before = word;
    next = place + 1;
    const bucket = bucketOf(ts) - firstBucket;
    if (bucket < nearBuckets) near[bucket]!++;
    else count(ids, ts, 1);
  }
  filling.next = next;
  if (filling.isOver) freeSlots(segment, next, slotsIn(segment));
  return row;
}

/** Words of the id of a row. */
function idAt(columns: IdColumns, row: number): Uint32Array {
  return Uint32Array.of(columns[0][row]!, columns[1][row]!, columns[2][row]!, columns[3][row]!);
}

/** Ends the segment before; where that should come later, the filling is over. */
function beginSegment(filling: Filling, number: number): void {
  endSegment(filling);
  filling.isOver = number < filling.number;
  if (filling.isOver) return;
  filling.number = number;
  filling.next = 0;
  filling.segment = unwrittenSegment(filling.each);
  filling.ids.segments[number] = filling.segment;
}

function endSegment({ segment, next, isOver }: Filling): void {
  if (segment !== undefined && !isOver) freeSlots(segment, next, slotsIn(segment));
}
