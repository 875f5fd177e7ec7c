import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, duration, interval, percent, plural, printable } from '../../packages/dashboard/format.ts';
import { sparkLines } from '../../packages/dashboard/spark.ts';
import { nameOf, type Picture, sortedGroups } from '../../packages/dashboard/state.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';

test('numbers as people read them', () => {
  assert.deepEqual([0.8421, 0, 1, 0.00001, 0.99999, null].map(percent), [
    '84.2\u00a0%',
    '0.0\u00a0%',
    '100.0\u00a0%',
    '<0.1\u00a0%',
    '>99.9\u00a0%',
    '–',
  ]);
  assert.equal(interval({ lower: 0.8301, upper: 0.8529 }), '83.0–85.3\u00a0%');
  assert.equal(interval({ lower: null, upper: null }), '');
  assert.equal(count(1234567), '1,234,567');
  assert.deepEqual([plural(1, 'row'), plural(2000, 'row')], ['1 row', '2,000 rows']);
  assert.deepEqual([0, 999, 1000, 61_000, 3_600_000, 90_061_000].map(duration), [
    '0 s',
    '0 s',
    '1 s',
    '1 min 1 s',
    '1 h',
    '1 d 1 h',
  ]);
});

test('what cannot be seen in a name is made visible', () => {
  const cases: readonly [string, string][] = [
    ['gpt-4o', 'gpt-4o'],
    ['<script>', '<script>'],
    ['a\u202eb', 'a‹U+202E›b'],
    ['a\nb\u0000', 'a␊b␀'],
    ['\ud800', '‹U+D800›'],
    ['\u2028', '(blank)'],
    ['a\u2028b', 'a‹U+2028›b'],
    ['👩\u200d🚀', '👩\u200d🚀'],
    ['', '(blank)'],
    ['  ', '(blank)'],
  ];
  for (const [text, shown] of cases) assert.equal(printable(text), shown);
});

const rate = rateWith(z95);

function groupOf(name: string, right: number, n: number): LiveGroup {
  const headlines = { 'decision.accuracy': rate(right, n), 'decision.tool_hall': rate(n - right, n) };
  return { id: name, slice: { model: name }, window: 'all', n, headlines, detail: null };
}

test('the worst come first, by what is sure: one wrong answer does not stand above a thousand', () => {
  const groups = [
    groupOf('single', 0, 1),
    groupOf('best', 990, 1000),
    groupOf('worst', 300, 1000),
    groupOf('none', 0, 0),
  ];
  const order = (sort: string, filter = '') =>
    sortedGroups({ groups, firing: { paths: new Map() } } as unknown as Picture, { sort, filter }).map(nameOf);
  assert.deepEqual(order('decision.accuracy'), ['worst', 'single', 'best', 'none']);
  assert.deepEqual(order('decision.tool_hall'), ['worst', 'single', 'best', 'none']);
  assert.deepEqual(order('decision.accuracy', ' ST'), ['worst', 'best']);
  assert.deepEqual(order('no.such.path'), ['best', 'worst', 'single', 'none'], 'without numbers by size');
});

test('a line has a gap where nothing is known', () => {
  const values = [0.1, 0.2, null, 0.3, 0.2].map((value) => ({ value, lower: null, upper: null, counts: undefined }));
  assert.deepEqual(
    sparkLines(values, 'lower').map((points) => points.split(' ').length),
    [2, 2],
  );
  assert.deepEqual(sparkLines(values.slice(2, 4), 'lower'), []);
});
