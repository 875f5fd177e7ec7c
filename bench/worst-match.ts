import type { JsonObject } from '../src/scoring/json.ts';
import { patternOf } from '../src/scoring/match/text.ts';
import type { Truth } from '../src/scoring/truth.ts';
import { call, matchRow } from '../test/support/match.ts';

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

/** Runs of family `match` on 256 calls a side: name, work. */
export const matchRuns: readonly (readonly [name: string, run: () => void])[] = Object.entries(events).flatMap(
  ([what, [calls, truth]]) =>
    (['any', 'in_order'] as const).map(
      (order) => [`${many} calls a side, ${order}: ${what}`, () => void matchRow(calls, truth, { order })] as const,
    ),
);

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

/** Runs of patterns on 100 kB of text: pattern, work. */
export const patternRuns: readonly (readonly [name: string, run: () => void])[] = catastrophic.flatMap((source) => {
  const pattern = patternOf(source, false);
  const text = `${'a'.repeat(100_000)}!`;
  return pattern === undefined ? [] : [[source, () => void pattern(text, { left: 200_000, depth: 0 })] as const];
});
