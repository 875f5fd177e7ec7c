import type { EventBatch } from '../stream/event.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState } from './partition.ts';
import { codeOf } from './containers/dictionary.ts';

/** What a name beyond a limit is counted under, for good. */
export const other = '__other__';

const narrow = 65_536;
/** Tuples remembered; hostile names make new ones without end. */
const cacheMax = 65_536;

/** Code of the finest slice that an event belongs to: the tuple of its values of all dimensions. */
export function sliceOf(state: PartitionState, batch: EventBatch, event: number): number {
  const { derived } = state;
  if (derived.sliceGeneration !== batch.names.generation || derived.sliceCache.size >= cacheMax) {
    derived.sliceCache.clear();
    derived.sliceGeneration = batch.names.generation;
  }
  const key = cacheKey(batch, event);
  const cached = derived.sliceCache.get(key);
  if (cached !== undefined) return cached;
  const code = sliceCode(state, valuesOf(state, batch, event));
  derived.sliceCache.set(key, code);
  return code;
}

/** The same without the cache, for an event that another reader read: its name codes are others. */
export function uncachedSliceOf(state: PartitionState, batch: EventBatch, event: number): number {
  return sliceCode(state, valuesOf(state, batch, event));
}

/** Code of a tuple of values; the tuple of `__other__` once the limit is reached. */
function sliceCode(state: PartitionState, values: readonly string[]): number {
  const { slices, settings } = state;
  const text = JSON.stringify(values);
  const known = slices.codes.get(text);
  if (known !== undefined) return known;
  if (slices.list.length < settings.limits.slices) return codeOf(slices, text);
  hitLimit(state, 'slices');
  return codeOf(slices, JSON.stringify(values.map(() => other)));
}

/** A tuple of up to three name codes below 2^16 is one number; a batch may hold more names than that. */
function cacheKey(batch: EventBatch, event: number): number | string {
  const { tagCount, tags } = batch;
  const model = batch.model[event]!;
  const agent = batch.agent[event]!;
  const tag = tagCount === 1 ? tags[event]! : 0;
  if (tagCount <= 1 && model < narrow && agent < narrow && tag < narrow) return (model * narrow + agent) * narrow + tag;
  let key = `${model},${agent}`;
  for (let at = event * tagCount; at < (event + 1) * tagCount; at++) key += `,${tags[at]}`;
  return key;
}

function valuesOf(state: PartitionState, batch: EventBatch, event: number): string[] {
  let tag = 0;
  return state.settings.dimensions.map((dimension) => {
    if (dimension === 'model') return batch.names.text(batch.model[event]!);
    if (dimension === 'agent') return batch.names.text(batch.agent[event]!);
    return batch.names.text(batch.tags[event * batch.tagCount + tag++]!);
  });
}
