import { getOrPut } from '../get-or-put.ts';
import { evictionTimeOf, watermarkOf } from './event-time.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState } from './partition.ts';
import { chunkOf, claimRow, findRow, isLive, liveRows, markRow, removeRow, valuesAt } from './table.ts';

/**
 * De-duplication by event id within a horizon of event time (spec: semantics, "De-duplication"). Ids lie in buckets of event time
 * and leave by whole buckets; what a bucket still holds below the horizon is not looked at, so eviction cannot be observed.
 */
export type Seen = 'new' | 'duplicate' | 'unverified';

/** A bucket leaves at once, between two records: so short that at 20,000 events/s it is done in some milliseconds. */
const bucketMs = 5_000;

/** Looks an event's id (4 words at `words[at]`) up and remembers it. */
export function seenBefore(state: PartitionState, words: Uint32Array, at: number, ts: number): Seen {
  const horizon = horizonOf(state);
  if (ts < horizon) return 'unverified';
  const { seen } = state;
  if (seen.size >= state.settings.limits.dedupeIds) makeRoom(state, words, at);
  const row = claimRow(seen, words, at);
  if (row < 0) {
    remember(state, -1 - row, ts);
    return 'new';
  }
  if (chunkOf(seen, row)[valuesAt(seen, row)]! >= horizon) return 'duplicate';
  markRow(seen, row);
  remember(state, row, ts);
  return 'new';
}

/** Forgets the buckets that lie wholly below the horizon. Called when the greatest event time has moved. */
export function evictSeen(state: PartitionState): void {
  const { outOfOrdernessMs, dedupeWindowMs } = state.settings;
  const floor = Math.floor((evictionTimeOf(state) - outOfOrdernessMs - dedupeWindowMs) / bucketMs);
  const { seenBuckets } = state.derived;
  if (floor <= state.derived.firstBucket) return;
  state.derived.firstBucket = floor;
  for (const bucket of seenBuckets.keys()) if (bucket < floor) dropBucket(state, bucket);
}

/** Makes the buckets again after a restore. */
export function indexSeen(state: PartitionState): void {
  state.derived.seenBuckets.clear();
  state.derived.lastBucket.number = Number.NaN;
  state.derived.firstBucket = Number.NEGATIVE_INFINITY;
  for (const row of liveRows(state.seen)) fileRow(state, row, chunkOf(state.seen, row)[valuesAt(state.seen, row)]!);
}

function horizonOf(state: PartitionState): number {
  return Math.max(watermarkOf(state) - state.settings.dedupeWindowMs, state.numbers.seenFloor);
}

function remember(state: PartitionState, row: number, ts: number): void {
  chunkOf(state.seen, row)[valuesAt(state.seen, row)] = ts;
  fileRow(state, row, ts);
}

function fileRow(state: PartitionState, row: number, ts: number): void {
  const bucket = Math.floor(ts / bucketMs);
  const { lastBucket, seenBuckets } = state.derived;
  if (lastBucket.number !== bucket) {
    lastBucket.number = bucket;
    lastBucket.rows = getOrPut(seenBuckets, bucket, () => []);
  }
  lastBucket.rows.push(row);
}

/** Returns whether the bucket still held an id. */
function dropBucket(state: PartitionState, bucket: number): boolean {
  const { seen } = state;
  const { size } = seen;
  for (const row of state.derived.seenBuckets.get(bucket)!) {
    if (!isLive(seen, row)) continue;
    if (Math.floor(chunkOf(seen, row)[valuesAt(seen, row)]! / bucketMs) === bucket) removeRow(seen, row);
  }
  state.derived.seenBuckets.delete(bucket);
  if (state.derived.lastBucket.number === bucket) state.derived.lastBucket.number = Number.NaN;
  return seen.size < size;
}

/** Forgets the oldest ids for the sake of one that is not known yet. */
function makeRoom(state: PartitionState, words: Uint32Array, at: number): void {
  if (findRow(state.seen, words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!) < 0) dropOldestBucket(state);
}

/** A bucket whose ids have all moved on to later ones does not count: after a restart it is not there. */
function dropOldestBucket(state: PartitionState): void {
  let oldest: number;
  do oldest = oldestBucket(state);
  while (!dropBucket(state, oldest));
  state.numbers.seenFloor = Math.max(state.numbers.seenFloor, (oldest + 1) * bucketMs);
  hitLimit(state, 'dedupe_ids');
}

function oldestBucket({ derived }: PartitionState): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const bucket of derived.seenBuckets.keys()) if (bucket < oldest) oldest = bucket;
  return oldest;
}
