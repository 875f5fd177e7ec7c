import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { band, f1Of, meanOf, rateWith, ratio, wilson, z95 } from '../../src/scoring/reading.ts';
import { recordedCases } from '../support/fixtures.ts';
import { near } from '../support/near.ts';

test('Wilson intervals of the table', (t) => {
  const intervals = recordedCases<{ k: number; n: number; wilson: [number, number] }>('wilson');
  assert.ok(intervals.length >= 13);
  for (const { k, n, wilson: expected } of intervals) near([...wilson(k, n, z95)], expected, `${k} of ${n}`);
  t.diagnostic(`${intervals.length} intervals`);
});

test('an interval holds its rate, and its ends are exact at the ends', () => {
  assert.deepEqual(wilson(0, 300, z95)[0], 0);
  assert.deepEqual(wilson(263, 263, z95)[1], 1);
  const counts = fc
    .integer({ min: 1, max: 2 ** 40 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
  fc.assert(
    fc.property(counts, ([x, n]) => {
      const [lower, upper] = wilson(x, n, z95);
      const slack = 1e-12;
      assert.ok(0 <= lower && lower <= x / n + slack && x / n <= upper + slack && upper <= 1, `${lower} ${upper}`);
      const [mirroredLower, mirroredUpper] = wilson(n - x, n, z95);
      near([1 - mirroredUpper, 1 - mirroredLower], [lower, upper]);
    }),
  );
});

test('0/0 is null everywhere', () => {
  assert.deepEqual(rateWith(z95)(0, 0), { value: null, numerator: 0, denominator: 0, lower: null, upper: null });
  assert.deepEqual(meanOf(0, 0), { value: null, sum: 0, count: 0 });
  assert.equal(ratio(0, 0), null);
  assert.equal(f1Of(0, 0, 0), null);
});

test('bands are inclusive below', () => {
  const bands = [0.9, 0.8999999999999999, 0.75, 0.7499999999999999, 0.5, 0.49999999999999994, null];
  assert.deepEqual(
    bands.map((value) => band(value, 0.9, 0.75, 0.5)),
    ['excellent', 'good', 'good', 'fair', 'fair', 'poor', null],
  );
});

test('a reading knows how wide its intervals are', () => {
  for (const z of [z95, 1]) {
    const rate = rateWith(z);
    assert.equal(rate.z, z);
    assert.deepEqual([rate(3, 4).lower, rate(3, 4).upper], wilson(3, 4, z));
  }
});
