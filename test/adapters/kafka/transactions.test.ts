import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import { sourceOptions, testLog, withKafka } from '../../support/kafka.ts';
import { readingOf } from '../../support/truth-reading.ts';
import { until } from '../../support/until.ts';

withKafka('open transactions', (kafka) => {
  test('an open transaction in a truth topic is named with its producer until it ends', async () => {
    const topic = await kafka().freshTopic(1);
    const row = (id: string) => ({ key: id, value: JSON.stringify({ example_id: id, label: 'direct' }) });
    await kafka().produce(topic, [row('e0'), row('e1')]);
    const producer = kafka()
      .client()
      .producer({ transactionalId: `${topic}-tx`, maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [row('e2')] });
    const log = testLog();
    const source = kafkaSource(sourceOptions(kafka(), [topic], { log }));
    const read = readingOf(topic, source, testLog());
    const running = source.run(read.consumer);
    await until('what lies before the transaction is read', () => read.rows().rows === 2);
    await until('the transaction is found', async () => (await read.findTransactions()).length === 1);
    assert.match(
      read.progress(),
      new RegExp(
        `1 records to go; ${topic}/0 cannot be read beyond offset 2: producer \\d+ \\(epoch \\d+\\) has had a transaction open there, last written to at 20\\d\\d-`,
      ),
    );
    const named = (): readonly string[] => log.lines.filter((line) => line.includes('has had a transaction open'));
    await until('the log names what holds the partition', () => named().length > 0);
    assert.match(named()[0]!, new RegExp(`^warn: ${topic}/0 cannot be read beyond offset 2: producer \\d+`));
    await transaction.commit();
    await until('all is read', () => read.isRead());
    assert.doesNotMatch(read.progress(), /producer/);
    assert.equal(named().length, 1);
    assert.equal(await source.openTransaction!({ topic, partition: 0 }), undefined);
    await producer.disconnect();
    await source.stop();
    await running;
  });
});
