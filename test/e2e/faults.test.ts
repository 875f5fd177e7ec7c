import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { deadLetters, rejectedPlaces } from '../support/dead-letters.ts';
import { withKafka } from '../support/kafka.ts';
import { seed } from '../support/seed.ts';
import { runToEnd, startService } from '../support/service.ts';
import { runs } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { sceneOf, assertReplayed } from '../support/scene.ts';

const events = runs(6_000, 200_000);
const kills = runs(2, 30);

withKafka('the service counts right', (kafka) => {
  test(`${events} events with duplicates and malformed records, killed ${kills} times (SEED=${seed})`, async (context) => {
    const deadLetterTopic = await kafka().freshTopic(1);
    const more = { kafka: { dead_letter_topic: deadLetterTopic } };
    const scene = await sceneOf(context, kafka(), events, { partitions: 6, more });
    const { config, topic, traffic } = scene;
    await kafka().produce(topic, traffic.records);
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
    await assertReplayed(scene);
    const letters = await deadLetters(kafka(), deadLetterTopic);
    assert.deepEqual(letters.places, await rejectedPlaces(kafka(), topic, traffic.records));
  });

  test('SIGTERM ends it with status 0 and a checkpoint of all that was applied', async (context) => {
    const more = { state: { checkpoint_every: '10m' } };
    const scene = await sceneOf(context, kafka(), 5_000, { partitions: 2, more });
    await kafka().produce(scene.topic, scene.traffic.records);
    const service = startService(scene.config);
    const { records } = scene.traffic;
    await until('all records are read', async () => (await service.consumed()) === records.length);
    assert.equal(await service.stop(), 0, service.log());
    await assertReplayed(scene);
  });
});
