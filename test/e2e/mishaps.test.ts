import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parseCheckpointFileName } from '../../src/formats/checkpoint/names.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { runToEnd, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { until } from '../support/until.ts';
import { sceneOf, assertReplayed, type Scene } from '../support/scene.ts';

withKafka('mishaps have a clear message and the right fate', (kafka) => {
  test('a checkpoint cut short, or with a flipped byte, is passed over; nothing is lost', async (context) => {
    const scene = await settle(context, kafka(), 1_500, 3);
    const files = checkpointFiles(scene);
    assert.ok(files.length >= 2, 'several checkpoints');
    const newest = files.at(-1)!;
    truncateSync(newest, readFileSync(newest).length - 7);
    const damaged = await runProgram(['state', 'summary', scene.state]);
    assert.equal(damaged.status, 1, 'what is shown is not all there is');
    assert.match(damaged.stderr, /damaged/);
    assert.ok('groups' in JSON.parse(damaged.stdout));
    assert.match(await runToEnd(scene.config), /damaged/);
    await assertReplayed(scene);
    const flipped = checkpointFiles(scene).at(-1)!;
    const bytes = readFileSync(flipped);
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(flipped, bytes);
    await runToEnd(scene.config);
    await assertReplayed(scene);
  });

  test('the state is for its owner alone: it holds events that wait for truth', async (context) => {
    const { state } = await settle(context, kafka(), 500);
    const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
    assert.ok(names.length >= 3);
    for (const path of [state, ...names.map((name) => join(state, name))]) {
      const found = statSync(path);
      assert.equal((found.mode & 0o777).toString(8), found.isDirectory() ? '700' : '600', path);
    }
  });

  test('other settings are refused with status 2, naming key, values and remedies', async (context) => {
    const scene = await settle(context, kafka(), 500);
    const config = serviceConfig({ ...scene.settings, more: { metrics: { tool_calls: { threshold: 0.5 } } } });
    const { status, stderr } = await runProgram(['run', '-c', config, '--until-end']);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /metrics\.tool_calls\.threshold: the state was made with 0\.8, the configuration says 0\.5/);
    assert.match(stderr, /--rebuild/);
    assert.equal((await runProgram(['run', '-c', config, '--until-end', '--rebuild'])).status, 0);
  });

  test('a topic that was recreated is refused; the message names the remedy', async (context) => {
    const scene = await settle(context, kafka(), 500);
    await kafka().admin.deleteTopics({ topics: [scene.topic] });
    await until('the topic is there again', () => recreate(kafka(), scene.topic));
    await kafka().produce(scene.topic, scene.traffic.records.slice(100, 900));
    const service = startService(scene.config);
    await until('it is refused', () => /recreated/.test(service.log()));
    await until('it is red', async () => /recreated.*--rebuild/.test(await service.text('/readyz?verbose')));
    assert.equal((await fetch(`${await service.url()}/readyz`)).status, 503);
    assert.equal(await service.stop(), 0);
  });

  test('a log that was trimmed past the checkpoint is refused, and skipped on request', async (context) => {
    const scene = await settle(context, kafka(), 500);
    await kafka().produce(scene.topic, scene.traffic.records);
    const [bounds] = await kafka().admin.fetchTopicOffsets(scene.topic);
    const trimmed = Number(bounds!.high) - 10;
    await kafka().admin.deleteTopicRecords({
      topic: scene.topic,
      partitions: [{ partition: 0, offset: String(trimmed) }],
    });
    const service = startService(scene.config);
    await until('it is refused', () => /kafka\.on_gap: skip/.test(service.log()));
    assert.equal(await service.stop(), 0);
    const config = serviceConfig({ ...scene.settings, more: { kafka: { on_gap: 'skip' } } });
    assert.match(await runToEnd(config), /skipping a gap/);
  });

  test('a partition without a checkpoint but with a commit is not started empty', async (context) => {
    const scene = await settle(context, kafka(), 500);
    const { status, stderr } = await runProgram(['state', 'drop', scene.state, '--partition', '0']);
    assert.equal(status, 0, stderr);
    const service = startService(scene.config);
    await until('it is refused', () => /starting empty would lose what was counted/.test(service.log()));
    assert.equal(await service.stop(), 0);
  });

  test('a state folder that cannot be written to is an outage: red, retried, nothing lost', async (context) => {
    const scene = await settle(context, kafka(), 500);
    const { state } = scene;
    const service = startService(scene.config);
    const ask = async (path: string): Promise<Response> => fetch(`${await service.url()}${path}`);
    await until('it is ready', async () => (await ask('/readyz')).ok);
    renameSync(state, `${state}-away`);
    writeFileSync(state, 'in its place');
    await kafka().produce(scene.topic, scene.traffic.records);
    await until('it is told', () => /ENOTDIR.*trying again until it succeeds/.test(service.log()));
    // Whichever comes first: a checkpoint that was due, its score rows, or the dead letters of what was read.
    const red = /\[-\] outages: (dead letters|checkpoint |score rows ).*ENOTDIR/;
    await until('it is red', async () => red.test(await (await ask('/readyz?verbose')).text()));
    rmSync(state);
    renameSync(`${state}-away`, state);
    await until('it recovers', () => /succeeded after an outage/.test(service.log()));
    const read = 2 * scene.traffic.records.length;
    await until('all is read', async () => (await service.summary()).records['read'] === read);
    assert.equal(await service.stop(), 0);
    assert.equal((await stateSummary(state)).records['read'], read);
  });

  test('a broker that is absent at start is waited for', async (context) => {
    const { config } = await sceneOf(context, kafka(), 100, { brokers: ['127.0.0.1:1'] });
    const service = startService(config);
    await until('it is told', () => /127\.0\.0\.1:1/.test(service.log()));
    assert.equal((await fetch(`${await service.url()}/readyz`)).status, 503);
    assert.equal((await fetch(`${await service.url()}/livez`)).status, 200);
    assert.equal(await service.stop(), 0, service.log());
  });
});

/** A topic of one partition that the service has read to its end, in so many starts. */
async function settle(context: TestContext, kafka: TestKafka, count: number, starts = 1): Promise<Scene> {
  const scene = await sceneOf(context, kafka, count);
  const { topic, traffic, config } = scene;
  for (let part = 0; part < starts; part++) {
    await kafka.produce(topic, traffic.records.slice((part * count) / starts, ((part + 1) * count) / starts));
    await runToEnd(config);
  }
  return scene;
}

/** Whether the topic is there again, asked for as often as it takes: the deletion is not done at once. */
async function recreate(kafka: TestKafka, topic: string): Promise<boolean> {
  try {
    await kafka.admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: false });
    const { topics } = await kafka.admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions.length === 1;
  } catch {
    return false;
  }
}

/** Checkpoint files of all partitions, by name: those of one partition sort by age. */
function checkpointFiles({ state }: Scene): string[] {
  return readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && parseCheckpointFileName(entry.name) !== undefined)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
