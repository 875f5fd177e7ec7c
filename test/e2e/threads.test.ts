import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import {
  replaySummary,
  runToEnd,
  serviceConfig,
  startService,
  stateSummary,
  type TestService,
} from '../support/service.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';
import { runs } from '../support/soak.ts';

const events = runs(3_000, 12_000);
const threads = { run: { threads: 2 } };

/** Several threads, each a member of the group (`run.threads`). */
withKafka('a service of two threads', (kafka) => {
  test('shows, after a kill -9 and beside another instance, the numbers of one log', async (context) => {
    const scene = await sceneOf(context, kafka(), events, { partitions: 4, more: threads });
    const { config, topic, traffic } = scene;
    const [first, second, third] = [0, 1, 2].map((part) =>
      traffic.records.slice((part * events) / 3, ((part + 1) * events) / 3),
    );
    const killed = startService(config);
    await kafka().produce(topic, first!);
    await until('a part of it is scored', async () => (await scoredBy(killed)) > 100);
    killed.kill('SIGKILL');
    await killed.ended;

    const service = startService(config);
    await service.url();
    await kafka().produce(topic, second!);
    const other = startService(config);
    await until('the other instance has partitions', async () => (await partitionsOf(other)) > 0, 30_000);
    await kafka().produce(topic, third!);
    assert.equal(await other.stop(), 0, other.log());
    const replay = await replaySummary(config, traffic.events);
    await until('all is scored', async () => (await scoredBy(service)) === replay.records['scored'], 30_000);
    const summary = await service.summary();
    assert.deepEqual(summary.records, replay.records);
    assert.deepEqual(summary.groups, replay.groups.slice(0, 1));
    assert.equal(await partitionsOf(service), 4);
    assert.match(
      await service.text('/readyz?verbose'),
      /partitions: 2 held, 0 being restored \(each thread\)\n(.*\n)*.*threads: 2 of 2 run/,
    );
    const failures = JSON.parse(await service.text('/api/v1/live')) as { readonly failures: readonly unknown[] };
    assert.ok(failures.failures.length > 0);
    assert.equal(await service.stop(), 0, service.log());
    assert.deepEqual((await stateSummary(scene.state)).groups, replay.groups);
  });

  test('counts for Prometheus what its threads have read, and prints one table at the ends', async (context) => {
    const { config, settings, topic, traffic } = await sceneOf(context, kafka(), 4_000, {
      partitions: 3,
      more: threads,
    });
    await kafka().produce(topic, traffic.records);
    const service = startService(config);
    // What is read is read again where the group rebalances; what is counted is counted once.
    await until('all is read', async () => (await sumOf(service, 'assay_records_consumed_total\\{.*\\}')) >= 4_000);
    await until('all is counted', async () => (await sumOf(service, 'assay_records_total\\{.*\\}')) === 4_000);
    assert.equal(await service.stop(), 0, service.log());
    const again = serviceConfig({ ...settings, group: kafka().freshGroup(), folder: temporaryFolder(context) });
    const { status, stdout, stderr } = await runProgram(['run', '-c', again, '--until-end']);
    assert.equal(status, 0, stderr);
    const replay = await runProgram(['replay', '-c', again, '--events', traffic.events]);
    assert.equal(stdout.split('\n')[0], replay.stdout.split('\n')[0]);
    assert.equal(stdout.match(/events scored/g)?.length, 1);
  });

  test('ends as one where a thread cannot go on', async (context) => {
    const { config, settings, topic, traffic } = await sceneOf(context, kafka(), 500, { partitions: 2, more: threads });
    await kafka().produce(topic, traffic.records);
    await runToEnd(config);
    const more = { ...threads, metrics: { decision: { invalid_as: 'cannot_answer' } } };
    const other = serviceConfig({ ...settings, more });
    const { status, stderr } = await runProgram(['run', '-c', other]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /metrics\.decision\.invalid_as/);
  });
});

async function scoredBy(service: TestService): Promise<number> {
  return Number((await service.summary()).records['scored']);
}

function partitionsOf(service: TestService): Promise<number> {
  return sumOf(service, 'assay_assigned_partitions');
}

async function sumOf(service: TestService, series: string): Promise<number> {
  const values = (await service.text('/metrics')).matchAll(new RegExp(`^${series} (.*)$`, 'gm'));
  return [...values].reduce((total, [, value]) => total + Number(value), 0);
}
