import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KafkaMessage } from 'kafkajs';
import { kafkaDeadLetters } from '../../../src/adapters/kafka/kafka-dead-letters.ts';
import type { DeadLetter } from '../../../src/ports.ts';
import { testLog, withKafka } from '../../support/kafka.ts';
import { until } from '../../support/until.ts';

withKafka('kafka dead letters', (kafka) => {
  test('the bytes of the record, and what is wrong in headers', async () => {
    const topic = await kafka().freshTopic();
    await write(topic, [
      letter({ key: Buffer.from([1, 255]), value: Buffer.from([0xff, 0xfe]), detail: 'not UTF-8 \ud800' }),
      letter({ key: null, value: null, source: { topic: 'predictions', partition: 3, offset: 2 ** 40, element: 0 } }),
      letter({ source: { file: 'events.ndjson', line: 7 } }),
    ]);
    const [first, second, third] = await read(topic, 3);
    assert.deepEqual([first!.key, first!.value], [Buffer.from([1, 255]), Buffer.from([0xff, 0xfe])]);
    assert.deepEqual(headers(first!), {
      ...{ 'assay-reason': 'schema', 'assay-detail': 'not UTF-8 \ufffd' },
      ...{ 'assay-topic': 'predictions', 'assay-partition': '3', 'assay-offset': '41' },
    });
    assert.deepEqual([second!.key, second!.value], [null, null]);
    assert.equal(headers(second!)['assay-offset'], '1099511627776');
    assert.equal(headers(second!)['assay-element'], '0');
    assert.deepEqual(headers(third!), {
      ...{ 'assay-reason': 'schema', 'assay-detail': 'no label', 'assay-file': 'events.ndjson', 'assay-line': '7' },
    });
  });

  test('a compacted topic takes those without a key under their origin', async () => {
    const topic = await kafka().freshTopic(1, { 'cleanup.policy': 'compact' });
    await write(topic, [
      letter({ key: null, source: { topic: 'predictions', partition: 3, offset: 5, element: 0 } }),
      letter({ key: Buffer.from('own') }),
      letter({ key: null, source: { file: 'events.ndjson', line: 7 } }),
    ]);
    const found = await read(topic, 3);
    assert.deepEqual(
      found.map(({ key }) => String(key)),
      ['predictions/3/5/0', 'own', 'events.ndjson/7'],
    );
  });

  test('many at once, in order', async () => {
    const topic = await kafka().freshTopic();
    const letters = Array.from({ length: 3000 }, (_, index) =>
      letter({ value: Buffer.from(`${index} ${'x'.repeat(900)}`) }),
    );
    await write(topic, letters);
    const found = await read(topic, 3000);
    assert.deepEqual(
      found.map(({ value }) => Number.parseInt(String(value), 10)),
      letters.map((_, index) => index),
    );
  });

  test('one that the broker refuses as too large is cut, and those around it are not', async () => {
    const topic = await kafka().freshTopic(1, { 'max.message.bytes': '100000' });
    const large = Buffer.alloc(300_000, 'L');
    await write(topic, [
      letter({ value: Buffer.from('a') }),
      letter({ value: large, key: Buffer.from('k') }),
      letter({ value: Buffer.from('b') }),
    ]);
    const found = await read(topic, 3);
    assert.deepEqual(
      found.map(({ value }) => value!.length),
      [1, 65_536, 1],
    );
    assert.deepEqual(
      found.map((each) => headers(each)['assay-truncated']),
      [undefined, '300000', undefined],
    );
    assert.deepEqual(found[1]!.value, large.subarray(0, 65_536));
    assert.equal(String(found[1]!.key), 'k');
  });

  test('a topic with an unusually low limit gets less of it', async () => {
    const topic = await kafka().freshTopic(1, { 'max.message.bytes': '10000' });
    await write(topic, [letter({ value: Buffer.alloc(2_000_000), key: Buffer.alloc(70_000) })]);
    const [found] = await read(topic, 1);
    assert.deepEqual(
      [found!.value!.length, found!.key!.length, headers(found!)['assay-truncated']],
      [4096, 4096, '2000000'],
    );
  });

  async function write(topic: string, letters: readonly DeadLetter[]): Promise<void> {
    const options = {
      brokers: kafka().brokers,
      clientId: 'test',
      topic,
      log: testLog(),
      signal: new AbortController().signal,
    };
    const writer = kafkaDeadLetters(options);
    await writer.write(letters, () => undefined);
    await writer.close();
  }

  async function read(topic: string, count: number): Promise<KafkaMessage[]> {
    const consumer = kafka().client().consumer({ groupId: kafka().freshGroup(), maxWaitTimeInMs: 100 });
    const found: KafkaMessage[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ eachMessage: async ({ message }) => void found.push(message) });
    await until('all letters are there', () => found.length >= count);
    await consumer.disconnect();
    return found;
  }
});

function letter(of: Partial<DeadLetter>): DeadLetter {
  const source = { topic: 'predictions', partition: 3, offset: 41 };
  return { reason: 'schema', detail: 'no label', key: null, value: Buffer.from('{}'), source, ...of };
}

function headers(message: KafkaMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]));
}
