import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match, type MatchOptions } from '../../../src/scoring/match/index.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { Truth } from '../../../src/scoring/truth.ts';
import { joined } from '../../support/joined.ts';
import { call, errorTexts, matchDefaults, matchRow } from '../../support/match.ts';
import { blockOf, isPerfect } from '../../support/scoring.ts';

const [a, b, c] = [call('a', { x: 1 }), call('b', { x: 1 }), call('c', { x: 1 })];
const a2 = call('a', { x: 2 });
const malformed: Call = { name: 'a', arguments: undefined };

interface Case {
  readonly what: string;
  readonly calls: readonly Call[];
  readonly truth: Partial<Truth>;
  readonly options?: Partial<MatchOptions>;
  readonly errors: readonly string[];
  readonly matched: number;
  readonly list?: number;
}

const cases: readonly Case[] = [
  { what: 'equal calls', calls: [a, b], truth: { expected: [a, b] }, errors: [], matched: 2 },
  { what: 'any order', calls: [b, a], truth: { expected: [a, b] }, errors: [], matched: 2 },
  { what: 'nothing expected, nothing done', calls: [], truth: { expected: [] }, errors: [], matched: 0 },
  { what: 'a call too many', calls: [a], truth: { expected: [] }, errors: ['extra_call a'], matched: 0 },
  { what: 'no call', calls: [], truth: { expected: [a] }, errors: ['missing_call a'], matched: 0 },
  { what: 'another tool', calls: [b], truth: { expected: [a] }, errors: ['wrong_tool a'], matched: 0 },
  { what: 'another value', calls: [a2], truth: { expected: [a] }, errors: ['wrong_value a x'], matched: 0 },
  {
    what: 'a call is made twice',
    calls: [a, a],
    truth: { expected: [a] },
    errors: ['extra_call a'],
    matched: 1,
  },
  {
    what: 'calls of one tool are paired before others',
    calls: [b, a2],
    truth: { expected: [a, c] },
    errors: ['wrong_value a x', 'wrong_tool c'],
    matched: 0,
  },
  {
    what: 'fewest differences are paired',
    calls: [call('f', { p: 1, q: 9 }), call('f', { p: 5, q: 6 })],
    truth: { expected: [call('f', { p: 5, q: 7 }), call('f', { p: 1, q: 2 })] },
    errors: ['wrong_value f q', 'wrong_value f q'],
    matched: 0,
  },
  {
    what: 'malformed',
    calls: [malformed],
    truth: { expected: [a] },
    errors: ['malformed_call a', 'missing_call a'],
    matched: 0,
  },
  {
    what: 'in order',
    calls: [a, c, b],
    truth: { expected: [a, b] },
    options: { order: 'in_order', extraCalls: 'allowed' },
    errors: [],
    matched: 2,
  },
  {
    what: 'out of order',
    calls: [b, a],
    truth: { expected: [a, b] },
    options: { order: 'in_order' },
    errors: ['wrong_order'],
    matched: 1,
  },
  {
    what: 'not at their places',
    calls: [b, a],
    truth: { expected: [a, b] },
    options: { order: 'exact' },
    errors: ['wrong_order'],
    matched: 0,
  },
  {
    what: 'out of order, and more is wrong',
    calls: [b, a],
    truth: { expected: [a, b, c] },
    options: { order: 'exact' },
    errors: ['wrong_order a', 'wrong_order b', 'missing_call c'],
    matched: 0,
  },
  {
    what: 'extra calls allowed',
    calls: [a, b],
    truth: { expected: [a] },
    options: { extraCalls: 'allowed' },
    errors: [],
    matched: 1,
  },
  {
    what: 'missing calls allowed',
    calls: [a],
    truth: { expected: [a, b] },
    options: { missingCalls: 'allowed' },
    errors: [],
    matched: 1,
  },
  {
    what: 'an alternative',
    calls: [b],
    truth: { expected: [a], alternatives: [[c], [b]] },
    errors: [],
    matched: 1,
    list: 2,
  },
  { what: 'alternatives alone', calls: [b], truth: { alternatives: [[b]] }, errors: [], matched: 1, list: 0 },
  {
    what: 'the best list counts',
    calls: [b, c],
    truth: {
      expected: [a],
      alternatives: [
        [b, a],
        [c, b, a],
      ],
    },
    errors: ['missing_call a'],
    matched: 2,
    list: 2,
  },
  {
    what: 'forbidden',
    calls: [a, b],
    truth: { expected: [a, b], forbidden: ['b*'] },
    errors: ['forbidden_call b'],
    matched: 2,
  },
  {
    what: 'forbidden by configuration',
    calls: [c],
    truth: { expected: [] },
    options: { forbidden: ['*'] },
    errors: ['forbidden_call c'],
    matched: 0,
  },
  {
    what: 'superset',
    calls: [call('a', { x: 1, y: 2 })],
    truth: { expected: [a] },
    options: { arguments: 'superset' },
    errors: [],
    matched: 1,
  },
  {
    what: 'superset lacks one',
    calls: [call('a')],
    truth: { expected: [a] },
    options: { arguments: 'superset' },
    errors: ['missing_argument a x'],
    matched: 0,
  },
  {
    what: 'subset',
    calls: [call('a')],
    truth: { expected: [a] },
    options: { arguments: 'subset' },
    errors: [],
    matched: 1,
  },
  {
    what: 'subset has more',
    calls: [call('a', { x: 1, y: 2 })],
    truth: { expected: [a] },
    options: { arguments: 'subset' },
    errors: ['unexpected_argument a y'],
    matched: 0,
  },
  {
    what: 'names alone',
    calls: [a2],
    truth: { expected: [a] },
    options: { arguments: 'ignore' },
    errors: [],
    matched: 1,
  },
];

for (const { what, calls, truth, options, errors, matched, list = 0 } of cases) {
  test(`verdict: ${what}`, () => {
    const row = matchRow(calls, truth, options);
    assert.deepEqual(errorTexts(row), errors);
    assert.equal(row.correct, errors.length === 0);
    assert.deepEqual([row.matched, row.list], [matched, list]);
  });
}

const weather = { name: 'weather', parameters: { properties: { city: {}, unit: { default: 'C' } } } };

test('a default equals absence, both ways, from the tools of the truth or else of the event', () => {
  const bare = call('weather', { city: 'Oslo' });
  const full = call('weather', { city: 'Oslo', unit: 'C' });
  const correct = (calls: Call[], truth: Partial<Truth>, tools?: (typeof weather)[], defaults = true) => {
    const event = joined({ calls, ...(tools && { tools }) }, truth);
    return isPerfect(match({ ...matchDefaults, defaults }), event);
  };
  assert.equal(correct([full], { expected: [bare], tools: [weather] }), true);
  assert.equal(correct([bare], { expected: [full], tools: [weather] }), true);
  assert.equal(correct([bare], { expected: [full] }, [weather]), true);
  assert.equal(correct([bare], { expected: [full], tools: [] }, [weather]), false);
  assert.equal(correct([bare], { expected: [full], tools: [weather] }, undefined, false), false);
  const fahrenheit = call('weather', { city: 'Oslo', unit: 'F' });
  assert.equal(correct([fahrenheit], { expected: [bare], tools: [weather] }), false);
});

test('worked example: the block of three events', () => {
  const truth = { expected: [call('book', { city: 'Oslo', days: 3 }, { city: { ignore_case: true } })] };
  const events = [
    joined({ calls: [call('book', { city: 'OSLO', days: 3 })] }, truth),
    joined({ calls: [call('book', { city: 'Rome', days: '3' })] }, truth),
    joined({ calls: [call('find', {}), call('book', { city: 'Oslo', days: 3 })] }, truth),
  ];
  const block = blockOf(match(matchDefaults), events)!;
  assert.deepEqual([block['n'], (block['correct'] as { value: number }).value], [3, 1 / 3]);
  assert.deepEqual([block['precision'], block['recall'], block['f1']], [2 / 4, 2 / 3, 4 / 7]);
  assert.deepEqual([block['expected'], block['predicted'], block['matched']], [3, 4, 2]);
  assert.deepEqual((block['tools'] as Record<string, object>)['book'], {
    expected: 3,
    predicted: 3,
    matched: 2,
    errors: {
      missing_call: 0,
      extra_call: 0,
      wrong_tool: 0,
      wrong_order: 0,
      malformed_call: 0,
      forbidden_call: 0,
      missing_argument: 0,
      unexpected_argument: 0,
      wrong_type: 1,
      wrong_value: 1,
    },
  });
  assert.deepEqual(Object.keys((block['arguments'] as Record<string, object>)['book']!), ['city', 'days']);
  const errors = block['errors'] as Record<string, { events: number; occurrences: number }>;
  assert.deepEqual(errors['extra_call'], { events: 1, occurrences: 1 });
});

test('the family applies where truth says which calls are right, and the calls were recorded', () => {
  const family = match(matchDefaults);
  assert.equal(blockOf(family, [joined({ calls: [a] }, {})]), null);
  assert.equal(blockOf(family, [joined({ callsNotRecorded: true }, { expected: [a] })]), null);
  assert.equal(isPerfect(family, joined({}, { expected: [] })), true);
});
