import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { withPython } from '../support/python.ts';
import { runToEnd, stateSummary } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { sceneOf } from '../support/scene.ts';

/* What SDKs of OpenTelemetry export of calls of models, in a topic as the Collector's exporter writes it. For the soak: packages are installed. */

const sdk = ['opentelemetry-sdk==1.45.2', 'opentelemetry-exporter-otlp-proto-common==1.45.2'];
const openai = ['openai==3.57.0', 'httpx==0.28.1'];

/** Each kind of request is made for calls, and once more for words. */
const instrumentations: readonly (readonly [name: string, kinds: number, packages: readonly string[]])[] = [
  [
    'openai-v2',
    2,
    [...sdk, 'opentelemetry-instrumentation-openai-v2==2.4b0', 'opentelemetry-util-genai==1.1b0', ...openai],
  ],
  ['openllmetry', 3, [...sdk, 'opentelemetry-instrumentation-openai==0.62.4', ...openai]],
  ['anthropic', 1, [...sdk, 'opentelemetry-instrumentation-anthropic==0.62.4', 'anthropic==2.13.0']],
  ['google-genai', 1, [...sdk, 'opentelemetry-instrumentation-google-genai==1.3b0', 'google-genai==2.34.0']],
];
const truth = [
  {
    example_id: 'example-0',
    label: 'tool_call',
    expected_tool_calls: [
      { name: 'get_weather', arguments: { city: 'Paris', days: 2 } },
      { name: 'get_time', arguments: { city: 'Paris' } },
    ],
  },
  { example_id: 'example-1', label: 'request_for_info' },
];

if (soak)
  withKafka('spans that SDKs of today make', (kafka) => {
    for (const [name, kinds, packages] of instrumentations)
      withPython(
        name,
        (python) => {
          test(`are scored: ${name}`, async (context) => {
            // Each span names its example; the runs of traces are those of test/formats/otlp.
            const more = { input: { format: 'otlp' }, runs: { by: 'span' }, decision: { rules: 'words' } };
            const { topic, config, state } = await sceneOf(context, kafka(), truth, { more });
            const value = Buffer.from(await python<string>('export_spans.py', name), 'base64');
            await kafka().produce(topic, [{ value, partition: 0 }]);
            await runToEnd(config);
            const { records, groups } = await stateSummary(state);
            assert.deepEqual([records['scored'], records['rejected']], [2 * kinds, {}]);
            const { accuracy } = groups[0]!['decision'] as { accuracy: Ratio };
            const { strict } = groups[0]!['tool_calls'] as { strict: { f1: { value: number; count: number } } };
            assert.deepEqual(
              [accuracy.value, accuracy.denominator, strict.f1.value, strict.f1.count],
              [1, 2 * kinds, 1, kinds],
            );
          });
        },
        packages,
      );
  });

interface Ratio {
  readonly value: number;
  readonly denominator: number;
}
