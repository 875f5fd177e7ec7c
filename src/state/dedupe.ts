import { bucketMs, bucketOf, contentOf, createIds, forgetBelow, type Ids, isKnown, meet } from './containers/ids.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Settings } from './settings.ts';

/**
 * De-duplication by identity (example and event id) within a horizon of event time (docs/reference/semantics.md, "De-duplication"). Ids are forgotten by whole
 * buckets of event time; what a bucket still holds below the horizon is not looked at, so eviction cannot be observed.
 */
export interface Dedupe {
  /** Identities with their contents. */
  readonly ids: Ids;
  /** How far the horizon lies behind the greatest event time. */
  readonly reachMs: number;
  readonly idsMax: number;
  readonly limitHits: LimitHits;
}

/** A conflict is a duplicate with another content. */
export type Seen = 'new' | 'duplicate' | 'conflict' | 'unverified';

/** De-duplication by a container of ids. */
export function createDedupe(settings: Settings, limitHits: LimitHits, ids: Ids = createIds()): Dedupe {
  const { outOfOrdernessMs, dedupeWindowMs, limits } = settings;
  return { ids, reachMs: outOfOrdernessMs + dedupeWindowMs, idsMax: limits.dedupeIds, limitHits };
}

/** Looks an event's identity (3 words at `words[at]`, then that of its content) up and adds it. */
export function seenBefore(dedupe: Dedupe, words: Uint32Array, at: number, ts: number, greatestTs: number): Seen {
  const { ids, reachMs, idsMax } = dedupe;
  const horizon = Math.max(greatestTs - reachMs, ids.floor);
  if (ts < horizon) return 'unverified';
  if (ids.size >= idsMax && !isKnown(ids, words, at)) forgetOldest(dedupe);
  if (!meet(ids, words, at, ts, horizon)) return 'new';
  return contentOf(ids, words, at) === words[at + 3] ? 'duplicate' : 'conflict';
}

/** Forgets the buckets that lie wholly below the horizon. Called when event time has moved. */
export function evictSeen({ ids, reachMs }: Dedupe, evictionMs: number): void {
  forgetBelow(ids, bucketOf(evictionMs - reachMs) * bucketMs);
}

/** Forgets the oldest bucket for the sake of an id that is not known yet. */
function forgetOldest({ ids, limitHits }: Dedupe): void {
  forgetBelow(ids, (Math.min(...ids.counts.keys()) + 1) * bucketMs);
  limitHits.dedupe_ids++;
}
