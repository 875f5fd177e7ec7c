import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cannotAnswer, direct, toolCall } from '../../../src/scoring/label.ts';
import type { Block } from '../../../src/scoring/metric.ts';
import { blockOf, droppedIn, harness, observe, type RunEvent } from './harness.ts';

const base: RunEvent = {
  example: 'a',
  model: 'x',
  agent: 'x',
  slice: 0,
  gold: toolCall,
  label: toolCall,
  run: 0,
  verdict: 2,
  tsMs: 0,
};

test('the block is null before the first run', () => {
  assert.equal(blockOf(harness()), null);
  assert.equal(blockOf(harness({ mode: 'upstream' })), null);
});

test('closed: runs of k and more, and repeated ones, are ignored; a group of ignored runs only is seen', () => {
  const family = harness({ k: 2 });
  observe(family, { ...base, run: 2 });
  assertCounts(blockOf(family), { groups_seen: 1, groups_complete: 0, ignored_runs: 1 });
  observe(family, { ...base, run: 1, label: direct });
  observe(family, { ...base, run: 1, label: cannotAnswer });
  assertCounts(blockOf(family), { groups_seen: 1, groups_complete: 0, ignored_runs: 2 });
  observe(family, { ...base, run: 0, label: direct });
  observe(family, { ...base, run: 0 });
  assertCounts(blockOf(family), { groups_seen: 1, groups_complete: 1, ignored_runs: 3 });
  assert.equal(valueIn(blockOf(family), 'stable_wrong'), 1);
});

test('rolling: the k highest run indices; what they replace is ignored from then on', () => {
  const family = harness({ k: 2, form: 'rolling' });
  observe(family, { ...base, run: 10, label: direct });
  observe(family, { ...base, run: 4 });
  assert.equal(valueIn(blockOf(family), 'mean_accuracy'), 0.5);
  observe(family, { ...base, run: 7 });
  assertCounts(blockOf(family), { groups_complete: 1, ignored_runs: 1 });
  observe(family, { ...base, run: 11, label: direct });
  assert.equal(valueIn(blockOf(family), 'stable_wrong'), 1);
  observe(family, { ...base, run: 4 });
  assertCounts(blockOf(family), { groups_complete: 1, ignored_runs: 3 });
});

test('a group counts in the slice and under the gold label of its lowest run', () => {
  const family = harness({ k: 2 });
  observe(family, { ...base, run: 5, slice: 3, gold: direct });
  observe(family, { ...base, run: 6, slice: 4, gold: direct });
  assertCounts(blockOf(family, [3]), { groups_seen: 1, ignored_runs: 2 });
  observe(family, { ...base, run: 1, slice: 1, gold: direct });
  observe(family, { ...base, run: 0, slice: 2, gold: toolCall });
  for (const slice of [1, 3, 4]) assert.equal(blockOf(family, [slice]), null);
  const block = blockOf(family, [2]);
  assertCounts(block, { groups_seen: 1, groups_complete: 1, ignored_runs: 2 });
  assertCounts((block!['per_label'] as Record<string, Block>)['tool_call']!, { groups_seen: 1, groups_complete: 1 });
});

test('a group without a gold label counts for pass^j alone, if every run has a verdict', () => {
  const family = harness({ k: 2 });
  const unlabelled = { ...base, gold: undefined };
  observe(family, { ...unlabelled, verdict: 1 });
  assert.equal(blockOf(family), null);
  assert.equal(observe(family, { ...unlabelled, run: 1, verdict: 1 }), undefined, 'no panes');
  for (const verdict of [0, 0, 2] as const)
    for (const run of [0, 1]) observe(family, { ...base, example: `b${verdict}`, run, verdict });
  const block = blockOf(family);
  assertCounts(block, { groups_seen: 2, groups_complete: 2 });
  assert.equal((block!['pass_hat_k'] as Record<string, { value: number }>)['1']!.value, 0.5);
});

test('a group is told with the run that completes it; where groups roll, with each run that they take in from then on', () => {
  const closed = harness({ k: 2 });
  assert.equal(observe(closed, { ...base, run: 1, slice: 4 }), undefined);
  const agrees = { complete: 1, stable: 1, stableCorrect: 1, modeCorrect: 1 };
  assert.deepEqual(observe(closed, { ...base, slice: 3 }), { slice: 3, counts: agrees });
  assert.equal(observe(closed, base), undefined, 'a run that is ignored');
  const rolling = harness({ k: 2, form: 'rolling' });
  observe(rolling, { ...base, run: 7, label: direct });
  const differs = { ...agrees, stable: 0, stableCorrect: 0 };
  assert.deepEqual(observe(rolling, base), { slice: 0, counts: differs });
  const wrong = { ...agrees, stableCorrect: 0, modeCorrect: 0 };
  assert.deepEqual(observe(rolling, { ...base, run: 8, label: direct }), { slice: 0, counts: wrong });
  assert.equal(observe(rolling, { ...base, run: 1 }), undefined);
});

test('model, agent and example make the group: names that change places are another group', () => {
  const family = harness({ k: 2 });
  for (const [example, model, agent] of [
    ['a', 'x', 'y'],
    ['a', 'y', 'x'],
    ['x', 'a', 'y'],
    ['y', 'x', 'a'],
  ] as const) {
    observe(family, { ...base, example, model, agent });
  }
  assertCounts(blockOf(family), { groups_seen: 4, ignored_runs: 0 });
});

test('a group is dropped when its last run lies more than keepMs back; it counts as seen again when it returns', () => {
  const family = harness({ k: 2, keepMs: 10 });
  observe(family, { ...base, tsMs: 100 });
  observe(family, { ...base, example: 'b', tsMs: 110 });
  assertCounts(blockOf(family), { groups_seen: 2, dropped_groups: 0 });
  observe(family, { ...base, example: 'b', tsMs: 111 });
  assertCounts(blockOf(family), { groups_seen: 2, dropped_groups: 1 });
  observe(family, { ...base, run: 1, tsMs: 112 });
  assertCounts(blockOf(family), { groups_seen: 3, groups_complete: 0, dropped_groups: 1 });
});

test('an ignored run keeps its group; a dropped group keeps its contribution', () => {
  const family = harness({ k: 1, keepMs: 10 });
  observe(family, { ...base, tsMs: 100 });
  observe(family, { ...base, tsMs: 108 });
  observe(family, { ...base, example: 'b', tsMs: 118 });
  assertCounts(blockOf(family), { groups_seen: 2, dropped_groups: 0 });
  observe(family, { ...base, example: 'b', tsMs: 119 });
  assertCounts(blockOf(family), { groups_seen: 2, groups_complete: 2, dropped_groups: 1, ignored_runs: 2 });
});

test('at the limit the oldest group makes room', () => {
  const family = harness({ groupsMax: 2 });
  observe(family, { ...base, example: 'a', tsMs: 1 });
  observe(family, { ...base, example: 'b', tsMs: 2 });
  observe(family, { ...base, example: 'a', run: 1, tsMs: 3 });
  assert.equal(droppedIn(family), 0);
  observe(family, { ...base, example: 'c', tsMs: 4 });
  observe(family, { ...base, example: 'a', run: 2, tsMs: 5 });
  assert.equal(droppedIn(family), 1);
  assertCounts(blockOf(family), { groups_seen: 3, dropped_groups: 1 });
});

test('without a complete group the measures are null, in mode upstream 0; intervals, coverage and pass_hat_k stay null', () => {
  for (const [mode, value] of [
    ['spec', null],
    ['upstream', 0],
  ] as const) {
    const family = harness({ mode });
    observe(family, base);
    const block = blockOf(family)!;
    assert.deepEqual(block['stability'], { value, numerator: 0, denominator: 0, lower: null, upper: null });
    assert.deepEqual(block['entropy_norm'], { value, sum: 0, count: 0 });
    assert.deepEqual((block['pass_hat_k'] as Record<string, unknown>)['5'], { value: null, sum: 0, count: 0 });
    const other = (block['per_label'] as Record<string, Block>)['direct']!;
    assert.deepEqual(other['coverage'], { value: null, numerator: 0, denominator: 0, lower: null, upper: null });
    assert.equal(valueIn(other, 'flip_rate'), value);
  }
});

test('pass_hat_k counts complete groups of which every run has a verdict', () => {
  const family = harness({ k: 2 });
  for (const [example, first, second] of [
    ['a', 1, 1],
    ['b', 1, 0],
    ['c', 1, 2],
  ] as const) {
    observe(family, { ...base, example, run: 0, verdict: first });
    observe(family, { ...base, example, run: 1, verdict: second });
  }
  observe(family, { ...base, example: 'd', verdict: 1 });
  assert.deepEqual(blockOf(family)!['pass_hat_k'], {
    '1': { value: 0.75, sum: 1.5, count: 2 },
    '2': { value: 0.5, sum: 1, count: 2 },
  });
});

function assertCounts(block: Block | null, expected: Readonly<Record<string, number>>): void {
  assert.ok(block !== null);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, block[name]])), expected);
}

function valueIn(block: Block | null, measure: string): unknown {
  return (block![measure] as { readonly value: unknown }).value;
}
