import type { Cluster } from 'kafkajs';
import { openTransactionText } from '../../ports.ts';
import type { Assignment } from './kafka-assignment.ts';
import { oldestTransaction } from './kafka-transactions.ts';

/**
 * Logs, once each, the open transactions that hold partitions back: those with records before them whose position has not moved for `heldMs`
 * to twice that. Returns a function that ends the watch.
 */
export function watchHeldPartitions(
  cluster: () => object | undefined,
  assignment: Assignment,
  heldMs: number,
): () => void {
  const before = new Map<string, number>();
  const named = new Map<string, string>();
  const look = async (): Promise<void> => {
    const asked = cluster();
    if (asked === undefined || assignment.stopping) return;
    for (const { partition, name, ready, end } of assignment.partitions.values()) {
      const next = assignment.consumer.nextOffset(partition);
      const stood = before.get(name) === next;
      if (next === undefined) before.delete(name);
      else before.set(name, next);
      if (!ready || !stood || next === undefined || next >= end) continue;
      const open = await oldestTransaction(asked as Cluster, partition);
      // One further on holds nothing back yet.
      if (open === undefined || open.firstOffset > next) continue;
      const id = `${open.producerId} ${open.firstOffset}`;
      if (named.get(name) === id) continue;
      named.set(name, id);
      assignment.log.warn({ partition: name, offset: next }, openTransactionText(partition, open));
    }
  };
  // Outages are the concern of the fetches.
  const timer = setInterval(() => void look().catch(() => undefined), heldMs);
  timer.unref();
  return () => clearInterval(timer);
}
