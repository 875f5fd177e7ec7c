import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatchOptions } from '../../../src/scoring/match/index.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { Truth } from '../../../src/scoring/truth.ts';
import { call, errorTexts, matchRow } from '../../support/match.ts';

const [a, b, c] = [call('a', { x: 1 }), call('b', { x: 1 }), call('c', { x: 1 })];
const a2 = call('a', { x: 2 });

/** What is told of each error: which, of which tool, the places of its calls, and the calls. */
function told(calls: readonly Call[], truth: Partial<Truth>, options: Partial<MatchOptions> = {}): unknown[] {
  return matchRow(calls, truth, options).errors.map((one) => [
    ...[one.error, one.tool, one.expected_call, one.predicted_call],
    ...[one.path, one.expected, one.actual],
  ]);
}

test('an error of a call tells the calls, with null for what is absent', () => {
  assert.deepEqual(told([b], { expected: [a] }), [['wrong_tool', 'a', 0, 0, null, a, b]]);
  assert.deepEqual(told([], { expected: [a] }), [['missing_call', 'a', 0, null, null, a, null]]);
  assert.deepEqual(told([a], { expected: [] }), [['extra_call', 'a', null, 0, null, null, a]]);
  const [nameless, unread] = [
    { name: undefined, arguments: { x: 1 } },
    { name: 'a', arguments: undefined },
  ];
  assert.deepEqual(told([nameless, unread], { expected: [] }), [
    ['malformed_call', null, null, 0, null, null, { name: null, arguments: { x: 1 } }],
    ['malformed_call', 'a', null, 1, null, null, { name: 'a', arguments: null }],
  ]);
});

test('calls that are right in another order are one error of no call, unless more is wrong', () => {
  const wanted = { expected: [a, b] };
  assert.deepEqual(told([b, a], wanted, { order: 'exact' }), [['wrong_order', null, null, null, null, null, null]]);
  assert.deepEqual(told([b, a, c], wanted, { order: 'exact' }), [
    ['wrong_order', 'a', 0, 1, null, a, a],
    ['wrong_order', 'b', 1, 0, null, b, b],
    ['extra_call', 'c', null, 2, null, null, c],
  ]);
});

test('what is allowed is no error beside others', () => {
  const texts = (...given: Parameters<typeof matchRow>) => errorTexts(matchRow(...given));
  assert.deepEqual(texts([a2, b], { expected: [a] }, { extraCalls: 'allowed' }), ['wrong_value a x']);
  assert.deepEqual(texts([a2], { expected: [a, b] }, { missingCalls: 'allowed' }), ['wrong_value a x']);
  assert.deepEqual(texts([a2, b], { expected: [a] }), ['wrong_value a x', 'extra_call b']);
  assert.deepEqual(texts([a2], { expected: [a, b] }), ['wrong_value a x', 'missing_call b']);
});

test('a forbidden call is told first, and is not extra too', () => {
  const forbidden = ['c'];
  assert.deepEqual(told([c, a2], { expected: [a], forbidden }), [
    ['forbidden_call', 'c', null, 0, null, null, c],
    ['wrong_value', 'a', 0, 1, 'x', 1, 2],
  ]);
  assert.deepEqual(errorTexts(matchRow([b, a, c], { expected: [a, b, c], forbidden }, { order: 'in_order' })), [
    'forbidden_call c',
    'wrong_order',
  ]);
  const nameless = { name: undefined, arguments: {} };
  assert.deepEqual(errorTexts(matchRow([nameless], { expected: [], forbidden: ['*'] })), ['malformed_call']);
});

test('a forbidden call is the only thing that is wrong where the rest is in order', () => {
  for (const order of ['any', 'in_order', 'exact'] as const)
    assert.deepEqual(
      matchRow([a, b, c], { expected: [a, b, c], forbidden: ['c'] }, { order }).errors.map(({ error }) => error),
      ['forbidden_call'],
    );
});

test('of several calls of one tool those are paired that differ in the fewest arguments', () => {
  const [first, second] = [call('f', { p: 1, q: 1, r: 1 }), call('f', { p: 2, q: 2, r: 2 })];
  const given = [call('f', { p: 2, q: 2, r: 0 }), call('f', { p: 9, q: 9, r: 9 }), call('f', { p: 1, q: 0, r: 1 })];
  assert.deepEqual(told(given, { expected: [first, second] }), [
    ['wrong_value', 'f', 0, 2, 'q', 1, 0],
    ['wrong_value', 'f', 1, 0, 'r', 2, 0],
    ['extra_call', 'f', null, 1, null, null, given[1]],
  ]);
});
