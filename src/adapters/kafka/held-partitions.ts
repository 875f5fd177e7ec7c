import type { Cluster } from 'kafkajs';
import { openTransactionText } from '../../ports.ts';
import type { Assignment } from './kafka-assignment.ts';
import { oldestTransaction } from './kafka-transactions.ts';
import { type Looking, lookEvery } from './looking.ts';

/**
 * Logs, once each, the open transactions that hold partitions back: those with records before them whose position has not moved for `heldMs`
 * to twice that.
 */
export function watchHeldPartitions(
  cluster: () => object | undefined,
  assignment: Assignment,
  heldMs: number,
): Looking {
  const before = new Map<string, number | undefined>();
  const named = new Map<string, string>();
  return lookEvery(heldMs, async () => {
    const asked = cluster();
    if (asked === undefined || assignment.stopping) return;
    for (const { partition, name, ready, end } of assignment.partitions.values()) {
      const next = assignment.consumer.nextOffset(partition);
      const stood = before.get(name) === next;
      before.set(name, next);
      if (!ready || !stood || next === undefined || next >= end) continue;
      const open = await oldestTransaction(asked as Cluster, partition);
      // One further on holds nothing back yet.
      if (open === undefined || open.firstOffset > next) continue;
      const id = `${open.producerId} ${open.firstOffset}`;
      if (named.get(name) === id) continue;
      named.set(name, id);
      assignment.log.warn({ partition: name, offset: next }, openTransactionText(partition, open));
    }
  });
}
