import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { call, matchRow } from '../../support/match.ts';

/** Whether a value at `x` is found equal to an expected one by a rule. What is beside it keeps the calls from being equal as a whole. */
function isEqual(expected: Json, actual: Json, rule: JsonObject = {}): boolean {
  const wanted = call('f', { x: expected, id: 1 }, { id: { ignore: true }, x: rule });
  return matchRow([call('f', { x: actual, id: 2 })], { expected: [wanted] }).correct;
}

const copy = (value: Json): Json => structuredClone(value);

function nested(depth: number, innermost: Json): Json {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

describe('the comparison of one event ends after 200,000 values: beyond, nothing more is found equal', () => {
  test('items of a list, and fields of an object, are values', () => {
    const list = (size: number): Json => Array.from({ length: size }, (_, at) => at);
    assert.deepEqual([isEqual(list(199_900), list(199_900)), isEqual(list(200_001), list(200_001))], [true, false]);
    // An object and its 100 fields each.
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, at]));
    const objects = (size: number): Json => Array.from({ length: size }, () => ({ ...fields }));
    assert.deepEqual([isEqual(objects(1_979), objects(1_979)), isEqual(objects(1_981), objects(1_981))], [true, false]);
  });

  test('one that lies deeper than 256 is as much as 20,000', () => {
    const deep = (count: number): Json => Array.from({ length: count }, () => nested(300, 'a'));
    assert.deepEqual([isEqual(deep(9), copy(deep(9))), isEqual(deep(10), copy(deep(10)))], [true, false]);
    const least = (count: number): Json => Array.from({ length: count }, () => nested(250, 'a'));
    assert.equal(isEqual(least(10), copy(least(10))), true);
  });

  test('texts that are compared letter by letter are as much as their lengths have pairs, by 32', () => {
    const similar = (length: number): boolean =>
      isEqual('a'.repeat(length), `${'a'.repeat(length - 1)}b`, { edit_similarity: 0.9 });
    assert.deepEqual([similar(2_500), similar(2_600)], [true, false]);
  });

  test('a text of a pattern is as much as the pattern and it are long', () => {
    const matches = (length: number): boolean => isEqual('', 'a'.repeat(length), { pattern: 'a+' });
    assert.deepEqual([matches(100_000), matches(5_000_000)], [true, false]);
  });

  test('then calls are told to differ, but where arguments are not looked at', () => {
    const list = Array.from({ length: 200_001 }, (_, at) => at);
    const [wanted, given] = [call('f', { list, id: 1 }), call('f', { list: [...list], id: 2 })];
    const expected = [wanted, call('g')];
    const calls = [given, call('g')];
    assert.equal(matchRow(calls, { expected }).matched, 0);
    assert.equal(matchRow(calls, { expected }, { arguments: 'ignore' }).matched, 2);
  });
});

test('calls that equal the expected ones are right without a step, in any order of keys', () => {
  const fields = Array.from({ length: 250_000 }, (_, at): [string, Json] => [`k${at}`, at]);
  const [wanted, given] = [fields, fields.toReversed()].map((list) => call('f', { x: Object.fromEntries(list) }));
  for (const order of ['any', 'in_order', 'exact'] as const)
    assert.equal(matchRow([given!], { expected: [wanted!] }, { order }).correct, true, order);
  const [other, most] = [fields.toReversed(), fields].map((list) => call('f', Object.fromEntries(list)));
  assert.equal(matchRow([other!], { expected: [most!] }).correct, true, 'arguments');
});

test('without steps left each call of one tool may be the expected one', () => {
  const list = Array.from({ length: 200_001 }, (_, at) => at);
  const calls = [1, 2].map((id) => call('f', { list: [...list], id }));
  const { errors } = matchRow(calls, { expected: [call('f', { list, id: 0 })] });
  assert.deepEqual(
    errors.map(({ error, expected_call }) => [error, expected_call]),
    [
      ['wrong_value', 0],
      ['extra_call', null],
    ],
  );
});
