import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probabilityAbove } from '../../src/statistics/binomial.ts';

test('tails of the binomial distribution', () => {
  const near = (found: number, expected: number): void => assert.ok(Math.abs(found - expected) < 1e-12, `${found}`);
  near(probabilityAbove(0, 2, 0.5), 0.75);
  near(probabilityAbove(1.9, 2, 0.5), 0.25);
  near(probabilityAbove(2, 2, 0.5), 0);
  near(probabilityAbove(-1, 10_000, 0.001), 1);
  // 1 - 0.9^10
  near(probabilityAbove(0, 10, 0.1), 0.6513215599);
});
