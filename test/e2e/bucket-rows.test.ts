import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { withBucket } from '../support/bucket.ts';
import { faultOf, faultyProxy } from '../support/faulty-proxy.ts';
import { withKafka } from '../support/kafka.ts';
import { rowsByManifest } from '../support/row-manifests.ts';
import { seed } from '../support/seed.ts';
import { runToEnd, startService, stateSummary } from '../support/service.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const events = 30_000;

withKafka('score rows in a bucket', (kafka) => {
  withBucket('through a store that is slow, busy and breaks', (bucket) => {
    test(`${events} events, two instances killed and stopped 8 times: each scored prediction in one row (SEED=${seed})`, async (context) => {
      const random = seeded(seed);
      const { location, env, envWithEndpoint } = bucket();
      const endpoint = await faultyProxy(context, bucket().endpoint, () => faultOf(random()));
      const more = {
        kafka: { dead_letter_topic: await kafka().freshTopic(1) },
        state: { dir: `${location}/rows/state`, checkpoint_every: '500ms' },
        snapshots: { dir: `${location}/rows/snapshots`, every: '2s', scores: 'all' },
        s3: { endpoint },
      };
      const { config, topic, traffic } = await sceneOf(context, kafka(), events, { partitions: 4, more });
      await kafka().produce(topic, traffic.records);
      const services = [0, 1].map(() => startService(config, [], env));
      for (let round = 0; round < 8; round++) {
        const at = round % 2;
        const service = services[at]!;
        await until('it has partitions', () => service.log().includes('"partition"'));
        await new Promise((resolve) => setTimeout(resolve, 500 + random() * 4_000));
        if (random() < 0.5) {
          service.kill('SIGKILL');
          await service.ended;
          services[at] = startService(config, [], env);
        } else {
          service.kill('SIGSTOP');
          await new Promise((resolve) => setTimeout(resolve, 8_000));
          service.kill('SIGCONT');
        }
      }
      for (const service of services) {
        await until('it runs', () => service.log().includes('"partition"'));
        assert.equal(await service.stop(), 0, service.log());
      }
      await runToEnd(config, env);
      const { records } = await stateSummary(`${location}/rows/state`, envWithEndpoint);
      const ids = rowsByManifest([join(bucket().folder, 'rows', 'snapshots')], topic);
      assert.equal(ids.length, records['scored']);
      assert.equal(new Set(ids).size, ids.length);
      const names = readdirSync(join(bucket().folder, 'rows', 'snapshots'));
      assert.ok(names.includes('latest.json') && names.some((name) => name.startsWith('aggregates-')));
    });
  });
});
