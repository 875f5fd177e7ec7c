import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmsOf, changesOf } from '../../packages/dashboard/alarms.ts';
import { mergeHistory, readCounts, seenOf } from '../../packages/dashboard/history.ts';
import { historySize } from '../../src/formats/summary/history.ts';
import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { decisionCells } from '../../src/scoring/decision/index.ts';

/** Cells with so many calls, of which some to no tool. */
function cells(unknownCalls: number, calls: number): number[] {
  const made = new Array<number>(historySize).fill(0);
  made[decisionCells.unknownCalls] = unknownCalls;
  made[decisionCells.calls] = calls;
  return made;
}

function historyOf(points: readonly (readonly number[] | null)[], from = 0): CountHistory {
  return {
    kind: 'counts',
    epoch: 'e',
    every_ms: 5000,
    points_max: 8,
    from,
    at: points.map((_, at) => 1000 * (from + at)),
    groups: { g: points },
    ingest: points.map(() => [10, 0, 0] as const),
  };
}

const calm = Array.from({ length: 20 }, () => cells(3, 50));

test('a jump is seen with the first point that has it', () => {
  assert.deepEqual(changesOf(historyOf(calm), 'g'), []);
  const [change, ...others] = changesOf(historyOf([...calm, cells(25, 50)]), 'g');
  assert.deepEqual(others, []);
  assert.deepEqual(
    [change!.metric.path, change!.sinceMs, change!.before, change!.now],
    // The 21st point, which was counted from five seconds before it.
    ['decision.unknown_tool', 20_000 - 5_000, 0.06, 0.5],
  );
});

test('a smaller change is seen when it lasts; what chance explains is none', () => {
  const slightly = Array.from({ length: 12 }, () => cells(8, 50));
  assert.deepEqual(changesOf(historyOf([...calm, ...slightly.slice(0, 1)]), 'g'), []);
  assert.equal(changesOf(historyOf([...calm, ...slightly]), 'g')[0]?.sinceMs, 20_000 - 5_000);
  assert.deepEqual(changesOf(historyOf([...calm, cells(6, 50)]), 'g'), []);
  assert.deepEqual(changesOf(historyOf([...calm, cells(0, 50)]), 'g'), [], 'better is no alarm');
  assert.deepEqual(changesOf(historyOf([...calm, cells(5, 5)]), 'g'), [], 'too few');
  assert.deepEqual(changesOf(historyOf([cells(1, 29), cells(50, 50)]), 'g'), [], 'too little before');
  assert.deepEqual(changesOf(historyOf([...calm, null]), 'g'), []);
  assert.deepEqual(changesOf(historyOf(calm), 'unknown'), []);
});

test('however long it lasts, what was before is what was before it, and it is told since when', () => {
  for (let points = 1; points <= 30; points++) {
    const worse = Array.from({ length: points }, (_, at) => (at % 3 === 1 ? null : cells(20 + (at % 2), 50)));
    const [change] = changesOf(historyOf([...calm, ...worse]), 'g');
    assert.deepEqual([change?.sinceMs, change?.before], [20_000 - 5_000, 0.06], `${points} points`);
  }
});

test('the worked example: 50 of 1,000 before, 20 of 50 now', () => {
  const before = Array.from({ length: 20 }, (_, at) => cells(2 + (at % 2), 50));
  assert.equal(changesOf(historyOf([...before, cells(20, 50)]), 'g').length, 1);
});

test('what is wrong with the service: checks that fail, lag that will not be caught up with, losses, limits', () => {
  const service = {
    checks: [
      { name: 'truth', ok: true, detail: 'loaded' },
      { name: 'outages', ok: false, detail: 'no\u202ebroker' },
    ],
    partitions: [{ name: 't/0', lag: 500, watermark: null }],
    checkpoint_at: null,
    lost_records: 3,
    truth_reload_failures: 0,
    limits: { names: 2 },
  };
  const document = { service, groups: [] } as unknown as LiveDocument;
  const titles = (history: CountHistory | undefined) => alarmsOf(document, history).service.map(({ title }) => title);
  assert.deepEqual(titles(historyOf(calm)), ['outages', 'behind', 'records lost', 'limit reached']);
  assert.deepEqual(
    titles(historyOf(calm.slice(0, 5))),
    ['outages', 'records lost', 'limit reached'],
    'too early to say',
  );
  assert.equal(alarmsOf(document, undefined).service[0]!.text, 'no‹U+202E›broker');
  assert.deepEqual(alarmsOf({ ...document, service: null }, undefined).service, []);
});

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
