import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { withKafka } from '../support/kafka.ts';
import { rowsByManifest } from '../support/row-manifests.ts';
import { seed } from '../support/seed.ts';
import { runToEnd, serviceConfig, startService, stateSummary, type TestService } from '../support/service.ts';
import { runs, soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const events = runs(4_000, 40_000);
const rounds = runs(2, 10);

withKafka('score rows of several instances', (kafka) => {
  for (const { instances, shared } of cases())
    test(`${instances} instances, ${shared ? 'one folder' : 'a folder each'}, killed and stopped: each scored prediction in one row (SEED=${seed})`, async (context) => {
      const folder = temporaryFolder(context);
      const traffic = testTraffic(folder, events);
      const topic = await kafka().freshTopic(6);
      const group = kafka().freshGroup();
      const random = seeded(seed);
      const snapshots = Array.from({ length: instances }, (_, at) => join(folder, shared ? 'all' : `of-${at}`));
      const configs = snapshots.map((dir, at) => {
        const own = join(folder, `instance-${at}`);
        mkdirSync(own);
        return serviceConfig({
          ...{ brokers: kafka().brokers, topics: [topic], group, truth: [traffic.truth], folder: own },
          more: {
            snapshots: { dir, every: '1s', scores: 'all' },
            state: { dir: join(folder, 'state'), checkpoint_every: '300ms' },
          },
        });
      });
      const services = configs.map((config) => startService(config));
      /** Whether the group is of so many members, and they have the partitions. */
      const isShared = async (by: number): Promise<boolean> => {
        const { members, state } = (await kafka().admin.describeGroups([group])).groups[0]!;
        return members.length === by && state === 'Stable';
      };
      const produced = produceSlowly();
      for (let round = 0; round < rounds; round++) await disturb(services, configs, random, isShared);
      await produced;
      for (const service of services) await service.stop();
      await runToEnd(configs[0]!);
      const ids = rowsByManifest(snapshots, topic);
      const summary = await stateSummary(join(folder, 'state'));
      assert.equal(ids.length, summary.records['scored']);
      assert.equal(new Set(ids).size, ids.length);

      async function produceSlowly(): Promise<void> {
        const parts = 10;
        for (let part = 0; part < parts; part++) {
          const from = Math.floor((part * traffic.records.length) / parts);
          await kafka().produce(
            topic,
            traffic.records.slice(from, Math.floor(((part + 1) * traffic.records.length) / parts)),
          );
          await new Promise((resolve) => setTimeout(resolve, soak ? 3_000 : 500));
        }
      }
    });
});

function cases() {
  const all = [2, 3].flatMap((instances) => [true, false].map((shared) => ({ instances, shared })));
  return soak ? all : all.slice(1, 2);
}

/** One instance is killed and started again, or stopped until the group has given its partitions to another. */
async function disturb(
  services: TestService[],
  configs: readonly string[],
  random: () => number,
  isShared: (by: number) => Promise<boolean>,
): Promise<void> {
  const at = Math.floor(random() * services.length);
  const service = services[at]!;
  await until('it has partitions', () => service.log().includes('partition'));
  await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
  if (random() < 0.5) {
    service.kill('SIGKILL');
    await service.ended;
    services[at] = startService(configs[at]!);
    return;
  }
  service.kill('SIGSTOP');
  await until('others have its partitions', () => isShared(services.length - 1));
  await new Promise((resolve) => setTimeout(resolve, random() * 1_000));
  service.kill('SIGCONT');
}
