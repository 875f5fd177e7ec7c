import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type TestBucket, withBucket } from '../support/bucket.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { filesBelow, rowsByManifest } from '../support/row-manifests.ts';
import { runToEnd, type ServiceSettings, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const events = 12_000;

interface Scene extends ServiceSettings {
  readonly more: Readonly<Record<string, unknown>>;
  /** `s3://bucket/prefix` of the state and of the snapshots, and the folder of these. */
  readonly state: string;
  readonly snapshots: string;
  readonly files: string;
}

withKafka('a group that has nothing but a bucket', (kafka) => {
  withBucket('and what is done to its files', (bucket) => {
    test('a view, other settings and a report', async (context) => {
      const folder = temporaryFolder(context);
      const { records, truth } = testTraffic(folder, events);
      const scene = await sceneOf(kafka(), bucket(), folder, truth);
      const [topic] = scene.topics as [string];
      const { env, envWithEndpoint } = bucket();
      const config = serviceConfig(scene);
      const [service, view] = [startService(config, [], env), startService(config, [], env, 'view')];
      await service.url();
      const written = await produceUntilFiles(kafka(), topic, records, scene);
      await until('all is shown', async () => (await view.summary()).records['read'] === written);
      for (const one of [view, service]) assert.equal(await one.stop(), 0, one.log());

      await kafka().produce(topic, records.slice(written));
      const { as_of: since } = await stateSummary(scene.state, envWithEndpoint);
      const other = serviceConfig({ ...scene, more: { ...scene.more, slices: [['model'], ['agent']] } });
      assert.match(await runToEnd(other, env), /partition goes on under other settings/);
      const summary = await stateSummary(scene.state, envWithEndpoint);
      assert.equal(summary.records['read'], records.length);
      const ofAgents = summary.groups.filter(({ slice }) => Object.keys(slice as object).join() === 'agent');
      assert.ok(ofAgents.length > 0);
      for (const { since: begun } of ofAgents) assert.equal((begun as Record<string, string>)['decision'], since);

      const ids = rowsByManifest([scene.files], topic);
      assert.equal(ids.length, summary.records['scored']);
      await kafka().produce(topic, records.slice(0, 100));
      await runToEnd(other, env);
      assert.equal(
        rowsByManifest([scene.files], topic).length,
        (await stateSummary(scene.state, envWithEndpoint)).records['scored'],
      );

      const output = join(folder, 'report.html');
      const report = await runProgram(['report', scene.snapshots, '-o', output], { env: envWithEndpoint });
      assert.equal(report.status, 0, report.stderr);
      assert.match(readFileSync(output, 'utf8'), /^<!doctype html>/i);
    });
  });
});

async function sceneOf(kafka: TestKafka, bucket: TestBucket, folder: string, truth: string): Promise<Scene> {
  const [state, snapshots] = ['state', 'snapshots'].map((name) => `${bucket.location}/life/${name}`) as [
    string,
    string,
  ];
  return {
    ...{
      brokers: kafka.brokers,
      topics: [await kafka.freshTopic(2)],
      group: kafka.freshGroup(),
      truth: [truth],
      folder,
    },
    more: {
      kafka: { dead_letter_topic: await kafka.freshTopic(1) },
      state: { dir: state, checkpoint_every: '500ms' },
      snapshots: { dir: snapshots, every: '1s', scores: 'all' },
      slices: [['model']],
      s3: { endpoint: bucket.endpoint },
    },
    ...{ state, snapshots, files: join(bucket.folder, 'life', 'snapshots') },
  };
}

/** Writes records, some at a time, until there are many files of rows; how many were written. */
async function produceUntilFiles(
  kafka: TestKafka,
  topic: string,
  records: Parameters<TestKafka['produce']>[1],
  scene: Scene,
): Promise<number> {
  let written = 0;
  const step = 20;
  await until(
    'there are many files',
    async () => {
      await kafka.produce(topic, records.slice(written, written + step));
      written += step;
      return rowFiles(scene).length >= 16;
    },
    300_000,
  );
  return written;
}

function rowFiles({ files }: Scene): string[] {
  return filesBelow(join(files, 'scores'), '.arrow');
}
