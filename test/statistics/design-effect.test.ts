import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { designEffect } from '../../src/statistics/design-effect.ts';

test('law: the design effect is that of the analysis of variance of the runs one by one', () => {
  const histograms = fc
    .integer({ min: 2, max: 6 })
    .chain((k) => fc.array(fc.integer({ min: 10, max: 40 }), { minLength: k + 1, maxLength: k + 1 }));
  fc.assert(
    fc.property(histograms, (groups) => {
      const k = groups.length - 1;
      assert.ok(Math.abs(designEffect(groups, k) - naiveEffect(groups, k)) < 1e-9);
    }),
  );
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function naiveEffect(histogram: readonly number[], k: number): number {
  const groups = histogram.flatMap((times, count) =>
    Array.from({ length: times }, () => Array.from({ length: k }, (_, run) => Number(run < count))),
  );
  const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
  const mean = meanOf(groups.flat());
  const between = (k * sumOf(groups.map((runs) => (meanOf(runs) - mean) ** 2))) / (groups.length - 1);
  const inside = sumOf(groups.map((runs) => sumOf(runs.map((run) => (run - meanOf(runs)) ** 2))));
  const within = inside / (groups.length * (k - 1));
  return 1 + (k - 1) * Math.max(0, (between - within) / (between + (k - 1) * within));
}
