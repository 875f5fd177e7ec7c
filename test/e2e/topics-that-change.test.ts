import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { recreated, topicReady, withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { sceneOf } from '../support/scene.ts';
import { serviceConfig, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

withKafka('topics that change', (kafka) => {
  test('config check and the start say who stamps the records of a topic, and that one is compacted', async (context) => {
    const { settings } = await sceneOf(context, kafka(), 1);
    const topics = await Promise.all([
      kafka().freshTopic(1, { 'message.timestamp.type': 'LogAppendTime' }),
      kafka().freshTopic(1, { 'message.timestamp.after.max.ms': '7200000', 'cleanup.policy': 'compact' }),
    ]);
    const config = serviceConfig({ ...settings, topics });
    const said = [
      /LogAppendTime\): time\.max_future \(5m\) guards/,
      /takes 2h now/,
      /is compacted \(cleanup\.policy\)/,
    ];
    const { stderr } = await runProgram(['config', 'check', '-c', config]);
    for (const text of said) assert.match(stderr, text);
    const service = startService(config);
    await until('the start says so', () => said.every((text) => text.test(service.log())));
    assert.equal(await service.stop(), 0, service.log());
  });

  for (const from of ['latest', '2100-01-01T00:00:00Z'])
    test(`from ${from}: partitions of the start begin there, one that is born later at its beginning`, async (context) => {
      const scene = await sceneOf(context, kafka(), 60, { partitions: 2, more: { kafka: { from } } });
      const { topic, config, traffic } = scene;
      const records = (first: number, partition: number) =>
        traffic.records.slice(first, first + 20).map((record) => ({ ...record, partition }));
      await kafka().produce(topic, records(0, 0));
      const before = startService(config);
      await until('it is ready', () => isReady(before));
      assert.equal(await before.stop(), 0, before.log());
      await kafka().admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
      await topicReady(kafka().admin, topic, 3);
      // One partition of the start was empty and is one still: what came to it meanwhile is new.
      await kafka().produce(topic, [...records(20, 1), ...records(40, 2)]);
      const after = startService(config);
      await until('the new records are read', async () => (await readOf(after)) === 40);
      assert.equal(await after.stop(), 0, after.log());
    });

  test('from latest: a topic that is missing at the start is read from its beginning', async (context) => {
    const scene = await sceneOf(context, kafka(), 50);
    const topic = `${scene.topic}-later`;
    const config = serviceConfig({ ...scene.settings, topics: [topic], more: { kafka: { from: 'latest' } } });
    const service = startService(config);
    await until('the group waits for it', () => /does not have the topic.*reading waits/.test(service.log()));
    await kafka().admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: false });
    await topicReady(kafka().admin, topic);
    await kafka().produce(topic, scene.traffic.records);
    await until('all is read', async () => (await readOf(service)) === 50);
    assert.equal(await service.stop(), 0, service.log());
  });

  test('a topic that is recreated while it is read is refused, and the others go on', async (context) => {
    const scene = await sceneOf(context, kafka(), 150);
    const other = await kafka().freshTopic();
    const config = serviceConfig({ ...scene.settings, topics: [scene.topic, other] });
    const { records } = scene.traffic;
    await kafka().produce(scene.topic, records.slice(0, 40));
    const service = startService(config);
    await until('it has read them', async () => (await readOf(service)) === 40);
    await kafka().admin.deleteTopics({ topics: [scene.topic] });
    await recreated(kafka(), scene.topic);
    await kafka().produce(scene.topic, records.slice(40, 140));
    await until('it is refused', () => /topic was recreated.*--rebuild/.test(service.log()));
    await until('it is red', async () => /\[-\] partitions: .*recreated/.test(await service.text('/readyz?verbose')));
    await kafka().produce(other, records.slice(140));
    await until('the other topic is read', async () => (await readOf(service)) === 50);
    assert.equal(await service.stop(), 0, service.log());
  });

  for (const [how, away, back] of [
    ['between two fetches', stopped, resumed],
    ['while the service is down', ended, startedAgain],
  ] as const)
    test(`a topic that is recreated and filled with more of the same ${how} is refused`, async (context) => {
      const scene = await sceneOf(context, kafka(), 60, { more: { kafka: { session_timeout: '60s' } } });
      const { records } = scene.traffic;
      await kafka().produce(scene.topic, records.slice(0, 40));
      const service = startService(scene.config);
      await until('it has read them', async () => (await readOf(service)) === 40);
      await away(service);
      await kafka().admin.deleteTopics({ topics: [scene.topic] });
      await recreated(kafka(), scene.topic);
      await kafka().produce(scene.topic, records);
      const later = back(service, scene.config);
      await until('it is refused', () => /topic was recreated: its id is \w+, .*--rebuild/.test(later.log()));
      await until('it is red', async () => /\[-\] partitions: .*recreated/.test(await later.text('/readyz?verbose')));
      assert.equal(await later.stop(), 0, later.log());
    });
});

async function stopped(service: TestService): Promise<void> {
  service.kill('SIGSTOP');
  // The fetch that waits at the broker is answered meanwhile: its longest wait is 100 ms.
  await setTimeout(1_000);
}

function resumed(service: TestService): TestService {
  service.kill('SIGCONT');
  return service;
}

async function ended(service: TestService): Promise<void> {
  assert.equal(await service.stop(), 0, service.log());
}

function startedAgain(_: TestService, config: string): TestService {
  return startService(config);
}

async function isReady(service: TestService): Promise<boolean> {
  return (await fetch(`${await service.url()}/readyz`)).ok;
}

async function readOf(service: TestService): Promise<number> {
  return Number((await service.summary()).records['read']);
}
