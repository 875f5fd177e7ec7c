import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/demo/random.ts';
import { type TestBucket, withBucket } from '../support/bucket.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { faultOf, faultyProxy } from '../support/faulty-proxy.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { rowsByManifest } from '../support/row-manifests.ts';
import { runToEnd, type ServiceSettings, type Summary, serviceConfig, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const events = 12_000;
const kills = 10;
const hourMs = 3_600_000;

interface Scene extends ServiceSettings {
  readonly more: Readonly<Record<string, unknown>>;
  /** `s3://bucket/prefix` of the snapshots, and their folder. */
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
      const { env, endpoint } = bucket();
      const service = startService(serviceConfig(scene), [], env);
      const view = startService(serviceConfig({ ...scene, group: scene.group }), [], env, 'view');
      await service.url();
      const written = await produceUntilFiles(kafka(), topic, records, scene);
      await until('all is shown', async () => (await summaryOf(await view.url())).records['read'] === written);
      for (const one of [view, service]) assert.equal(await one.stop(), 0, one.log());

      await kafka().produce(topic, records.slice(written));
      const { as_of: since } = await stateOf(scene, bucket());
      const other = serviceConfig({ ...scene, more: { ...scene.more, slices: [['model'], ['agent']] } });
      assert.match(await runToEnd(other, env), /partition goes on under other settings/);
      const summary = await stateOf(scene, bucket());
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
      assert.equal(rowsByManifest([scene.files], topic).length, (await stateOf(scene, bucket())).records['scored']);

      const output = join(folder, 'report.html');
      const report = await runProgram(['report', scene.snapshots, '-o', output], {
        env: { ...env, AWS_ENDPOINT_URL_S3: endpoint },
      });
      assert.equal(report.status, 0, report.stderr);
      assert.match(readFileSync(output, 'utf8'), /^<!doctype html>/i);
    });
  });
});

async function sceneOf(kafka: TestKafka, bucket: TestBucket, folder: string, truth: string): Promise<Scene> {
  const snapshots = `${bucket.location}/life/snapshots`;
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
      state: { dir: `${bucket.location}/life/state`, checkpoint_every: '500ms' },
      snapshots: { dir: snapshots, every: '1s', scores: 'all' },
      slices: [['model']],
      s3: { endpoint: bucket.endpoint },
    },
    ...{ snapshots, files: join(bucket.folder, 'life', 'snapshots') },
  };
}

/** Writes records, some at a time, until a partition has a dozen files of rows; how many were written. */
async function produceUntilFiles(
  kafka: TestKafka,
  topic: string,
  records: Parameters<TestKafka['produce']>[1],
  scene: Scene,
): Promise<number> {
  let written = 0;
  const step = 50;
  await until(
    'there are many files',
    async () => {
      await kafka.produce(topic, records.slice(written, written + step));
      written += step;
      return rowFiles(scene).length >= 16 || written + step > records.length / 2;
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
  const { status, stderr } = await runProgram(['compact', snapshots], { env });
  assert.equal(status, 0, stderr);
  return died;
}

/** Files and manifests are of an earlier hour from now on: compact leaves alone what is not long over. */
function ageFiles({ files }: Scene, byMs: number): void {
  for (const path of pathsIn(join(files, 'scores', '_manifest'))) {
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
  return pathsIn(join(files, 'scores')).filter((path) => path.endsWith('.arrow'));
}

function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

async function summaryOf(url: string): Promise<Summary> {
  return (await (await fetch(`${url}/api/v1/summary`)).json()) as Summary;
}

async function stateOf({ more }: Scene, { env, endpoint }: TestBucket): Promise<Summary> {
  const { dir } = more['state'] as { readonly dir: string };
  const { status, stdout, stderr } = await runProgram(['state', 'summary', dir], {
    env: { ...env, AWS_ENDPOINT_URL_S3: endpoint },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Summary;
}
