import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMarking } from '../../src/service/history-marks.ts';
import type { Group, View } from '../../src/view/summary.ts';

const minute = 60_000;

function viewOf(scored: Readonly<Record<string, number>>): View {
  const group = (dimensions: string[], values: string[], count: number): Partial<Group> => ({
    ...{ dimensions, values, window: 'all', scored: count },
  });
  const groups = Object.entries(scored).flatMap(([version, count]) => [
    group(['tags.version'], [version], count),
    // The same events in another set are not counted again.
    group(['model', 'tags.version'], ['m', version], count),
  ]);
  return { groups: [group([], [], 9), ...groups] } as unknown as View;
}

test('a value is marked when it is first scored, and again after ten minutes without', () => {
  const marking = createMarking('tags.version');
  const readings: readonly (readonly [minutes: number, scored: Readonly<Record<string, number>>])[] = [
    [0, {}],
    [1, { v1: 5, '': 3 }],
    [2, { v1: 9, '': 9, v2: 1 }],
    [3, { v1: 9, '': 9, v2: 4 }],
    [11, { v1: 10, v2: 5 }],
    [21, { v1: 11, v2: 5, v3: 0 }],
    [22, { v1: 12, v2: 6, v3: 2 }],
  ];
  for (const [minutes, scored] of readings) marking.add(minutes * minute, viewOf(scored));
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

test('nothing is marked without a dimension, and at most 50 marks are held', () => {
  const none = createMarking(undefined);
  none.add(0, viewOf({ a: 1 }));
  none.add(1, viewOf({ a: 1, b: 1 }));
  assert.deepEqual(none.marks, []);
  const many = createMarking('tags.version');
  const scored: Record<string, number> = { first: 1 };
  for (let at = 0; at < 80; at++) {
    scored[`v${at}`] = 1;
    many.add(at, viewOf(scored));
  }
  assert.deepEqual([many.marks.length, many.marks[0]?.value, many.marks.at(-1)?.value], [50, 'v30', 'v79']);
});
