import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { bfclCall } from '../../../src/scoring/match/bfcl.ts';
import { call } from '../../support/match.ts';

const everywhere = { ignore_case: true, ignore_characters: ' ,./-_*^' };
const asItIs = { ignore_case: false, ignore_characters: '' };
const usual = { '*': everywhere, '*[*]': everywhere, '*.*': everywhere, '*[*].*': everywhere };

/** Of an expected call of `f`: its arguments, and its rules beside the usual ones. */
function judged(
  args: JsonObject,
  accept: JsonObject | undefined,
  properties: JsonObject,
  required?: readonly string[],
): readonly [JsonObject, JsonObject] {
  const tools: Json[] = [{ name: 'g' }, { name: 'f', parameters: { properties, ...(required && { required }) } }];
  const { name, arguments: given, accept: rules } = bfclCall(call('f', args, accept), tools);
  const entries = Object.entries(rules as JsonObject);
  assert.equal(name, 'f');
  assert.deepEqual(Object.fromEntries(entries.slice(0, 4)), usual);
  return [given, Object.fromEntries(entries.slice(4))];
}

test('without a schema of the tool the written rules hold beside the usual ones', () => {
  const written = { x: { any: [2] } };
  const with_ = (accept: JsonObject) => ({ name: 'f', arguments: { x: 1 }, accept });
  for (const tools of [undefined, [], [{ name: 'g' }], [{ name: 'f' }], [{ name: 'f', parameters: {} }]]) {
    assert.deepEqual(bfclCall(call('f', { x: 1 }, written), tools), with_({ ...usual, ...written }));
    assert.deepEqual(bfclCall(call('f', { x: 1 }), tools), with_(usual));
  }
});

test('answers of the type of the first one count', () => {
  const number = { x: { type: 'integer' } };
  assert.deepEqual(judged({ x: 5 }, undefined, number), [{ x: 5 }, { x: { any: [5], optional: false } }]);
  assert.deepEqual(judged({ x: 5 }, { x: { any: [6, 7.5, '8', null, [9]] } }, number)[1], {
    x: { any: [5, 6, 7.5], optional: false },
  });
  for (const [first, type] of [
    ['a', 'string'],
    [[1], 'array'],
    [{ a: 1 }, 'object'],
    [true, 'boolean'],
    [1.5, 'number'],
    ['a', 7],
  ] as const)
    assert.deepEqual(judged({ x: first }, undefined, { x: { type } })[1], { x: { any: [first], optional: false } });
  assert.deepEqual(judged({ x: 'a' }, undefined, { x: 'of no form' })[1], { x: { any: ['a'], optional: false } });
});

test('a variable is compared as it is', () => {
  assert.deepEqual(judged({ x: 'n' }, { x: { any: ['m', 5] } }, { x: { type: 'integer' } })[1], {
    x: { ...asItIs, any: ['n', 'm'], optional: false },
  });
  for (const [value, type] of [
    [null, 'string'],
    [null, 'object'],
    [[1], 'object'],
    [5, 'string'],
  ] as const)
    assert.deepEqual(judged({ x: value }, undefined, { x: { type } })[1], {
      x: { ...asItIs, any: [value], optional: false },
    });
});

test('what may be left out may be empty', () => {
  const optional = (value: Json, type: string) =>
    judged({ x: value }, { x: { optional: true } }, { x: { type } })[1]['x'];
  assert.deepEqual(optional('a', 'string'), { any: ['a', ''], optional: true });
  assert.deepEqual(optional([1], 'array'), { any: [[1], []], optional: true });
  assert.deepEqual(optional(1, 'number'), { any: [1], optional: true });
  assert.deepEqual(optional('n', 'array'), { ...asItIs, any: ['n', ''], optional: true });
  assert.deepEqual(optional([1], 'string'), { ...asItIs, any: [[1], ''], optional: true });
  assert.deepEqual(judged({ x: 'a' }, { x: { any: ['b'] } }, { x: { type: 'string' } })[1], {
    x: { any: ['a', 'b'], optional: false },
  });
});

test('what the schema requires must be there', () => {
  const text = { x: { type: 'string' } };
  const lacking = { x: { any: ['a'], optional: true } };
  assert.deepEqual(judged({}, lacking, text), [{}, { x: { any: ['a', ''], optional: true } }]);
  assert.deepEqual(judged({}, lacking, text, ['x']), [{ x: 'a' }, { x: { any: ['a', ''], optional: false } }]);
  assert.deepEqual(judged({}, undefined, text, ['x']), [{ x: null }, { x: { any: [], optional: false } }]);
  assert.deepEqual(judged({}, { x: { optional: true } }, { x: { type: 'array' } }), [
    {},
    { x: { any: [[]], optional: true } },
  ]);
  assert.deepEqual(judged({}, { x: { any: [] } }, text), [{ x: null }, { x: { any: [], optional: false } }]);
});

test('what the schema does not know must not be there', () => {
  const known = { x: { type: 'string' } };
  assert.deepEqual(judged({ z: 1 }, undefined, known), [{ z: null }, {}]);
  assert.deepEqual(judged({ z: 1 }, { z: { optional: true } }, known), [{}, {}]);
  assert.deepEqual(judged({}, { z: { any: [1] } }, known), [{}, {}]);
  assert.deepEqual(judged({}, undefined, known, ['z']), [{ z: null }, {}]);
});

test('a field that may be left out may be an empty text', () => {
  const rules = { 'x.a': { any: [1], optional: true }, 'x[0]': { optional: true }, 'x.b': { any: [2] } };
  assert.deepEqual(judged({}, rules, { x: { type: 'object' } }), [
    {},
    { 'x.a': { any: [1, ''], optional: true }, 'x[0]': { any: [''], optional: true }, 'x.b': { any: [2] } },
  ]);
});
