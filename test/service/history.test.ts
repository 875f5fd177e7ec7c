import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHistory, type Circumstances } from '../../src/service/history.ts';
import { historySize } from '../../src/formats/summary/history.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { decision, decisionCells } from '../../src/scoring/decision/index.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import type { View } from '../../src/view/summary.ts';
import { rateWith } from '../../src/scoring/reading.ts';
import { noInputCounts } from '../../src/state/input.ts';

const ingest: Circumstances = { pending: 2, lag: 3, firing: new Set<string>(), partitions: 't/0', states: [] };
const models = (...names: readonly string[]): string[] => names.map((model) => sliceId({ model }));

const layout = layoutOf([decision({ mode: 'spec', invalidAs: 'wrong' })]);

/** The cells of so many right answers. */
function rowOf(n: number): Float64Array {
  const row = new Float64Array(layout.width);
  row[layout.slots[0]![decisionCells.outcome0]!] = n;
  return row;
}

/** A view in which each model has so many right answers. */
function viewOf(right: Readonly<Record<string, number>>): View {
  const group = (dimensions: string[], values: string[], n: number) => ({
    dimensions,
    values,
    window: 'all',
    scored: n,
    blocks: () => ({}),
    row: rowOf(n),
  });
  const read = Object.values(right).reduce((sum, n) => sum + n, 0);
  return {
    asOfMs: 0,
    records: {
      read,
      scored: read,
      pending: 0,
      expired: 0,
      duplicates: 0,
      open_runs: 0,
      steps: 0,
      runs: 0,
      late: 0,
      unverified: 0,
      judgements: 0,
      feedback: 0,
      calls_not_recorded: 0,
      malformed_calls: 0,
      unread_calls: 0,
      unscored: 0,
      rejected: {},
    },
    coverage: rateWith(1.96)(read, read),
    input: noInputCounts(),
    groups: [group([], [], read), ...Object.entries(right).map(([model, n]) => group(['model'], [model], n))],
    folded: false,
    watches: [],
  };
}

function historyOf(pointsMax = 10, groupsMax = 5) {
  const history = createHistory({ epoch: 'e', everyMs: 5000, pointsMax, groupsMax, layout });
  let at = 0;
  return {
    ...history,
    tick: (right: Readonly<Record<string, number>>, now = ingest) => history.add((at += 5000), viewOf(right), now),
  };
}

const firstCells = (points: readonly (readonly number[] | null)[] | undefined) =>
  points?.map((cells) => cells?.[decisionCells.outcome0] ?? null);

test('a point holds what was counted since the one before; the first reading is what the others are measured from', () => {
  const history = historyOf();
  history.tick({ a: 100 });
  assert.deepEqual(history.since(undefined, 'model').at, []);
  history.tick({ a: 103 });
  history.tick({ a: 110, b: 4 });
  history.tick({ a: 110, b: 9 });
  const shown = history.since(undefined, 'model');
  assert.deepEqual([shown.from, shown.at], [0, [10_000, 15_000, 20_000]]);
  assert.deepEqual(firstCells(shown.groups[totalId]), [3, 11, 5]);
  assert.deepEqual(firstCells(shown.groups[models('a')[0]!]), [3, 7, 0]);
  assert.deepEqual(firstCells(shown.groups[models('b')[0]!]), [null, null, 5]);
  assert.deepEqual(shown.ingest, [
    [3, 2, 3],
    [11, 2, 3],
    [5, 2, 3],
  ]);
  assert.equal(shown.groups[totalId]![0]!.length, historySize);
});

test('only what comes after a point is given; another process, or a point long gone, gets all', () => {
  const history = historyOf(3);
  for (let n = 0; n <= 6; n++) history.tick({ a: n });
  const numbers = (seen: string | undefined) => {
    const { from, at } = history.since(seen, 'model');
    return [from, at.length];
  };
  assert.deepEqual(numbers(undefined), [3, 3]);
  assert.deepEqual(numbers('e.3'), [4, 2]);
  assert.deepEqual(numbers('e.5'), [6, 0]);
  assert.deepEqual(numbers('e.99'), [6, 0]);
  assert.deepEqual(numbers('e.0'), [3, 3]);
  assert.deepEqual(numbers('other.4'), [3, 3]);
});

test('what came or went with partitions is no traffic', () => {
  const history = historyOf();
  history.tick({ a: 100 });
  history.tick({ a: 5000 }, { ...ingest, partitions: 't/0,t/1' });
  history.tick({ a: 5002 }, { ...ingest, partitions: 't/0,t/1' });
  history.tick({ a: 4990 }, { ...ingest, partitions: 't/0,t/1' });
  const shown = history.since(undefined, 'model');
  assert.deepEqual(firstCells(shown.groups[totalId]), [null, 2, null]);
  assert.deepEqual(
    shown.ingest.map((point) => point?.[0]),
    [0, 2, 0],
  );
});

test('the groups with the most predictions have a history, and do not take turns', () => {
  const history = historyOf(10, 2);
  history.tick({ a: 10, b: 9, c: 8, d: 1 });
  history.tick({ a: 11, b: 9, c: 10, d: 1 });
  history.tick({ a: 11, b: 12, c: 13, d: 1 });
  assert.deepEqual(Object.keys(history.since(undefined, 'model').groups).sort(), [totalId, ...models('a', 'b')].sort());
  history.tick({ a: 11, b: 60, c: 70, d: 80, e: 90, f: 100 });
  history.tick({ a: 11, b: 60, c: 70, d: 80, e: 90, f: 100 });
  const last = history.since('e.2', 'model').groups;
  assert.deepEqual(Object.keys(last).sort(), [totalId, ...models('e', 'f')].sort());
});
