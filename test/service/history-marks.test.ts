import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marked, markingFrom } from '../../src/service/history-marks.ts';

const minute = 60_000;

test('a value is marked when it is first seen, and again after ten minutes without', () => {
  const readings: readonly (readonly [minutes: number, scored: Readonly<Record<string, number>>])[] = [
    [2, { v1: 9, v2: 1 }],
    [3, { v1: 9, v2: 4 }],
    [11, { v1: 10, v2: 5 }],
    [21, { v1: 11, v2: 5, v3: 2 }],
    [22, { v1: 12, v2: 6, v3: 2 }],
  ];
  const marking = readings.reduce(
    (now, [minutes, scored]) => marked(now, minutes * minute, new Map(Object.entries(scored))),
    markingFrom(minute, new Map([['v1', 5]])),
  );
  assert.deepEqual(
    marking.marks.map(({ at, value }) => [at / minute, value]),
    [
      [2, 'v2'],
      [21, 'v1'],
      [21, 'v3'],
      [22, 'v2'],
    ],
  );
});

test('at most 50 marks are held', () => {
  let many = markingFrom(0, new Map());
  const scored = new Map<string, number>();
  for (let at = 0; at < 80; at++) many = marked(many, at, scored.set(`v${at}`, 1));
  assert.deepEqual([many.marks.length, many.marks[0]?.value, many.marks.at(-1)?.value], [50, 'v30', 'v79']);
});

test('values of one moment are in the order of their names', () => {
  const counts = new Map([
    ['v2', 1],
    ['v1', 1],
  ]);
  const { marks } = marked({ marks: [], seen: new Map() }, minute, counts);
  assert.deepEqual(
    marks.map(({ value }) => value),
    ['v1', 'v2'],
  );
});
