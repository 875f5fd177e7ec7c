import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createMetricsMemory,
  groupChooser,
  type MetricsMemory,
  type MetricsOptions,
  renderMetrics,
} from '../../../src/adapters/prometheus/metrics-text.ts';
import { type Listed, metricsPlan } from '../../../src/adapters/prometheus/metrics-plan.ts';
import { watcherOf } from '../../../src/service/watches.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { windowCounts } from '../../../src/state/window-counts.ts';
import { modelCounters, type Telemetry } from '../../../src/telemetry.ts';
import { manyModels } from '../../support/many-models.ts';
import { parseMetrics, type Sample } from './parse-metrics.ts';
import { sampleTelemetry } from './sample.ts';
import { lazyViewWith } from '../../support/folding.ts';

const startMs = Date.UTC(2026, 5, 1);
const hourMs = 3_600_000;
const { config } = loadConfig({});
const models = 500;
const state = manyModels(config, { models, each: 10, startMs, lengthMs: hourMs });
const watcher = watcherOf(config, state.settings);
const defaults: MetricsOptions = {
  series: config.limits.series,
  groups: config.limits.groups_exported,
  plan: metricsPlan([]),
};

/** Telemetry that has seen the models. */
function telemetryOf(): Telemetry {
  const telemetry = sampleTelemetry();
  telemetry.models.clear();
  for (let model = 0; model < models; model++) modelCounters(telemetry, `model-${model}`).unknownToolCalls = model;
  return telemetry;
}

function pageOf(telemetry: Telemetry, memory: MetricsMemory, options: MetricsOptions): string {
  const choose = groupChooser(telemetry, memory, options);
  const asOfMs = startMs + hourMs;
  const view = lazyViewWith(config, [state], asOfMs, { withBreakdowns: false, watcher, choose });
  const exported = { view, windows: windowCounts([state], state.settings, asOfMs) };
  return renderMetrics(telemetry, exported, memory, options, { format: 'text', nowMs: asOfMs });
}

/** Models by number of predictions, then by name. */
const busiest = lazyViewWith(config, [state], undefined, { sets: [['model']], withBreakdowns: false })
  .groups.slice(1)
  .sort((a, b) => b.scored - a.scored || (a.values[0]! < b.values[0]! ? -1 : 1))
  .map(({ values }) => values[0]!);

const named = (samples: readonly Sample[], name: string, metric?: string): readonly Sample[] =>
  samples.filter((sample) => sample.name === name && (metric === undefined || sample.labels.get('metric') === metric));

function modelsOf(samples: readonly Sample[], name: string): string[] {
  const ofSlice = named(samples, name).filter(({ labels }) => (labels.get('slice') ?? 'model') === 'model');
  return [...new Set(ofSlice.map(({ labels }) => labels.get('model')!))].sort();
}

test('of 500 models the default page is below 2 MB, and no group is there in part', (t) => {
  const page = pageOf(telemetryOf(), createMetricsMemory(), defaults);
  const { samples } = parseMetrics(page);
  t.diagnostic(`${samples.length} series, ${(page.length / 1e6).toFixed(2)} MB`);
  assert.ok(Buffer.byteLength(page) < 2e6, `${page.length} characters`);
  assert.ok(samples.length <= defaults.series);
  const shown = modelsOf(samples, 'assay_window_value');
  assert.ok(shown.length > 20 && shown.includes('__other__'), shown.join());
  for (const name of ['assay_window_lower', 'assay_window_upper', 'assay_window_support', 'assay_stability_value'])
    assert.deepEqual(modelsOf(samples, name), shown, name);
  for (const name of ['assay_window_outcomes', 'assay_outcomes_total', 'assay_hallucinations_total'])
    assert.deepEqual(modelsOf(samples, name), shown, name);
  const watched = shown.filter((model) => model !== '__other__');
  assert.deepEqual(modelsOf(samples, 'assay_watch_firing'), watched);
});

test('the least scored leave first, and what is left adds up to the total', () => {
  for (const series of [20_000, 8_000, 3_000, 1_200]) {
    const { samples } = parseMetrics(pageOf(telemetryOf(), createMetricsMemory(), { ...defaults, series }));
    assert.ok(samples.length <= series, `${samples.length} of ${series}`);
    const shown = modelsOf(samples, 'assay_window_value').filter((model) => model !== '__other__');
    assert.deepEqual(shown, busiest.slice(0, shown.length).sort(), `${series} series`);
    const support = named(samples, 'assay_window_support', 'accuracy').filter(
      ({ labels }) => labels.get('window') === 'all',
    );
    const total = support.find(({ labels }) => labels.get('slice') === '')!.value;
    const sum = support.reduce((all, { labels, value }) => all + (labels.get('slice') === 'model' ? value : 0), 0);
    assert.equal(sum, total);
    const [dropped] = named(samples, 'assay_series_dropped');
    assert.equal(
      dropped!.value > 0,
      series < 20_000 || shown.length < 50,
      `${series} series, ${dropped!.value} dropped`,
    );
  }
});

test('groups of like traffic do not take turns', () => {
  const memory = createMetricsMemory();
  const telemetry = telemetryOf();
  const few = { ...defaults, groups: 5 };
  const first = modelsOf(parseMetrics(pageOf(telemetry, memory, few)).samples, 'assay_window_value');
  memory.groups = new Set([...memory.groups].map((key) => key.replace('model-12"', 'model-9"')));
  const second = modelsOf(parseMetrics(pageOf(telemetry, memory, few)).samples, 'assay_window_value');
  assert.ok(first.includes('model-12') && !first.includes('model-9'));
  assert.ok(second.includes('model-9') && !second.includes('model-12'), second.join());
});

test('what the default leaves out is there by name, by the beginning of names, by family, and all of it', () => {
  const metricsOf = (listed: Listed): Set<string> => {
    const { samples } = parseMetrics(
      pageOf(telemetryOf(), createMetricsMemory(), { ...defaults, groups: 1, plan: metricsPlan(listed) }),
    );
    const ofTotal = samples.filter(({ labels }) => labels.get('slice') === '' && labels.has('metric'));
    return new Set(ofTotal.map(({ name, labels }) => `${name} ${labels.get('metric')}`));
  };
  const headlines = metricsOf([]);
  assert.ok(headlines.has('assay_window_value accuracy') && headlines.has('assay_window_upper tool_hall'));
  assert.ok(!headlines.has('assay_window_value per_class_direct_f1') && !headlines.has('assay_window_counts n'));
  const added = (listed: readonly string[]): string[] =>
    [...metricsOf(listed)].filter((one) => !headlines.has(one)).sort();
  assert.deepEqual(added(['n', 'tool_calls_strict_tp']), [
    'assay_window_counts n',
    'assay_window_counts tool_calls_strict_tp',
  ]);
  assert.equal(added(['per_class']).length, 16);
  assert.ok(added(['arguments']).includes('assay_window_value arguments_f1'));
  const all = metricsOf('all');
  assert.ok(all.size > headlines.size + 80 && [...headlines].every((one) => all.has(one)));
});
