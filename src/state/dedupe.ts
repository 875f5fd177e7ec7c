import { evictionTimeOf, watermarkOf } from './event-time.ts';
import { bucketMs, bucketOf, forgetBelow, isKnown, meet } from './containers/ids.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState } from './partition.ts';

/**
 * De-duplication by event id within a horizon of event time (spec: semantics, "De-duplication"). Ids are forgotten by whole buckets of
 * event time; what a bucket still holds below the horizon is not looked at, so eviction cannot be observed.
 */
export type Seen = 'new' | 'duplicate' | 'unverified';

/** Looks an event's id (4 words at `words[at]`) up and remembers it. */
export function seenBefore(state: PartitionState, words: Uint32Array, at: number, ts: number): Seen {
  const { seen, settings } = state;
  const horizon = Math.max(watermarkOf(state) - settings.dedupeWindowMs, seen.floor);
  if (ts < horizon) return 'unverified';
  if (seen.size >= settings.limits.dedupeIds && !isKnown(seen, words, at)) forgetOldest(state);
  return meet(seen, words, at, ts, horizon) ? 'duplicate' : 'new';
}

/** Forgets the buckets that lie wholly below the horizon. Called when the greatest event time has moved. */
export function evictSeen(state: PartitionState): void {
  const { outOfOrdernessMs, dedupeWindowMs } = state.settings;
  forgetBelow(state.seen, bucketOf(evictionTimeOf(state) - outOfOrdernessMs - dedupeWindowMs) * bucketMs);
}

/** Forgets the oldest bucket for the sake of an id that is not known yet. */
function forgetOldest(state: PartitionState): void {
  forgetBelow(state.seen, (Math.min(...state.seen.counts.keys()) + 1) * bucketMs);
  hitLimit(state, 'dedupe_ids');
}
