import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { metricList } from '../../../src/adapters/prometheus/metric-list.ts';
import {
  createMetricsText,
  createMetricsMemory,
  type MetricsOptions,
  type Rendering,
  renderMetrics,
} from '../../../src/adapters/prometheus/metrics-text.ts';
import { metricsPlan } from '../../../src/adapters/prometheus/metrics-plan.ts';
import { modelCounters } from '../../../src/telemetry.ts';
import type { Group } from '../../../src/view/summary.ts';
import { parseMetrics, seriesName, valuesBy } from './parse-metrics.ts';
import {
  hostileModel,
  type Sample,
  sampleBlocks,
  sampleGroup,
  sampleTelemetry,
  sampleView,
  seriesAt,
} from './sample.ts';

const options: MetricsOptions = { series: 20_000, groups: 50, plan: metricsPlan('all') };
const rendering: Rendering = { format: 'text', nowMs: 1_777_608_600_000 };

/** The page that Prometheus sees second: counters with their counts. */
function secondPage(telemetry: Sample, pageOptions = options): string {
  const memory = createMetricsMemory();
  renderMetrics(telemetry, telemetry.shown, memory, pageOptions, rendering);
  return renderMetrics(telemetry, telemetry.shown, memory, pageOptions, rendering);
}

test('the page of a small telemetry, to the byte', () => {
  assert.equal(secondPage(sampleTelemetry()), readFileSync('test/adapters/prometheus/metrics-text.golden.txt', 'utf8'));
});

test('a counter begins at 0 for who scrapes the page, and is what it is for anybody else', () => {
  const telemetry = sampleTelemetry();
  const memory = createMetricsMemory();
  const of = (scraped: boolean): string =>
    renderMetrics(telemetry, telemetry.shown, memory, options, { ...rendering, scraped });
  const counts = (page: string): number[] =>
    parseMetrics(page)
      .samples.filter(({ name }) => name === 'assay_records_consumed_total')
      .map(({ value }) => value);
  const known = counts(of(false));
  assert.ok(known.some((value) => value > 0));
  assert.deepEqual(
    counts(of(true)),
    known.map(() => 0),
  );
  assert.deepEqual(counts(of(true)), known);
});

test('gauges of events say nothing before any is known', () => {
  const telemetry = sampleTelemetry();
  const { view, windows } = telemetry.shown;
  const names = ['read', 'scored', 'pending', 'expired', 'duplicates', 'open_runs', 'steps', 'runs'] as const;
  const records = { ...view.records, ...Object.fromEntries(names.map((name) => [name, 0])), rejected: {} };
  const unread = { ...telemetry, shown: { view: { ...view, records }, windows } };
  const found = new Set(parseMetrics(secondPage(unread)).samples.map(({ name }) => name));
  for (const name of ['assay_pending_predictions', 'assay_open_runs', 'assay_records_unaccounted'])
    assert.ok(!found.has(name), name);
  assert.ok(found.has('assay_assigned_partitions'));
});

test('the metric list names what the page has, in its order and with its labels', () => {
  const { samples, types } = parseMetrics(secondPage(sampleTelemetry()));
  const missing = ['assay_snapshot_last_success_timestamp_seconds', 'assay_window_since_timestamp_seconds'];
  assert.deepEqual(
    [...types],
    metricList.filter(({ name }) => !missing.includes(name)).map(({ name, type }) => [name, type]),
  );
  for (const { name, type, labels } of metricList) {
    if (type === 'histogram') continue;
    const fixed = labels.filter((label) => label !== '<dimensions>');
    for (const sample of samples.filter((found) => found.name === name)) {
      const others = [...sample.labels.keys()].filter((label) => !fixed.includes(label));
      assert.ok(
        fixed.every((label) => sample.labels.has(label)),
        seriesName(sample),
      );
      assert.ok(others.length === 0 || labels.includes('<dimensions>'), seriesName(sample));
    }
  }
});

test('promtool finds nothing to complain of', async (t) => {
  const telemetry = sampleTelemetry();
  const page = await createMetricsText(telemetry, () => telemetry.shown, options)('text');
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: page,
    encoding: 'utf8',
  });
  if (error !== undefined && process.env['CI'] !== 'true') {
    t.skip('promtool is not installed (apt-get install prometheus)');
    return;
  }
  assert.equal(error, undefined);
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  assert.ok(parseMetrics(page).samples.some(({ name }) => name === 'process_resident_memory_bytes'));
});

test('event data becomes label values and nothing else', () => {
  const { samples } = parseMetrics(secondPage(sampleTelemetry()));
  assert.ok(!samples.some(({ name }) => name === 'assay_fake'));
  const models = new Set(samples.filter(({ labels }) => labels.has('model')).map(({ labels }) => labels.get('model')));
  assert.deepEqual(models, new Set([hostileModel, 'a']));
});

test('no series for 0/0, for what is not known and for what is not configured', () => {
  const telemetry = sampleTelemetry([sampleGroup([], [], 'all', sampleBlocks(3))]);
  telemetry.truth.version = undefined;
  telemetry.partitions.get('predictions/0')!.high = Number.NaN;
  const { samples } = parseMetrics(secondPage(telemetry));
  const names = new Set(samples.map(({ name }) => name));
  for (const name of ['assay_truth_rows', 'assay_truth_info', 'assay_consumer_lag_records', 'assay_stability_value']) {
    assert.ok(!names.has(name), name);
  }
  assert.ok(!samples.some(({ labels }) => labels.get('metric') === 'tool_hall'));
  assert.ok(!samples.some(({ value }) => Number.isNaN(value)));
});

test('lag is never negative, the watermark of a topic is the least, unaccounted shows what is missing', () => {
  const telemetry = sampleTelemetry();
  telemetry.partitions.get('predictions/0')!.high = 10;
  telemetry.partitions.get('predictions/1')!.watermarkMs = 1000;
  const page = parseMetrics(secondPage(telemetry));
  assert.deepEqual(valuesBy(page, 'assay_consumer_lag_records', 'partition'), { '0': 0 });
  assert.deepEqual(valuesBy(page, 'assay_watermark_timestamp_seconds', 'topic'), { predictions: 1 });
  const { view, windows } = telemetry.shown;
  const records = { ...view.records, read: view.records.read + 5 };
  const wrong = { ...telemetry, shown: { view: { ...view, records }, windows } };
  assert.deepEqual(valuesBy(parseMetrics(secondPage(wrong)), 'assay_records_unaccounted', ''), { '': 5 });
});

test('a counter series is 0 in the first page that has it, then counts, and a gauge is not held back', () => {
  const telemetry = sampleTelemetry();
  const memory = createMetricsMemory();
  const first = parseMetrics(renderMetrics(telemetry, telemetry.shown, memory, options, rendering));
  for (const sample of first.samples) {
    const cumulative = /_total$|_bucket$|_sum$|_count$/.test(sample.name);
    if (cumulative) assert.equal(sample.value, 0, seriesName(sample));
  }
  assert.deepEqual(valuesBy(first, 'assay_pending_predictions', ''), { '': 3 });

  modelCounters(telemetry, 'new').cells[seriesAt('outcomes')] = 12;
  telemetry.live.rebalances++;
  const second = parseMetrics(renderMetrics(telemetry, telemetry.shown, memory, options, rendering));
  assert.deepEqual(valuesBy(second, 'assay_unknown_tool_calls_total', 'model'), { [hostileModel]: 6, new: 0 });
  assert.deepEqual(valuesBy(second, 'assay_rebalances_total', ''), { '': 3 });
  const outcomes = second.samples.filter(
    ({ name, labels }) => name === 'assay_outcomes_total' && labels.get('model') === 'new',
  );
  assert.equal(outcomes.length, 20);
  assert.ok(outcomes.every(({ value }) => value === 0));

  const third = parseMetrics(renderMetrics(telemetry, telemetry.shown, memory, options, rendering));
  const cell = third.samples.find(
    ({ name, labels }) => name === 'assay_outcomes_total' && labels.get('model') === 'new',
  )!;
  assert.equal(cell.value, 12);
});

test('where nothing tells groups by model, the models beyond the limit are summed under __other__ for good', () => {
  const telemetry = sampleTelemetry([sampleGroup([], [], 'all', sampleBlocks(3))]);
  telemetry.models.clear();
  const memory = createMetricsMemory();
  const grow = (model: string, by: number): void => {
    modelCounters(telemetry, model).cells[seriesAt('outcomes')]! += by;
    modelCounters(telemetry, model).unknownToolCalls += by;
  };
  const counts = (): Record<string, number> => {
    const two: MetricsOptions = { ...options, groups: 2 };
    const page = parseMetrics(renderMetrics(telemetry, telemetry.shown, memory, two, rendering));
    return valuesBy(page, 'assay_unknown_tool_calls_total', 'model');
  };
  for (const [model, calls] of [
    ['a small one', 1],
    ['large', 100],
    ['middle', 10],
    ['__other__', 1000],
  ] as const)
    grow(model, calls);
  counts();
  assert.deepEqual(counts(), { large: 100, middle: 10, __other__: 1001 });
  grow('a small one', 5000);
  grow('late', 7);
  assert.deepEqual(counts(), { large: 100, middle: 10, __other__: 6008 });
});

test('a model that comes into and out of __other__ counts once, and no counter falls', () => {
  const ofModel = (name: string): Group => sampleGroup(['model'], [name], 'all', sampleBlocks(3));
  const telemetry = sampleTelemetry([]);
  telemetry.models.clear();
  const memory = createMetricsMemory();
  const last: Record<string, number> = {};
  let grown = 0;
  const views = [['a', 'b'], ['a', '__other__'], ['b', '__other__'], ['a', 'b'], ['__other__']];
  for (const [round, names] of [...views, ...views].entries()) {
    for (const model of ['a', 'b', 'c']) {
      modelCounters(telemetry, model).cells[seriesAt('outcomes')]! += round + 1;
      modelCounters(telemetry, model).unknownToolCalls += 1;
      grown += 1;
    }
    const shown = sampleView(names.map(ofModel));
    renderMetrics(telemetry, shown, memory, options, rendering);
    const page = parseMetrics(renderMetrics(telemetry, shown, memory, options, rendering));
    const counts = valuesBy(page, 'assay_unknown_tool_calls_total', 'model');
    assert.ok(names.every((name) => name in counts));
    for (const [name, count] of Object.entries(counts)) assert.ok(count >= (last[name] ?? 0), `${name} falls`);
    Object.assign(last, counts);
    assert.equal(
      Object.values(last).reduce((total, count) => total + count, 0),
      grown,
    );
  }
});

test('limits.series is the last word: where even what must be there is too much, the last metrics go, whole, and are counted', () => {
  const full = parseMetrics(secondPage(sampleTelemetry()));
  const limits = [1, 2, 30, 100, full.samples.length - 1, full.samples.length];
  for (const limit of limits) {
    const telemetry = sampleTelemetry();
    const page = parseMetrics(secondPage(telemetry, { ...options, series: limit }));
    assert.ok(page.samples.length <= limit, `limit ${limit}: ${page.samples.length} series`);
    const dropped = full.samples.length - page.samples.length;
    assert.deepEqual(valuesBy(page, 'assay_series_dropped', ''), { '': dropped });
    assert.equal(telemetry.live.limits.get('series'), dropped > 0 ? 2 : 0);
    assert.deepEqual(page.samples.slice(1).map(seriesName), full.samples.slice(1, page.samples.length).map(seriesName));
  }
});

test('a counter that the bound left out still shows 0 when it first appears', () => {
  const telemetry = sampleTelemetry();
  const memory = createMetricsMemory();
  renderMetrics(telemetry, telemetry.shown, memory, { ...options, series: 5 }, rendering);
  const page = parseMetrics(renderMetrics(telemetry, telemetry.shown, memory, options, rendering));
  assert.deepEqual(valuesBy(page, 'assay_unknown_tool_calls_total', 'model'), { [hostileModel]: 0 });
});
