import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGrowth, setGauges } from '../../src/service/merge-telemetry.ts';
import type { ReceivedReport } from '../../src/service/read-model.ts';
import {
  consumedRecords,
  createTelemetry,
  limitReached,
  modelCounters,
  observe,
  partitionGauges,
  type Telemetry,
  topicCounters,
} from '../../src/telemetry.ts';

const empty = (): Telemetry =>
  createTelemetry({
    build: { version: '1', revision: 'r', node: 'n' },
    configHash: 'h',
    topics: ['t'],
    limits: ['slices', 'series'],
    checkpointIntervalMs: 1,
    snapshotIntervalMs: undefined,
  });

/** A thread that has read so many records of its partition. */
function thread(partition: number, records: number, savedMs: number): Telemetry {
  const telemetry = empty();
  topicCounters(telemetry, 't').scored = records;
  telemetry.published.rejects[0] = records;
  consumedRecords(telemetry, { topic: 't', partition }).records = records;
  limitReached(telemetry, 'slices', records);
  telemetry.live.rebalances = 1;
  modelCounters(telemetry, 'm').cells[0] = records;
  modelCounters(telemetry, `m${partition}`).unknownToolCalls = records;
  for (let i = 0; i < records; i++) observe(telemetry.batchSeconds, 0.01);
  partitionGauges(telemetry, { topic: 't', partition }).position = records;
  telemetry.checkpoints.lastSuccessMs = savedMs;
  telemetry.exemplars.set('e', { labels: [], tsMs: records });
  return telemetry;
}

const heard = (telemetry: Telemetry): ReceivedReport => ({
  ...{ telemetry, timeOrigin: performance.timeOrigin, idleMs: 0, readiness: [], heardMs: 5 },
  ...{ restoring: 0, failures: [], share: undefined, suspects: [], unmatched: undefined, scores: undefined },
});

test('counters of threads add up, however often each is told, and stay what they were besides', () => {
  const all = empty();
  limitReached(all, 'series', 7);
  const [first, later, other] = [thread(0, 3, 10), thread(0, 5, 20), thread(1, 4, 15)];
  addGrowth(all, first, undefined);
  addGrowth(all, later, first);
  addGrowth(all, other, undefined);
  addGrowth(all, later, later);
  assert.equal(topicCounters(all, 't').scored, 9);
  assert.equal(all.published.rejects[0], 9);
  assert.deepEqual(
    [...all.live.consumed.values()].map(({ records }) => records),
    [5, 4],
  );
  assert.deepEqual(
    [...all.live.limits],
    [
      ['slices', 9],
      ['series', 7],
    ],
  );
  assert.equal(all.live.rebalances, 2);
  assert.equal(modelCounters(all, 'm').cells[0], 9);
  assert.deepEqual(
    [0, 1].map((of) => modelCounters(all, `m${of}`).unknownToolCalls),
    [5, 4],
  );
  assert.equal(
    all.batchSeconds.counts.reduce((sum, count) => sum + count),
    9,
  );
  assert.ok(Math.abs(all.batchSeconds.sum - 0.09) < 1e-12);
  assert.equal(all.exemplars.get('e')!.tsMs, 5);
});

test('gauges are those of the threads now: the partitions of each, and the checkpoint that is behind most', () => {
  const all = empty();
  const [one, other] = [thread(0, 3, 10), thread(1, 4, 15)];
  setGauges(
    all,
    new Map([
      [1, heard(one)],
      [2, heard(other)],
      [3, heard(empty())],
    ]),
  );
  assert.deepEqual([...all.partitions.keys()], ['t/0', 't/1']);
  assert.equal(all.checkpoints.lastSuccessMs, 10);
  assert.deepEqual(
    [...all.work],
    [
      ['thread 1', 5],
      ['thread 2', 5],
      ['thread 3', 5],
    ],
  );
  one.partitions.clear();
  setGauges(
    all,
    new Map([
      [1, heard(one)],
      [2, heard(other)],
    ]),
  );
  assert.deepEqual([...all.partitions.keys()], ['t/1']);
  assert.equal(all.checkpoints.lastSuccessMs, 15);
});
