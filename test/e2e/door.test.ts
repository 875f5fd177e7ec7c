import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { sceneOf } from '../support/scene.ts';
import { startService } from '../support/service.ts';
import { documentOf, protobufOf } from '../support/otlp.ts';
import { outputs } from '../support/span-cases.ts';
import { spanWith } from '../support/step-reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* Records that are sent over HTTP to the built program, which produces them into its topics. Keys of the configuration that run here: ingest.to, ingest.tokens. */

const truth = [{ example_id: 'e', label: 'tool_call', expected_tool_calls: [{ name: 'get_weather' }] }];
const native = { example_id: 'e', model: 'm', tool_calls: [{ name: 'get_weather', arguments: {} }] };
const json = { 'content-type': 'application/json' };
const send = async (url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = json) => {
  const answer = await fetch(url, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

withKafka('records sent over HTTP', (kafka) => {
  test('ingest.to: kafka: events, spans and truth that were answered are in the topics, and are scored', async (context) => {
    const truthTopic = await kafka().freshTopic(1);
    const more = { kafka: { truth_topic: truthTopic }, input: { format: 'auto' }, ingest: { to: 'kafka' } };
    const { config } = await sceneOf(context, kafka(), truth, { more, partitions: 3 });
    const service = startService(config);
    context.after(() => service.kill('SIGKILL'));
    const url = await service.url();
    const lines = Array.from({ length: 50 }, (_, at) => JSON.stringify({ ...native, event_id: `i${at}` })).join('\n');
    assert.deepEqual(JSON.parse((await send(`${url}/v1/events`, lines)).text), { accepted: 50, rejected: [] });
    assert.equal((await send(`${url}/v1/truth`, '{"example_id": "late", "label": "direct"}')).status, 200);
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'assay.example_id': 'late' };
    const now = `${Date.now()}000000`;
    const times = { parentSpanId: '', startTimeUnixNano: now, endTimeUnixNano: now };
    const document = documentOf([spanWith({ ...attributes, ...outputs }, times)]);
    const spans = await send(`${url}/v1/traces`, protobufOf(document), { 'content-type': 'application/x-protobuf' });
    assert.equal(spans.status, 200);
    const late = JSON.stringify({ ...native, example_id: 'late', event_id: 'late' });
    assert.equal((await send(`${url}/v1/events`, late)).status, 200);
    await until('all is read', async () => {
      const { records } = await service.summary();
      // The run of the span waits for event time to pass.
      return records['scored'] === 51 && records['open_runs'] === 1;
    });
    const { records } = await service.summary();
    assert.deepEqual([records['rejected'], records['pending'], records['duplicates']], [{}, 0, 0]);
    assert.equal((await send(`${url}/v1/events`, lines)).status, 200);
    await until('duplicates are dropped', async () => (await service.summary()).records['duplicates'] === 50);
    assert.equal(await service.stop(), 0);
  });

  test('beside Kafka nothing is taken, unless ingest.to says so; elsewhere than on a loopback address a token is needed', async (context) => {
    const { config } = await sceneOf(context, kafka(), truth);
    const shut = startService(config);
    context.after(() => shut.kill('SIGKILL'));
    const answer = await send(`${await shut.url()}/v1/events`, JSON.stringify(native));
    assert.equal(answer.status, 404);
    assert.match(answer.text, /set ingest.to: kafka/);
    await shut.stop();
    const more = { ingest: { to: 'kafka' }, http: { host: '0.0.0.0' } };
    const open = startService((await sceneOf(context, kafka(), truth, { more })).config);
    context.after(() => open.kill('SIGKILL'));
    const url = (await open.url()).replace('0.0.0.0', '127.0.0.1');
    assert.equal((await send(`${url}/v1/events`, JSON.stringify(native))).status, 403);
    assert.equal([...open.log().matchAll(/nothing is taken over HTTP/g)].length, 1);
    await open.stop();
  });

  test('ingest.tokens: who has a token sends, and a token that is replaced counts within seconds', async (context) => {
    const folder = temporaryFolder(context);
    const file = join(folder, 'writers');
    writeFileSync(file, 'a-token-of-the-agents\n');
    const more = { ingest: { to: 'kafka', tokens: [{ file }] }, http: { host: '0.0.0.0' } };
    const service = startService((await sceneOf(context, kafka(), truth, { more, folder })).config);
    context.after(() => service.kill('SIGKILL'));
    const url = (await service.url()).replace('0.0.0.0', '127.0.0.1');
    const statusWith = async (token: string) =>
      (await send(`${url}/v1/events`, JSON.stringify(native), { ...json, authorization: `Bearer ${token}` })).status;
    assert.equal((await send(`${url}/v1/events`, JSON.stringify(native))).status, 401);
    assert.equal(await statusWith('a-token-of-the-agents'), 200);
    assert.doesNotMatch(service.log(), /nothing is taken|a-token-of/);
    writeFileSync(file, 'another-token-of-agents\n');
    await until('the other token counts', async () => (await statusWith('another-token-of-agents')) === 200);
    assert.equal(await statusWith('a-token-of-the-agents'), 401);
    const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
    // No feedback is taken here, so there is nothing to review.
    for (const path of Object.keys(paths).filter((each) => 'get' in paths[each]! && each !== '/api/v1/review'))
      assert.notEqual((await fetch(url + path)).status, 404, path);
    await service.stop();
  });
});
