import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watcherOf } from '../../src/service/watches.ts';
import type { Config } from '../../src/config/config.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { groupCounts } from '../../src/scoring/stability/counts.ts';
import { forSlices } from '../../src/state/panes.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { configWith, foldingOf } from '../support/folding.ts';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const examples = 400;
const truth = truthFromRecords(
  Array.from({ length: examples }, (_, number) => ({
    ...{ example_id: `e${number}`, label: 'direct' as const },
    ...{ tools: null, expected_tool_calls: null, reference: null },
  })),
);

interface Run {
  readonly example: number;
  readonly run: number;
  readonly label: string;
  readonly tsMs: number;
}

function folded(config: Config, runs: readonly Run[]): PartitionState {
  const { state, add } = foldingOf(config, truth);
  add(runs.map(({ example, tsMs, ...run }) => ({ ...run, example_id: `e${example}`, model: 'm', ts: tsMs })));
  return state;
}

/** By pane of the finest tier: complete, stable, stable and right, mode right. */
function countsByPane({ panes, settings }: PartitionState): Record<string, number[]> {
  const { runs } = settings.layout;
  const found: Record<string, number[]> = {};
  for (const pane of panes.rows[0]!.keys())
    forSlices(panes, 0, pane, (_, chunk, at) => {
      const counts = groupCounts.map((name) => chunk[at + runs![name]]!);
      if (counts[0]! > 0) found[(pane * settings.windows.tiers[0]!.paneMs - startMs) / minuteMs] = counts;
    });
  return found;
}

test('a group counts in the pane of the run that completes it, also where that is late', () => {
  const config = configWith({ 'metrics.stability.k': 2, 'time.pane': '1m' });
  const at = (example: number, run: number, minute: number, label = 'direct'): Run => {
    return { example, run, label, tsMs: startMs + minute * minuteMs };
  };
  const runs = [at(0, 0, 0), at(1, 0, 1), at(0, 1, 3), at(1, 1, 2, 'tool_call'), at(1, 1, 5), at(2, 1, 5, 'invalid')];
  assert.deepEqual(countsByPane(folded(config, runs)), { 2: [1, 0, 0, 1], 3: [1, 1, 1, 1] });
});

test('runs that no longer agree raise an alarm, whose cases are groups', () => {
  const rule = { baseline: 0.05, worst: 0.4, false_alarm_every: { cases: 10_000 } };
  const config = configWith({
    watches: ['stability.stability', 'decision.accuracy'].map((metric) => ({ ...rule, metric, by: ['model'] })),
  });
  const spikeAt = 340;
  const runs = Array.from({ length: examples }, (_, example) =>
    Array.from({ length: 5 }, (_, run): Run => {
      // Until the spike all runs of an example are alike.
      const isWrong = example < spikeAt ? example % 50 === 0 : run === example % 5;
      return { example, run, label: isWrong ? 'tool_call' : 'direct', tsMs: startMs + example * minuteMs + run };
    }),
  ).flat();
  const state = folded(config, runs);
  const readings = watchReadings(watcherOf(config, state.settings)!, [state], state.numbers.greatestTs);
  const [stability, accuracy] = readings;
  assert.equal(stability!.watch, 'stability.stability');
  assert.equal(stability!.firing, true);
  const sinceMs = startMs + spikeAt * minuteMs;
  assert.deepEqual(stability!.span, { sinceMs, n: examples - spikeAt, bad: examples - spikeAt });
  assert.equal(stability!.designEffect, 1);
  assert.equal(accuracy!.watch, 'decision.accuracy');
  assert.ok(accuracy!.designEffect > 1, `${accuracy!.designEffect}`);
});
