import { sliceCode, type Slices } from '../state/slices.ts';
import type { EventBatch } from './event.ts';

/** Slice codes of one partition by the name codes of a reader, which are worth remembering: most events repeat a tuple. */
export interface SliceCache {
  readonly slices: Slices;
  /** Dimensions of the finest slice. */
  readonly dimensions: readonly string[];
  readonly codes: Map<number | string, number>;
  /** Generation of the name codes that were remembered. */
  generation: number;
}

/** Tuples remembered; hostile names make new ones without end. */
const tuplesMax = 65_536;
const few = 1 << 10;
const narrow = 1 << 16;
const firstWide: number = few ** 3;

/** A cache that remembers nothing. */
export function createSliceCache(slices: Slices, dimensions: readonly string[]): SliceCache {
  return { slices, dimensions, codes: new Map(), generation: -1 };
}

/** Code of the finest slice that an event belongs to. All batches must come from one reader. */
export function sliceOf(cache: SliceCache, batch: EventBatch, event: number): number {
  const { codes } = cache;
  if (cache.generation !== batch.names.generation || codes.size >= tuplesMax) {
    codes.clear();
    cache.generation = batch.names.generation;
  }
  const key = keyOf(batch, event);
  const known = codes.get(key);
  if (known !== undefined) return known;
  const code = uncachedSliceOf(cache, batch, event);
  codes.set(key, code);
  return code;
}

/** The same for a batch of any reader; `unread`: dimensions of which nobody kept the value. */
export function uncachedSliceOf(
  { slices, dimensions }: SliceCache,
  batch: EventBatch,
  event: number,
  unread: readonly string[] = [],
): number {
  const { names, model, agent, tags, tagCount } = batch;
  let tag = event * tagCount;
  const values = dimensions.map((dimension) => {
    if (dimension === 'model') return names.text(model[event]!);
    const code = dimension === 'agent' ? agent[event]! : tags[tag++]!;
    return unread.includes(dimension) ? null : names.text(code);
  });
  return sliceCode(slices, values);
}

/** A tuple of up to three name codes is one number where they are small enough: of 30 bits, which V8 hashes fastest, or of 48. */
function keyOf(batch: EventBatch, event: number): number | string {
  const { tagCount, tags } = batch;
  const model = batch.model[event]!;
  const agent = batch.agent[event]!;
  const tag = tagCount === 1 ? tags[event]! : 0;
  if (tagCount <= 1 && (model | agent | tag) < few) return (model << 20) | (agent << 10) | tag;
  if (tagCount <= 1 && (model | agent | tag) < narrow) return firstWide + (model * narrow + agent) * narrow + tag;
  let key = `${model},${agent}`;
  for (let at = event * tagCount; at < (event + 1) * tagCount; at++) key += `,${tags[at]}`;
  return key;
}
