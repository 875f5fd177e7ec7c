import assert from 'node:assert/strict';
import test from 'node:test';
import type { EachBatchPayload } from 'kafkajs';
import type { Assignment } from '../../../src/adapters/kafka/kafka-assignment.ts';
import { deliver, newDelivery, noteFetched } from '../../../src/adapters/kafka/kafka-delivery.ts';
import type { FetchedBatch } from '../../../src/adapters/kafka/kafkajs-parts.ts';
import type { LogRecord } from '../../../src/stream/event.ts';
import type { TopicPartition } from '../../../src/ports.ts';

const partition: TopicPartition = { topic: 'predictions', partition: 0 };

/** A batch of records from offset 0, its delivery to a consumer that begins there, and what both did. */
function delivery(count: number, onRecords: (consumer: { next: number }) => void) {
  const position = { next: 0 };
  const seen: number[] = [];
  const resolved: string[] = [];
  const assignment = {
    epoch: 1,
    partitions: new Map([['predictions/0', { partition, ready: true }]]),
    group: { resolveOffset: ({ offset }: { offset: string }) => resolved.push(offset) },
    consumer: {
      nextOffset: () => position.next,
      records(_: TopicPartition, records: readonly LogRecord[], from: number, to: number) {
        for (const { offset } of records.slice(from, to)) seen.push(offset);
        position.next = records[to - 1]!.offset + 1;
        onRecords(position);
      },
      advanced: () => undefined,
      highWatermark: () => undefined,
    },
  } as unknown as Assignment;
  const records = Array.from({ length: count }, (_, offset) => ({ offset }));
  const batch = { ...partition, highWatermark: '0', fetchedOffset: '0', rawMessages: [{ records, nextOffset: count }] };
  const made = newDelivery(assignment, { heartbeatMs: 1_000, patienceMs: 1_000 });
  noteFetched(made, [batch as unknown as FetchedBatch], 1);
  const payload = { batch, heartbeat: async () => undefined } as unknown as EachBatchPayload;
  return { seen, resolved, done: deliver(made, payload) };
}

test('a batch is given whole, in order', async () => {
  const { seen, resolved, done } = delivery(1_000, () => undefined);
  await done;
  assert.deepEqual(
    seen,
    Array.from({ length: 1_000 }, (_, offset) => offset),
  );
  assert.deepEqual(resolved, ['999']);
});

test('a consumer that has gone back is given no later records: it is read from where it is', async () => {
  let left = 3;
  const { seen, resolved, done } = delivery(1_000, (position) => {
    if (--left === 0) position.next = 50;
  });
  await done;
  assert.equal(seen.length, 3 * 64);
  assert.deepEqual(resolved, ['49']);
});
