import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { deadLetters, rejectedPlaces } from '../support/dead-letters.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { withKafka } from '../support/kafka.ts';
import { replaySummary, runToEnd, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const events = runs(12_000, 200_000);
const kills = runs(2, 30);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

withKafka('the service counts right', (kafka) => {
  test(`${events} events with duplicates and malformed records, killed ${kills} times (SEED=${seed})`, async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, events);
    const topic = await kafka().freshTopic(6);
    const deadLetterTopic = await kafka().freshTopic(1);
    await kafka().produce(topic, traffic.records);
    const { brokers } = kafka();
    const more = { kafka: { dead_letter_topic: deadLetterTopic } };
    const settings = { brokers, topics: [topic], group: kafka().freshGroup(), truth: [traffic.truth], folder, more };
    const config = serviceConfig(settings);
    const random = seeded(seed);
    for (let kill = 0; kill < kills; kill++) {
      const service = startService(config);
      await service.url();
      const afterMs = 200 + random() * 2_000;
      await Promise.race([new Promise((resolve) => setTimeout(resolve, afterMs)), service.ended]);
      service.kill('SIGKILL');
      assert.equal(await service.ended, null, `kill ${kill}: ended by itself:\n${service.log()}`);
    }
    await runToEnd(config);
    const replay = await replaySummary(config, traffic.events);
    const summary = await stateSummary(join(folder, 'state'));
    assert.deepEqual(summary.records, replay.records);
    assert.deepEqual(summary.groups, replay.groups);
    const letters = await deadLetters(kafka(), deadLetterTopic);
    assert.deepEqual(letters.places, await rejectedPlaces(kafka(), topic, traffic.records));
  });

  test('SIGTERM ends it with status 0 and a checkpoint of all that was applied', async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, 5_000);
    const topic = await kafka().freshTopic(2);
    await kafka().produce(topic, traffic.records);
    const { brokers } = kafka();
    const more = { state: { dir: join(folder, 'state'), checkpoint_every: '10m' } };
    const config = serviceConfig({
      brokers,
      topics: [topic],
      group: kafka().freshGroup(),
      truth: [traffic.truth],
      folder,
      more,
    });
    const service = startService(config);
    const url = await service.url();
    await until('all records are read', async () => {
      const reply = await fetch(`${url}/api/v1/summary`);
      return ((await reply.json()) as { records: { read: number } }).records.read === traffic.records.length;
    });
    assert.equal(await service.stop(), 0, service.log());
    const replay = await replaySummary(config, traffic.events);
    assert.deepEqual((await stateSummary(join(folder, 'state'))).groups, replay.groups);
  });
});
