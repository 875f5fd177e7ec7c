import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KafkaSourceOptions, kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import type { Source } from '../../../src/ports.ts';
import { numbered, sourceOptions, withKafka } from '../../support/kafka.ts';
import { recordingConsumer } from '../../support/recording-consumer.ts';
import { until } from '../../support/until.ts';

withKafka('kafka source', (kafka) => {
  const open = (topics: string[], more: Partial<KafkaSourceOptions> = {}): Source =>
    kafkaSource(sourceOptions(kafka(), topics, more));

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

  test('bounds, committed offsets, the cluster, and the offset at a time', async () => {
    const topic = await kafka().freshTopic(2);
    const records = numbered(10).map((record, index) => ({ ...record, timestamp: 1000 + 10 * index }));
    await kafka().produce(topic, records);
    await kafka().admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '3' }] });
    const source = open([topic]);
    const first = { topic, partition: 0 };
    assert.deepEqual(await source.bounds(first), { low: 3, high: 10 });
    assert.deepEqual(await source.bounds({ topic, partition: 1 }), { low: 0, high: 0 });
    assert.equal(await source.committed(first), undefined);
    assert.equal(await source.offsetAt(first, 1045), 5);
    assert.equal(await source.offsetAt(first, 99_999), 10);
    const { id, partitions } = await source.cluster();
    assert.ok(id.length > 0);
    assert.equal(partitions.get(topic), 2);
    await assert.rejects(source.bounds({ topic, partition: 7 }), /no such partition/);
    await source.stop();
  });

  test('commits of a member, and of none', async () => {
    const topic = await kafka().freshTopic(2);
    const groupId = kafka().freshGroup();
    await kafka().produce(topic, numbered(10));
    const first = { topic, partition: 0 };
    const second = { topic, partition: 1 };
    const foreign = { topic: 'another', partition: 0, nextOffset: 1 };
    let accepted: unknown;
    const consumer = recordingConsumer({
      beforeStop: async () => {
        accepted = await source.commit([{ ...first, nextOffset: 7 }, foreign]);
      },
    });
    const source = open([topic], { groupId });
    assert.deepEqual(await source.commit([{ ...first, nextOffset: 1 }]), [], 'not a member yet');
    const running = source.run(consumer);
    await until('all is read', () => consumer.next.get(`${topic}/0`) === 10 && consumer.next.size === 2);
    const both = [
      { ...first, nextOffset: 10 },
      { ...second, nextOffset: 0 },
    ];
    await until('both are open', async () => (await source.commit(both)).length === 2);
    assert.equal(await source.committed(first), 10);
    await source.stop();
    await running;
    assert.deepEqual(accepted, [first], 'still a member, but not of the foreign one');
    assert.deepEqual(await source.commit([{ ...first, nextOffset: 9 }]), [], 'not a member any more');
    const after = open([topic], { groupId });
    assert.equal(await after.committed(first), 7);
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
    const groupId = kafka().freshGroup();
    await kafka().produce(topic, numbered(5000));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    const consumer = recordingConsumer({ onRecords: () => (++calls === 2 ? held : undefined) });
    const source = open([topic], { groupId, sessionTimeoutMs: 1500 });
    const running = source.run(consumer);
    await until('the second slice is held', () => calls === 2);
    const reached = consumer.count();
    const admin = kafka().admin;
    const start = Date.now();
    await until('the session would be over', () => Date.now() - start > 2500);
    const { groups } = await admin.describeGroups([groupId]);
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
    await kafka().produce(topic, numbered(50));
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
    let openGate: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    const source = open([topic]);
    const running = source.run(consumer);
    await until('the first records are read', () => consumer.next.get(name) === 50);
    await kafka().produce(topic, numbered(100));
    await kafka().admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '100' }] });
    openGate();
    await until('the consumer is asked again', () => asked.length === 2);
    assert.equal(asked[1], 50);
    assert.equal(consumer.count(), 50, 'nothing was delivered before its answer');
    assert.equal(await source.committed({ topic, partition: 0 }), undefined, 'and nothing committed');
    release();
    await until('the rest is read', () => consumer.next.get(name) === 150);
    assert.deepEqual(
      consumer.seen.get(name)!.map(({ offset }) => offset),
      [...range(0, 50), ...range(100, 150)],
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
});

function raise(error: Error): never {
  throw error;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
