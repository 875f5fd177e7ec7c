import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cluster, PartitionAssigners } from 'kafkajs';
import { kafkaSource, type KafkaSourceOptions } from '../../src/adapters/kafka/kafka-source.ts';
import type { Source } from '../../src/ports.ts';
import { type TestKafka, type TestRecord, testLog, testProducer, until, withKafka } from '../support/kafka.ts';
import { type RecordingConsumer, recordingConsumer } from '../support/recording-consumer.ts';

withKafka('kafka source', (kafka) => {
  const open = (topics: string[], more: Partial<KafkaSourceOptions> = {}): Source =>
    kafkaSource(options(kafka(), topics, more));

  for (const codec of [undefined, 'gzip', 'snappy', 'lz4', ...(zstdCanWrite() ? (['zstd'] as const) : [])] as const) {
    test(`records written by a client with ${codec ?? 'no'} compression`, async () => {
      const topic = await kafka().freshTopic();
      const written = numbered(500);
      await kafka().produce(topic, written, codec);
      const consumer = recordingConsumer();
      await open([topic], { untilEnd: true }).run(consumer);
      assert.deepEqual(
        values(consumer, `${topic}/0`),
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
      await open([topic], { untilEnd: true }).run(consumer);
      assert.deepEqual(
        values(consumer, `${topic}/0`),
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
    await open([topic], { untilEnd: true }).run(consumer);
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
      await open([topic], { untilEnd: true }).run(consumer);
      return consumer;
    };
    const all = await from(0);
    assert.deepEqual(values(all, `${topic}/0`), ['plain', 'committed 1', 'committed 2']);
    assert.equal(all.next.get(`${topic}/0`), 11, '8 records and 3 markers');
    assert.deepEqual(values(await from(2), `${topic}/0`), ['plain', 'committed 1', 'committed 2'], 'from inside both');
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
    await open([topic], { untilEnd: true }).run(consumer);
    assert.equal(consumer.next.get(`${topic}/0`), 2);
    assert.equal(consumer.count(), 0);
  });

  test('until the end includes a transaction that was open at the start', async () => {
    const topic = await kafka().freshTopic();
    const producer = await transactional(kafka(), `${topic}-open`);
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'x' }] });
    const consumer = recordingConsumer();
    const source = open([topic], { untilEnd: true });
    assert.deepEqual(await source.bounds({ topic, partition: 0 }), { low: 0, high: 1 });
    const running = source.run(consumer);
    await until('it has joined', () => consumer.high.get(`${topic}/0`) === 1);
    await transaction.commit();
    await running;
    await producer.disconnect();
    assert.deepEqual(values(consumer, `${topic}/0`), ['x']);
  });

  test('a record batch of 200,000 records', async () => {
    const topic = await kafka().freshTopic(1, { 'max.message.bytes': '20000000' });
    await produceOneBatch(kafka(), topic, 200_000);
    const consumer = recordingConsumer({ countOnly: true });
    await open([topic], { untilEnd: true }).run(consumer);
    assert.equal(consumer.count(), 200_000);
  });

  test("positions are the consumer's, not the committed ones; a refused partition stays paused and the others go on", async () => {
    const topic = await kafka().freshTopic(3);
    const group = kafka().freshGroup();
    await kafka().produce(
      topic,
      [0, 1, 2].flatMap((partition) => numbered(100, partition)),
    );
    await kafka().admin.setOffsets({
      groupId: group,
      topic,
      partitions: [0, 1, 2].map((partition) => ({ partition, offset: '90' })),
    });
    const consumer = recordingConsumer({ start: ({ partition }) => [10, 95, undefined][partition] });
    const source = open([topic], { groupId: group });
    const running = source.run(consumer);
    await until(
      'both partitions are read',
      () => consumer.next.get(`${topic}/0`) === 100 && consumer.next.get(`${topic}/1`) === 100,
    );
    assert.equal(consumer.seen.get(`${topic}/0`)![0]!.offset, 10);
    assert.equal(consumer.seen.get(`${topic}/1`)![0]!.offset, 95);
    assert.equal(consumer.seen.has(`${topic}/2`), false);
    assert.equal(consumer.high.get(`${topic}/0`), 100);
    assert.equal(source.joined(), true);
    assert.deepEqual(
      await source.commit([{ topic, partition: 2, nextOffset: 5 }]),
      [],
      'what it has not opened it does not commit',
    );
    await source.stop();
    await running;
    assert.equal(source.joined(), false);
    assert.equal(consumer.events.at(-1), 'beforeStop');
  });

  test('until the end: a refused partition is an error, after the others are done', async () => {
    const topic = await kafka().freshTopic(2);
    await kafka().produce(topic, [...numbered(10, 0), ...numbered(10, 1)]);
    const consumer = recordingConsumer({ start: ({ partition }) => (partition === 0 ? 0 : undefined) });
    await assert.rejects(open([topic], { untilEnd: true }).run(consumer), new RegExp(`${topic}/1: refused`));
    assert.equal(consumer.next.get(`${topic}/0`), 10);
  });

  test('commits, bounds, committed offsets, the cluster, and the offset at a time', async () => {
    const topic = await kafka().freshTopic(2);
    await kafka().produce(
      topic,
      Array.from({ length: 10 }, (_, index) => ({ value: `${index}`, partition: 0, timestamp: 1000 + 10 * index })),
    );
    await kafka().admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '3' }] });
    const [p0, p1] = [0, 1].map((partition) => ({ topic, partition })) as [
      { topic: string; partition: number },
      { topic: string; partition: number },
    ];
    let accepted: unknown;
    const consumer = recordingConsumer({
      start: ({ partition }) => (partition === 0 ? 3 : 0),
      beforeStop: async () => {
        accepted = await source.commit([
          { ...p0, nextOffset: 7 },
          { topic: 'another', partition: 0, nextOffset: 1 },
        ]);
      },
    });
    const source = open([topic]);
    assert.deepEqual(await source.bounds(p0), { low: 3, high: 10 });
    assert.deepEqual(await source.bounds(p1), { low: 0, high: 0 });
    assert.equal(await source.committed(p0), undefined);
    assert.equal(await source.offsetAt(p0, 1045), 5);
    assert.equal(await source.offsetAt(p0, 99_999), 10);
    const { id, partitions } = await source.cluster();
    assert.ok(id.length > 0);
    assert.equal(partitions.get(topic), 2);
    await assert.rejects(source.bounds({ topic, partition: 7 }), /no such partition/);
    assert.deepEqual(await source.commit([{ ...p0, nextOffset: 1 }]), [], 'not a member yet');
    const running = source.run(consumer);
    await until('all is read', () => consumer.next.get(`${topic}/0`) === 10);
    assert.deepEqual(
      await source.commit([
        { ...p0, nextOffset: 10 },
        { ...p1, nextOffset: 0 },
      ]),
      [p0, p1],
    );
    assert.equal(await source.committed(p0), 10);
    await source.stop();
    await running;
    assert.deepEqual(accepted, [p0]);
    assert.deepEqual(await source.commit([{ ...p0, nextOffset: 9 }]), [], 'not a member any more');
    const after = open([topic], { groupId: lastGroup });
    assert.equal(await after.committed(p0), 7);
    await after.stop();
  });

  test('an error of the consumer ends the run with it', async () => {
    const topic = await kafka().freshTopic();
    await kafka().produce(topic, numbered(10));
    const bug = new TypeError('cannot read this');
    const thrown = recordingConsumer({ onRecords: () => raise(bug) });
    await assert.rejects(open([topic]).run(thrown), (error) => error === bug);
    const rejected = recordingConsumer({ onRecords: () => Promise.reject(bug) });
    await assert.rejects(open([topic]).run(rejected), (error) => error === bug);
    const refusing = recordingConsumer({ start: () => Promise.reject(bug) });
    await assert.rejects(open([topic]).run(refusing), (error) => error === bug);
    assert.equal(thrown.events.includes('beforeStop'), false);
  });

  test('back pressure holds the partition and keeps the membership', async () => {
    const topic = await kafka().freshTopic();
    await kafka().produce(topic, numbered(5000));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    const consumer = recordingConsumer({ onRecords: () => (++calls === 2 ? held : undefined) });
    const source = open([topic], { sessionTimeoutMs: 1500 });
    const running = source.run(consumer);
    await until('the second slice is held', () => calls === 2);
    const reached = consumer.count();
    const admin = kafka().admin;
    const start = Date.now();
    await until('the session would be over', () => Date.now() - start > 2500);
    const { groups } = await admin.describeGroups([lastGroup]);
    assert.equal(groups[0]!.members.length, 1);
    assert.equal(consumer.count(), reached);
    release();
    await until('the rest is read', () => consumer.count() === 5000);
    await source.stop();
    await running;
    assert.equal(consumer.events.filter((event) => event.startsWith('assigned')).length, 1);
  });

  test('a log that is trimmed below the reader: the consumer is asked again, and nothing is skipped silently', async () => {
    const topic = await kafka().freshTopic();
    const name = `${topic}/0`;
    await kafka().produce(topic, numbered(100));
    const asked: (number | undefined)[] = [];
    let release: () => void = () => undefined;
    const trimmed = new Promise<void>((resolve) => (release = resolve));
    const consumer = recordingConsumer({
      async start(_, kept, known) {
        asked.push(known);
        if (!kept) return 0;
        await trimmed;
        return (await source.bounds({ topic, partition: 0 })).low;
      },
      // The position falls behind while the reader waits here.
      onRecords: () => (asked.length === 1 ? gate : undefined),
    });
    let open2: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open2 = resolve));
    const source = open([topic]);
    const running = source.run(consumer);
    await until('the first records are read', () => consumer.next.get(name) === 100);
    await kafka().produce(topic, numbered(100));
    await kafka().admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '150' }] });
    open2();
    await until('the consumer is asked again', () => asked.length === 2);
    assert.equal(asked[1], 100);
    assert.equal(consumer.count(), 100, 'nothing was delivered before its answer');
    assert.equal(await source.committed({ topic, partition: 0 }), undefined, 'and nothing committed');
    release();
    await until('the rest is read', () => consumer.next.get(name) === 200);
    assert.deepEqual(
      consumer.seen.get(name)!.map(({ offset }) => offset),
      [...range(0, 100), ...range(150, 200)],
    );
    await source.stop();
    await running;
  });

  test('an answer that stays out of range is asked about again, with its state forgotten', async () => {
    const topic = await kafka().freshTopic();
    await kafka().produce(topic, numbered(10));
    const consumer = recordingConsumer({ start: (_, kept) => (consumer.events.length < 3 || kept ? 77 : 0) });
    const source = open([topic]);
    const running = source.run(consumer);
    await until('all is read', () => consumer.count() === 10);
    await source.stop();
    await running;
    assert.deepEqual(consumer.events, [
      `assigned ${topic}/0 new`,
      `assigned ${topic}/0 kept`,
      `assigned ${topic}/0 new`,
      'beforeStop',
    ]);
  });

  /** A transaction has ended for its producer before its marker is in the log. */
  const markersWritten = (topic: string, end: number): Promise<void> =>
    until('the end of the transactions is in the log', async () => {
      const [offsets] = await kafka().admin.fetchTopicOffsets(topic);
      return offsets?.high === String(end);
    });

  let lastGroup = '';
  function options(on: TestKafka, topics: string[], more: Partial<KafkaSourceOptions>): KafkaSourceOptions {
    lastGroup = more.groupId ?? on.freshGroup();
    return {
      ...{ brokers: on.brokers, clientId: 'test', groupId: lastGroup, topics, sessionTimeoutMs: 6000 },
      ...{ log: testLog(), signal: new AbortController().signal },
      ...more,
    };
  }
});

function raise(error: Error): never {
  throw error;
}

function numbered(count: number, partition = 0): (TestRecord & { value: string })[] {
  return Array.from({ length: count }, (_, index) => ({
    value: `record ${index} ${'of some length '.repeat(4)}`,
    partition,
  }));
}

function values(consumer: RecordingConsumer, name: string): (string | null)[] {
  return (consumer.seen.get(name) ?? []).map(({ value }) => value);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

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
