import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cases, splitChange, total } from '../../src/statistics/kitagawa.ts';

const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) < 1e-12, `${found}, expected ${expected}`);

test('a part that is worse than the others and grew is to attribute by mix; one that is better and shrank too', () => {
  const [good, bad] = splitChange([
    { before: { n: 90, bad: 0 }, since: { n: 50, bad: 0 } },
    { before: { n: 10, bad: 5 }, since: { n: 50, bad: 25 } },
  ]);
  // From 0.05 to 0.25: 0.4 times how far 0 and 0.5 lie from 0.15.
  near(good!.byMix, 0.06);
  near(bad!.byMix, 0.14);
  near(good!.byRate + bad!.byRate, 0);
});

test('a part without cases has nothing to do with it', () => {
  const [, none] = splitChange([
    { before: { n: 100, bad: 2 }, since: { n: 100, bad: 4 } },
    { before: { n: 0, bad: 0 }, since: { n: 0, bad: 0 } },
  ]);
  near(none!.byRate, 0);
  near(none!.byMix, 0);
});

test('the parts add up to the change', () => {
  const cases: fc.Arbitrary<Cases> = fc.nat(50).chain((n) => fc.nat(n).map((bad) => ({ n, bad })));
  const parts = fc.array(fc.record({ before: cases, since: cases }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, (given) => {
      const [before, since] = [total(given.map((part) => part.before)), total(given.map((part) => part.since))];
      fc.pre(before.n > 0 && since.n > 0);
      const sum = splitChange(given).reduce((all, { byRate, byMix }) => all + byRate + byMix, 0);
      near(sum, since.bad / since.n - before.bad / before.n);
    }),
  );
});
