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

type Case = readonly [
  what: string,
  calls: readonly Call[],
  /** The calls that are expected, or all that is. */
  truth: NonNullable<Truth['expected']> | Partial<Truth>,
  errors: readonly string[],
  /** Calls matched, and the number of the list that they are matched with, unless it is 0. */
  found: number | readonly [matched: number, list: number],
  options?: Partial<MatchOptions>,
];

const cases: readonly Case[] = [
  ['equal calls', [a, b], [a, b], [], 2],
  ['any order', [b, a], [a, b], [], 2],
  ['nothing expected, nothing done', [], [], [], 0],
  ['a call too many', [a], [], ['extra_call a'], 0],
  ['no call', [], [a], ['missing_call a'], 0],
  ['another tool', [b], [a], ['wrong_tool a'], 0],
  ['another value', [a2], [a], ['wrong_value a x'], 0],
  ['a call is made twice', [a, a], [a], ['extra_call a'], 1],
  ['calls of one tool are paired before others', [b, a2], [a, c], ['wrong_value a x', 'wrong_tool c'], 0],
  [
    'fewest differences are paired',
    [call('f', { p: 1, q: 9 }), call('f', { p: 5, q: 6 })],
    [call('f', { p: 5, q: 7 }), call('f', { p: 1, q: 2 })],
    ['wrong_value f q', 'wrong_value f q'],
    0,
  ],
  ['malformed', [malformed], [a], ['malformed_call a', 'missing_call a'], 0],
  ['in order', [a, c, b], [a, b], [], 2, { order: 'in_order', extraCalls: 'allowed' }],
  ['out of order', [b, a], [a, b], ['wrong_order'], 1, { order: 'in_order' }],
  ['not at their places', [b, a], [a, b], ['wrong_order'], 0, { order: 'exact' }],
  [
    'out of order, and more is wrong',
    [b, a],
    [a, b, c],
    ['wrong_order a', 'wrong_order b', 'missing_call c'],
    0,
    { order: 'exact' },
  ],
  ['extra calls allowed', [a, b], [a], [], 1, { extraCalls: 'allowed' }],
  ['missing calls allowed', [a], [a, b], [], 1, { missingCalls: 'allowed' }],
  ['an alternative', [b], { expected: [a], alternatives: [[c], [b]] }, [], [1, 2]],
  ['alternatives alone', [b], { alternatives: [[b]] }, [], [1, 0]],
  [
    'the best list counts',
    [b, c],
    {
      expected: [a],
      alternatives: [
        [b, a],
        [c, b, a],
      ],
    },
    ['missing_call a'],
    [2, 2],
  ],
  ['forbidden', [a, b], { expected: [a, b], forbidden: ['b*'] }, ['forbidden_call b'], 2],
  ['forbidden by configuration', [c], [], ['forbidden_call c'], 0, { forbidden: ['*'] }],
  ['superset', [call('a', { x: 1, y: 2 })], [a], [], 1, { arguments: 'superset' }],
  ['superset lacks one', [call('a')], [a], ['missing_argument a x'], 0, { arguments: 'superset' }],
  ['subset', [call('a')], [a], [], 1, { arguments: 'subset' }],
  ['subset has more', [call('a', { x: 1, y: 2 })], [a], ['unexpected_argument a y'], 0, { arguments: 'subset' }],
  ['names alone', [a2], [a], [], 1, { arguments: 'ignore' }],
];

for (const [what, calls, truth, errors, found, options] of cases) {
  test(`verdict: ${what}`, () => {
    const row = matchRow(calls, 'length' in truth ? { expected: truth } : truth, options);
    assert.deepEqual(errorTexts(row), errors);
    assert.equal(row.correct, errors.length === 0);
    assert.deepEqual([row.matched, row.list], typeof found === 'number' ? [found, 0] : found);
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
