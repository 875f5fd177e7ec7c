import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { trajectory } from '../../src/scoring/trajectory/index.ts';
import { joined } from '../support/joined.ts';
import { rowOf, trajectoryDefaults } from '../support/scoring.ts';

const family = trajectory(trajectoryDefaults);

/** The row of one call with arguments other than those expected. */
function scoredOf(expected: JsonObject, actual: JsonObject) {
  const call = (args: JsonObject) => [{ name: 'f', arguments: args }];
  const row: unknown = rowOf(family, joined({ calls: call(actual) }, { expected: call(expected) }));
  return row as Record<'strict' | 'flexible', JsonObject> & { readonly mismatches: readonly Json[] };
}

/** Gold value, predicted value, strict score, flexible score of a call with this one parameter. */
const values: readonly (readonly [Json, Json, number, number])[] = [
  ['Paris', '  pARIS ', 1, 1],
  ['a', 'A\u00a0', 1, 1],
  ['New York', 'new york city', 0, 1],
  ['New York City', 'york', 0, 1],
  ['abc', '', 0, 1],
  ['abc', '  ', 0, 1],
  ['', 'abc', 0, 1],
  [' ', 'abc', 0, 1],
  ['abcd', 'abce', 0, 0.5],
  // Lower case, not upper: that of "ß" is "SS".
  ['Straße', 'STRASSE', 0, 0.5],
  ['1', 1, 0, 0.5],
  [1, '1', 0, 0.5],
  [1, true, 1, 1],
  [false, 0, 1, 1],
  [true, 'true', 0, 0.5],
  [0, -0, 1, 1],
  [1, 1.0000005, 1, 1],
  [1, 1.000002, 0, 1],
  [0, 0.000001, 0, 1],
  // The greater of both is what a difference is a share of, where both are 1 or more.
  [1, 1.24, 0, 1],
  [1.24, 1, 0, 1],
  [-1, -1.24, 0, 1],
  [100, 119, 0, 1],
  [100, 124.9, 0, 1],
  [100, 125, 0, 0.5],
  [1000, 800, 0, 0.5],
  [0.5, 0.69, 0, 1],
  [0.5, 0.71, 0, 0.5],
  [0.99, 1.18, 0, 1],
  [0.95, 1.16, 0, 0.5],
  [1.16, 0.95, 0, 0.5],
  [-100, 100, 0, 0.5],
  [-100, -119, 0, 1],
  [Number.POSITIVE_INFINITY, 1e308, 0, 0.5],
  [null, null, 1, 1],
  [null, 0, 0, 1],
  [null, '', 0, 1],
  [0, null, 0, 0.5],
  [[], {}, 0, 1],
  [{}, [], 0, 1],
  [[], 1, 0, 1],
  [[1], [1.0000001], 0, 0.5],
  [[1], [true], 1, 1],
  [['New York'], ['new york '], 1, 1],
  [['abc'], ['b'], 0, 0.5],
  [[1, 2], [2, 1], 0, 0.5],
  [[null], [null], 1, 1],
  [[null], [0], 0, 0.5],
  [[null], ['x'], 0, 0.5],
  [[1], { 0: 1, length: 1 }, 0, 0.5],
  [[1], [1, 2], 0, 0.5],
  [[1, 2], [1], 0, 0.5],
  [['1'], [1], 0, 0.5],
  [{ a: 1 }, [1], 0, 0.5],
  [{ A: 'B' }, { 'a ': ' b' }, 1, 1],
  [{ a: 1 }, { a: 1, b: 2 }, 0, 0.5],
  [{ a: { K: [{ B: 1 }] } }, { A: { k: [{ b: true }] } }, 1, 1],
  [{ a: null }, { b: null }, 0, 0.5],
  [{ A: 1, a: 2 }, { a: 2 }, 1, 1],
  [{ A: 1, a: 2 }, { a: 2, A: 1 }, 0, 0.5],
  [{ toString: 1 }, {}, 0, 0.5],
];

for (const [gold, actual, strict, flexible] of values) {
  test(`value ${JSON.stringify(gold)} against ${JSON.stringify(actual)}`, () => {
    const scored = scoredOf({ x: gold }, { x: actual });
    assert.deepEqual([scored.strict['param'], scored.flexible['param']], [strict, flexible]);
    const mismatch = { tool: 'f', parameter: 'x', expected: gold, actual };
    assert.deepEqual(scored.mismatches, strict === 1 ? [] : [mismatch]);
  });
}

test('an equal prediction is right, whatever numbers it holds', () => {
  const infinite = { x: Number.POSITIVE_INFINITY };
  const scored = scoredOf(infinite, { ...infinite });
  assert.deepEqual([scored.strict['param'], scored.flexible['param'], scored.mismatches.length], [1, 1, 0]);
});
