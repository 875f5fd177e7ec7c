import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Store } from '../../src/state/containers/store.ts';
import { createTable, findRow } from '../../src/state/containers/table.ts';
import { addVerdict, evictVerdicts } from '../../src/state/judge-pairs.ts';
import { addUnscored } from '../../src/state/panes.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { addPending, takePending } from '../../src/state/pending.ts';
import { rejectCodes } from '../../src/state/reject.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { windowCounts } from '../../src/state/window-counts.ts';
import { contentsOf, encodeSnapshot, restored } from '../support/encoded.ts';
import { viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';
import { configWith, viewWith } from '../support/folding.ts';

const key = { id: 'a', nextOffset: 0, group: 'g', topic: 't', partition: 0 };
const settings = settingsOf(loadConfig({}).config, undefined);

test('a store whose containers are not those of the settings is refused: what, and what to do', () => {
  const store = (): Store => storeOf(emptyPartition(settings), {});
  const { tables } = store();
  const refused: [Partial<Store>, RegExp][] = [
    [
      { dictionaries: new Map() },
      /its dictionaries are , those of this release blamed, names, slices; .* another kafka.group_id/,
    ],
    [{ pendingLogs: new Map() }, /its pendingLogs are , those of this release pending/],
    [{ ids: new Map() }, /its ids are , those of this release seen; .* --rebuild/],
    [
      { tables: new Map([...tables, ['more', createTable(1)]]) },
      /its tables are blames, entries, groups, more, tallies, those/,
    ],
    [{ tables: new Map([...tables, ['tallies', createTable(1)]]) }, /table tallies has 1 values a row, \d+ expected/],
  ];
  for (const [change, why] of refused) {
    assert.throws(() => finish(restoredPartition(settings, { ...store(), ...change })), why);
  }
  assert.equal(finish(restoredPartition(settings, store())).numbers.nextOffset, 0);
});

test('a state that was saved goes on as the one that was not: numbers, views, what waits, what is derived of it', () => {
  const viewed = viewConfig();
  const [state] = viewedTraffic(viewed).states as [PartitionState];
  const { numbers, rejected } = state;
  addPending(
    state.pending,
    { exampleId: 'later', ts: numbers.greatestTs, offset: 7, element: 1 },
    '{"example_id":"later"}',
  );
  addUnscored(state.panes, 'expired', numbers.greatestTs);
  addUnscored(state.panes, 'rejected', numbers.greatestTs);
  numbers.expired++;
  numbers.duplicates += 2;
  rejected[rejectCodes.indexOf('schema')] = 3;
  numbers.read += 7;
  const bytes = encodeSnapshot(storeOf(state, { topic: 't' }), key);
  const { store } = restored([bytes]);
  assert.deepEqual(JSON.parse(store.header), { identity: { topic: 't' }, activations: state.activations });
  const again = finish(restoredPartition(state.settings, store));
  assert.deepEqual(again.numbers, numbers);
  assert.deepEqual(again.rejected, rejected);
  assert.deepEqual(again.activations, state.activations);
  assert.deepEqual(contentsOf(storeOf(again, {})), contentsOf(storeOf(state, {})));
  assert.deepEqual(again.pending.waiting, state.pending.waiting);
  assert.deepEqual(again.pending.byPane, state.pending.byPane);
  assert.deepEqual(again.panes.floors, state.panes.floors);
  assert.deepEqual(again.sums.settled, state.sums.settled);
  assert.deepEqual(again.breakdowns.sizes, state.breakdowns.sizes);
  assert.equal(again.runGroups!.byLastRun.size, state.runGroups!.table.size);
  for (const asOfMs of [numbers.greatestTs, numbers.greatestTs + 30_000, numbers.greatestTs - 30_000]) {
    const [before, after] = [state, again].map((each) => viewWith(viewed, [each], asOfMs));
    assert.deepEqual(after, before);
    assert.deepEqual(windowCounts([again], state.settings, asOfMs), windowCounts([state], state.settings, asOfMs));
  }
});

test('what a checkpoint does not name yet is as before the first record', () => {
  const state = emptyPartition(settings);
  state.rejected[0] = 2;
  Object.assign(state.numbers, { read: 2, late: 4 });
  const store = storeOf(state, {});
  store.numbers.delete('rejected.not_utf8');
  store.numbers.delete('greatestTs');
  const { numbers, rejected } = finish(restoredPartition(settings, store));
  assert.deepEqual([numbers.greatestTs, numbers.late, numbers.read, rejected[0]], [Number.NEGATIVE_INFINITY, 4, 2, 0]);
});

test('without groups of runs a state is saved and restored all the same; each index is a step', () => {
  const without = { ...settings, stability: undefined };
  const stepsOf = (chosen: typeof without | typeof settings): number => {
    const steps = restoredPartition(chosen, storeOf(emptyPartition(chosen), {}));
    let count = 0;
    while (!steps.next().done) count++;
    return count;
  };
  assert.deepEqual([stepsOf(without), stepsOf(settings)], [7, 8]);
});

test('what began later than the rest is saved; where nothing did the header has no place for it', () => {
  const state = emptyPartition(settings);
  assert.deepEqual(Object.keys(JSON.parse(storeOf(state, {}).header)), ['identity', 'activations']);
  const availableSince = { kind: 'window', name: '60000', sinceMs: 7, offset: 3 } as const;
  state.availableSince.push(availableSince);
  assert.deepEqual(finish(restoredPartition(settings, storeOf(state, {}))).availableSince, [availableSince]);
});

test('verdicts of judges are saved where judgements are read, and the oldest are the first to go afterwards', () => {
  const judged = settingsOf(configWith({ 'kafka.judgements_topic': 'j' }), undefined);
  const state = emptyPartition(judged);
  for (const [prediction, ts] of [20, 10].entries())
    addVerdict(state.judgePairs!, Uint32Array.of(prediction, 0, 0, 0), ts, { by: 'm', passes: true });
  const store = storeOf(state, {});
  assert.deepEqual([...store.tables.keys()].sort(), ['blames', 'entries', 'groups', 'tallies', 'verdicts']);
  assert.deepEqual([...storeOf(emptyPartition(settings), {}).tables.keys()].sort(), [
    'blames',
    'entries',
    'groups',
    'tallies',
  ]);
  const { judgePairs } = finish(restoredPartition(judged, store));
  evictVerdicts(judgePairs!, 11 + judged.keepGroupsMs);
  const left = [0, 1].map((prediction) => findRow(judgePairs!.table, prediction, 0, 0, 0) >= 0);
  assert.deepEqual(left, [true, false]);
});

test('a state that contradicts itself is not saved, and a prediction is taken once', () => {
  const broken: [(state: PartitionState) => void, RegExp][] = [
    [({ numbers }) => void (numbers.read = 1), /assertion failed: 1 events were read, 0 are accounted for/],
    [
      ({ numbers }) => void (numbers.lastOffset = 0),
      /assertion failed: record 0 was applied, and the next offset is 0/,
    ],
  ];
  for (const [breakIt, why] of broken) {
    const state = emptyPartition(settings);
    breakIt(state);
    assert.throws(() => storeOf(state, {}), why);
  }
  const { pending } = emptyPartition(settings);
  assert.throws(() => takePending(pending, 0), /assertion failed: a prediction is taken that does not wait/);
});
