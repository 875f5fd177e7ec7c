import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { ruleProblem } from '../../../src/scoring/match/rule.ts';
import { rulesProblem } from '../../../src/scoring/match/rules.ts';
import { call, errorTexts, matchRow } from '../../support/match.ts';

/** Whether a value passes for an expected one at `x`. */
function passes(rule: JsonObject, expected: Json, actual: Json | undefined, more: JsonObject = {}): boolean {
  const given: JsonObject = actual === undefined ? {} : { x: actual };
  return matchRow([call('f', given)], { expected: [call('f', { x: expected }, { x: rule, ...more })] }).correct;
}

const table: readonly [rule: JsonObject, expected: Json, equal: readonly Json[], different: readonly Json[]][] = [
  [{}, 'a', ['a'], ['A', 'a ', 1, null]],
  [{}, 0, [0, -0], [false, '0', null, 1e-300]],
  [{ ignore_case: true }, 'Oslo', ['OSLO', 'oslo', 'Oslo'], ['Oslo ', 'Osl']],
  [{ ignore_case: true }, 'İ', ['i̇'], ['i']],
  [{ trim: true }, ' Oslo', ['Oslo', 'Oslo\n', '\u00a0Oslo'], ['Os lo']],
  [{ collapse_spaces: true }, 'a b', ['a  b', 'a\t\nb'], ['ab', ' a b']],
  [{ ignore_characters: '.,-' }, 'A.B.', ['AB', '-A,B'], ['A B', 'ab']],
  [{ coerce: true }, 5, ['5', '5.0', 5, '5e0'], ['5 ', ' 5', 'five', '', [5]]],
  [{ coerce: true, trim: true }, 5, [' 5 '], ['5 5']],
  [{ coerce: true }, 'true', [true, 'true'], ['True', 1]],
  [{ coerce: true }, 'null', ['null'], [null]],
  [{ json: true }, { a: [1, 2] }, ['{"a":[1,2]}', ' { "a" : [1, 2.0] }', { a: [1, 2] }], ['{"a":[2,1]}', '{a:1}', '']],
  [{ json: true }, '{"a":1}', [{ a: 1 }, '{ "a":1}'], [{ a: 2 }]],
  [{ json: true, ignore_case: true }, 'Oslo', ['"OSLO"', 'oslo'], ['"Oslo']],
  [
    { date: true },
    '2026-05-01',
    ['2026-05-01T00:00:00Z', '20260501', '2026-05-01T02:00:00+02:00'],
    ['2026-05-02', 'May 1'],
  ],
  [
    { date: true },
    '2026-05-01T12:00:00.1234Z',
    ['2026-05-01T12:00:00.123400000Z', '20260501T140000,1234+02:00'],
    ['2026-05-01T12:00:00.1235Z', '2026-05-01T12:00:00.123Z', '2026-05-01T12:00:00.123400001Z'],
  ],
  [{ date: true }, 'soon', ['soon'], ['later']],
  [{ date: true }, 20260501, [20260501], ['20260501', '2026-05-01']],
  [{ date: true }, '20260501', ['20260501'], [20260501]],
  [{ unordered: true }, [1, 2, 2], [[2, 1, 2]], [[1, 2], [1, 1, 2], [1, 2, 2, 2], 'x']],
  [{ any: ['Oslo, Norway', { city: 'Oslo' }] }, 'Oslo', ['Oslo', 'Oslo, Norway', { city: 'Oslo' }], ['Bergen', {}]],
  [{ any: ['A'], ignore_case: true }, 'b', ['a', 'B'], ['c']],
  [{ optional: true }, 'a', ['a'], ['b', null]],
  [{ ignore: true }, 'a', ['b', null, 7, []], []],
  [{ type: 'integer' }, 1, [2, 3.0, -1], [2.5, '2', true]],
  [{ type: ['string', 'null'] }, 'x', ['y', null, ''], [1, []]],
  [{ type: 'object' }, {}, [{ a: 1 }], [[], null]],
  [{ tolerance: 0.5 }, 10, [10.5, 9.5], [10.500001, '10', null]],
  [{ relative: 0.1 }, -100, [-110, -90], [-110.1, 100]],
  [{ tolerance: 0 }, 1, [1], [1.0000001]],
  [{ tolerance: 5, relative: 5 }, 'x', ['x'], [1, 0]],
  [{ tolerance: 1, relative: 0.5 }, 10, [5, 15, 10.9], [4.9, 15.1]],
  [{ range: [1, 3], tolerance: 1 }, 10, [1, 3, 9, 11], [0.9, 3.1, 8.9]],
  [{ range: [1, null] }, 5, [1, 1e300], [0.999]],
  [{ range: [null, 0] }, 5, [5, 0, -3], [1]],
  [{ contains: 'Oslo' }, 'x', ['in Oslo now', 'x'], ['oslo']],
  [{ contains: 'Oslo', ignore_case: true }, 'x', ['OSLO!'], ['Osl o']],
  [{ pattern: '[A-Z]{3}-\\d+' }, 'x', ['ABC-1', 'x'], ['ABC-1 ', 'abc-1', 1]],
  [{ pattern: 'Oslo.*', ignore_case: true }, 'x', ['OSLO S'], ['in Oslo']],
  [{ edit_similarity: 7 / 9 }, 'Trondheim', ['Trondhiem', 'Trondheims'], ['Tromsø', '']],
  [{ edit_similarity: 0.5 }, '😀😀', ['😀😁', '😀'], ['😁😁', 'ab']],
  [{ trim: false, ignore_case: true }, 'A', ['a'], ['a ']],
];

for (const [rule, expected, equal, different] of table) {
  test(`${JSON.stringify(rule)}: what equals ${JSON.stringify(expected)}`, () => {
    for (const actual of equal) assert.ok(passes(rule, expected, actual), `${JSON.stringify(actual)} should pass`);
    for (const actual of different) assert.ok(!passes(rule, expected, actual), `${JSON.stringify(actual)} should not`);
  });
}

test('an argument may be absent where its rule is optional or ignore', () => {
  assert.ok(passes({ optional: true }, 'a', undefined));
  assert.ok(passes({ ignore: true }, 'a', undefined));
  assert.ok(!passes({ trim: true }, 'a', undefined));
});

test('rules of the paths below hold within objects, arrays, JSON texts and values that are as good', () => {
  const below = { 'x.city': { ignore_case: true }, 'x.legs[*].to': { trim: true }, 'x.legs[0].seat': { ignore: true } };
  const wanted = {
    city: 'Oslo',
    legs: [
      { to: 'A', seat: 1 },
      { to: 'B', seat: 2 },
    ],
  };
  const given = {
    city: 'OSLO',
    legs: [
      { to: 'A ', seat: 9 },
      { to: ' B', seat: 2 },
    ],
  };
  assert.ok(passes({}, wanted, given, below));
  assert.ok(passes({ json: true }, wanted, JSON.stringify(given), below));
  assert.ok(passes({ any: [wanted] }, 'none', given, below));
  assert.ok(!passes({}, wanted, { ...given, legs: [given.legs[0]!, { to: 'B', seat: 9 }] }, below));
});

test('items in any order take the rules of the expected one', () => {
  const more = { 'x[*].name': { ignore_case: true } };
  assert.ok(passes({ unordered: true }, [{ name: 'a' }, { name: 'b' }], [{ name: 'B' }, { name: 'A' }], more));
});

test('a nearer rule replaces a farther one key by key', () => {
  const rules = {
    '*': { '*': { trim: true, ignore_case: true } },
    'book_*': { city: { ignore_case: false } },
    book_hotel: { 'city.*': { any: ['here'] } },
  };
  const correct = (city: Json, accept?: JsonObject) =>
    matchRow([call('book_hotel', { city })], { expected: [call('book_hotel', { city: 'Oslo' }, accept)] }, { rules })
      .correct;
  assert.deepEqual(
    [correct(' Oslo'), correct('oslo'), correct(' oslo', { city: { ignore_case: true } }), correct('here')],
    [true, false, true, false],
  );
});

test('in the configuration a path * is every path, in truth any one name', () => {
  const deep = { a: { b: 'X' } };
  const given = { a: { b: 'x' } };
  const rules = { '*': { '*': { ignore_case: true } } };
  assert.ok(matchRow([call('f', given)], { expected: [call('f', deep)] }, { rules }).correct);
  const accepts = (path: string): boolean =>
    matchRow([call('f', given)], { expected: [call('f', deep, { [path]: { ignore_case: true } })] }).correct;
  assert.deepEqual([accepts('*'), accepts('*.*'), accepts('a.*'), accepts('*.b')], [false, true, true, true]);
});

test('a key with points in it has the rules of its path', () => {
  const expected = [
    call('f', { 'a.b': 'x', c: { 'd[0]': 'y' } }, { 'a.b': { ignore_case: true }, 'c.d[0]': { ignore: true } }),
  ];
  assert.equal(matchRow([call('f', { 'a.b': 'X', c: { 'd[0]': 1 } })], { expected }).correct, true);
  assert.equal(matchRow([call('f', { 'a.b': 'z', c: { 'd[0]': 1 } })], { expected }).correct, false);
});

test('values are told as they were given, and their types as the rule sees them', () => {
  const row = matchRow([call('f', { city: 'ROME', n: '6' })], {
    expected: [call('f', { city: 'Oslo', n: 5 }, { city: { ignore_case: true }, n: { coerce: true } })],
  });
  const told = row.errors.map(({ error, expected, actual }) => [error, expected, actual]);
  assert.deepEqual(told, [
    ['wrong_value', 'Oslo', 'ROME'],
    ['wrong_value', 5, '6'],
  ]);
});

test('an argument that is not expected may be one of any', () => {
  const expected = [call('f', {}, { unit: { any: ['C'], ignore_case: true } })];
  assert.ok(matchRow([call('f', { unit: 'c' })], { expected }).correct);
  assert.ok(matchRow([call('f', {})], { expected }).correct);
  assert.deepEqual(errorTexts(matchRow([call('f', { unit: 'F' })], { expected })), ['unexpected_argument f unit']);
});

test('the rule in force is told with the error', () => {
  const row = matchRow(
    [call('f', { n: 12 })],
    { expected: [call('f', { n: 10 }, { n: { tolerance: 1 } })] },
    { rules: { f: { n: { coerce: true } } } },
  );
  assert.deepEqual(row.errors, [
    {
      error: 'wrong_value',
      tool: 'f',
      expected_call: 0,
      predicted_call: 0,
      path: 'n',
      expected: 10,
      actual: 12,
      rule: { coerce: true, tolerance: 1 },
    },
  ]);
});

const wrongRules: readonly [Json, RegExp][] = [
  ['x', /must be an object/],
  [{ ignorecase: true }, /ignorecase is no key of a rule/],
  [{ __proto__: null, constructor: 1 }, /constructor is no key/],
  [{ trim: 1 }, /trim must be true or false/],
  [{ any: 'x' }, /any must be a list/],
  [{ type: 'float' }, /type must be one of/],
  [{ type: [] }, /type must be one of/],
  [{ tolerance: -1 }, /tolerance must be a number of at least 0/],
  [{ relative: '1' }, /relative must be/],
  [{ range: [2, 1] }, /range must be/],
  [{ range: [1] }, /range must be/],
  [{ range: [1, 2, 3] }, /range must be/],
  [{ range: ['1', 2] }, /range must be/],
  [{ range: [1, '2'] }, /range must be/],
  [{ range: 'ab' }, /range must be/],
  [{ contains: 1 }, /contains must be a text/],
  [{ ignore_characters: ['.'] }, /ignore_characters must be a text/],
  [{ type: ['string', 'float'] }, /type must be one of/],
  [{ tolerance: null }, /tolerance must be a number/],
  [{ pattern: 1 }, /pattern must be/],
  [{ edit_similarity: -0.1 }, /from 0 to 1/],
  [{ edit_similarity: '1' }, /from 0 to 1/],
  [{ pattern: '(?=x)' }, /pattern must be a regular expression/],
  [{ pattern: '(' }, /pattern must be/],
  [{ edit_similarity: 1.1 }, /from 0 to 1/],
];

for (const [rule, problem] of wrongRules) {
  test(`refused: ${JSON.stringify(rule)}`, () => {
    assert.match(ruleProblem(rule) ?? '', problem);
    assert.match(rulesProblem({ 'a.b': rule }, false) ?? '', /^a\.b: /);
  });
}

test('what a rule may say, to the ends of what its keys may be', () => {
  for (const key of ['ignore_case', 'trim', 'collapse_spaces', 'coerce', 'json', 'date', 'unordered', 'optional'])
    for (const value of [true, false]) assert.equal(ruleProblem({ [key]: value }), undefined, key);
  const rules: readonly JsonObject[] = [
    { ignore: true, any: [], ignore_characters: '', contains: '' },
    { type: 'null', tolerance: 0, relative: 0, edit_similarity: 0 },
    { type: ['integer', 'object'], edit_similarity: 1, pattern: '' },
    ...[
      [1, 1],
      [null, null],
      [null, 1],
      [1, null],
      [-1, 1],
    ].map((range) => ({ range })),
  ];
  for (const rule of rules) assert.equal(ruleProblem(rule), undefined, JSON.stringify(rule));
});

test('a path that no argument can have is refused', () => {
  for (const path of ['', '.', 'a.', '.a', 'a..b', '[0]', 'a[', 'a[-1]', 'a[x]', 'a]b[', 'a[0]b', 'a.[0]'])
    assert.match(rulesProblem({ [path]: {} }, false) ?? '', /is no path of an argument/, path);
  for (const path of ['a', 'a.b', 'a[0]', 'a[*][1].b', '*', '*.b', 'naïve key'])
    assert.equal(rulesProblem({ [path]: {} }, true), undefined, path);
});

test('catastrophic patterns and long texts end, and what is not compared is not equal', () => {
  for (const pattern of ['(a+)+', '(a|a)*', '(a*)*b', '(.*)*x', '([a-zA-Z]+)*', '(a|aa)+', '(x+x+)+y', '(a?){30}a{30}'])
    assert.equal(passes({ pattern }, 'x', `${'a'.repeat(100_000)}!`), false, pattern);
  assert.equal(passes({ edit_similarity: 0.1 }, 'a'.repeat(100_000), 'b'.repeat(90_000) + 'a'.repeat(10_000)), false);
});

test('errors of arguments are named by path', () => {
  const row = matchRow([call('f', { a: 1, b: '2', c: { d: [1, 9] }, z: 0 })], {
    expected: [call('f', { a: 2, b: 2, c: { d: [1, 2, 3] }, e: null })],
  });
  assert.deepEqual(errorTexts(row), [
    'wrong_value f a',
    'wrong_type f b',
    'wrong_value f c.d[1]',
    'missing_argument f c.d[2]',
    'missing_argument f e',
    'unexpected_argument f z',
  ]);
});

test('values of any depth are compared, the deepest without rules', () => {
  const nested = (depth: number, innermost: Json): Json => {
    let value = innermost;
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };
  const rules = { '*': { '*': { ignore_case: true, unordered: true } } };
  const correct = (depth: number, given: Json): boolean =>
    matchRow([call('f', { x: nested(depth, given) })], { expected: [call('f', { x: nested(depth, 'a') })] }, { rules })
      .correct;
  assert.deepEqual([correct(50, 'A'), correct(100_000, 'a'), correct(100_000, 'b')], [true, true, false]);
});
