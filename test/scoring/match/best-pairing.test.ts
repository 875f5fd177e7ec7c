import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MatchOptions } from '../../../src/scoring/match/index.ts';
import { leastCost, longestInOrder, maximumMatching, type Pair } from '../../../src/scoring/match/pairing.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { ExpectedCall } from '../../../src/scoring/truth.ts';
import { call, matchRow } from '../../support/match.ts';
import { runs } from '../../support/soak.ts';

/* All pairings of up to six calls a side, tried one by one: what is found is the best of them. */

/** All one-to-one pairings. */
function* pairings(left: number, right: number, from = 0, used: readonly number[] = []): Generator<Pair[]> {
  if (from === left) return yield [];
  yield* pairings(left, right, from + 1, used);
  for (let j = 0; j < right; j++)
    if (!used.includes(j)) for (const rest of pairings(left, right, from + 1, [...used, j])) yield [[from, j], ...rest];
}

const upToSix = fc.integer({ min: 0, max: 6 });
const table = fc.tuple(upToSix, upToSix).chain(([left, right]) =>
  fc.array(fc.array(fc.constantFrom(0, 0, 1, 2, 3, 4), { minLength: right, maxLength: right }), {
    minLength: left,
    maxLength: left,
  }),
);

test('pairings are the best of all pairings', () => {
  fc.assert(
    fc.property(table, (costs) => {
      const [left, right] = [costs.length, costs[0]?.length ?? 0];
      const fits = (i: number, j: number): boolean => costs[i]![j] === 0;
      const all = [...pairings(left, right)];
      const fitting = all.filter((pairs) => pairs.every(([i, j]) => fits(i, j)));
      const longest = (some: readonly Pair[][]) => Math.max(0, ...some.map((pairs) => pairs.length));
      const inOrder = fitting.filter((pairs) => pairs.every(([, j], at) => at === 0 || j > pairs[at - 1]![1]));
      const assertPairs = (pairs: readonly Pair[]): void => {
        assert.ok(pairs.every(([i, j]) => fits(i, j)));
        assert.equal(new Set(pairs.map(([, j]) => j)).size, pairs.length);
      };
      const most = maximumMatching(left, right, fits);
      assertPairs(most);
      assert.equal(most.length, longest(fitting));
      const sequence = longestInOrder(left, right, fits);
      assertPairs(sequence);
      assert.equal(sequence.length, longest(inOrder));
      const total = (pairs: readonly Pair[]) => pairs.reduce((sum, [i, j]) => sum + costs[i]![j]!, 0);
      const complete = all.filter((pairs) => pairs.length === Math.min(left, right));
      const cheapest = leastCost(left, right, Int32Array.from(costs.flat()));
      assert.equal(cheapest.length, Math.min(left, right));
      assert.equal(total(cheapest), Math.min(...complete.map(total)));
    }),
    { numRuns: runs(40) },
  );
});

const number = fc.integer({ min: 1, max: 4 });
const name = fc.constantFrom('f', 'f', 'g');
const predicted: fc.Arbitrary<Call> = fc.tuple(name, number).map(([tool, x]) => call(tool, { x }));
const expected: fc.Arbitrary<ExpectedCall> = fc
  .tuple(name, number, fc.option(fc.subarray([1, 2, 3, 4])))
  .map(([tool, x, any]) => call(tool, { x }, any === null ? undefined : { x: { any } }));
const expectedCalls = fc.array(expected, { maxLength: 6 });
const options = fc.record({
  order: fc.constantFrom<MatchOptions['order']>('any', 'in_order', 'exact'),
  extraCalls: fc.constantFrom<MatchOptions['extraCalls']>('wrong', 'allowed'),
  missingCalls: fc.constantFrom<MatchOptions['missingCalls']>('wrong', 'allowed'),
});
const lists = fc.tuple(expectedCalls, fc.array(expectedCalls, { maxLength: 2 }));

/** The most pairs that fit, of all pairings that the order permits. */
function most(
  fits: readonly (readonly boolean[])[],
  order: MatchOptions['order'],
  from = 0,
  used: readonly number[] = [],
): number {
  if (from === fits.length) return 0;
  let best = most(fits, order, from + 1, used);
  for (const [j, isFit] of fits[from]!.entries()) {
    if (!isFit || used.includes(j)) continue;
    if (order === 'exact' ? j !== from : order === 'in_order' && j < (used.at(-1) ?? 0)) continue;
    best = Math.max(best, 1 + most(fits, order, from + 1, [...used, j]));
  }
  return best;
}

test('verdict, list and matched calls are those of the best of all pairings', () => {
  fc.assert(
    fc.property(fc.array(predicted, { maxLength: 6 }), lists, options, (calls, [first, alternatives], chosen) => {
      const { order, extraCalls, missingCalls } = chosen;
      const found = [first, ...alternatives].map((wanted) => {
        const fits = calls.map((one) => wanted.map((other) => matchRow([one], { expected: [other] }).correct));
        const matched = most(fits, order);
        const right =
          (matched === wanted.length || missingCalls === 'allowed') &&
          (matched === calls.length || extraCalls === 'allowed');
        return { matched, right, f1: (2 * matched) / (wanted.length + calls.length) };
      });
      const greatest = Math.max(...found.map(({ f1 }) => f1));
      const right = found.findIndex((one) => one.right);
      const list = right < 0 ? found.findIndex(({ f1 }) => f1 === greatest) : right;
      const row = matchRow(calls, { expected: first, alternatives }, chosen);
      assert.deepEqual(
        { correct: row.correct, list: row.list, matched: row.matched },
        { correct: right >= 0, list, matched: found[list]!.matched },
      );
    }),
    { numRuns: runs(80) },
  );
});
