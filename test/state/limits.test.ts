import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { exampleId, truthOf } from '../sim/truth.ts';
import { encodeSnapshot, restored } from '../support/encoded.ts';
import { configWith, foldingOf, type Folding } from '../support/folding.ts';
import type { Config } from '../../src/config/config.ts';

const startMs = Date.UTC(2026, 0, 1);
const laterMs = startMs + 3_600_000;
const known = exampleId(0);

const truth = truthOf([0], 0, false);

function restarted({ state }: Folding, config: Config): Folding {
  const bytes = encodeSnapshot(storeOf(state, {}), { id: 'a', nextOffset: 0, group: 'g', topic: 't', partition: 0 });
  return foldingOf(config, truth, { state: finish(restoredPartition(state.settings, restored([bytes]).store)) });
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
  const config = configWith({ 'limits.dedupe_ids': 3 });
  const [whole, first] = [foldingOf(config, truth), foldingOf(config, truth)];
  for (const partition of [whole, first]) partition.add([before], laterMs);
  const again = restarted(first, config);
  for (const partition of [whole, again]) partition.add([after], laterMs);
  assert.deepEqual(whole.state.numbers, again.state.numbers);
  assert.equal(whole.state.dedupe.ids.size, again.state.dedupe.ids.size);
  assert.ok(whole.state.dedupe.ids.size <= 3);
  assert.equal(whole.state.limitHits.dedupe_ids, 1);
});

test('groups of runs dropped at their limit are counted', () => {
  const { state, add } = foldingOf(configWith({ 'limits.stability_groups': 2 }), truth);
  add([['a', 'b', 'c', 'd'].map((agent) => ({ example_id: known, ts: startMs, agent, run: 0 }))], laterMs);
  assert.equal(state.runGroups!.table.size, 2);
  assert.equal(state.limitHits.stability_groups, 2);
});
