import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { alwaysBounds } from '../../src/statistics/always.ts';
import { alwaysRate } from '../../src/view/always-rate.ts';

test('a rate has the bounds that may be looked at all the time too; 0/0 has none', () => {
  const plain = rateWith(z95);
  const rate = alwaysRate(plain);
  const [lower_always, upper_always] = alwaysBounds(30, 40);
  assert.ok(lower_always > 0 && upper_always < 1);
  assert.deepEqual({ ...rate(30, 40) }, { ...plain(30, 40), lower_always, upper_always });
  assert.deepEqual({ ...rate(0, 0) }, { ...plain(0, 0), lower_always: null, upper_always: null });
  assert.equal(rate.z, z95);
});
