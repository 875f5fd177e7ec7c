import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { countDifferences, turnedMode, type WantedArguments } from '../../../src/scoring/match/differences.ts';
import { noRules, ruleBook, type Scope } from '../../../src/scoring/match/rules.ts';

const manySteps = () => ({ left: 1_000, depth: 0 });

function wanted(args: JsonObject, scope: Scope = noRules): WantedArguments {
  return { arguments: args, mode: 'exact', scope, defaults: {} };
}

/** Whether a value of `x` is right by rules. */
function isRight(expected: Json, actual: Json, rules: Readonly<Record<string, JsonObject>>): boolean {
  return countDifferences(wanted({ x: expected }, ruleBook({})('f', rules)), { x: actual }, manySteps()) === 0;
}

test('seen from the predicted arguments, more of them are fewer', () => {
  assert.deepEqual(
    ['exact', 'ignore', 'subset', 'superset'].map((mode) => turnedMode(mode as 'exact')),
    ['exact', 'ignore', 'superset', 'subset'],
  );
  assert.deepEqual(turnedMode(['a']), ['a']);
});

test('a count of differences ends at the most that is asked for', () => {
  const count = (expected: JsonObject, actual: JsonObject, most: number) =>
    countDifferences(wanted(expected), actual, manySteps(), most);
  const three = { a: 1, b: 2, c: 3 };
  for (const most of [1, 2, 3, 4]) {
    const least = Math.min(most, 3);
    assert.equal(count(three, {}, most), least);
    assert.equal(count({}, three, most), least);
    assert.equal(count(three, { a: 2, b: 3, c: 4 }, most), least);
    assert.equal(count({ x: [1, 2, 3] }, { x: [2, 3, 4] }, most), least);
    assert.equal(count({ x: [] }, { x: [2, 3, 4] }, most), least);
    assert.equal(count({ x: [1, 2, 3] }, { x: [] }, most), least);
  }
});

test('rules of an item that one side has alone', () => {
  assert.ok(isRight([1, 2], [1], { 'x[1]': { optional: true } }));
  assert.ok(isRight([1, 2], [1], { 'x[1]': { ignore: true } }));
  assert.ok(!isRight([1, 2], [1], { 'x[1]': { any: [3] } }));
  assert.ok(isRight([1], [1, 2], { 'x[1]': { ignore: true } }));
  assert.ok(!isRight([1], [1, 2], { 'x[1]': { optional: true } }));
  assert.ok(!isRight([1], [1, 9], { 'x[*]': { any: [9] } }));
});

test('what is asked of a text or a number is not asked of another type', () => {
  assert.ok(!isRight('zz', ['abc'], { x: { contains: 'abc' } }));
  assert.ok(!isRight(['a', 'b'], 'ab', { x: { edit_similarity: 0.5 } }));
  assert.ok(!isRight('5', 5, { x: { tolerance: 1 } }));
  assert.ok(isRight(4, 5, { x: { tolerance: 1 } }));
  assert.ok(isRight({ a: 1 }, '{"a": 1}', { x: { json: true, trim: true, ignore_case: true } }));
  assert.ok(isRight('zz', [1], { x: { type: 'array' } }));
  assert.ok(isRight('zz', null, { x: { type: 'null' } }));
});
