import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../src/demo/random.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { type TestKafka, testProducer, type TestRecord, withKafka } from '../support/kafka.ts';
import { kafkaProxy } from '../support/kafka-proxy.ts';
import { replaySummary, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const soak = process.env['ASSAY_SOAK'] === '1';
const seconds = Number(process.env['ASSAY_FLIP_SECONDS'] ?? (soak ? 60 : 5));
const oneIn = soak ? 1_000 : 20;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
/** Few records a batch, and many fetches. */
const sendsPerSecond = 200;
const recordsPerSend = 3;
/** Of a response on the wire: behind its length and, where nobody waits for the request to time out, behind the number of its request. */
const firstByte = soak ? 4 : 8;

withKafka('what the network changes is not counted', (kafka) => {
  test(`a bit flips in one of ${oneIn} fetches, for ${seconds} s: every number is right (SEED=${seed})`, async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, seconds * sendsPerSecond * recordsPerSend);
    const topic = await kafka().freshTopic(4);
    const random = seeded(seed);
    const count = { fetches: 0, flips: 0 };
    const proxy = await kafkaProxy(context, kafka().brokers[0]!, (response) => {
      count.fetches++;
      if (random() * oneIn >= 1) return;
      count.flips++;
      const bit = Math.floor(8 * (firstByte + random() * (response.length - firstByte)));
      response[bit >> 3]! ^= 1 << (bit & 7);
    });
    const settings = { topics: [topic], group: kafka().freshGroup(), truth: [traffic.truth], folder };
    const config = serviceConfig({ ...settings, brokers: [proxy] });
    const service = startService(config);
    const url = await service.url();
    await produceSteadily(kafka(), topic, traffic.records);
    const read = async (): Promise<number> => {
      const reply = await fetch(`${url}/api/v1/summary`);
      return ((await reply.json()) as { records: { read: number } }).records.read;
    };
    await until('all is read', async () => (await read()) >= traffic.records.length, 120_000);
    assert.equal(await service.stop(), 0, service.log());
    const again = service.log().match(/asked again/g)?.length ?? 0;
    context.diagnostic(`${count.flips} flips in ${count.fetches} fetches, ${again} asked again`);
    assert.ok(count.flips > 0 && again > 0);
    const replay = await replaySummary(config, traffic.events);
    const summary = await stateSummary(join(folder, 'state'));
    assert.deepEqual(summary.records, replay.records);
    assert.deepEqual(summary.groups, replay.groups);
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
