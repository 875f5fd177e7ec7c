import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EachBatchPayload } from 'kafkajs';
import { type Assignment, joined, newAssignment } from '../../../src/adapters/kafka/kafka-assignment.ts';
import { deliver, newDelivery, noteFetched } from '../../../src/adapters/kafka/kafka-delivery.ts';
import type { FetchedBatch, Group } from '../../../src/adapters/kafka/kafkajs-parts.ts';
import { partitionName, type TopicPartition } from '../../../src/ports.ts';
import type { LogRecord } from '../../../src/stream/event.ts';
import { testLog } from '../../support/kafka.ts';
import { type RecordingConsumer, recordingConsumer } from '../../support/recording-consumer.ts';

const partition: TopicPartition = { topic: 'predictions', partition: 0 };
const other: TopicPartition = { topic: 'predictions', partition: 1 };

/** A batch of records from offset 0, its delivery to a consumer that begins there, and what both did. */
function delivery(count: number, onRecords: (consumer: { next: number }) => void, recordBytes = 100) {
  const steps: number[] = [];
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
        steps.push(to - from);
        onRecords(position);
      },
      advanced: () => undefined,
      highWatermark: () => undefined,
    },
  } as unknown as Assignment;
  const records = Array.from({ length: count }, (_, offset) => ({ offset, start: 0, end: recordBytes }));
  const content = { records, nextOffset: count };
  const batch = { ...partition, highWatermark: '0', fetchedOffset: '0', rawMessages: [content] };
  const made = newDelivery(assignment, { heartbeatMs: 1_000, patienceMs: 1_000 });
  noteFetched(made, [batch as unknown as FetchedBatch], 1);
  const payload = { batch, heartbeat: async () => undefined } as unknown as EachBatchPayload;
  return { seen, steps, resolved, done: deliver(made, payload) };
}

test('the clock is looked at after some records, or after a large one', async () => {
  for (const [recordBytes, records] of [
    [100, 64],
    [10_000, 7],
    [1_000_000, 1],
  ] as const) {
    const { steps, done } = delivery(128, () => undefined, recordBytes);
    await done;
    assert.equal(steps[0], records);
  }
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

/** A member of a group of its own, to which batches are given as kafkajs would. */
async function member(consumer: RecordingConsumer) {
  const acts: string[] = [];
  const noting =
    (act: string) =>
    (of: { readonly partition?: number } | readonly { readonly partitions: readonly number[] }[]): void =>
      void acts.push(`${act} ${Array.isArray(of) ? of[0].partitions[0] : (of as { partition: number }).partition}`);
  const group = {
    pause: noting('pause'),
    resume: noting('resume'),
    seek: noting('seek'),
    resolveOffset: noting('resolve'),
  };
  const failures: unknown[] = [];
  const assignment = newAssignment(consumer, {
    fail: (error) => void failures.push(error),
    changed: () => undefined,
    log: testLog(),
  });
  const made = newDelivery(assignment, { heartbeatMs: 1_000, patienceMs: 1_000 });
  joined(assignment, group as unknown as Group, 'member', [partition, other]);
  await nextTurn();
  const give = async (to: TopicPartition, content: object): Promise<void> => {
    const fetchedOffset = String(consumer.next.get(partitionName(to)));
    const batch = { ...to, highWatermark: '0', fetchedOffset, rawMessages: [{ records: [], ...content }] };
    noteFetched(made, [batch as unknown as FetchedBatch], assignment.epoch);
    await deliver(made, { batch, heartbeat: async () => undefined } as unknown as EachBatchPayload);
  };
  return { assignment, acts, failures, give };
}

test('what cannot be read is fetched again, later each time, and refused after four times; what can be read ends that', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const consumer = recordingConsumer();
  const { assignment, give, failures } = await member(consumer);
  const told = (): number => consumer.events.filter((event) => event.startsWith('unreadable')).length;
  const failed = async (afterMs: number): Promise<boolean> => {
    const each = assignment.partitions.get('predictions/0')!;
    await give(partition, { problem: 'damaged' });
    await nextTurn();
    context.mock.timers.tick(afterMs - 1);
    await nextTurn();
    assert.equal(each.ready, false, `${afterMs} ms`);
    context.mock.timers.tick(1);
    await nextTurn();
    return each.ready;
  };
  for (const afterMs of [100, 200, 400, 800]) assert.ok(await failed(afterMs));
  assert.equal(told(), 0);
  assert.ok(await failed(10_000));
  assert.equal(told(), 1);
  await give(partition, { nextOffset: 5 });
  assert.ok(await failed(100));
  assert.deepEqual([told(), failures], [1, []]);
});

test('a response that ends before the offset that was asked for is no progress: it cannot be read', async () => {
  const consumer = recordingConsumer({ start: () => 7 });
  const { assignment, give } = await member(consumer);
  await give(partition, { nextOffset: 7 });
  assert.equal(assignment.partitions.get('predictions/0')!.failedReads, 1);
});

test('back pressure that lasts pauses its partition alone, which goes on where the consumer is', async () => {
  let release: () => void = () => undefined;
  const pressure = new Promise<void>((resolve) => (release = resolve));
  const consumer = recordingConsumer({ onRecords: (to) => (to.partition === 0 ? pressure : undefined) });
  const { assignment, acts, give } = await member(consumer);
  const record = { bytes: new Uint8Array(0), start: 0, end: 0, offset: 0, timestamp: 0 };
  await give(partition, { records: [record, { ...record, offset: 1 }], nextOffset: 2 });
  assert.equal(assignment.partitions.get('predictions/0')!.ready, false);
  await give(other, { records: [record], nextOffset: 1 });
  assert.equal(consumer.next.get('predictions/1'), 1);
  assert.deepEqual(acts.splice(0).slice(-2), ['pause 0', 'resolve 1']);
  release();
  await nextTurn();
  assert.deepEqual(acts, ['seek 0', 'resume 0']);
  assert.equal(consumer.events.filter((event) => event.startsWith('assigned')).length, 2, 'asked once each');
});
