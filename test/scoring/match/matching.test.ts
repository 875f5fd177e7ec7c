import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countDifferences, turnedMode } from '../../../src/scoring/match/differences.ts';
import { type Judging, matchingOf, mostPairs, type Wanted } from '../../../src/scoring/match/matching.ts';
import { profileNames, profileOptions } from '../../../src/scoring/match/profiles.ts';
import { noRules, ruleBook } from '../../../src/scoring/match/rules.ts';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { call, matchRow } from '../../support/match.ts';

const strict: Judging = { order: 'any', extraCalls: 'wrong', missingCalls: 'wrong' };

function wanted(name: string, more: Partial<Wanted> = {}): Wanted {
  return { name, arguments: {}, mode: 'exact', scope: noRules, defaults: {}, ...more };
}

test('no more pairs than calls of a name, by either name of a tool', () => {
  const counts: readonly (readonly [expected: readonly string[], predicted: readonly string[], pairs: number])[] = [
    [['a', 'a'], ['a'], 1],
    [['a'], ['a', 'a'], 1],
    [['a', 'a', 'b'], ['a', 'b', 'a'], 3],
    [['a'], ['b'], 0],
    [['m.f'], ['c'], 0],
    [['m.f'], ['m_f'], 1],
    [['m.f', 'm.f'], ['m_f', 'm.f'], 2],
    [['m.f', 'm.f'], ['m_f'], 1],
    [[], ['a'], 0],
  ];
  for (const [expected, predicted, pairs] of counts) {
    const tools = expected.map((name) => wanted(name, name.includes('.') ? { otherName: name.replace('.', '_') } : {}));
    const calls = predicted.map((name) => call(name));
    assert.equal(mostPairs(tools, calls), pairs, `${expected} ${predicted}`);
  }
  assert.equal(mostPairs([wanted('a')], [{ name: undefined, arguments: {} }]), 0);
});

test('without steps nothing fits, but where arguments are not looked at; nothing is paired', () => {
  const found = (left: number, mode: 'exact' | 'ignore') => {
    const matching = matchingOf(0, [wanted('a', { mode })], [call('a')], strict, { left, depth: 0 });
    return [matching.pairs.length, matching.fits(0, 0)];
  };
  assert.deepEqual(found(0, 'exact'), [1, true]);
  assert.deepEqual(found(0, 'ignore'), [1, true]);
  assert.deepEqual(found(-1, 'exact'), [0, false]);
  assert.deepEqual(found(-1, 'ignore'), [0, true]);
});

test('greedy both ways: where not all are paired, those found from the expected calls stay', () => {
  const f = call('f', { x: 1 });
  const more = call('f', { x: 1, y: 2 });
  const matched = (expected: readonly (typeof f)[], calls: readonly (typeof f)[]) =>
    matchRow(calls, { expected }, { greedy: 'both', arguments: 'superset', defaults: false }).matched;
  assert.equal(matched([f, call('g')], [more]), 1);
  assert.equal(matched([f], [more, call('g')]), 1);
  assert.equal(matched([f], [more]), 0);
  assert.equal(matched([f], [f]), 1);
});

test('profiles say how calls are paired', () => {
  const chosen = { arguments: 'superset', overrides: { f: 'subset', g: ['a'] } } as const;
  const told = profileNames.map((name) => {
    const {
      order,
      extraCalls,
      missingCalls,
      greedy,
      dialect,
      arguments: mode,
      overrides,
    } = profileOptions(name, chosen);
    return [name, order, extraCalls, missingCalls, greedy, dialect, mode, overrides?.['f']].join(' ');
  });
  assert.deepEqual(told, [
    'bfcl any wrong wrong expected bfcl superset subset',
    'agentevals.strict any wrong wrong predicted python superset subset',
    'agentevals.unordered any wrong wrong both python superset subset',
    'agentevals.subset any wrong allowed predicted python subset superset',
    'agentevals.superset any allowed wrong expected python superset subset',
    'adk.exact exact wrong wrong  python superset subset',
    'adk.in_order in_order allowed wrong  python superset subset',
    'adk.any_order any allowed wrong  python superset subset',
  ]);
  assert.deepEqual(
    ['exact', 'ignore', 'subset', 'superset'].map((mode) => turnedMode(mode as 'exact')),
    ['exact', 'ignore', 'superset', 'subset'],
  );
  assert.deepEqual(turnedMode(['a']), ['a']);
});

test('a count of differences ends at the most that is asked for', () => {
  const count = (expected: JsonObject, actual: JsonObject, most: number) =>
    countDifferences(wanted('f', { arguments: expected }), actual, { left: 1_000, depth: 0 }, most);
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

/** Whether a value of `x` is right by rules. */
function isRight(expected: Json, actual: Json, rules: Readonly<Record<string, JsonObject>>): boolean {
  const scope = ruleBook({})('f', rules as never);
  return (
    countDifferences(wanted('f', { arguments: { x: expected }, scope }), { x: actual }, { left: 1_000, depth: 0 }) === 0
  );
}

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
