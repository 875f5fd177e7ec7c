import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { type TestBucket, withBucket } from '../support/bucket.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { faultOf, faultyProxy } from '../support/faulty-proxy.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { filesBelow, rowsByManifest } from '../support/row-manifests.ts';
import {
  runToEnd,
  type ServiceSettings,
  type Summary,
  serviceConfig,
  startService,
  stateSummary,
} from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const events = 12_000;
const kills = 10;
const hourMs = 3_600_000;

interface Scene extends ServiceSettings {
  readonly more: Readonly<Record<string, unknown>>;
  /** `s3://bucket/prefix` of the state and of the snapshots, and the folder of these. */
  readonly state: string;
  readonly snapshots: string;
  readonly files: string;
}

withKafka('a group that has nothing but a bucket', (kafka) => {
  withBucket('and what is done to its files', (bucket) => {
    test(`a view, other settings, a report, and compact killed ${kills} times (SEED=${seed})`, async (context) => {
      const folder = temporaryFolder(context);
      const { records, truth } = testTraffic(folder, events);
      const scene = await sceneOf(kafka(), bucket(), folder, truth);
      const [topic] = scene.topics as [string];
      const { env, envWithEndpoint, endpoint } = bucket();
      const config = serviceConfig(scene);
      const [service, view] = [startService(config, [], env), startService(config, [], env, 'view')];
      await service.url();
      const written = await produceUntilFiles(kafka(), topic, records, scene);
      await until('all is shown', async () => (await summaryOf(await view.url())).records['read'] === written);
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
      const before = rowFiles(scene).length;
      ageFiles(scene, 3 * hourMs);
      const random = seeded(seed);
      const by = await faultyProxy(context, endpoint, () => faultOf(random()));
      const died = await compactKilled(scene, { ...env, AWS_ENDPOINT_URL_S3: by }, random);
      context.diagnostic(`${before} files became ${rowFiles(scene).length}, ${died} times killed`);
      assert.deepEqual(rowsByManifest([scene.files], topic), ids);
      assert.ok(rowFiles(scene).length < before / 2);
      // The next service finds what compact has left.
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

/** Runs compact again and again, and kills it after a time that is drawn; at last it runs to its end. How often it died. */
async function compactKilled(
  { snapshots }: Scene,
  env: Readonly<Record<string, string>>,
  random: () => number,
): Promise<number> {
  let died = 0;
  for (let kill = 0; kill < kills; kill++) {
    const child = startProgram(['compact', snapshots], { env });
    const ended = new Promise<boolean>((resolve) => child.once('close', (status) => resolve(status === null)));
    const timer = setTimeout(() => void child.kill('SIGKILL'), 600 + random() * 3_000);
    if (await ended) died++;
    clearTimeout(timer);
  }
  // The store refuses more now and then than its client asks again: such a run ends with that, and the next one goes on.
  let last = await runProgram(['compact', snapshots], { env });
  for (let again = 0; again < kills && last.status === 1 && last.stderr.includes('SlowDown'); again++)
    last = await runProgram(['compact', snapshots], { env });
  assert.equal(last.status, 0, last.stderr);
  return died;
}

/** Files and manifests are of an earlier hour from now on: compact leaves alone what is not long over. */
function ageFiles({ files }: Scene, byMs: number): void {
  for (const path of filesBelow(join(files, 'scores', '_manifest'), '.json')) {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly files: readonly { readonly ended: string }[];
    };
    const aged = manifest.files.map((file) => ({
      ...file,
      ended: new Date(Date.parse(file.ended) - byMs).toISOString(),
    }));
    writeFileSync(path, JSON.stringify({ ...manifest, files: aged }));
  }
}

function rowFiles({ files }: Scene): string[] {
  return filesBelow(join(files, 'scores'), '.arrow');
}

async function summaryOf(url: string): Promise<Summary> {
  return (await (await fetch(`${url}/api/v1/summary`)).json()) as Summary;
}
