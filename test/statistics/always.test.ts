import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { alwaysBounds, type Mixture } from '../../src/statistics/always.ts';
import { prng } from '../sim/prng.ts';

describe('bounds that may be looked at all the time', () => {
  for (const [k, n, tightestAt, lower, upper] of [
    [700, 1000, 100, 0.651629, 0.745949],
    [15, 50, 50, 0.129556, 0.511896],
    [5, 50, 50, 0.013021, 0.269264],
    [1, 50, 50, 0, 0.13489],
    [1, 2, 50, 0, 1],
    [100, 200, 1, 0.328923, 0.671076],
    [0, 1, 50, 0, 1],
    [1, 1, 50, 0, 1],
    [10, 1000, 1000, 0.002917, 0.022371],
    [50, 1000, 1000, 0.031499, 0.073411],
    [500, 10_000, 1000, 0.043196, 0.057348],
  ] as const)
    test(`${k} of ${n}, tightest at ${tightestAt}: the published ${lower} to ${upper}`, () => {
      const [low, high] = alwaysBounds(k, n, { alpha: 0.05, tightestAt });
      assert.ok(Math.abs(low - lower) <= 1e-5 && Math.abs(high - upper) <= 1e-5, `${low}, ${high}`);
    });

  test('are where the mixture, as a product of the chances of one case after the other, is 1 / alpha times as likely', () => {
    const counts = fc.integer({ min: 1, max: 3_000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    const mixtures = fc.record({ alpha: fc.constantFrom(0.01, 0.05, 0.2), tightestAt: fc.constantFrom(20, 100, 1000) });
    fc.assert(
      fc.property(counts, mixtures, ([k, n], mixture) => {
        const isExcluded = (p: number): boolean => likelier(p, k, n, mixture) > Math.log(1 / mixture.alpha);
        const [low] = alwaysBounds(k, n, mixture);
        // The upper one mirrors it: the next law.
        const near = 1e-8;
        if (low === 0) assert.ok(!isExcluded(1e-12));
        else assert.ok(low < near || isExcluded(low - near), `${low}`);
        assert.ok(!isExcluded(low + near), `${low}`);
      }),
    );
  });

  test('are where the mixture is 1 / alpha times as likely to eight digits, where cases are few and weigh little', () => {
    const mixture = { alpha: 0.01, tightestAt: 20 };
    for (let n = 10; n <= 50; n++)
      for (let k = Math.ceil(n / 2); k < n; k++) {
        const [low] = alwaysBounds(k, n, mixture);
        const excess = likelier(low, k, n, mixture) - Math.log(1 / mixture.alpha);
        assert.ok(Math.abs(excess) < 1e-8, `${k} of ${n}: ${excess}`);
      }
  });

  test('hold the share, mirror it, and are as near for more cases of the same share', () => {
    const counts = fc.integer({ min: 1, max: 1_000_000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [low, high] = alwaysBounds(k, n);
        assert.ok(0 <= low && low <= k / n && k / n <= high && high <= 1, `${low}, ${high}`);
        const [mirrored, other] = alwaysBounds(n - k, n);
        assert.ok(Math.abs(1 - mirrored - high) < 1e-9 && Math.abs(1 - other - low) < 1e-9);
        const [more, most] = alwaysBounds(10 * k, 10 * n);
        assert.ok(more >= low - 1e-9 && most <= high + 1e-9);
      }),
    );
  });

  test('0 of 0 says nothing, 0 of many and all of many are bounds of one side', () => {
    assert.deepEqual(alwaysBounds(0, 0), [0, 1]);
    assert.equal(alwaysBounds(0, 1_000_000)[0], 0);
    assert.equal(alwaysBounds(1_000_000, 1_000_000)[1], 1);
    assert.equal(alwaysBounds(1, 50, { alpha: 0.05, tightestAt: 50 })[0], 0, 'not told from 0');
    const all = Number.MAX_SAFE_INTEGER;
    assert.deepEqual(alwaysBounds(all, all), [1 - 1e-12, 1]);
  });

  const [streams, cases] = [2_000, 10_000];
  for (const share of [0.02, 0.05, 0.5])
    test(`of ${streams} streams of ${cases} at ${share}, looked at after every case, at most 5 % ever leave their share outside; seed 5`, (context) => {
      const random = prng(5);
      // Whether a share is outside depends on the counts alone: for each n, from where on k is outside.
      const outside = (k: number, n: number): boolean => {
        const [low, high] = alwaysBounds(k, n);
        return share < low || share > high;
      };
      const most = Array.from({ length: cases + 1 }, () => Number.POSITIVE_INFINITY);
      const least = Array.from({ length: cases + 1 }, () => -1);
      for (let n = 1, above = 0, below = 0; n <= cases; n++) {
        while (above < share * n || (above <= n && !outside(above, n))) above++;
        most[n] = above;
        while (below <= share * n && outside(below, n)) below++;
        least[n] = below - 1;
      }
      let left = 0;
      for (let stream = 0; stream < streams; stream++) {
        let k = 0;
        for (let n = 1; n <= cases; n++) {
          if (random.chance(share)) k++;
          if (k < most[n]! && k > least[n]!) continue;
          left++;
          break;
        }
      }
      context.diagnostic(`${left} of ${streams}`);
      assert.ok(left <= 0.05 * streams, `${left} of ${streams}`);
    });
});

/** How much likelier k of n are under the mixture than at share p: the logarithm. Under the mixture each case is drawn as from Pólya's urn. */
function likelier(p: number, k: number, n: number, { alpha, tightestAt }: Mixture): number {
  const tails = 2 * Math.log(1 / alpha);
  const weight = tightestAt / (tails + Math.log(1 + tails)) - 1;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const [share, before] = i < k ? [p, i] : [1 - p, i - k];
    sum += Math.log((weight * share + before) / (weight + i) / share);
  }
  return sum;
}
