import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { testTraffic } from '../support/e2e-traffic.ts';
import { withKafka } from '../support/kafka.ts';
import { replaySummary, runToEnd, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const events = 12_000;

/** Several threads, each a member of the group (`run.threads`). */
withKafka('a service of two threads', (kafka) => {
  test('shows, after a kill -9 and beside another instance, the numbers of one log', async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, events);
    const topic = await kafka().freshTopic(4);
    const settings = { brokers: kafka().brokers, topics: [topic], truth: [traffic.truth], folder };
    const group = kafka().freshGroup();
    const config = serviceConfig({ ...settings, group, more: { run: { threads: 2 } } });
    const [first, second, third] = [0, 1, 2].map((part) =>
      traffic.records.slice((part * events) / 3, ((part + 1) * events) / 3),
    );
    const killed = startService(config);
    await kafka().produce(topic, first!);
    await until('a part of it is scored', async () => (await scoredBy(await killed.url())) > 100);
    killed.kill('SIGKILL');
    await killed.ended;

    const service = startService(config);
    const url = await service.url();
    await kafka().produce(topic, second!);
    const other = startService(config);
    await until('the other instance has partitions', async () => (await partitionsOf(await other.url())) > 0, 30_000);
    await kafka().produce(topic, third!);
    assert.equal(await other.stop(), 0, other.log());
    const replay = await replaySummary(config, traffic.events);
    await until('all is scored', async () => (await scoredBy(url)) === replay.records['scored'], 30_000);
    const summary = await summaryOf(url);
    assert.deepEqual(summary.records, replay.records);
    assert.deepEqual(summary.groups, replay.groups.slice(0, 1));
    assert.equal(await partitionsOf(url), 4);
    assert.match(
      await text(`${url}/readyz?verbose`),
      /partitions: 2 held, 0 being restored \(each thread\)\n(.*\n)*.*threads: 2 of 2 run/,
    );
    const failures = JSON.parse(await text(`${url}/api/v1/live`)) as { readonly failures: readonly unknown[] };
    assert.ok(failures.failures.length > 0);
    assert.equal(await service.stop(), 0, service.log());
    assert.deepEqual((await stateSummary(join(folder, 'state'))).groups, replay.groups);
  });

  test('counts for Prometheus what its threads have read, and prints one table at the ends', async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, 4_000);
    const topic = await kafka().freshTopic(3);
    await kafka().produce(topic, traffic.records);
    const settings = { brokers: kafka().brokers, topics: [topic], truth: [traffic.truth], folder };
    const config = serviceConfig({ ...settings, group: kafka().freshGroup(), more: { run: { threads: 2 } } });
    const service = startService(config);
    const url = await service.url();
    const consumed = async (): Promise<number> =>
      sumOf(await text(`${url}/metrics`), /^assay_records_consumed_total\{.*\} (.*)$/gm);
    await until('all is read', async () => (await consumed()) >= 4_000);
    await until(
      'all is counted',
      async () => sumOf(await text(`${url}/metrics`), /^assay_records_total\{.*\} (.*)$/gm) === 4_000,
    );
    assert.equal(await service.stop(), 0, service.log());

    const again = serviceConfig({
      ...{ ...settings, group: kafka().freshGroup(), folder: temporaryFolder(context) },
      more: { run: { threads: 2 } },
    });
    const { status, stdout, stderr } = await runProgram(['run', '-c', again, '--until-end']);
    assert.equal(status, 0, stderr);
    const replay = await runProgram(['replay', '-c', again, '--events', traffic.events]);
    assert.equal(stdout.split('\n')[0], replay.stdout.split('\n')[0]);
    assert.equal(stdout.match(/events scored/g)?.length, 1);
  });

  test('ends as one where a thread cannot go on', async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, 500);
    const topic = await kafka().freshTopic(2);
    await kafka().produce(topic, traffic.records);
    const settings = { brokers: kafka().brokers, topics: [topic], truth: [traffic.truth], folder };
    const group = kafka().freshGroup();
    await runToEnd(serviceConfig({ ...settings, group, more: { run: { threads: 2 } } }));
    const other = serviceConfig({
      ...{ ...settings, group },
      more: { run: { threads: 2 }, metrics: { decision: { invalid_as: 'cannot_answer' } } },
    });
    const { status, stderr } = await runProgram(['run', '-c', other]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /metrics\.decision\.invalid_as/);
  });
});

interface Shown {
  readonly records: Readonly<Record<string, unknown>>;
  readonly groups: readonly unknown[];
}

async function summaryOf(url: string): Promise<Shown> {
  return JSON.parse(await text(`${url}/api/v1/summary`)) as Shown;
}

async function scoredBy(url: string): Promise<number> {
  return Number((await summaryOf(url)).records['scored']);
}

async function partitionsOf(url: string): Promise<number> {
  return sumOf(await text(`${url}/metrics`), /^assay_assigned_partitions (.*)$/gm);
}

async function text(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

function sumOf(page: string, pattern: RegExp): number {
  return [...page.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
}
