import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { kafkaSource } from '../../src/adapters/kafka/kafka-source.ts';
import { seeded } from '../../src/statistics/random.ts';
import { type TestKafka, testLog, testProducer, type TestRecord, withKafka } from '../support/kafka.ts';
import { kafkaProxy } from '../support/kafka-proxy.ts';
import { seed } from '../support/seed.ts';
import { startService } from '../support/service.ts';
import { recordingConsumer, valuesOf } from '../support/recording-consumer.ts';
import { runs, soak } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { sceneOf, assertReplayed } from '../support/scene.ts';

const seconds = Number(process.env['ASSAY_FLIP_SECONDS'] ?? runs(3, 60));
const oneIn = soak ? 1_000 : 10;
/** Few records a batch, and many fetches. */
const sendsPerSecond = 200;
const recordsPerSend = 3;
/** Bytes of a response to a fetch that carries a record; without one it has about 100. */
const leastWithRecords = 400;
/** Of a response on the wire: its length and the number of its request come first. A length that is only a little too great is waited for. */
const firstByte = soak ? 0 : 4;

withKafka('what the network changes is not counted', (kafka) => {
  test(`a bit flips in one of ${oneIn} fetches, for ${seconds} s: every number is right (SEED=${seed})`, async (context) => {
    const random = seeded(seed);
    const count = { fetches: 0, flips: 0 };
    const proxy = await kafkaProxy(context, kafka().brokers[0]!, (response) => {
      if (response.length < leastWithRecords || ++count.fetches % oneIn !== 1) return;
      // The first of all among records, where a checksum finds it; the others anywhere.
      const from = count.flips++ === 0 ? response.length / 2 : firstByte;
      const bit = Math.floor(8 * (from + random() * (response.length - from)));
      response[bit >> 3]! ^= 1 << (bit & 7);
    });
    const events = seconds * sendsPerSecond * recordsPerSend;
    const scene = await sceneOf(context, kafka(), events, { brokers: [proxy], partitions: 4 });
    const { topic, traffic } = scene;
    const service = startService(scene.config);
    await service.url();
    await produceSteadily(kafka(), topic, traffic.records);
    const read = async (): Promise<number> => (await service.summary()).records['read'] as number;
    await until('all is read', async () => (await read()) >= traffic.records.length, 120_000);
    assert.equal(await service.stop(), 0, service.log());
    const again = service.log().match(/asked again/g)?.length ?? 0;
    context.diagnostic(`${count.flips} flips in ${count.fetches} fetches, ${again} asked again`);
    assert.ok(count.flips > 0 && again > 0);
    await assertReplayed(scene);
  });
});

withKafka('a response whose length or number is changed', (kafka) => {
  const changes: readonly (readonly [string, (response: Buffer) => void, limitMs?: number])[] = [
    ['a length of a gigabyte more', (response) => void response.writeUInt8(0x40, 0)],
    ['a negative length', (response) => void response.writeInt32BE(-5, 0)],
    ['a length of 0', (response) => void response.writeInt32BE(0, 0)],
    ['the number of no request', (response) => void response.writeInt32BE(2 ** 30, 4)],
    ['a length of a megabyte more, which may yet come', (response) => void response.writeUInt8(0x10, 1), 45_000],
  ];
  for (const [name, change, limitMs = 10_000] of changes)
    test(`${name}: the connection is made anew, and reading goes on within ${limitMs / 1000} s`, {
      skip: limitMs > 20_000 && !soak && 'half a minute: npm run test:soak',
    }, async (context) => {
      const topic = await kafka().freshTopic(1);
      await kafka().produce(topic, [{ value: 'first', partition: 0 }]);
      const count = { changed: 0, fetches: 0 };
      const proxy = await kafkaProxy(context, kafka().brokers[0]!, (response) => {
        if (++count.fetches % 5 !== 0 || count.changed === 3) return;
        count.changed++;
        change(response);
      });
      const consumer = recordingConsumer();
      const stop = new AbortController();
      const source = kafkaSource({
        ...{ brokers: [proxy], clientId: 'test', groupId: kafka().freshGroup(), topics: [topic], log: testLog() },
        ...{ sessionTimeoutMs: 10_000, batchBytes: 1 << 20, signal: stop.signal },
      });
      const running = source.run(consumer);
      // Where its session has expired, this consumer begins at the first record again.
      const read = (): (string | null)[] => [...new Set(valuesOf(consumer, `${topic}/0`))];
      for (let sent = 1; count.changed < 3 || read().length < sent; ) {
        await kafka().produce(topic, [{ value: String(sent++), partition: 0 }]);
        await until('it is read', () => read().length >= sent, limitMs);
      }
      stop.abort();
      await running;
      const rest = read().slice(1);
      assert.deepEqual(
        rest,
        rest.map((_, at) => String(at + 1)),
      );
    });
});

async function produceSteadily(kafka: TestKafka, topic: string, records: readonly TestRecord[]): Promise<void> {
  const producer = testProducer(kafka.client(), { idempotent: true });
  await producer.connect();
  const startMs = performance.now();
  for (let from = 0; from < records.length; from += recordsPerSend) {
    const messages = records
      .slice(from, from + recordsPerSend)
      .map(({ timestamp, ...record }) => ({ ...record, timestamp: String(timestamp) }));
    await producer.send({ topic, messages });
    await sleep(startMs + (1_000 * from) / (sendsPerSecond * recordsPerSend) - performance.now());
  }
  await producer.disconnect();
}
