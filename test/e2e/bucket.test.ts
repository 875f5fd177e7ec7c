import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { withBucket } from '../support/bucket.ts';
import { faultOf, faultyProxy } from '../support/faulty-proxy.ts';
import { withKafka } from '../support/kafka.ts';
import { seed } from '../support/seed.ts';
import { runToEnd, startService, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sceneOf, assertReplayed } from '../support/scene.ts';

const events = 60_000;

withKafka('checkpoints in a bucket', (kafka) => {
  withBucket('through a store that is slow, busy and breaks', (bucket) => {
    let number = 0;

    for (const cached of [false, true]) {
      test(`${events} events, killed 10 times, ${cached ? 'with' : 'without'} a cache: every number right (SEED=${seed})`, async (context) => {
        const folder = temporaryFolder(context);
        const random = seeded(seed);
        const endpoint = await faultyProxy(context, bucket().endpoint, () => faultOf(random()));
        const dir = `${bucket().location}/state/${++number}`;
        const cache = join(folder, 'cache');
        const more = {
          kafka: { dead_letter_topic: await kafka().freshTopic(1) },
          state: { dir, checkpoint_every: '500ms', ...(cached ? { cache } : {}) },
          s3: { endpoint },
        };
        const scene = await sceneOf(context, kafka(), events, { folder, partitions: 4, more });
        const { config } = scene;
        await kafka().produce(scene.topic, scene.traffic.records);
        for (let kill = 0; kill < 10; kill++) {
          const service = startService(config, [], bucket().env);
          await service.url();
          await Promise.race([new Promise((resolve) => setTimeout(resolve, 500 + random() * 3_000)), service.ended]);
          service.kill('SIGKILL');
          assert.equal(await service.ended, null, `kill ${kill}: ended by itself:\n${service.log()}`);
          // Another machine has no cache.
          if (cached && kill % 3 === 2) rmSync(cache, { recursive: true, force: true });
        }
        await runToEnd(config, bucket().env);
        if (cached) assert.ok(readdirSync(cache).length > 0);
        await assertReplayed(scene, await stateSummary(dir, bucket().envWithEndpoint));
      });
    }

    test('an outage of the store: not ready, nothing committed, and nothing lost when it is over', async (context) => {
      const dir = `${bucket().location}/state/${++number}`;
      const more = {
        kafka: { dead_letter_topic: await kafka().freshTopic(1) },
        state: { dir, checkpoint_every: '500ms' },
        s3: { endpoint: bucket().endpoint },
      };
      const scene = await sceneOf(context, kafka(), 20_000, { partitions: 2, more });
      const { config, settings, topic, traffic } = scene;
      const committed = async (): Promise<string> =>
        JSON.stringify((await kafka().admin.fetchOffsets({ groupId: settings.group, topics: [topic] }))[0]?.partitions);
      const half = Math.floor(traffic.records.length / 2);
      await kafka().produce(topic, traffic.records.slice(0, half));
      const service = startService(config, [], bucket().env);
      const url = await service.url();
      const ready = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;
      const read = async (): Promise<number> => (await service.summary()).records['read'] as number;
      await until('the first half is read', async () => (await read()) === half);
      await until('it is ready', ready);
      await bucket().stop();
      await kafka().produce(topic, traffic.records.slice(half));
      await until('it is not ready', async () => !(await ready()));
      const before = await committed();
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      assert.equal(await committed(), before);
      assert.equal(await ready(), false);
      await bucket().start();
      await until('it is ready again', ready);
      await until('all is read', async () => (await read()) === traffic.records.length);
      assert.equal(await service.stop(), 0, service.log());
      await assertReplayed(scene, await stateSummary(dir, bucket().envWithEndpoint));
    });
  });
});
