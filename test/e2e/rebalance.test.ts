import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startKafka, testKafka, withKafka } from '../support/kafka.ts';
import { runToEnd, startService, type TestService } from '../support/service.ts';
import { runs, soak } from '../support/soak.ts';
import { patience, until } from '../support/until.ts';
import { sceneOf, assertReplayed } from '../support/scene.ts';

const events = runs(4_000, 200_000);
const joins = runs(1, 5);

withKafka('several instances of a group', (kafka) => {
  test(`two instances, a third joins and leaves ${joins} times: counted once`, async (context) => {
    const scene = await sceneOf(context, kafka(), events, { partitions: 6 });
    const { config, topic, traffic } = scene;
    const steady = [startService(config), startService(config)];
    await Promise.all(steady.map((service) => service.url()));
    const joinMs: number[] = [];
    const share = Math.ceil(traffic.records.length / joins);
    for (let join = 0; join < joins; join++) {
      const producing = kafka().produce(topic, traffic.records.slice(join * share, (join + 1) * share));
      const third = startService(config);
      joinMs.push(await timeToCount(third));
      await producing;
      assert.equal(await third.stop(), 0, third.log());
    }
    joinMs.sort((a, b) => a - b);
    context.diagnostic(`from join request to counting: ${joinMs.map(Math.round).join(', ')} ms`);
    // On a machine that does nothing else the median is well below 2 s; the bound leaves room for one that runs other tests.
    const boundMs = patience * 5_000;
    assert.ok(joinMs[joinMs.length >> 1]! < boundMs, `joining takes ${joinMs.join(', ')} ms`);
    for (const service of steady) assert.equal(await service.stop(), 0, service.log());
    await runToEnd(config);
    await assertReplayed(scene);
  });

  const frozenSkip = soak ? false : 'half a minute: npm run test:soak';
  test('an instance that stood still for twice the session timeout counts nothing twice', {
    skip: frozenSkip,
  }, async (context) => {
    const scene = await sceneOf(context, kafka(), 10_000, { partitions: 2 });
    const { config, topic, traffic } = scene;
    const frozen = startService(config);
    await until('the first instance has joined', () => frozen.log().includes('Joined the group'));
    await kafka().produce(topic, traffic.records.slice(0, 5_000));
    await until('it has saved', () => frozen.log().includes('partition starts'));
    frozen.kill('SIGSTOP');
    const other = startService(config);
    await kafka().produce(topic, traffic.records.slice(5_000));
    // Twice the session timeout of 6 s: the group has given the partitions away.
    await until('the other instance has all partitions', async () => (await assigned(other)) === 2, 30_000);
    frozen.kill('SIGCONT');
    await until('the first one is back in the group', async () => (await assigned(other)) < 2, 30_000);
    assert.equal(await frozen.stop(), 0, frozen.log());
    assert.equal(await other.stop(), 0, other.log());
    await runToEnd(config);
    await assertReplayed(scene);
  });
});

withKafka('a broker that is killed and comes back', () => {
  const skip = soak ? false : 'a broker of its own: npm run test:soak';
  test('the service waits and counts on', { skip }, async (context) => {
    const own = await startKafka();
    context.after(() => own.stop());
    const kafka = await testKafka([own.address]);
    const scene = await sceneOf(context, kafka, 20_000, { partitions: 3 });
    const { topic, traffic } = scene;
    await kafka.produce(topic, traffic.records.slice(0, 10_000));
    const service = startService(scene.config);
    const read = async (): Promise<number> => (await service.summary()).records['read'] as number;
    await until('some records are read', async () => (await read()) > 1_000);
    await own.kill();
    await own.restart();
    await until(
      'the broker takes records again',
      async () => {
        try {
          await kafka.produce(topic, traffic.records.slice(10_000));
          return true;
        } catch {
          return false;
        }
      },
      60_000,
    );
    await until('all records are read', async () => (await read()) === traffic.records.length, 60_000);
    assert.equal(await service.stop(), 0, service.log());
    await kafka.admin.disconnect();
    await assertReplayed(scene);
  });
});

/**
 * From the join request of an instance, which follows on its truth, until it counts a partition, in ms: by its own log, since this process
 * produces records meanwhile and sees late what it asks for.
 */
async function timeToCount(service: TestService): Promise<number> {
  await until('the joining instance counts', async () => (await assigned(service)) > 0, 30_000);
  return loggedAt(service, /^partition (restored|starts)/) - loggedAt(service, /^truth loaded/);
}

/** When a service first logged a message, in ms since the epoch. */
function loggedAt(service: TestService, message: RegExp): number {
  const lines = service.log().trim().split('\n');
  const line = lines
    .map((text) => JSON.parse(text) as { time: string | number; msg: string })
    .find(({ msg }) => message.test(msg));
  assert.ok(line, `the log has no line ${message}: ${service.log()}`);
  return new Date(line.time).getTime();
}

async function assigned(service: TestService): Promise<number> {
  return Number(/^assay_assigned_partitions (.*)$/m.exec(await service.text('/metrics'))?.[1] ?? Number.NaN);
}
