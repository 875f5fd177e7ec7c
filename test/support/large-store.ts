import { encodeDelta, encodeSnapshot } from '../../src/formats/checkpoint/checkpoint.ts';
import { appendText } from '../../src/state/containers/pending-log.ts';
import { createIds, isKnown, meet } from '../../src/state/containers/ids.ts';
import type { Store } from '../../src/state/containers/store.ts';
import type { SavedState, TopicPartition } from '../../src/ports.ts';
import { type Bench, partition } from './checkpoint-bench.ts';
import { createCounting, group } from './counting-store.ts';

/** A state that is large enough to be loaded in a thread. */
export function largeStore(): Store {
  const { store } = createCounting();
  for (let i = 0; i < 20_000; i++) appendText(store.pendingLogs.get('pending')!, `${i} ${'x'.repeat(450)}`);
  store.ids.set('seen', createIds());
  meetAll(store, 0, 20_000);
  return store;
}

const words = (at: number): Uint32Array => Uint32Array.of(Math.imul(at, 0x9e3779b1), at, 2, 3);

function meetAll(store: Store, from: number, end: number): void {
  for (let at = from; at < end; at++) meet(store.ids.get('seen')!, words(at), 0, at, 0);
}

/** Saves two snapshots and then deltas, each of which knows further ids. */
export async function saveChain(
  { checkpoints }: Bench,
  store: Store,
  changes: number,
  of: TopicPartition = partition,
): Promise<void> {
  for (let at = 0; at < 2 + changes; at++) {
    const key = { id: `c${at}`, nextOffset: at, group, ...of };
    const base = at < 2 ? undefined : `c${at - 1}`;
    if (at > 0) meetAll(store, 20_000 * at, 20_000 * (at + 1));
    const bytes = base === undefined ? encodeSnapshot(store, key) : encodeDelta(store, key, base);
    await checkpoints.save(of, { id: key.id, base, nextOffset: at, bytes });
  }
}

/** How many ids of those that may have been saved a state knows. */
export function knownIn(saved: SavedState | undefined): number {
  const ids = saved!.store().ids.get('seen')!;
  return Array.from({ length: 100_000 }, (_, at) => isKnown(ids, words(at), 0)).filter(Boolean).length;
}
