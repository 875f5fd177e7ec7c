import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { caughtRate, designOf, meanCases, steadyCases, type Weights, weightsFor } from '../../src/statistics/cusum.ts';
import { worstOf } from '../../src/statistics/watch-rates.ts';
import { runs } from '../support/soak.ts';

/* The chart as a Markov chain, written down as its definition reads: B <- max(0, B) + up after a bad case, - down after a good one. */

const weights = fc.record({ up: fc.integer({ min: 1, max: 6 }), down: fc.integer({ min: 1, max: 6 }) });
const rate = fc.constantFrom(0.2, 0.35, 0.5, 0.8);

/** Where a case leads from a level below the threshold, and with which probability. Levels below 0 are 0. */
function steps({ up, down }: Weights, level: number, p: number): readonly (readonly [level: number, chance: number])[] {
  return [
    [level + up, p],
    [Math.max(0, level - down), 1 - p],
  ];
}

/** Mean number of cases to a signal from each level: the equations mean = 1 + the means of where a case leads, solved by Gauss. */
function naiveMeans(weights: Weights, threshold: number, p: number): number[] {
  const rows = Array.from({ length: threshold }, (_, level) => {
    const row = Array.from({ length: threshold + 1 }, (_, at) => Number(at === level || at === threshold));
    for (const [next, chance] of steps(weights, level, p)) if (next < threshold) row[next]! -= chance;
    return row;
  });
  for (let at = 0; at < threshold; at++) {
    const pivot = rows[at]!;
    for (const row of rows) {
      if (row === pivot) continue;
      const times = row[at]! / pivot[at]!;
      for (let column = at; column <= threshold; column++) row[column]! -= times * pivot[column]!;
    }
  }
  return rows.map((row, at) => row[threshold]! / row[at]!);
}

/** Where the chart is after many cases at a rate, of the charts that have not signalled. */
function naiveSteady(weights: Weights, threshold: number, p: number): number[] {
  let now = Array.from({ length: threshold }, (_, level) => Number(level === 0));
  for (let time = 0; time < 3_000; time++) {
    const next = now.map(() => 0);
    for (const [level, weight] of now.entries())
      for (const [to, chance] of steps(weights, level, p)) if (to < threshold) next[to]! += chance * weight;
    const left = next.reduce((sum, weight) => sum + weight, 0);
    now = next.map((weight) => weight / left);
  }
  return now;
}

function assertNear(found: number, expected: number): void {
  assert.ok(Math.abs(found / expected - 1) < 1e-6, `${found}, expected ${expected}`);
}

test('law: mean numbers of cases solve the equations of the chain, whatever the weights', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 25 }), rate, (chosen, threshold, p) => {
      const [expected] = naiveMeans(chosen, threshold, p);
      // Beyond, Gauss loses the digits.
      fc.pre(Math.abs(expected!) < 1e7);
      assertNear(meanCases(chosen, threshold, p), expected!);
    }),
  );
});

test('law: beyond the room that is made at first the equations hold too', () => {
  for (const threshold of [64, 65, 128, 129, 150]) {
    const chosen = { up: 3, down: 2 };
    assertNear(meanCases(chosen, threshold, 0.4), naiveMeans(chosen, threshold, 0.4)[0]!);
  }
});

test('law: a chart that has run for long is where its chain leads', () => {
  const few = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(weights, few, rate, rate, (chosen, threshold, p0, p1) => {
      const means = naiveMeans(chosen, threshold, p1);
      fc.pre(Math.abs(means[0]!) < 1e7);
      const steady = naiveSteady(chosen, threshold, p0);
      assertNear(
        steadyCases(chosen, threshold, p0, p1),
        means.reduce((sum, cases, level) => sum + cases * steady[level]!, 0),
      );
    }),
    { numRuns: runs(15) },
  );
});

test('law: a design has the least threshold that reaches its cases', () => {
  fc.assert(
    fc.property(weights, rate, fc.integer({ min: 1, max: 100 }), (chosen, p0, cases) => {
      const { threshold, falseAlarmCases, weights: given } = designOf(chosen, p0, cases);
      assert.deepEqual(given, chosen);
      assertNear(falseAlarmCases, naiveMeans(chosen, threshold, p0)[0]!);
      assert.ok(falseAlarmCases >= cases);
      assert.ok(threshold === 1 || meanCases(chosen, threshold - 1, p0) < cases);
    }),
    { numRuns: runs(15) },
  );
});

test('weights are the simplest that catch the rate to a tenth of the gap', () => {
  for (const p0 of [0.0001, 0.001, 0.02, 0.1, 0.3, 0.45, 0.5, 0.7, 0.9]) {
    const p1 = worstOf(p0);
    const { down, up } = weightsFor(p0, p1);
    const isNear = (share: number): boolean => Math.abs(caughtRate(p0, share) - p1) <= (p1 - p0) / 10;
    assert.ok(isNear(down / (up + down)));
    for (let less = 1; less < down; less++)
      for (const all of [Math.floor, Math.ceil].map((rounded) => rounded((less * (up + down)) / down)))
        assert.ok(
          less / all <= p0 || less >= all || !isNear(less / all),
          `${p0}: ${less} of ${all} for ${down} of ${up + down}`,
        );
  }
});
