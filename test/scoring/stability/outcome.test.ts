import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from '../../../src/scoring/range.ts';
import { cannotAnswer, direct, invalid, requestForInfo, toolCall } from '../../../src/scoring/label.ts';
import { counterKeys, histogramKeys, shapeOf } from '../../../src/scoring/stability/histograms.ts';
import { stability } from '../../../src/scoring/stability/index.ts';
import { stabilityMetrics } from '../../../src/scoring/stability/read.ts';

type Case = readonly [
  name: string,
  gold: number,
  labels: readonly number[],
  counts: readonly number[],
  modeCorrect: boolean,
  correct: number,
  flips: number,
];

const [allAlike, oneEach] = [
  [direct, direct, direct],
  [cannotAnswer, invalid, toolCall, direct, requestForInfo],
];
const [mostCall, even] = [
  [toolCall, toolCall, cannotAnswer, toolCall, cannotAnswer],
  [toolCall, direct, direct, toolCall],
];
const cases: readonly Case[] = [
  ['the mode is right, 3 of 4 adjacent pairs differ', toolCall, mostCall, [3, 2, 0, 0, 0], true, 3, 3],
  ['of equally frequent labels the one seen first is the mode', direct, even, [2, 2, 0, 0, 0], false, 2, 2],
  ['all runs agree on another label', requestForInfo, allAlike, [3, 0, 0, 0, 0], false, 0, 0],
  ['five labels, one run each', cannotAnswer, oneEach, [1, 1, 1, 1, 1], true, 1, 4],
  ['one run', direct, [direct], [1, 0, 0, 0, 0], true, 1, 0],
];

for (const [name, gold, labels, counts, modeCorrect, correct, flips] of cases) {
  test(`outcome of a group: ${name}`, () => {
    const family = stability({ k: labels.length, form: 'closed', mode: 'upstream' });
    const outcome = family.outcome(
      gold,
      labels,
      labels.map(() => 2),
    );
    assert.deepEqual(shapeOf(labels.length, outcome.shapes), { counts, modeCorrect });
    assert.deepEqual({ ...outcome, shapes: 0 }, { shapes: 0, correct, flips, successes: undefined });
  });
}

test('successes are counted where every run has a verdict', () => {
  const { outcome } = stability({ k: 3, form: 'closed', mode: 'spec' });
  const labels = [direct, direct, direct];
  assert.equal(outcome(direct, labels, [1, 0, 1]).successes, 2);
  assert.equal(outcome(direct, labels, [0, 0, 0]).successes, 0);
  assert.equal(outcome(direct, labels, [1, 2, 1]).successes, undefined);
});

test('the keys that histograms can have are those that all groups of k runs come to, and the counters', () => {
  for (const k of [1, 2, 3, 4, 6]) {
    const family = stability({ k, form: 'closed', mode: 'upstream' });
    const keys = new Set(Object.keys(counterKeys));
    for (let group = 0; group < 5 ** k; group++) {
      const labels = Array.from({ length: k }, (_, run) => Math.floor(group / 5 ** run) % 5);
      const verdicts = labels.map((label) => label % 2);
      for (const [name, key] of Object.entries(family.outcome(toolCall, labels, verdicts))) keys.add(`${name} ${key}`);
    }
    assert.equal(histogramKeys(k), keys.size, `k = ${k}`);
  }
});

test('a label that is none of the four counts as cannot_answer, in mode upstream as itself', () => {
  const counted = (mode: 'spec' | 'upstream', label: typeof invalid | typeof direct): number =>
    stability({ k: 1, form: 'closed', mode }).countedLabel(label);
  assert.equal(counted('spec', invalid), cannotAnswer);
  assert.equal(counted('upstream', invalid), invalid);
  for (const mode of ['spec', 'upstream'] as const) assert.equal(counted(mode, direct), direct);
});

test('entropy is greatest where all labels are equally frequent, in mode upstream with invalid as a fifth', () => {
  const { entropy, entropy_norm } = stabilityMetrics;
  for (const [mode, most] of [
    ['spec', 2],
    ['upstream', Math.log2(5)],
  ] as const) {
    assert.deepEqual(rangeOf(entropy, { mode }), [0, most]);
    assert.deepEqual(rangeOf(entropy_norm, { mode }), [0, most / 2]);
  }
});
