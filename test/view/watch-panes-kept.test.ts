import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paneOf, paneSlot } from '../../src/state/windows.ts';
import { cellAt, createWatchPanes, readWatchPanes, type WatchedGroup } from '../../src/view/watch-panes.ts';
import { watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

/* What is kept of panes from one reading to the next, and what a reading costs. */

// Panes of 10 s for five minutes, and of 4 minutes for a day.
const settings = watchSettings(['5m', '24h']);
const { tiers } = settings.windows;
const allPanes = tiers.reduce((sum, { panes }) => sum + panes, 0);
const [rate] = watcherWith(settings).panes.rates;
const startMs = Date.UTC(2026, 0, 1);

/** Panes of one partition that two rates are read of, what is added to it, and a reading of them: in so many steps. */
function watched(sets: readonly (readonly string[])[] = [[], ['model']], own = settings) {
  const partition = watchedPartition(own);
  const panes = createWatchPanes(own, [rate!, { ...rate!, path: 'decision.other' }], sets);
  const steps = (minute: number) => readWatchPanes(panes, [partition.state], () => startMs + minute * 60_000);
  return {
    ...{ panes, steps },
    read: (minute: number): number => [...steps(minute)].length,
    add: (model: string, minute: number, n = 1, agent: string | null = 'x') =>
      partition.add({ model, agent, tsMs: startMs + minute * 60_000, n, bad: 0 }),
    group: (name: string) => panes.groups.find(({ values }) => values.join() === name)!,
  };
}

const namesOf = (groups: Iterable<WatchedGroup>) => [...groups].map(({ values }) => values.join()).toSorted();

test('everything is read again once an event has come or T has reached another pane, and not before', () => {
  const { panes, add, read } = watched();
  let { readCount } = panes;
  const isRead = (minute: number): boolean => {
    const before = readCount;
    read(minute);
    readCount = panes.readCount;
    return readCount > before;
  };
  add('a', 0);
  assert.deepEqual([isRead(0), isRead(0), isRead(0.1)], [true, false, false]);
  assert.deepEqual([isRead(0.2), isRead(0.2)], [true, false]);
  add('a', 0);
  assert.deepEqual([isRead(0.2), isRead(0.2)], [true, false]);
});

test('an event costs the panes that it lies in, and none that are later than all events', () => {
  const { add, read } = watched();
  add('a', 0);
  assert.equal(read(30), allPanes - 8);
  add('a', 0);
  assert.equal(read(30), 0);
});

test('a reading in steps ends where somebody else has read everything since the last one', () => {
  const { add, read, steps } = watched();
  for (let minute = 0; minute < 30; minute++) add('a', minute);
  const slow = steps(29);
  assert.equal(slow.next().done, false);
  read(29);
  assert.equal(slow.next().done, true);
});

test('what comes to the newest pane after it was read is in when the next one has begun', () => {
  const { panes, add, read, group } = watched();
  add('a', 0);
  read(0);
  add('a', 0);
  add('a', 4);
  read(4);
  for (const tier of tiers.keys())
    for (const at of [0, 1]) {
      const cell = cellAt(panes, tier, paneOf(tiers[tier]!, startMs), at);
      assert.equal(group('a').counts[tier]![cell], 2);
    }
});

test('a pane knows the groups that it has cases of, and no group is touched by an event without a case', () => {
  const { panes, add, read } = watched();
  const present = (tier: number) =>
    namesOf(panes.present[tier]![paneSlot(tiers[tier]!, paneOf(tiers[tier]!, startMs))]!);
  for (const [model, n] of [
    ['a', 1],
    ['b', 2],
    ['none', 0],
  ] as const)
    add(model, 0, n);
  read(0);
  const some = ['', 'a', 'b'];
  assert.deepEqual([namesOf(panes.touched), present(0), present(1)], [some, some, some]);
  assert.deepEqual(namesOf(panes.groups), [...some, 'none']);
  // The shorter panes have gone.
  read(120);
  assert.deepEqual([panes.present[0]!.flat(), present(1)], [[], some]);
});

test('a group that comes first to a pane, and has no case in it, is not touched', () => {
  const { panes, add, read } = watched([['model']]);
  add('none', 0, 0);
  add('a', 0);
  read(0);
  assert.deepEqual(namesOf(panes.touched), ['a']);
});

test('a new group has changed from the beginning', () => {
  const { add, read, group } = watched();
  for (const model of ['a', 'b']) {
    add(model, 0);
    read(0);
    assert.deepEqual(group(model).changed, [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  }
});

test('a slice is in no group by a dimension that was not read', () => {
  const { panes, add, read } = watched([['agent'], ['model']]);
  add('a', 0, 1, null);
  read(0);
  assert.deepEqual(namesOf(panes.groups), ['a']);
  add('a', 0, 1, 'x');
  read(0);
  assert.deepEqual(namesOf(panes.groups), ['a', 'x']);
});

test('without groups of runs none are counted', () => {
  const { add, read, group } = watched(undefined, { ...settings, stability: undefined });
  add('a', 0);
  read(0);
  assert.deepEqual([...group('a').correct], [0]);
});
