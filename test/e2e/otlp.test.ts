import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { attribute, documentOf, protobufOf } from '../support/otlp.ts';
import { runToEnd, stateSummary } from '../support/service.ts';
import { sceneOf } from '../support/scene.ts';

const fixtures = new URL('../../../test/fixtures/inputs/otlp/', import.meta.url).pathname;

const calls = [
  { name: 'get_weather', arguments: { city: 'Paris', days: 2 } },
  { name: 'get_time', arguments: { city: 'Paris' } },
];
const truth = [
  { example_id: 'example-0', label: 'tool_call', expected_tool_calls: calls },
  { example_id: 'example-1', label: 'request_for_info' },
  { example_id: 'example-2', label: 'direct' },
];
/** Of a span that says nothing of its example. */
const nameless = documentOf([
  {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.output.messages', [{ parts: [{ type: 'text', content: 'x' }] }]),
    ],
  },
]);

withKafka('spans of OpenTelemetry in a topic', (kafka) => {
  test('are scored as protobuf and as JSON, once, and what is no message is a dead letter', async (context) => {
    const settings = { input: { format: 'otlp' }, runs: { by: 'span' } };
    const { topic, config, state } = await sceneOf(context, kafka(), truth, { more: settings });
    const protobuf = ['python-openai-v2', 'python-openllmetry', 'javascript-openllmetry'].map((name) =>
      readFileSync(join(fixtures, `${name}.binpb`)),
    );
    const json = readFileSync(join(fixtures, 'javascript-openllmetry.json'));
    const bad = [protobuf[0]!.subarray(0, 500), Buffer.from(protobufOf(nameless))];
    const collected = readFileSync(join(fixtures, 'collector.binpb'));
    const values = [...protobuf, json, collected, ...bad];
    await kafka().produce(
      topic,
      values.map((value) => ({ value, partition: 0 })),
    );
    await runToEnd(config);
    const { records, groups } = await stateSummary(state);
    assert.deepEqual(records['rejected'], { schema: 1, no_example_id: 1 });
    assert.deepEqual([records['read'], records['scored'], records['duplicates']], [23, 14, 5]);
    const { strict } = groups[0]!['tool_calls'] as { strict: { f1: { value: number } } };
    assert.equal(strict.f1.value, 1);
    const letters = join(state, 'dead-letters');
    const [cut, unnamed] = readdirSync(letters)
      .flatMap((name) => readFileSync(join(letters, name), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as Letter);
    assert.match(cut!.detail, /no ExportTraceServiceRequest as protobuf, .*: the \d+ bytes from byte \d+ on are cut/);
    assert.deepEqual(Buffer.from(cut!.value_base64!, 'base64'), bad[0]);
    assert.match(unnamed!.detail, /set the attribute assay\.example_id on the span/);
  });
});

interface Letter {
  readonly detail: string;
  readonly value_base64?: string;
}
