import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile, zOfLevel } from '../../src/scoring/quantile.ts';
import { runs } from '../support/soak.ts';

const close = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= 4e-15 * Math.abs(expected), `${actual}, expected ${expected}`);

test('the values that the algorithm was published with', () => {
  close(normalQuantile(0.25), -0.6744897501960817);
  close(normalQuantile(0.001), -3.09023230616781);
  close(normalQuantile(1e-20), -9.26234008979841);
});

test('the values of another program of the algorithm, also where its parts meet (Python, statistics.NormalDist)', () => {
  const values: readonly (readonly [number, number])[] = [
    [0.075, -1.4395314709384557],
    [1.3887943864964021e-11, -6.6579046435011024],
    [0.93, 1.4757910281791708],
    [1e-12, -7.034483825301132],
    [0.3, -0.5244005127080407],
  ];
  for (const [p, expected] of values) assert.equal(normalQuantile(p), expected);
});

test('the middle is 0; the quantiles of p and 1 - p are opposite', () => {
  assert.equal(normalQuantile(0.5), 0);
  for (const p of [0.25, 0.125, 2 ** -6, 2 ** -20, 2 ** -44]) assert.equal(normalQuantile(1 - p), -normalQuantile(p));
});

test('the distribution at the quantile of p is p', () => {
  const probability = fc.double({ min: 1e-4, max: 1 - 1e-4, noNaN: true });
  fc.assert(
    fc.property(probability, (p) => {
      assert.ok(Math.abs(distribution(normalQuantile(p)) - p) < 1e-13, `${p}`);
    }),
    { numRuns: runs(100) },
  );
});

test('z of a level of confidence', () => {
  assert.equal(zOfLevel(0.95), 1.959963984540054);
  close(zOfLevel(0.99), 2.5758293035489004);
  close(zOfLevel(0.5), 0.6744897501960817);
});

/** The standard normal distribution as a series: 1/2 + density(x) (x + x^3/3 + x^5/(3 5) + x^7/(3 5 7) + ...). */
function distribution(x: number): number {
  let sum = 0;
  let term = x;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= (x * x) / odd;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
