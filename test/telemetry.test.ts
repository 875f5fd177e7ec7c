import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  consumedRecords,
  limitReached,
  modelCounters,
  modelSeries,
  observe,
  partitionGauges,
  topicCounters,
} from '../src/telemetry.ts';
import { sampleTelemetry } from './adapters/prometheus/sample.ts';

test('a value falls into the first bucket whose bound is not below it', () => {
  const histogram = { bounds: [1, 5], counts: new Float64Array(3), sum: 0 };
  for (const value of [0, 1, 1.5, 5, 6, -2]) observe(histogram, value);
  assert.deepEqual([...histogram.counts], [3, 2, 1]);
  assert.equal(histogram.sum, 13.5);
});

test('counters and gauges are made once, whatever the name', () => {
  const telemetry = sampleTelemetry();
  for (const name of ['a', '__proto__', 'constructor', '']) {
    assert.equal(modelCounters(telemetry, name), modelCounters(telemetry, name));
    assert.equal(topicCounters(telemetry, name), topicCounters(telemetry, name));
    const partition = { topic: name, partition: 3 };
    assert.equal(consumedRecords(telemetry, partition), consumedRecords(telemetry, partition));
    assert.equal(partitionGauges(telemetry, partition), partitionGauges(telemetry, partition));
  }
  assert.equal(modelCounters(telemetry, 'a').cells.length, modelSeries.length);
});

test('limits count', () => {
  const telemetry = sampleTelemetry();
  const before = telemetry.live.limits.get('pending')!;
  limitReached(telemetry, 'pending');
  limitReached(telemetry, 'pending', 4);
  limitReached(telemetry, 'new one');
  assert.equal(telemetry.live.limits.get('pending'), before + 5);
  assert.equal(telemetry.live.limits.get('new one'), 1);
});
