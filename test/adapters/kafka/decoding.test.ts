import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cluster, PartitionAssigners } from 'kafkajs';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import { numbered, sourceOptions, type TestKafka, testProducer, withKafka } from '../../support/kafka.ts';
import { type RecordingConsumer, recordingConsumer, valuesOf } from '../../support/recording-consumer.ts';
import { until } from '../../support/until.ts';

withKafka('kafka decoding', (kafka) => {
  /** Reads all that is in a topic. */
  const readAll = (topic: string, consumer: RecordingConsumer): Promise<void> =>
    kafkaSource(sourceOptions(kafka(), [topic], { untilEnd: true })).run(consumer);

  for (const codec of [undefined, 'gzip', 'snappy', 'lz4', ...(zstdCanWrite() ? (['zstd'] as const) : [])] as const) {
    test(`records written by a client with ${codec ?? 'no'} compression`, async () => {
      const topic = await kafka().freshTopic();
      const written = numbered(500);
      await kafka().produce(topic, written, codec);
      const consumer = recordingConsumer();
      await readAll(topic, consumer);
      assert.deepEqual(
        valuesOf(consumer, `${topic}/0`),
        written.map(({ value }) => value),
      );
    });
  }

  for (const codec of ['gzip', 'snappy', 'lz4', 'zstd'] as const) {
    test(`records that the broker's own library has compressed with ${codec}`, async () => {
      const topic = await kafka().freshTopic(1, { 'compression.type': codec });
      const written = numbered(5000);
      await kafka().produce(topic, written);
      const consumer = recordingConsumer();
      await readAll(topic, consumer);
      assert.deepEqual(
        valuesOf(consumer, `${topic}/0`),
        written.map(({ value }) => value),
      );
    });
  }

  test('keys, values that are absent or empty, offsets and time stamps', async () => {
    const topic = await kafka().freshTopic();
    await kafka().produce(topic, [
      { key: 'a', value: 'x', timestamp: 1_700_000_000_000 },
      { key: null, value: null, timestamp: 1_700_000_000_001 },
      { key: '', value: '', timestamp: 5 },
    ]);
    const consumer = recordingConsumer();
    await readAll(topic, consumer);
    assert.deepEqual(consumer.seen.get(`${topic}/0`), [
      { offset: 0, key: 'a', value: 'x', timestamp: 1_700_000_000_000 },
      { offset: 1, key: null, value: null, timestamp: 1_700_000_000_001 },
      { offset: 2, key: '', value: '', timestamp: 5 },
    ]);
  });

  test('aborted transactions are not delivered, also those that overlap, and their offsets are passed', async () => {
    const topic = await kafka().freshTopic();
    const [one, two] = await Promise.all(['one', 'two'].map((name) => transactional(kafka(), `${topic}-${name}`)));
    const first = await one!.transaction();
    const second = await two!.transaction();
    await first.send({ topic, messages: [{ value: 'aborted 1' }] });
    await second.send({ topic, messages: [{ value: 'aborted 2' }] });
    await first.send({ topic, messages: [{ value: 'aborted 3' }] });
    await second.send({ topic, messages: [{ key: Buffer.from([0, 0, 0, 0]), value: 'aborted 4' }] });
    await first.abort();
    await kafka().produce(topic, [{ value: 'plain' }]);
    await second.send({ topic, messages: [{ value: 'aborted 5' }] });
    await second.abort();
    const third = await one!.transaction();
    await third.send({
      topic,
      messages: [{ key: Buffer.from([0, 0, 0, 0]), value: 'committed 1' }, { value: 'committed 2' }],
    });
    await third.commit();
    await Promise.all([one!.disconnect(), two!.disconnect()]);
    await markersWritten(topic, 11);
    const from = async (start: number): Promise<RecordingConsumer> => {
      const consumer = recordingConsumer({ start: () => start });
      await readAll(topic, consumer);
      return consumer;
    };
    const all = await from(0);
    assert.deepEqual(valuesOf(all, `${topic}/0`), ['plain', 'committed 1', 'committed 2']);
    assert.equal(all.next.get(`${topic}/0`), 11, '8 records and 3 markers');
    assert.deepEqual(
      valuesOf(await from(2), `${topic}/0`),
      ['plain', 'committed 1', 'committed 2'],
      'from inside both',
    );
  });

  test('a batch of control records alone moves the position', async () => {
    const topic = await kafka().freshTopic();
    const producer = await transactional(kafka(), `${topic}-alone`);
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'x' }] });
    await transaction.commit();
    await producer.disconnect();
    await markersWritten(topic, 2);
    const consumer = recordingConsumer({ start: () => 1 });
    await readAll(topic, consumer);
    assert.equal(consumer.next.get(`${topic}/0`), 2);
    assert.equal(consumer.count(), 0);
  });

  test('until the end includes a transaction that was open at the start', async () => {
    const topic = await kafka().freshTopic();
    const producer = await transactional(kafka(), `${topic}-open`);
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'x' }] });
    const consumer = recordingConsumer();
    const source = kafkaSource(sourceOptions(kafka(), [topic], { untilEnd: true }));
    assert.deepEqual(await source.bounds({ topic, partition: 0 }), { low: 0, high: 1 });
    const running = source.run(consumer);
    await until('it has joined', () => consumer.high.get(`${topic}/0`) === 1);
    await transaction.commit();
    await running;
    await producer.disconnect();
    assert.deepEqual(valuesOf(consumer, `${topic}/0`), ['x']);
  });

  test('a record batch of 200,000 records', async () => {
    const topic = await kafka().freshTopic(1, { 'max.message.bytes': '20000000' });
    await produceOneBatch(kafka(), topic, 200_000);
    const consumer = recordingConsumer({ countOnly: true });
    await readAll(topic, consumer);
    assert.equal(consumer.count(), 200_000);
  });

  /** A transaction has ended for its producer before its marker is in the log. */
  const markersWritten = (topic: string, end: number): Promise<void> =>
    until('the end of the transactions is in the log', async () => {
      const [offsets] = await kafka().admin.fetchTopicOffsets(topic);
      return offsets?.high === String(end);
    });
});

async function transactional(on: TestKafka, id: string): Promise<ReturnType<typeof testProducer>> {
  const producer = testProducer(on.client(), { transactionalId: id });
  await producer.connect();
  return producer;
}

/** kafkajs's producer takes minutes to sort so many records into partitions: this goes past it. */
async function produceOneBatch(on: TestKafka, topic: string, count: number): Promise<void> {
  const clusters: Cluster[] = [];
  const consumer = on.client().consumer({
    groupId: on.freshGroup(),
    partitionAssigners: [
      (config) => {
        clusters.push(config.cluster);
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  await consumer.connect();
  const cluster = clusters[0]!;
  await cluster.addMultipleTargetTopics([topic]);
  const broker = await cluster.findBroker({ nodeId: String(cluster.findTopicPartitionMetadata(topic)[0]!.leader) });
  const messages = Array.from({ length: count }, () => ({ value: 'x' }));
  const topicData = [{ topic, partitions: [{ partition: 0, firstSequence: 0, messages }] }];
  await (broker as unknown as { produce(request: object): Promise<void> }).produce({
    topicData,
    producerId: -1,
    producerEpoch: 0,
  });
  await consumer.disconnect();
}

function zstdCanWrite(): boolean {
  return 'zstdCompressSync' in process.getBuiltinModule('node:zlib');
}
