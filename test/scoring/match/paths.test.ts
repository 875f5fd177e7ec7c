import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitsGlob, literalLength, pathPattern, pathText, piecesFor } from '../../../src/scoring/match/paths.ts';
import { runs } from '../../support/soak.ts';

/** Path, from which piece on, a key or an index, and how many pieces stand for it. */
const pieces: readonly (readonly [path: string, at: number, step: string | number, count: number])[] = [
  ['a.b', 0, 'a', 1],
  ['a.b', 1, 'b', 1],
  ['a.b', 1, 'a', 0],
  ['a.b', 2, 'b', 0],
  ['a[0]', 1, 0, 1],
  ['a[0]', 1, 1, 0],
  ['a[0]', 1, '0', 0],
  ['a[*]', 1, 7, 1],
  ['a[*]', 1, 'b', 0],
  ['a.*', 1, 'b', 1],
  ['a.*', 1, 0, 0],
  // Keys that are written as several pieces.
  ['a.b.c', 0, 'a.b', 2],
  ['a.b.c', 0, 'a.c', 0],
  ['a.b.c', 0, 'b.b', 0],
  ['a.b.c', 1, 'b.c', 2],
  ['a.b', 0, 'a.b.c', 0],
  ['a.*.c', 0, 'a.b', 2],
  ['a[0].b', 0, 'a[0]', 2],
  ['a[0].b', 0, 'a[1]', 0],
  ['a[*].b', 0, 'a[1]', 2],
  ['a[0].b', 0, 'a.b', 0],
  ['a.b', 0, 'a[0]', 0],
  ['a.b', 0, 'a..b', 0],
  ['*.b', 0, 'a.b', 1],
];

test('how many pieces of a path stand for a key or an index', () => {
  for (const [path, at, step, count] of pieces)
    assert.equal(piecesFor(pathPattern(path, false)!, at, step), count, `${path} from ${at}, ${step}`);
});

test('a trail as text, and back', () => {
  assert.equal(pathText(['items', 0, 'id']), 'items[0].id');
  assert.deepEqual(pathPattern('items[0].*', false), {
    text: 'items[0].*',
    pieces: [
      { kind: 'name', name: 'items' },
      { kind: 'index', index: 0 },
      { kind: 'name', name: undefined },
    ],
    everywhere: false,
  });
  const every = (['*', '*.a', 'a'] as const).map((path) => pathPattern(path, true)!.everywhere);
  assert.deepEqual([every, pathPattern('*', false)!.everywhere], [[true, false, false], false]);
});

test('an index has any number of digits', () => {
  assert.deepEqual(pathPattern('x[120]', false)?.pieces, [
    { kind: 'name', name: 'x' },
    { kind: 'index', index: 120 },
  ]);
});

test('globs, and their literal beginnings', () => {
  assert.deepEqual(['book_*', '*', 'book', '*_hotel'].map(literalLength), [5, 0, Number.POSITIVE_INFINITY, 0]);
  const fitting = (glob: string, ...names: string[]) => names.filter((name) => fitsGlob(glob, name));
  assert.deepEqual(fitting('a', 'a', 'A', 'aa', ''), ['a']);
  assert.deepEqual(fitting('ab*ba', 'aba', 'abba', 'ab.ba', 'abb', 'bba'), ['abba', 'ab.ba']);
  assert.deepEqual(fitting('a*bb*b', 'abb', 'abbb', 'axbbxb', 'abxb'), ['abbb', 'axbbxb']);
});

test('law: a glob is a pattern in which * is any text', () => {
  const text = (...characters: string[]) =>
    fc.array(fc.constantFrom(...characters), { maxLength: 7 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text('a', 'b', '*'), text('a', 'b'), (glob, name) => {
      assert.equal(fitsGlob(glob, name), new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name));
    }),
    { numRuns: runs(200) },
  );
});
