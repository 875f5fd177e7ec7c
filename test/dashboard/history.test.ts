import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeHistory, readCounts, seenOf } from '../../packages/dashboard/history.ts';
import { cells, historyOf } from '../support/page-history.ts';

const calm = Array.from({ length: 20 }, () => cells(3, 50));

test('points are added to those that are held, and the oldest go', () => {
  const held = historyOf(calm.slice(0, 6));
  const more = historyOf([cells(1, 1), cells(2, 2), null], 6);
  const merged = mergeHistory(held, { ...more, groups: { ...more.groups, h: [null, null, cells(9, 9)] } });
  assert.deepEqual([merged.from, merged.at.length, seenOf(merged)], [1, 8, 'e.8']);
  assert.deepEqual(merged.groups['g']!.slice(-3), [cells(1, 1), cells(2, 2), null]);
  assert.deepEqual(merged.groups['h'], [null, null, null, null, null, null, null, cells(9, 9)]);
  assert.equal(mergeHistory(held, historyOf([], 6)), held);
  const other = { ...historyOf(calm.slice(0, 2)), epoch: 'f' };
  assert.equal(mergeHistory(held, other), other);
  const gap = historyOf(calm.slice(0, 2), 9);
  assert.equal(mergeHistory(held, gap), gap);
  assert.equal(seenOf(historyOf([])), undefined);
});

test('each value of a history looks back on half a minute', () => {
  const points = [
    cells(0, 10),
    cells(0, 10),
    null,
    cells(1, 10),
    cells(1, 10),
    cells(1, 10),
    cells(1, 10),
    cells(1, 10),
  ];
  const values = readCounts(historyOf(points), 1.96).groups.get('g')!.get('decision.unknown_tool')!;
  assert.deepEqual(
    values.map(({ counts }) => counts?.denominator ?? null),
    [10, 20, null, 30, 40, 50, 50, 50],
  );
  assert.deepEqual(
    values.map(({ value }) => value?.toFixed(2)),
    ['0.00', '0.00', undefined, '0.03', '0.05', '0.06', '0.08', '0.10'],
  );
});
