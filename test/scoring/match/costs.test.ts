import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { patternOf } from '../../../src/scoring/match/text.ts';
import type { Truth } from '../../../src/scoring/truth.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';
import { call, matchRow } from '../../support/match.ts';

/** The least of some runs, as others use the machine. */
function costOf(run: () => void, runs = 3): number {
  return Math.min(...Array.from({ length: runs }, () => cpuMsOf(run)));
}

const many = 256;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const wide = (seed: number): JsonObject =>
  Object.fromEntries(range(20).map((at) => [`k${at}`, `value ${at} ${at === 19 ? seed : ''}`]));

const events: Readonly<Record<string, readonly [calls: readonly ReturnType<typeof call>[], truth: Partial<Truth>]>> = {
  'calls of one tool that are nearly equal': [
    range(many).map((i) => call('f', wide(i))),
    { expected: range(many).map((i) => call('f', wide(i + many))) },
  ],
  'all fit all but one': [
    range(many).map((i) => call('f', { x: i })),
    { expected: range(many).map((i) => call('f', { x: 0 }, i === 0 ? {} : { x: { range: [1, null] } })) },
  ],
  'each fits its neighbours': [
    range(many).map((i) => call('f', { x: many - i })),
    { expected: range(many).map((i) => call('f', { x: -1 }, { x: { range: [i, i + 1] } })) },
  ],
  'texts that are alike': [
    range(many).map((i) => call('f', { x: `${'a'.repeat(500)}${i}` })),
    { expected: range(many).map(() => call('f', { x: 'b'.repeat(500) }, { x: { edit_similarity: 0.5 } })) },
  ],
  'patterns that match nothing': [
    range(many).map(() => call('f', { x: 'a'.repeat(2_000) })),
    { expected: range(many).map(() => call('f', { x: '' }, { x: { pattern: '(a+)+b' } })) },
  ],
  'as many alternatives as may be': [
    range(many).map((i) => call('f', { x: i })),
    { alternatives: range(many).map((list) => range(many).map((i) => call('g', { x: i + list }))) },
  ],
  'as many alternatives of the same tool': [
    range(many).map((i) => call('f', { x: i })),
    { alternatives: range(many).map((list) => range(many).map((i) => call('f', { x: i + list + 1 }))) },
  ],
};

for (const [what, [calls, truth]] of Object.entries(events)) {
  for (const order of ['any', 'in_order'] as const) {
    test(`${many} calls a side, ${order}: ${what}`, () => {
      matchRow(calls.slice(0, 8), truth, { order });
      const cost = costOf(() => void matchRow(calls, truth, { order }));
      console.log(`${what}, ${order}: ${cost.toFixed(1)} ms`);
      assert.ok(cost <= 50, `${cost} ms`);
    });
  }
}

/** Patterns with which an engine that goes back takes for ever, by what they are made of. */
const shapes: readonly string[] = [
  ...['(X+)+', '(X*)*', '(X+)*', '(X*)+', '(X|X)*', '(X|XX)+', '(X+|X+)+', '(?:X+X+)+', '(X+)+Y', '(X*)*Y'],
  ...[
    '(X|X)*Y',
    '(X|X?)+Y',
    '(?:X*X*)*Y',
    'X*X*X*X*X*Y',
    '(X+){10}Y',
    '(?:X?){40}X{40}',
    '(X{1,30}){1,30}Y',
    '(.*X){12}',
  ],
  ...['^(X+)+$', '^(X|X)*$', '(X+)+(X+)+Y', '((X*)*)*Y', '(?:(?:X+)+)+Y', '(X*?)*?Y', '(?i)(X+)+Y', '(?s)(X|\\s)*Y'],
  ...[
    '(Xa?)*(Xa?)*Y',
    '(?:X|a)*(?:X|a)*Y',
    '(?:X{2,})+Y',
    '(X+,?)+;',
    '(?:X+\\s?)+:',
    '(X+@)+Y',
    '([^z]+)+Y',
    '(\\S+\\s*)+Y',
  ],
  ...['(?:X+)*[0-9]', '(?:X*)*[^a-z]', '(X+\\.)+(X+)+Y', '(?:X|\\d|X)*Y', '(?:[X]+)+Y', '(a?X?)*Y'],
];

const catastrophic = ['a', '[a-z]', '\\w', '.', '(?:a|b)'].flatMap((one) =>
  shapes.map((shape) => shape.replaceAll('X', () => one)),
);

test('catastrophic patterns on 100 kB of text end in time', () => {
  const patterns = catastrophic.flatMap((source) => {
    const pattern = patternOf(source, false);
    return pattern === undefined ? [] : [[source, pattern] as const];
  });
  assert.ok(patterns.length >= 200, String(patterns.length));
  const text = `${'a'.repeat(100_000)}!`;
  let most = 0;
  for (const [source, pattern] of patterns) {
    const cost = costOf(() => void pattern(text, { left: 200_000, depth: 0 }), 2);
    most = Math.max(most, cost);
    assert.ok(cost <= 50, `${source}: ${cost} ms`);
  }
  console.log(`${patterns.length} patterns, at most ${most.toFixed(1)} ms`);
});
