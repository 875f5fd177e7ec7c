import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rootOf } from '../../src/statistics/root.ts';

/** What is 0 at the root, between which bounds, and how often it may be asked for: halving would take 34 times for each unit between them. */
const functions: readonly (readonly [
  string,
  (x: number) => number,
  low: number,
  high: number,
  root: number,
  most: number,
])[] = [
  ['2 - x^3', (x) => 2 - x ** 3, 0, 2, Math.cbrt(2), 11],
  ['-ln x - 1', (x) => -Math.log(x) - 1, 0.01, 1, Math.exp(-1), 11],
  ['1 - e^(x - 0.3)', (x) => 1 - Math.exp(x - 0.3), -5, 5, 0.3, 17],
  ['0.001 - x^9', (x) => 1e-3 - x ** 9, 0, 1, 1e-3 ** (1 / 9), 21],
  ['(1 - x)^9 - 0.001', (x) => (1 - x) ** 9 - 1e-3, 0, 1, 1 - 1e-3 ** (1 / 9), 21],
  ['1 / x - 1,000', (x) => 1 / x - 1000, 1e-6, 1, 1e-3, 28],
  ['-atan(50 x - 35)', (x) => -Math.atan(50 * x - 35), 0, 1, 0.7, 11],
  ['e^(-5 x) - 0.5', (x) => Math.exp(-5 * x) - 0.5, 0, 1, Math.log(2) / 5, 9],
  ['a line', (x) => 0.25 - x, 0, 1, 0.25, 3],
  ['what is 0 at its end', (x) => 1 - x, 0, 1, 1, 3],
  ['a step', (x) => (x < 1 / 3 ? 1 : -1), 0, 1, 1 / 3, 36],
  ['a step at the lower end', (x) => (x <= 0 ? 1 : -1), 0, 1, 0, 36],
  ['a step at the upper end', (x) => (x < 1 ? 1 : -1), 0, 1, 1, 36],
];

describe('the root of a function that falls', () => {
  for (const [name, f, low, high, root, most] of functions)
    test(`${name}: found in at most ${most} steps`, () => {
      let times = 0;
      const found = rootOf(
        (x) => {
          if (++times > most) throw new Error(`asked for more than ${most} times`);
          return f(x);
        },
        low,
        high,
      );
      assert.ok(Math.abs(found - root) <= 1e-10 || Math.abs(f(found)) < 1e-9, `${found}`);
      assert.ok(low <= found && found <= high);
    });
});
