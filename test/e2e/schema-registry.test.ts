import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { type TestRecord, withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { framed, recordedFrames, registryServer } from '../support/schema-registry.ts';
import { serviceConfig, startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const recorded = recordedFrames();
const pem = (name: string): string => readFileSync(join('test', 'fixtures', 'tls', name), 'utf8');
const truth = [
  {
    example_id: 'weather-1',
    label: 'tool_call',
    expected_tool_calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }],
  },
  {
    example_id: 'weather-2',
    label: 'tool_call',
    expected_tool_calls: [{ name: 'get_weather', arguments: { city: 'Rom' } }],
  },
  { example_id: 'thanks-1', label: 'direct' },
  { example_id: 'ask-1', label: 'request_for_info' },
  { example_id: 'no-1', label: 'direct' },
];
const native: readonly TestRecord[] = recorded.events.map((event) => ({ value: JSON.stringify(event) }));
const frames: readonly TestRecord[] = Object.values(recorded.values)
  .flat()
  .map((value) => ({ value: Buffer.from(value, 'base64') }));
const [unknown, cut] = [framed(999, Buffer.from('x')), (frames[0]!.value as Buffer).subarray(0, 20)];

function ndjson(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

interface Summary {
  readonly records: {
    readonly read: number;
    readonly scored: number;
    readonly pending: number;
    readonly rejected: object;
  };
  readonly groups: readonly { readonly slice: object; readonly window: string; readonly stability: unknown }[];
}

async function summaryOf(service: TestService): Promise<Summary> {
  return (await service.summary()) as unknown as Summary;
}

withKafka('values framed for a schema registry', (kafka) => {
  test('wait for it while it is out, and are scored as native events; others go on', async (context) => {
    const folder = temporaryFolder(context);
    const [topic, other] = [await kafka().freshTopic(), await kafka().freshTopic()];
    await kafka().produce(topic, [...frames, ...native, { value: unknown }, { value: cut }]);
    await kafka().produce(other, native);
    writeFileSync(join(folder, 'truth.ndjson'), ndjson(truth));
    const port = await freePort();
    const registry = {
      url: `https://localhost:${port}/`,
      username: 'carol',
      password: 'hunter2',
      ca_file: 'test/fixtures/tls/server.pem',
    };
    const settings = { brokers: kafka().brokers, topics: [topic, other], group: kafka().freshGroup(), folder };
    const more = { kafka: { schema_registry: registry } };
    const config = serviceConfig({ ...settings, truth: [join(folder, 'truth.ndjson')], more });
    const service = startService(config);
    const ready = async () => await service.text('/readyz');
    await until('readiness names the registry', async () => (await ready()).includes(`schema registry for ${topic}/0`));
    await until('the other topic is read', async () => (await summaryOf(service)).records.read === native.length);
    assert.deepEqual((await summaryOf(service)).records.rejected, {});
    assert.match(service.log(), new RegExp(`https://localhost:${port}/schemas/ids/\\d+: .*see kafka.schema_registry`));
    assert.doesNotMatch(service.log(), /hunter2/);

    const authorization = `Basic ${Buffer.from('carol:hunter2').toString('base64')}`;
    const tls = { key: pem('server.key'), cert: pem('server.pem') };
    const server = await registryServer(context, recorded.answers, { port, authorization, tls });
    const all = frames.length + 2 * native.length + 2;
    await until('all is read', async () => (await summaryOf(service)).records.read === all);
    await until('all is well', async () => !(await ready()).includes('schema registry'));
    const summary = await summaryOf(service);
    assert.deepEqual(summary.records.rejected, { schema: 1, not_json: 1 });
    assert.equal(await service.stop(), 0, service.log());
    assert.deepEqual(new Set(server.asked).size, server.asked.length, 'each schema is asked for once');

    writeFileSync(join(folder, 'events.ndjson'), ndjson(Array(5).fill(recorded.events).flat()));
    const replay = ['replay', '-c', config, '--events', join(folder, 'events.ndjson'), '--summary', '-'];
    const { stdout, stderr } = await runProgram(replay);
    assert.equal(stderr, '');
    assert.deepEqual(totalOf(summary), totalOf(JSON.parse(stdout) as Summary));
    assert.deepEqual(lettersIn(join(folder, 'state', 'dead-letters')), [unknown, cut]);

    // The record at its position is compared as it lies in the log.
    await kafka().produce(topic, native);
    const again = startService(config);
    await until('it goes on', async () => (await summaryOf(again)).records.read === all + native.length);
    assert.equal(await again.stop(), 0, again.log());
    assert.doesNotMatch(again.log(), /another record/);
  });

  test('are truth as well, which waits for the registry; a framed key is told', async (context) => {
    const folder = temporaryFolder(context);
    const [topic, truthTopic] = [await kafka().freshTopic(), await kafka().freshTopic()];
    const label = Buffer.from('\u000cdirect');
    await kafka().produce(truthTopic, [
      { key: 'a', value: framed(1, Buffer.from('{"label":"direct"}')) },
      { key: 'b', value: framed(2, label) },
      { key: 'c', value: '{"label":"direct"}' },
      { key: 'd', value: framed(3, label) },
      { key: framed(2, label), value: framed(2, label) },
      { key: 'c', value: null },
    ]);
    const predictions = ['a', 'b', 'c'].map((id) => ({ value: JSON.stringify({ example_id: id, label: 'direct' }) }));
    await kafka().produce(topic, predictions);
    const port = await freePort();
    const registry = { url: `http://127.0.0.1:${port}` };
    const settings = { brokers: kafka().brokers, topics: [topic], group: kafka().freshGroup(), folder };
    const more = { kafka: { schema_registry: registry, truth_topic: truthTopic } };
    const service = startService(serviceConfig({ ...settings, truth: [], more }));
    const ready = async () => await service.text('/readyz');
    await until('readiness names the registry', async () =>
      (await ready()).includes(`schema registry for ${truthTopic}/0`),
    );
    const avro = { schema: '{"type":"record","name":"t","fields":[{"name":"label","type":"string"}]}' };
    await registryServer(
      context,
      { 'schemas/ids/1': { schemaType: 'JSON', schema: '{}' }, 'schemas/ids/2': avro },
      { port },
    );
    await until('all is read', async () => (await summaryOf(service)).records.read === predictions.length);
    const { scored, pending } = (await summaryOf(service)).records;
    assert.deepEqual([scored, pending], [2, 1]);
    await until('both are counted', async () => /assay_truth_rejects_total 2\b/.test(await service.text('/metrics')));
    assert.match(service.log(), /schema 3, which the registry cannot give/);
    assert.equal(await service.stop(), 0, service.log());
  });
});

/** The total of window `all`, without the runs of an example: those of two topics are no group. */
function totalOf({ groups }: Summary): object {
  const { stability: _, ...total } = groups.find(
    ({ slice, window }) => window === 'all' && Object.keys(slice).length === 0,
  )!;
  return total;
}

function lettersIn(folder: string): Buffer[] {
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => Buffer.from((JSON.parse(line) as { value_base64: string }).value_base64, 'base64'));
}
