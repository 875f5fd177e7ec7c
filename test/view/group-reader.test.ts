import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateOf, readerOf, settingsOf } from '../../src/config/settings.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { type HistogramKinds, kindOf, noKinds } from '../../src/state/breakdowns.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { groupsOf as groupsOfSet } from '../../src/view/fold-groups.ts';
import { createKeptGroups, groupReader, type KeptGroups } from '../../src/view/group-reader.ts';
import { mergeSlices } from '../../src/view/merge-slices.ts';
import type { Group } from '../../src/view/summary.ts';
import { viewOf } from '../../src/view/view.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';

const config = viewConfig();
const settings = settingsOf(config, undefined);
const traffic = createTraffic({ seed: 5, examples: 30, runs: 2, duplicates: 0, malformed: 0 });
const table = truthFromRecords(traffic.examples.map(({ record }) => record));
const active = activeTruth(table, settings.layout.families);
const calls = traffic.examples.find(({ record }) => (record.expected_tool_calls?.length ?? 0) > 0)!.record;

/** A partition that events of one example are added to. */
function partition(): { readonly state: PartitionState; add(event: object): void } {
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const fold = createFold(state, readerOf(config, true));
  let offset = 0;
  return {
    state,
    add(event) {
      const whole = { example_id: calls.example_id, model: 'm', label: 'tool_call', tool_calls: [], ...event };
      const bytes = Buffer.from(JSON.stringify(whole));
      const record = { bytes, start: 0, end: bytes.length, offset: offset++, timestamp: startMs };
      foldRecords(fold, [record], 0, 1, active);
    },
  };
}

function groupsOf(states: PartitionState | readonly PartitionState[], kept?: KeptGroups): readonly Group[] {
  const options = { sets: config.slices, rate: rateOf(config), withWindows: true, withBreakdowns: true };
  const all = [states].flat() as PartitionState[];
  return viewOf(all, settings, startMs, { ...options, groupsMax: undefined, kept }).groups;
}

const inDev = (groups: readonly Group[]): readonly Group[] =>
  groups.filter(({ values, window }) => window === 'all' && values.includes('dev'));

test('a group whose cells are what they were is the same object, and others are not', () => {
  const { state, add } = partition();
  const kept = createKeptGroups();
  add({ run: 0, tags: { env: 'dev' } });
  const before = groupsOf(state, kept);
  assert.deepEqual(kept.rows.last?.states, [state], 'rows of slices are kept too');
  add({ run: 0, model: 'other', tags: { env: 'prod' } });
  const after = groupsOf(state, kept);
  for (const group of after) {
    const isKept = before.includes(group);
    assert.equal(isKept, group.values.includes('dev') || group.values.join() === 'm', JSON.stringify(group.values));
  }
  assert.deepEqual(after, groupsOf(state));
});

test('a group of which a family began later is kept too, until it began at another time', () => {
  const { state, add } = partition();
  const kept = createKeptGroups();
  const begin = (sinceMs: number): unknown =>
    Object.assign(state, { begun: [{ kind: 'family', name: 'decision', sinceMs }] });
  add({ run: 0, tags: { env: 'dev' } });
  begin(startMs);
  const before = groupsOf(state, kept);
  assert.deepEqual(inDev(before)[0]!.since, { decision: startMs });
  const after = groupsOf(state, kept);
  assert.ok(after.every((group) => before.includes(group)));
  begin(startMs + 1);
  assert.deepEqual(inDev(groupsOf(state, kept))[0]!.since, { decision: startMs + 1 });
});

test('a group that its runs have left is read again, though no event was added to it', () => {
  const { state, add } = partition();
  const kept = createKeptGroups();
  // Another model has had the same outcome: no kind of it is new.
  for (const [run, env] of ['prod', 'dev'].entries()) add({ run, model: 'other', tags: { env } });
  add({ run: 1, tags: { env: 'dev' } });
  const before = groupsOf(state, kept);
  add({ run: 0, tags: { env: 'prod' } });
  assert.notDeepEqual(inDev(groupsOf(state)), inDev(before));
  assert.deepEqual(
    inDev(groupsOf(state)).map(({ row }) => row),
    inDev(before).map(({ row }) => row),
  );
  const after = groupsOf(state, kept);
  assert.deepEqual(after, groupsOf(state));
  // Runs are told of window `all` alone: groups of the others are what they were.
  const windowsOfDev = after.filter(({ values, window }) => window !== 'all' && values.includes('dev'));
  assert.ok(windowsOfDev.length > 0);
  for (const group of windowsOfDev) assert.ok(before.includes(group), group.window);
});

test('groups of other partitions are read again, though their cells are the same', () => {
  const kept = createKeptGroups();
  const states = ['one', 'two'].map((name) => {
    const { state, add } = partition();
    add({ run: 0, tool_calls: [{ name, arguments: {} }] });
    return state;
  });
  const [one, two] = states.map((state) => groupsOf(state));
  assert.deepEqual(
    one!.map(({ row }) => row),
    two!.map(({ row }) => row),
  );
  assert.notDeepEqual(one, two);
  for (const [index, state] of states.entries()) assert.deepEqual(groupsOf(state, kept), [one, two][index]);
});

test('groups of runs and breakdowns are read of window all alone, and a group says no since where nothing began', () => {
  const { state, add } = partition();
  for (const run of [0, 1]) add({ run, tool_calls: [{ name: 'one', arguments: {} }] });
  const groups = groupsOf(state);
  assert.ok(groups.some(({ window }) => window !== 'all'));
  for (const group of groups) {
    assert.equal('stability' in group.blocks, group.window === 'all', group.window);
    assert.equal(JSON.stringify(group.blocks).includes('"one"'), group.window === 'all', group.window);
    assert.ok(!('since' in group));
  }
});

test('runs that changed into others of the same number are read again, where kinds have changed their places', () => {
  const { state, add } = partition();
  for (const [run, label] of ['direct', 'tool_call'].entries()) add({ run, label });
  const cells = mergeSlices([state], settings, undefined, false);
  const { list } = cells.kinds;
  const exchanged = noKinds();
  for (const { histogram, key } of [...list].reverse()) kindOf(exchanged, histogram, key);
  // The group has the same number of each place.
  for (const { totals } of cells.slices) totals.fill(1);
  const kept = createKeptGroups();
  const read = (kinds: HistogramKinds) => {
    const source = { states: [state], cells: { ...cells, kinds }, settings, since: () => undefined, names: ['all'] };
    const reader = groupReader(source, { rate: rateOf(config), withBreakdowns: false, kept });
    const group = reader.read(groupsOfSet(cells.slices.slice(0, 1), settings, [])[0]!, 0);
    reader.keep();
    return group;
  };
  const first = read(cells.kinds);
  assert.equal(read({ ...cells.kinds }), first);
  assert.notEqual(read(exchanged), first);
});

test('partitions that come and go change what is kept of groups', () => {
  const kept = createKeptGroups();
  const [one, two] = ['one', 'two'].map((name) => {
    const { state, add } = partition();
    add({ run: 0, tool_calls: [{ name, arguments: {} }] });
    return state;
  }) as [PartitionState, PartitionState];
  for (const states of [[one], [one, two], [two], [two, one], [one], [one, two], [one, one]])
    assert.deepEqual(groupsOf(states, kept), groupsOf(states));
});
