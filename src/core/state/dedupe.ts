import { evictionTimeOf, watermarkOf } from './event-time.ts';
import { isRemembered, meet, metAt, slotsIn, takenSegments, timeIn } from './ids.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState } from './partition.ts';

/**
 * De-duplication by event id within a horizon of event time (spec: semantics, "De-duplication"). Ids are counted by buckets of event
 * time and forgotten by whole buckets; what a bucket still holds below the horizon is not looked at, so eviction cannot be observed.
 */
export type Seen = 'new' | 'duplicate' | 'unverified';

const bucketMs = 5_000;

/** Looks an event's id (4 words at `words[at]`) up and remembers it. */
export function seenBefore(state: PartitionState, words: Uint32Array, at: number, ts: number): Seen {
  const { seen, derived, settings } = state;
  const horizon = horizonOf(state);
  if (ts < horizon) return 'unverified';
  const before = metAt(seen, words, at);
  if (before !== undefined && before >= horizon) return 'duplicate';
  if (before !== undefined) count(state, before, -1);
  else if (derived.seenSize >= settings.limits.dedupeIds) forgetOldest(state);
  if (ts >= seen.floor) {
    count(state, ts, 1);
    meet(seen, words, at, ts);
  }
  return 'new';
}

/** Forgets the buckets that lie wholly below the horizon. Called when the greatest event time has moved. */
export function evictSeen(state: PartitionState): void {
  const { outOfOrdernessMs, dedupeWindowMs } = state.settings;
  const floor = bucketOf(evictionTimeOf(state) - outOfOrdernessMs - dedupeWindowMs) * bucketMs;
  if (floor > state.seen.floor) forgetBelow(state, floor);
}

/** Counts the ids again after a restore. */
export function indexSeen(state: PartitionState): void {
  const { seen, derived } = state;
  const newest = bucketOf(state.numbers.greatestTs);
  const byAge: number[] = [];
  for (const segment of takenSegments(seen)) {
    for (let slot = 0; slot < slotsIn(segment); slot++) {
      if (!isRemembered(seen, segment, slot)) continue;
      const age = newest - bucketOf(timeIn(segment, slot));
      byAge[age] = (byAge[age] ?? 0) + 1;
    }
  }
  derived.seenCounts.clear();
  byAge.forEach((count, age) => void derived.seenCounts.set(newest - age, count));
  derived.seenSize = byAge.reduce((sum, count) => sum + count, 0);
}

function horizonOf(state: PartitionState): number {
  return Math.max(watermarkOf(state) - state.settings.dedupeWindowMs, state.seen.floor);
}

function bucketOf(ts: number): number {
  return Math.floor(ts / bucketMs);
}

function count({ derived }: PartitionState, ts: number, change: 1 | -1): void {
  const { seenCounts } = derived;
  const bucket = bucketOf(ts);
  const counted = (seenCounts.get(bucket) ?? 0) + change;
  if (counted === 0) seenCounts.delete(bucket);
  else seenCounts.set(bucket, counted);
  derived.seenSize += change;
}

function forgetBelow({ seen, derived }: PartitionState, floor: number): void {
  seen.floor = floor;
  for (const [bucket, counted] of derived.seenCounts) {
    if (bucket * bucketMs >= floor) continue;
    derived.seenCounts.delete(bucket);
    derived.seenSize -= counted;
  }
}

/** Forgets the oldest bucket for the sake of an id that is not known yet. */
function forgetOldest(state: PartitionState): void {
  let oldest = Number.POSITIVE_INFINITY;
  for (const bucket of state.derived.seenCounts.keys()) if (bucket < oldest) oldest = bucket;
  forgetBelow(state, (oldest + 1) * bucketMs);
  hitLimit(state, 'dedupe_ids');
}
