import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decisionMetrics } from '../../src/scoring/decision/metrics.ts';
import {
  countsOf,
  independentDifference,
  pairedDifference,
  type Sample,
  varianceOfMean,
} from '../../src/view/difference.ts';
import { jackknifeVariance, student95, studentInterval } from '../../src/view/jackknife.ts';
import { mcnemarExact } from '../../src/view/mcnemar.ts';
import { newcombe, newcombePaired } from '../../src/view/newcombe.ts';
import type { Counted } from '../../src/scoring/metric.ts';
import { z95 } from '../../src/scoring/reading.ts';
import { prng } from '../sim/prng.ts';
import { near } from '../support/near.ts';

const rounded = (numbers: readonly number[]): number[] => numbers.map((number) => Math.round(number * 1e4) / 1e4);

test('independent proportions: the values of Newcombe 1998a, table II, method 10', () => {
  for (const [x1, n1, x2, n2, lower, upper] of [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ] as const)
    assert.deepEqual(rounded(newcombe({ x: x2, n: n2 }, { x: x1, n: n1 }, z95)), [lower, upper]);
});

test('paired proportions: published values', () => {
  // Altman and others, Statistics with Confidence, 2000, table 6.2; Fagerland and others, Statistical Analysis of Contingency Tables, 2017, chapter 8.
  const interval = (both: number, first: number, second: number, none: number) =>
    rounded(newcombePaired({ both, first, second, none }, z95));
  assert.deepEqual(interval(14, 0, 5, 22), [0.0115, 0.2265]);
  assert.deepEqual(interval(59, 6, 16, 80), [0.0046, 0.1186]);
  assert.deepEqual(interval(1, 1, 7, 12), [0.0256, 0.5069]);
  assert.deepEqual(interval(0, 0, 0, 10), [-0.2775, 0.2775]);
});

test('the more alike the outcomes of a pair, the narrower, from the opposite on', () => {
  let before = Number.POSITIVE_INFINITY;
  for (let both = 0; both <= 10; both++) {
    const [lower, upper] = newcombePaired({ both, first: 10 - both, second: 10 - both, none: both }, z95);
    assert.ok(upper - lower < before, `${both}`);
    before = upper - lower;
  }
});

test('exact McNemar test: published values, and every table of up to 40 changes by counting', () => {
  near([mcnemarExact(1, 7), mcnemarExact(0, 5), mcnemarExact(0, 0)], [0.0703125, 0.0625, 1]);
  assert.equal(mcnemarExact(6, 16).toFixed(4), '0.0525');
  for (let n = 0; n <= 40; n++) {
    let choose = 1;
    let tail = 0;
    for (let k = 0; 2 * k <= n; k++) {
      tail += choose;
      const p = Math.min(1, (2 * tail) / 2 ** n);
      near([mcnemarExact(k, n - k), mcnemarExact(n - k, k)], [p, p]);
      choose = (choose * (n - k)) / (k + 1);
    }
  }
  // Where 2^-n is 0: the normal approximation with continuity correction, z = (300 - 1) / √10300.
  assert.ok(Math.abs(mcnemarExact(5000, 5300) - 0.00322) < 1e-5);
  assert.equal(mcnemarExact(0, 100_000), 0);
});

test("Student's quantiles, and his own example", () => {
  const table = { 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 30: 2.042, 120: 1.98 };
  for (const [freedom, value] of Object.entries(table))
    assert.ok(Math.abs(student95(Number(freedom)) / value - 1) < 0.002, freedom);
  assert.ok(Math.abs(student95(30) - 2.0422724563) < 4e-8);
  // Additional hours of sleep, Biometrika 6, 1908: mean difference 1.58 [0.70, 2.46].
  const one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const { a, b, lower, upper, differs } = pairedDifference('mean', { a: one, b: other });
  assert.deepEqual(rounded([a!, b!, lower!, upper!]), [0.75, 2.33, 0.7001, 2.4599]);
  assert.equal(differs, true);
  near(jackknifeVariance([2.5, 2, 1.5].map((value) => ({ value, count: 1 }))), 1 / 3);
  assert.deepEqual(studentInterval(1, 0, 9), [1, 1]);
});

/** A pair of correlated flags: the first with probability p, the second the same with probability `same`, else with q. */
function flagPairs(random: () => number, n: number, [p, q, same]: readonly number[]) {
  const a = Array.from({ length: n }, () => Number(random() < p!));
  return { a, b: a.map((flag) => (random() < same! ? flag : Number(random() < q!))) };
}

/** Cells of the confusion matrix: gold labels in turn, predicted right with probability p. */
function cellsOf(random: () => number, n: number, p: number): number[] {
  return Array.from({ length: n }, (_, at) => (at % 4) * 5 + (random() < p ? at % 4 : Math.floor(5 * random())));
}

const macro = decisionMetrics.macro_f1.counted!;

test('simulated: no difference is called one in at most 5 of 100, a great one always', () => {
  const random = prng(18).next;
  const shares = { rate: 0, paired: 0, mean: 0, macro: 0, great: 0 };
  const rounds = 400;
  for (let round = 0; round < rounds; round++) {
    const { a, b } = flagPairs(random, 200, [0.8, 0.8, 0.7]);
    const side = (flags: readonly number[]): Sample => {
      const x = flags.reduce((sum, flag) => sum + flag, 0);
      return { kind: 'rate', x, n: flags.length, value: x / flags.length };
    };
    const others = flagPairs(random, 200, [0.8, 0.8, 0]).a;
    if (independentDifference(side(a), side(others)).differs) shares.rate++;
    if (pairedDifference('rate', { a, b }).differs) shares.paired++;
    const scores = a.map((flag) => (flag + random()) / 2);
    const others2 = b.map((flag) => (flag + random()) / 2);
    if (pairedDifference('mean', { a: scores, b: others2 }).differs) shares.mean++;
    const [c, d] = [cellsOf(random, 200, 0.7), cellsOf(random, 200, 0.7)];
    if (pairedDifference(macro, { a: c, b: d }).differs) shares.macro++;
    if (pairedDifference(macro, { a: c, b: cellsOf(random, 200, 0.3) }).differs) shares.great++;
  }
  // 5 % and four standard deviations of 400 rounds: 5 + 4 * 1.09.
  for (const [name, found] of Object.entries(shares))
    if (name !== 'great') assert.ok(found / rounds <= 0.094, `${name}: ${found} of ${rounds}`);
  assert.equal(shares.great, rounds);
});

/** Variance of a number of n events by the definition of the jackknife: `left(i)` is the number without the i-th. */
function jackknifed(n: number, left: (event: number) => number): number {
  const values = Array.from({ length: n }, (_, event) => left(event));
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return ((n - 1) / n) * values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function macroOf(cells: readonly number[]): number {
  return macro.of(countsOf(cells, macro.cells)) ?? 0;
}

const without = <Item>(list: readonly Item[], at: number): readonly Item[] => list.toSpliced(at, 1);
const cellLists = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { minLength: 4, maxLength: 12 });

test('a number of cells differs by the jackknife: each event of either side left out in turn', () => {
  fc.assert(
    fc.property(cellLists, fc.nat(3), (pairs, more) => {
      const [one, other] = [
        pairs.map(([cell]) => cell),
        [...pairs.map(([, cell]) => cell), ...new Array(more).fill(0)],
      ];
      const sample = (cells: readonly number[]): Sample => {
        const counts = countsOf(cells, macro.cells);
        return { kind: 'counted', value: macro.of(counts), counts, of: macro.of };
      };
      const { a, b, n_a, n_b, lower, upper, method } = independentDifference(sample(one), sample(other));
      fc.pre(a !== null && b !== null);
      const variance = [one, other].reduce(
        (sum, list) => sum + jackknifed(list.length, (at) => macroOf(without(list, at))),
        0,
      );
      assert.deepEqual([n_a, n_b, method], [one.length, other.length, 'jackknife']);
      near([lower, upper], [...studentInterval(b! - a!, variance, one.length - 1)]);
    }),
  );
});

test('of pairs of cells each pair is left out in turn; few changes decide nothing', () => {
  fc.assert(
    fc.property(cellLists, (pairs) => {
      const [one, other] = [pairs.map(([cell]) => cell), pairs.map(([, cell]) => cell)];
      const { a, b, n_a, n_b, lower, upper, method, differs } = pairedDifference(macro, { a: one, b: other });
      fc.pre(a !== null && b !== null);
      const n = pairs.length;
      const variance = jackknifed(n, (at) => macroOf(without(other, at)) - macroOf(without(one, at)));
      const interval = studentInterval(b! - a!, variance, n - 1);
      assert.deepEqual([n_a, n_b, method], [n, n, 'jackknife_paired']);
      near([lower, upper], [...interval]);
      const changes = pairs.filter(([before, after]) => before !== after).length;
      assert.equal(differs, changes >= 6 && (interval[0] > 0 || interval[1] < 0));
    }),
  );
});

test('the variance of a mean is that of its scores by their number; with it means differ by Student', () => {
  const scores = fc.array(fc.constantFrom(0, 0.25, 1), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(scores, scores, (one, other) => {
      const sample = (list: readonly number[]): Sample => {
        const x = list.reduce((sum, score) => sum + score, 0);
        return { kind: 'mean', x, n: list.length, value: x / list.length, variance: varianceOfMean(list) };
      };
      const spread = (list: readonly number[]): number => {
        const mean = list.reduce((sum, score) => sum + score, 0) / list.length;
        return list.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (list.length - 1) / list.length;
      };
      near([varianceOfMean(one), varianceOfMean(other)], [spread(one), spread(other)]);
      const { a, b, lower, upper, method } = independentDifference(sample(one), sample(other));
      const n = Math.min(one.length, other.length);
      assert.equal(method, n >= 4 ? 'jackknife' : 'newcombe');
      if (n >= 4) near([lower, upper], [...studentInterval(b! - a!, spread(one) + spread(other), n - 1)]);
    }),
  );
});

test('law: turned round, a difference has the other sign', () => {
  const flags = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(flags, fc.constantFrom('rate' as const, 'mean' as const), (pairs, kind) => {
      const [a, b] = [pairs.map(([one]) => Number(one)), pairs.map(([, other]) => Number(other))];
      const forth = pairedDifference(kind, { a, b });
      const back = pairedDifference(kind, { a: b, b: a });
      near(
        [back.a, back.p, back.differs, back.lower === null ? null : -back.lower],
        [forth.b, forth.p, forth.differs, forth.upper],
      );
    }),
  );
});

test('few events, and few changes, decide nothing', () => {
  const { differs, lower } = pairedDifference('mean', { a: [1, 1, 1, 1, 1], b: [0.5, 0.5, 0.5, 0.5, 0.5] });
  assert.deepEqual([differs, lower], [false, -0.5]);
  assert.equal(pairedDifference('mean', { a: [1, 1, 1], b: [0, 0, 0] }).differs, null);
  for (const kind of ['rate', 'mean'] as const) assert.equal(pairedDifference(kind, { a: [], b: [] }).a, null);
  assert.equal(varianceOfMean([1]), undefined);
  for (const [changed, isEnough] of [
    [5, false],
    [6, true],
  ] as const) {
    // One pair more, which is the same on both sides.
    const pairs = { a: [...new Array(changed).fill(0), 1], b: new Array(changed + 1).fill(1) };
    for (const kind of ['rate', 'mean', share] as const) assert.equal(pairedDifference(kind, pairs).differs, isEnough);
  }
});

/** The share of events in the second of two cells; null where there are none. */
const share: Counted = {
  cells: 2,
  of: ([none = 0, some = 0]) => (some === 0 ? null : some / (none + some)),
  ofBlock: () => undefined,
  ofRow: () => undefined,
};

test('a number that a side does not have, or of which nothing more is known, differs from none', () => {
  const none: Sample = { kind: 'plain', value: 1 };
  const rate: Sample = { kind: 'rate', value: 0.5, x: 5, n: 10 };
  const mean: Sample = { ...rate, kind: 'mean', variance: 0.01 };
  const missing: Sample = { ...mean, value: null };
  const methods = (one: Sample, other: Sample) =>
    [independentDifference(one, other), independentDifference(other, one)].map(({ method, differs }) => [
      method,
      differs,
    ]);
  for (const [one, other] of [
    [none, none],
    [none, rate],
    [missing, mean],
    [missing, missing],
  ] as const)
    assert.deepEqual(methods(one, other), [
      [null, null],
      [null, null],
    ]);
  // Of one side only the sum is known: both are taken as flags.
  assert.deepEqual(methods(mean, { ...mean, variance: undefined }), [
    ['newcombe', false],
    ['newcombe', false],
  ]);
  const unknown = { a: [0, 0, 0, 0, 0, 0, 0], b: [1, 1, 1, 1, 1, 1, 1] };
  assert.equal(pairedDifference(share, unknown).method, null);
  assert.equal(pairedDifference(share, { a: unknown.b, b: unknown.a }).method, null);
});
