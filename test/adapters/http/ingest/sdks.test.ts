import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { diag } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { readerOf } from '../../../../src/config/settings.ts';
import { isRejected } from '../../../../src/stream/event.ts';
import { configOf } from '../../../support/configuration.ts';
import { anyForm, type Appended, withDoor } from '../../../support/door.ts';
import { recordOf } from '../../../support/event-reader.ts';
import { withPython } from '../../../support/python.ts';

/* Exporters of OpenTelemetry as users have them, with nothing configured but address and compression. */

/** Names of the tools that the steps of the records call, by the keys of the records. */
function callsIn(context: TestContext, appended: readonly Appended[]): [key: string, calls: string[]][] {
  const reader = readerOf(anyForm(configOf(context, {})), true);
  return appended.map(({ key, bytes }) => {
    const { steps = [], events } = reader.read({ ...recordOf(bytes), timestamp: Date.now() });
    assert.deepEqual(events, []);
    assert.ok(steps.every(({ run }) => run === key));
    return [
      key!,
      steps.flatMap(({ content }) =>
        ((JSON.parse(content) as { tool_calls?: { name: string }[] }).tool_calls ?? []).map(({ name }) => name),
      ),
    ];
  });
}

const messages = [
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'get_weather', arguments: { city: 'Oslo' } }] },
];

/** Two runs, of an agent that calls a model which calls a tool. */
async function twoRuns(exporter: SpanExporter, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('an agent');
  for (const example of ['e1', 'e2']) {
    const span = tracer.startSpan(`chat ${example}`, {
      attributes: {
        ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'assay.example_id': example },
        'gen_ai.output.messages': JSON.stringify(messages),
        ...more,
      },
    });
    span.end();
  }
  await provider.forceFlush();
  await provider.shutdown();
}

for (const [name, Exporter] of [
  ['protobuf', ProtobufExporter],
  ['JSON', JsonExporter],
] as const)
  for (const compression of ['none', 'gzip'] as const)
    test(`the SDK of JavaScript sends its spans: ${name}, compression ${compression}`, (context) =>
      withDoor(context, async ({ server, intake }) => {
        await twoRuns(new Exporter({ url: `${server.url}/v1/traces`, compression: compression as never }));
        const found = callsIn(context, intake.appended);
        assert.deepEqual(
          found.map(([, calls]) => calls),
          [['get_weather'], ['get_weather']],
        );
        assert.equal(new Set(found.map(([key]) => key)).size, 2);
      }));

test('the SDK of JavaScript hears which spans were refused, and why', async (context) => {
  const said: string[] = [];
  const say = (...parts: unknown[]): void => void said.push(parts.map((part) => JSON.stringify(part)).join(' '));
  diag.setLogger({ error: say, warn: say, info: say, debug: say, verbose: say });
  context.after(() => diag.disable());
  await withDoor(
    context,
    async ({ server, intake }) => {
      await twoRuns(new ProtobufExporter({ url: `${server.url}/v1/traces` }), { large: 'x'.repeat(9_000) });
      assert.deepEqual(intake.appended, []);
      assert.match(said.join('\n'), /1 refused; the first: too_large/);
    },
    { yaml: 'limits: {record_bytes: 8000}' },
  );
});

withPython(
  'the SDK of Python',
  (python) => {
    for (const compression of ['none', 'gzip'])
      test(`sends its spans and log records, but for one that is refused: compression ${compression}`, (context) =>
        withDoor(
          context,
          async ({ server, intake }) => {
            const results = await python<string[]>('send_spans.py', { url: server.url, compression });
            assert.deepEqual(results, ['SUCCESS', 'SUCCESS', 'SUCCESS']);
            const found = callsIn(context, intake.appended);
            assert.deepEqual(
              found.map(([, calls]) => calls),
              [['get_weather'], ['get_weather'], []],
            );
            assert.equal(found[0]![0], found[2]![0], 'the log record has the key of its span');
          },
          { yaml: 'limits: {record_bytes: 20000}' },
        ));
  },
  ['opentelemetry-sdk==1.45.2', 'opentelemetry-exporter-otlp-proto-http==1.45.2'],
);

withPython(
  'LangGraph',
  (python) => {
    test('docs/guides/send.md: its callback sends a run as one event, with calls, results and the last words', (context) =>
      withDoor(context, async ({ server, intake }) => {
        const guide = readFileSync('docs/guides/send.md', 'utf8');
        const [, block] = /^From LangGraph.*\n\n((?: {4}.*\n|\n)+)/m.exec(guide)!;
        const code = block!.replace(/^ {4}/gm, '').replaceAll('http://127.0.0.1:9464', server.url);
        await python('send_from_graph.py', code);
        assert.equal(intake.appended.length, 1);
        const { events } = readerOf(anyForm(configOf(context, {})), true).read(recordOf(intake.appended[0]!.value!));
        const [event] = events;
        assert.ok(event !== undefined && !isRejected(event));
        const { results, output } = event.given;
        assert.deepEqual([event.exampleId, output], ['e1', 'It is sunny.']);
        const calls = event.prediction.calls?.map(({ name, arguments: given }) => [name, given]);
        assert.deepEqual(calls, [['get_weather', { city: 'Oslo' }]]);
        assert.deepEqual(results, [{ call: 0, ok: true, output: '14 degrees in Oslo' }]);
      }));
  },
  ['langgraph==1.2.22', 'requests==2.34.2'],
);
