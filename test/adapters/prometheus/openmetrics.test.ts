import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetricsText } from '../../../src/adapters/prometheus/metrics-text.ts';
import { metricsPlan } from '../../../src/adapters/prometheus/metrics-plan.ts';
import type { MetricsFormat } from '../../../src/adapters/prometheus/text.ts';
import { exemplarKey } from '../../../src/telemetry.ts';
import { withPython } from '../../support/python.ts';
import { parseMetrics, seriesName } from './parse-metrics.ts';
import { hostileModel, sampleTelemetry } from './sample.ts';

const exemplar = { labels: [['trace_id', 'a "quoted"\ntrace']], tsMs: 1_777_608_500_500 } as const;

/** Pages as they are served, those of the process included: the second of each format. */
async function pages(): Promise<Readonly<Record<MetricsFormat, string>>> {
  const telemetry = sampleTelemetry();
  telemetry.exemplars.set(exemplarKey(hostileModel, 'tool'), exemplar);
  const page = createMetricsText(telemetry, () => telemetry.shown, {
    series: 20_000,
    groups: 50,
    plan: metricsPlan('all'),
  });
  await page('text');
  return { text: await page('text'), openmetrics: await page('openmetrics') };
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number | string;
    readonly exemplar: {
      readonly labels: Readonly<Record<string, string>>;
      readonly value: number;
      readonly seconds: number;
    } | null;
  }[];
}

withPython(
  'OpenMetrics by the strict parser of the Python client',
  (python) => {
    test('it takes the page, and finds the series and values of the text format', async () => {
      const { text, openmetrics } = await pages();
      const families = await python<readonly Family[]>('read_openmetrics.py', { page: openmetrics });
      const own = families.filter(({ name }) => name.startsWith('assay_'));
      const samples = own.flatMap((family) => family.samples);
      const read = samples
        .filter(({ name }) => !name.endsWith('_created'))
        .map(
          ({ name, labels, value }) =>
            `${seriesName({ name, labels: new Map(Object.entries(labels)), value: 0 })} ${value}`,
        );
      const expected = parseMetrics(text)
        .samples.filter(({ name }) => name.startsWith('assay_'))
        .map((sample) => `${seriesName(sample)} ${sample.value}`);
      // Bounds of buckets are written as OpenMetrics wants them.
      assert.deepEqual(read.map((line) => line.replace(/(\["le","\d+)\.0"/, '$1"')).sort(), expected.sort());
    });

    test('each counter says when it began, and a hallucination shows an event', async () => {
      const { openmetrics } = await pages();
      const families = await python<readonly Family[]>('read_openmetrics.py', { page: openmetrics });
      for (const { name, type, samples } of families.filter(({ name }) => name.startsWith('assay_'))) {
        const created = samples.filter((sample) => sample.name === `${name}_created`);
        const counted = samples.filter(
          (sample) => sample.name === `${name}${type === 'counter' ? '_total' : '_count'}`,
        );
        assert.equal(created.length, type === 'gauge' ? 0 : counted.length, name);
        for (const { value } of created)
          assert.ok(Math.abs(Number(value) - Date.now() / 1000) < 60, `${name} ${value}`);
      }
      const found = families.flatMap(({ samples }) => samples.filter((sample) => sample.exemplar !== null));
      assert.deepEqual(
        found.map(({ name, labels, exemplar: shown }) => [name, labels, shown]),
        [
          [
            'assay_hallucinations_total',
            { model: hostileModel, kind: 'tool' },
            { labels: Object.fromEntries(exemplar.labels), value: 1, seconds: exemplar.tsMs / 1000 },
          ],
        ],
      );
    });
  },
  ['prometheus-client==0.26.0'],
);

test('the page ends as OpenMetrics must, and the text format has nothing of it', async () => {
  const { text, openmetrics } = await pages();
  assert.match(openmetrics, /\n# EOF\n$/);
  assert.doesNotMatch(text, /# EOF|_created| # \{/);
});
