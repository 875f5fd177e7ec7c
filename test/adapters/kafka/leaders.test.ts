import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import type { Source } from '../../../src/ports.ts';
import {
  type OwnKafka,
  startKafka,
  type TestKafka,
  testKafka,
  sourceOptions,
  testProducer,
  topicReady,
} from '../../support/kafka.ts';
import { type RecordingConsumer, recordingConsumer } from '../../support/recording-consumer.ts';
import { soak } from '../../support/soak.ts';
import { until } from '../../support/until.ts';

const skip = soak ? false : 'three brokers: npm run test:soak';

// kafkajs delivers some batches twice then, and may join the group again while a batch is in work.
test('leaders that move', { skip }, async (suite) => {
  const own = await startKafka({ brokers: 3 });
  try {
    const kafka = await testKafka(own.address.split(','));
    await suite.test('and a new partition: a join in the middle of a batch', () => joinInBatch(kafka));
    await suite.test('of the partition whose batch is in work', () => leaderOfTheSame(kafka));
    await suite.test('again and again, while records flow', () => restlessLeaders(kafka));
    // A partition with one copy has no leader after its broker was killed (KIP-966), and kafkajs refuses metadata that hold such a one.
    await kafka.admin.deleteTopics({
      topics: (await kafka.admin.listTopics()).filter((name) => !name.startsWith('__')),
    });
    await suite.test('because their brokers are killed, one after the other', () => killedBrokers(own, kafka));
    await kafka.admin.disconnect();
  } finally {
    await own.stop();
  }
});

async function joinInBatch(kafka: TestKafka): Promise<void> {
  const topic = await topicOn(kafka, [1, 2]);
  await kafka.produce(topic, values(0, 5000, 0));
  const { consumer, release, heldAt } = holding(topic);
  const { source, running } = open(kafka, topic, consumer);
  await until('a batch is in work', () => heldAt() > 0);
  // A new leader makes the fetcher of its broker look at the metadata, and a new partition makes it join, while the batch is in work.
  await kafka.admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
  await moveLeader(kafka, topic, 1, 3);
  await until(
    'the member has joined again',
    () => consumer.events.filter((event) => event.endsWith('kept')).length > 0,
  );
  assert.ok(consumer.events.includes('save'));
  await kafka.produce(topic, values(0, 100, 1));
  release();
  await until('all is read', () => consumer.count() === 5100);
  await source.stop();
  await running;
  assertEachOnce(consumer, topic, [5000, 100]);
  assert.ok(consumer.events.includes(`assigned ${topic}/2 new`));
}

async function leaderOfTheSame(kafka: TestKafka): Promise<void> {
  const topic = await topicOn(kafka, [1, 2]);
  await kafka.produce(topic, [...values(0, 5000, 0), ...values(0, 10, 1)]);
  const { consumer, release, heldAt } = holding(topic);
  const { source, running } = open(kafka, topic, consumer);
  await until('a batch is in work', () => heldAt() > 0);
  await moveLeader(kafka, topic, 0, 3);
  await kafka.produce(topic, values(5000, 6000, 0));
  release();
  await until('all is read', () => consumer.count() === 6010);
  await source.stop();
  await running;
  assertEachOnce(consumer, topic, [6000, 10]);
}

async function restlessLeaders(kafka: TestKafka): Promise<void> {
  const topic = await topicOn(kafka, [1, 2, 3]);
  const consumer = recordingConsumer();
  const { source, running } = open(kafka, topic, consumer);
  let producing = true;
  const produced = steadily(kafka, topic, () => producing);
  for (let turn = 0; turn < 12; turn++) {
    const reached = consumer.count();
    await moveLeader(kafka, topic, turn % 3, 1 + ((turn + 1) % 3));
    await until('records flow again', () => consumer.count() > reached);
  }
  producing = false;
  const ends = await produced;
  await until('all is read', () => consumer.count() === ends.reduce((sum, end) => sum + end, 0), 60_000);
  await source.stop();
  await running;
  assertEachOnce(consumer, topic, ends);
  assert.equal(
    consumer.events.length,
    4,
    'three assignments and the stop: a new leader is no reason for the group to rebalance',
  );
}

async function killedBrokers(own: OwnKafka, kafka: TestKafka): Promise<void> {
  const topic = `${await kafka.freshTopic()}-replicated`;
  await kafka.admin.createTopics({
    topics: [{ topic, numPartitions: 3, replicationFactor: 3 }],
    waitForLeaders: false,
  });
  await topicReady(kafka.admin, topic);
  const saved = new Map<string, number>();
  const consumer = recordingConsumer({
    start: ({ partition }, kept, known) => (kept ? known : (saved.get(`${topic}/${partition}`) ?? 0)),
    onRecords: () =>
      queueMicrotask(() => {
        for (const [name, next] of consumer.next) saved.set(name, next);
      }) as undefined,
  });
  const { source, running } = open(kafka, topic, consumer);
  let producing = true;
  const produced = steadily(kafka, topic, () => producing);
  // Number 1 is the only controller: it stays.
  for (const broker of [2, 3, 2, 3]) {
    await own.kill(broker);
    const reached = consumer.count();
    await until('it reads on without the broker', () => consumer.count() > reached, 60_000);
    await own.restart(broker);
  }
  producing = false;
  const ends = await produced;
  await until('all is read', () => consumer.count() === ends.reduce((sum, end) => sum + end, 0), 60_000);
  await source.stop();
  await running;
  assertEachOnce(consumer, topic, ends);
}

async function topicOn(kafka: TestKafka, leaders: readonly number[]): Promise<string> {
  const topic = `${await kafka.freshTopic()}-placed`;
  const replicaAssignment = leaders.map((broker, partition) => ({ partition, replicas: [broker] }));
  await kafka.admin.createTopics({ topics: [{ topic, replicaAssignment }], waitForLeaders: false });
  await topicReady(kafka.admin, topic);
  return topic;
}

async function moveLeader(kafka: TestKafka, topic: string, partition: number, broker: number): Promise<void> {
  const topics = [{ topic, partitionAssignment: [{ partition, replicas: [broker] }] }];
  await kafka.admin.alterPartitionReassignments({ topics });
  await until('the leader has moved', async () => {
    const found = await kafka.admin.fetchTopicMetadata({ topics: [topic] }).catch(() => undefined);
    const { leader, isr } = found?.topics[0]?.partitions.find(({ partitionId }) => partitionId === partition) ?? {};
    return leader === broker && isr?.length === 1;
  });
}

/** Holds the first batch of partition 0 until it is released. */
function holding(topic: string): { consumer: RecordingConsumer; release: () => void; heldAt: () => number } {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = 0;
  const onRecords = ({ partition }: { readonly partition: number }): Promise<void> | undefined => {
    if (partition !== 0 || held > 0) return undefined;
    held = 1;
    return gate;
  };
  const consumer = recordingConsumer({ onRecords });
  return { consumer, release, heldAt: () => (consumer.next.get(`${topic}/0`) ?? 0) * held };
}

/** Writes through outages, 300 records at a time, while `goesOn`; gives the ends of the partitions. */
async function steadily(kafka: TestKafka, topic: string, goesOn: () => boolean): Promise<number[]> {
  const producer = testProducer(kafka.client());
  await producer.connect();
  for (let from = 0; goesOn(); from += 300) {
    const messages = Array.from({ length: 300 }, (_, index) => ({ value: `${from + index}`, partition: index % 3 }));
    await until(
      'it is written',
      () =>
        producer.send({ topic, messages, acks: -1 }).then(
          () => true,
          () => false,
        ),
      60_000,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await producer.disconnect();
  // One that was asked about other topics would ask about them again, and what lay on a killed broker alone may have no leader.
  const admin = kafka.client().admin();
  await admin.connect();
  await topicReady(admin, topic);
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return offsets.sort((a, b) => a.partition - b.partition).map(({ high }) => Number(high));
}

function open(
  kafka: TestKafka,
  topic: string,
  consumer: RecordingConsumer,
): { source: Source; running: Promise<void> } {
  const source = kafkaSource(sourceOptions(kafka, [topic]));
  return { source, running: source.run(consumer) };
}

function assertEachOnce(consumer: RecordingConsumer, topic: string, ends: readonly number[]): void {
  for (const [partition, end] of ends.entries()) {
    const offsets = consumer.seen.get(`${topic}/${partition}`)!.map(({ offset }) => offset);
    assert.deepEqual(
      offsets,
      Array.from({ length: end }, (_, offset) => offset),
      `partition ${partition}`,
    );
  }
}

function values(from: number, to: number, partition: number): { value: string; partition: number }[] {
  return Array.from({ length: to - from }, (_, index) => ({ value: `${from + index}`, partition }));
}
