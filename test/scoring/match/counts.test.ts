import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../../src/scoring/match/index.ts';
import { callErrors } from '../../../src/scoring/match/kinds.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { Truth } from '../../../src/scoring/truth.ts';
import { joined } from '../../support/joined.ts';
import { call, matchDefaults, matchRow } from '../../support/match.ts';
import { blockOf } from '../../support/scoring.ts';

const [a, b] = [call('a', { x: 1, y: [1, 2] }), call('b')];

/** The block of some events, each calls and a truth row. */
function blockOfAll(...events: readonly (readonly [calls: readonly Call[], truth: Partial<Truth>])[]) {
  const all = events.map(([calls, truth]) => joined({ calls }, truth));
  return blockOf(match(matchDefaults), all) as Record<string, unknown>;
}

/** Counts that are not 0. */
function counted(counts: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(counts as Record<string, number>).filter(([, count]) => count !== 0));
}

test('what is right by an alternative is counted, and not what is wrong', () => {
  const block = blockOfAll(
    [[a], { expected: [a], alternatives: [[b]] }],
    [[b], { expected: [a], alternatives: [[b]] }],
    [[b, b], { expected: [a], alternatives: [[b]] }],
    [[], { expected: [a], alternatives: [[b], []] }],
  );
  assert.deepEqual([block['n'], (block['correct'] as { numerator: number }).numerator], [4, 3]);
  assert.equal(block['alternatives_used'], 2);
});

test('events with forbidden calls and with loops are counted once, repeated calls each', () => {
  const block = blockOfAll(
    [[a, b], { expected: [a, b] }],
    [[a, b, b], { expected: [a], forbidden: ['b'] }],
    [[a, a, a, a], { expected: [a] }],
  );
  const of = (name: string) => {
    const { numerator, denominator } = block[name] as Record<string, number>;
    return [numerator, denominator];
  };
  assert.deepEqual([of('forbidden_events'), of('loop_events'), block['repeated_calls']], [[1, 3], [1, 3], 4]);
});

test('errors are counted by event and by themselves', () => {
  const wrong = call('a', { x: 2, y: [1, 3] });
  const block = blockOfAll(
    [[wrong, wrong], { expected: [a, a] }],
    [[b], { expected: [] }],
    [[a], { expected: [a, b] }],
  );
  const errors = block['errors'] as Record<string, { events: number; occurrences: number }>;
  assert.deepEqual(Object.keys(errors), [...callErrors]);
  const found = Object.entries(errors).filter(([, { events, occurrences }]) => events + occurrences > 0);
  assert.deepEqual(Object.fromEntries(found), {
    missing_call: { events: 1, occurrences: 1 },
    extra_call: { events: 1, occurrences: 1 },
    wrong_value: { events: 1, occurrences: 4 },
  });
});

test('by tool: what was expected, made and matched, and each error of it', () => {
  const block = blockOfAll(
    [[call('a', { x: '1', y: [1] }), b], { expected: [a, b] }],
    [[call('c')], { expected: [a] }],
    [[{ name: 'a', arguments: undefined }, call('a', { x: 1, y: [1, 2], z: 0 })], { expected: [a] }],
    [[b, call('d')], { expected: [], forbidden: ['d'] }],
  );
  const tools = block['tools'] as Record<string, Record<string, unknown>>;
  const lines = Object.entries(tools).map(([tool, { expected, predicted, matched, errors }]) => [
    tool,
    [expected, predicted, matched],
    counted(errors),
  ]);
  assert.deepEqual(lines, [
    ['a', [3, 3, 0], { wrong_type: 1, missing_argument: 1, wrong_tool: 1, malformed_call: 1, unexpected_argument: 1 }],
    ['b', [1, 2, 1], { extra_call: 1 }],
    ['c', [0, 1, 0], {}],
    ['d', [0, 1, 0], { forbidden_call: 1 }],
  ]);
});

test('by argument: each error, the items of a list as one', () => {
  const wanted = call('a', { x: 1, y: [{ id: 1 }, { id: 2 }] });
  const block = blockOfAll(
    [[call('a', { x: '1', y: [{ id: 3 }, { id: 4 }], z: 1 })], { expected: [wanted] }],
    [[call('a', { y: [{ id: 1 }, {}] })], { expected: [wanted] }],
  );
  const ofA = (block['arguments'] as Record<string, Record<string, unknown>>)['a']!;
  assert.deepEqual(Object.fromEntries(Object.entries(ofA).map(([path, errors]) => [path, counted(errors)])), {
    x: { missing_argument: 1, wrong_type: 1 },
    'y[*].id': { missing_argument: 1, wrong_value: 2 },
    z: { unexpected_argument: 1 },
  });
});

test('the tenth item of a list is an item as the others are', () => {
  const list = Array.from({ length: 12 }, (_, at) => at);
  const block = blockOfAll([
    [call('a', { list: [...list.slice(0, 9), 0, 0, 0] })],
    { expected: [call('a', { list })] },
  ]);
  const ofA = (block['arguments'] as Record<string, Record<string, unknown>>)['a']!;
  assert.deepEqual(
    Object.entries(ofA).map(([path, errors]) => [path, counted(errors)]),
    [['list[*]', { wrong_value: 3 }]],
  );
});

test('score rows say what their rates count', () => {
  const { correct, loop_events } = match(matchDefaults).metrics as Record<string, { ofRow(row: object): number }>;
  const rows = [[a], [b], [b, b, b]].map((calls) => matchRow(calls, { expected: [a] }));
  assert.deepEqual(
    rows.map((row) => [correct!.ofRow(row), loop_events!.ofRow(row)]),
    [
      [1, 0],
      [0, 0],
      [0, 1],
    ],
  );
});
