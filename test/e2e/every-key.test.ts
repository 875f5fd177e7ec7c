import assert from 'node:assert/strict';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { limitNames } from '../../src/config/limits.ts';
import { impatientKeys, type ServiceWorld, serviceKeys } from '../support/every-key.ts';
import { freePort } from '../support/free-port.ts';
import { type TestKafka, type TestRecord, withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patience, until } from '../support/until.ts';

/*
 * The keys that only a service reads (test/support/every-key.ts) on the built program with a broker, each with a value other than its
 * default, and the flags of `run` and `state`. What a key does shows in what is asserted, but for session_timeout and
 * page.marks (test/e2e/marks.test.ts).
 */

const startMs = Date.now() - 600_000;

withKafka('every key of a service', (kafka) => {
  test('has an effect', { timeout: patience * 120_000 }, async (context) => {
    const world = await worldOf(context, kafka());
    const config = configOf(world, serviceKeys(world));
    await kafka().produce(world.truthTopic, [{ key: 'told', value: truthRecord('told') }]);
    const thumb = { about: { example_id: 'told' }, by: 'human:ann', correct: true };
    await kafka().produce(world.feedbackTopic, [{ value: JSON.stringify(thumb) }]);
    // Before `kafka.from`; then one whose truth only the topic has, and one that the default of `time.max_future` would refuse.
    const early = [event({ example_id: 'a' }, -3_600_000), event({ example_id: 'a' }, -3_600_000)];
    await kafka().produce(world.topic, [...early, event({ example_id: 'told' }), { ...soon(), timestamp: startMs }]);
    const first = await runProgram(['run', '--config', config, '--until-end']);
    assert.equal(first.status, 0, first.stderr);
    assert.deepEqual(await recordsIn(world), { read: 2, scored: 2, feedback: 1, rejected: {} });
    // A gap of three records after the checkpoint.
    await kafka().produce(
      world.topic,
      Array.from({ length: 4 }, () => event({ example_id: 'a' })),
    );
    await kafka().admin.deleteTopicRecords({ topic: world.topic, partitions: [{ partition: 0, offset: '7' }] });
    await lives(kafka(), world, startService(config));
    await isLookedAt(world, config);
  });

  test('truth that takes too long is counted, and a stop takes no longer than its grace', async (context) => {
    const world = await worldOf(context, kafka());
    const service = startService(configOf(world, { ...impatientKeys(world), http: { port: world.port } }));
    await until('it is told in lines for people', () => /^(?!\{).*not loaded within 1 ms/m.test(service.log()));
    await until('it is counted', async () => (await series(world, '127.0.0.1'))('limit="truth_load"') > 0);
    assert.equal(await service.stop(), 0, service.log());
    assert.match(service.log(), /3s/);
  });
});

/** A service that runs: what its keys do, until it is stopped. */
async function lives(kafka: TestKafka, world: ServiceWorld, service: TestService): Promise<void> {
  assert.equal(await service.url(), `http://0.0.0.0:${world.port}`);
  const page = () => series(world, 'assay.test');
  await page();
  appendFileSync(world.truth, `${truthRecord('unseen')}\n`);
  await kafka.produce(world.topic, odd());
  await kafka.produce(world.topic, [{ value: 'x'.repeat(200_000) }], 'gzip');
  await until('it is a member of its group', async () => {
    const { members } = (await kafka.admin.describeGroups([world.group])).groups[0]!;
    return members.some(({ clientId }) => clientId === 'every-key');
  });
  for (const limit of limitNames.filter((name) => name !== 'truth_load'))
    await until(`limit ${limit} is counted`, async () => (await page())(`{limit="${limit}"}`) > 0);
  await until('the gap is counted', async () => (await page())('assay_lost_records_total') === 3);
  const value = await page();
  assert.ok(value('assay_series_dropped') > 0);
  assert.equal(value('assay_checkpoint_interval_seconds'), 0.2);
  assert.equal(value('assay_snapshot_interval_seconds'), 0.3);
  assert.equal((await ask(world, '/livez', '127.0.0.1')).status, 421, 'another name than http.allowed_hosts');
  const live = await ask(world, '/api/v1/live', 'assay.test');
  const { failures } = JSON.parse(live.text) as { failures: unknown[] };
  assert.equal(failures.length, 2);
  assert.match(live.text, /\[hidden\]/);
  assert.doesNotMatch(live.text, /Lisbon/);
  await until('time goes on without records', async () => (await asOf(world)) > startMs + soonMs);
  await until('snapshots grow old', () => /old snapshots deleted/.test(service.log()));
  await until('refused records are there', async () => (await sizeOf(kafka, world.deadLetterTopic)) >= 4);
  assert.equal(await service.stop(), 0, service.log());
  assert.match(service.log(), /^\{"level":"debug"/m);
  assert.equal(service.log().match(/"truth loaded"/g)?.length, 1, 'nobody watches the truth');
  assert.ok(existsSync(join(world.folder, 'snapshots', 'scores')));
}

/** What lies in `state.dir` afterwards: `state list`, `drop`, and a rebuild. */
async function isLookedAt(world: ServiceWorld, config: string): Promise<void> {
  const state = join(world.folder, 'state');
  const list = async (): Promise<string> => (await runProgram(['state', 'list', state])).stdout;
  assert.match(await list(), new RegExp(`^\\{"topic":"${world.topic}","partition":0,.*"valid":true`));
  const dropped = await runProgram(['state', 'drop', state, '--partition', `${world.topic}/0`]);
  assert.equal(dropped.status, 0, dropped.stderr);
  assert.equal(await list(), '');
  const rebuilt = await runProgram(['run', '-c', config, '--rebuild', '--until-end']);
  assert.equal(rebuilt.status, 0, rebuilt.stderr);
  assert.match(await list(), /"valid":true/);
}

async function worldOf(context: TestContext, kafka: TestKafka): Promise<ServiceWorld> {
  const folder = temporaryFolder(context);
  const truth = join(folder, 'truth.ndjson');
  writeFileSync(truth, ['a', 'b'].map((id) => `${truthRecord(id)}\n`).join(''));
  return {
    brokers: kafka.brokers,
    topic: await kafka.freshTopic(),
    truthTopic: await kafka.freshTopic(1, { 'cleanup.policy': 'compact' }),
    feedbackTopic: await kafka.freshTopic(2),
    deadLetterTopic: await kafka.freshTopic(),
    group: kafka.freshGroup(),
    truth,
    folder,
    port: await freePort(),
    from: new Date(startMs - 60_000).toISOString(),
  };
}

function configOf({ folder }: ServiceWorld, config: object): string {
  const path = join(folder, 'assay.yaml');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function truthRecord(id: string): string {
  return JSON.stringify({ example_id: id, label: 'tool_call', expected_tool_calls: [call('find', 'Oslo')] });
}

function call(name: string, from: string): object {
  return { name, arguments: { from, to: 'Oslo' } };
}

function event(fields: object, afterMs = 0): TestRecord {
  const timestamp = startMs + afterMs;
  return { value: JSON.stringify({ ts: timestamp, label: 'tool_call', ...fields }), timestamp };
}

const soonMs = 3_600_000;

function soon(): TestRecord {
  return event({ example_id: 'a' }, soonMs);
}

/** Records that reach every limit. */
function odd(): TestRecord[] {
  const models = Array.from({ length: 12 }, (_, index) => ({ example_id: index % 2 ? 'a' : 'b', model: `m${index}` }));
  const fields: readonly object[] = [
    ...models.map((one, run) => ({ ...one, run, event_id: `e${run}`, tool_calls: [call(`f${run}`, 'Lisbon')] })),
    ...['x', 'y'].map((conversation) => ({ conversation, example_id: 'a', tool_calls: [call('find', 'Oslo')] })),
    { example_id: 'unknown 1' },
    { example_id: 'unknown 2' },
    { example_id: 'a', output: 'x'.repeat(6_000) },
    { example_id: 'a', output: JSON.parse('['.repeat(20) + ']'.repeat(20)) as object },
    { example_id: 'a', tool_calls: Array.from({ length: 5 }, () => call('find', 'Oslo')) },
    { example_id: 'a', output: new Array(600).fill(1) },
  ];
  const three = JSON.stringify([1, 2, 3].map(() => ({ example_id: 'a' })));
  return [...fields.map((one) => event(one, soonMs)), { value: three, timestamp: startMs }];
}

async function recordsIn({ folder }: ServiceWorld): Promise<object> {
  const { stdout, stderr } = await runProgram(['state', 'summary', join(folder, 'state')]);
  const { records } = JSON.parse(stdout || assert.fail(stderr)) as { records: Record<string, unknown> };
  const { read, scored, feedback, rejected } = records;
  return { read, scored, feedback, rejected };
}

async function asOf(world: ServiceWorld): Promise<number> {
  const { text } = await ask(world, '/api/v1/summary', 'assay.test');
  return Date.parse((JSON.parse(text) as { as_of: string }).as_of);
}

/** The values on the metrics page: of the first series whose line holds a text. */
async function series(world: ServiceWorld, host: string): Promise<(name: string) => number> {
  const { text } = await ask(world, '/metrics', host);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (host === 'assay.test') assert.ok(lines.length <= 150, `${lines.length} series`);
  return (name) =>
    Number(
      lines
        .find((line) => line.includes(name))
        ?.split(' ')
        .at(-1),
    );
}

async function sizeOf(kafka: TestKafka, topic: string): Promise<number> {
  return Number((await kafka.admin.fetchTopicOffsets(topic))[0]!.high);
}

function ask(
  { port }: ServiceWorld,
  path: string,
  host: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, async (reply) => {
      let text = '';
      for await (const chunk of reply) text += chunk;
      resolve({ status: reply.statusCode!, text });
    }).on('error', reject);
  });
}
