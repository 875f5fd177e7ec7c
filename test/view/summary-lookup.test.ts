import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSlice, readMetric, sliceText, startsWithFamily } from '../../src/view/summary-lookup.ts';

const slices: readonly [string, Record<string, string> | undefined][] = [
  ['model=a,agent=b', { model: 'a', agent: 'b' }],
  ['tags.team=x,tags.env=prod', { 'tags.team': 'x', 'tags.env': 'prod' }],
  [' model=a\nb', { model: 'a\nb' }],
  ['model=a,b', { model: 'a,b' }],
  ['model=a,model=b', undefined],
  ['x model=a', undefined],
  ['', undefined],
];
test('slices as a user writes them', () => {
  for (const [text, wanted] of slices) {
    const slice = parseSlice(text);
    assert.deepEqual(slice && Object.fromEntries(slice), wanted, text);
  }
  assert.equal(sliceText(new Map()), 'the total');
});

test('a path begins with a family, and goes on', () => {
  assert.deepEqual(['decision.n', ' decision.n', 'decision', 'n', 'other.n'].map(startsWithFamily), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('the three nearest paths of families are named, ties by name', () => {
  const group = { slice: {}, window: 'all', decision: { na: 1, nd: 2, nb: 3, nc: 4 } };
  assert.deepEqual(readMetric(group, 'nx'), {
    problem: 'nx: no such number in the summary; nearest: decision.na, decision.nb, decision.nc',
  });
});
