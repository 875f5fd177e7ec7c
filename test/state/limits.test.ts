import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import type { LogRecord, Reader } from '../../src/stream/event.ts';
import { createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { exampleId, truthOf } from '../sim/truth.ts';
import { encodeSnapshot, restored } from '../support/encoded.ts';

const startMs = Date.UTC(2026, 0, 1);
const laterMs = startMs + 3_600_000;
const known = exampleId(0);

interface Partition {
  state: PartitionState;
  readonly reader: Reader;
}

function createPartition(limits: Readonly<Record<string, number>>): Partition {
  const flags = Object.entries(limits).map(([name, value]) => ({ path: ['limits', name], value, place: 'test' }));
  const { config } = loadConfig({ flags });
  return { state: emptyPartition(settingsOf(config, undefined)), reader: readerOf(config, true) };
}

/** Applies records, each an array of events. */
function apply({ state, reader }: Partition, values: readonly (readonly object[])[]): void {
  const records = values.map((events, at): LogRecord => {
    const bytes = new TextEncoder().encode(JSON.stringify(events));
    return { bytes, start: 0, end: bytes.length, offset: state.numbers.nextOffset + at, timestamp: laterMs };
  });
  const truth = activeTruth(truthOf([0], 0, false), state.settings.layout.families);
  foldRecords(createFold(state, reader), records, 0, records.length, truth);
}

function restart(partition: Partition): void {
  const { state } = partition;
  const bytes = encodeSnapshot(storeOf(state, {}), { id: 'a', nextOffset: 0, group: 'g', topic: 't', partition: 0 });
  partition.state = finish(restoredPartition(state.settings, restored([bytes]).store));
}

test('ids forgotten at a limit are the same ones with and without a restart', () => {
  const identified = (event_id: string, seconds: number) => ({
    example_id: known,
    event_id,
    ts: startMs + 1_000 * seconds,
  });
  // At 700 s the horizon is 40 s: `a`, of 10 s, is out of it, and the bucket of the first minute still there.
  const before = [identified('a', 10), identified('b', 700), identified('a', 690), identified('c', 100)];
  const after = [identified('d', 700), identified('c', 100), identified('a', 690)];
  const [whole, restarted] = [createPartition({ dedupe_ids: 3 }), createPartition({ dedupe_ids: 3 })];
  for (const partition of [whole, restarted]) apply(partition, [before]);
  restart(restarted);
  for (const partition of [whole, restarted]) apply(partition, [after]);
  assert.deepEqual(whole.state.numbers, restarted.state.numbers);
  assert.equal(whole.state.dedupe.ids.size, restarted.state.dedupe.ids.size);
  assert.ok(whole.state.dedupe.ids.size <= 3);
  assert.equal(whole.state.limitHits.dedupe_ids, 1);
});

test('groups of runs dropped at their limit are counted', () => {
  const partition = createPartition({ stability_groups: 2 });
  apply(partition, [['a', 'b', 'c', 'd'].map((agent) => ({ example_id: known, ts: startMs, agent, run: 0 }))]);
  assert.equal(partition.state.runGroups!.table.size, 2);
  assert.equal(partition.state.limitHits.stability_groups, 2);
});
