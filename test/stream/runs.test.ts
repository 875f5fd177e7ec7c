import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { contentsOf, encodeDelta, encodeSnapshot, restored } from '../support/encoded.ts';
import { configWith, type Folding, foldingOf } from '../support/folding.ts';

/* When runs end, and what bounds them. Steps are native events with a conversation; times in seconds. */

const startMs = Date.UTC(2026, 0, 1);
const hour = 3_600;
const truth = truthFromRecords([
  { example_id: 'q', label: 'direct', tools: null, expected_tool_calls: null, reference: null },
]);

type Values = Readonly<Record<string, unknown>>;

function folding(values: Values = {}, state?: PartitionState): Folding & { readonly read: (steps: Given) => void } {
  const config = configWith({ 'runs.by': '/c', 'time.out_of_orderness': '10s', ...values });
  const found = foldingOf(config, truth, { reader: readerOf(config, true), ...(state && { state }) });
  return { ...found, read: (steps) => found.add(steps.map(step), startMs + 48 * hour * 1_000) };
}

type Given = readonly (readonly [c: string, at: number, call?: 'call' | 'answer'])[];
const ids = { next: 0 };

function step([c, at, kind = 'call']: Given[number]): object {
  const content = kind === 'call' ? { tool_calls: [{ name: 'f', arguments: {} }] } : { label: 'direct', output: 'x' };
  return { c, example_id: 'q', event_id: `id ${ids.next++}`, ts: startMs + at * 1_000, ...content };
}

/** Moves the watermark to a time by a run of its own. */
const until = (at: number): Given => [[`until ${at} ${ids.next}`, at + 10, 'answer']];

function seen({ state }: Folding): object {
  const { numbers, openRuns, input, limitHits } = state;
  const { steps, runs, scored } = numbers;
  // Throws where a record is not accounted for.
  storeOf(state, {});
  const limits = [limitHits.run_steps, limitHits.open_runs];
  return { steps, runs, scored, open: openRuns.runs.size, late: input.late_steps, limits };
}

const none = { late: 0, limits: [0, 0] };

test('an answer without a call ends a run, once the watermark has passed it and its lag; the next step begins another', () => {
  const runs = folding();
  runs.read([['a', 1], ['a', 3, 'answer'], ['a', 2], ...until(4)]);
  assert.deepEqual(seen(runs), { steps: 4, runs: 2, scored: 0, open: 2, ...none });
  runs.read([...until(4.001), ['a', 4.5, 'answer'], ['a', 2.5]]);
  assert.deepEqual(seen(runs), { steps: 7, runs: 4, scored: 1, open: 3, ...none, late: 1 });
});

test('a run ends where no step follows within idle: a step that belongs to it is late then, one behind it begins another', () => {
  const runs = folding();
  runs.read([['a', 0], ['a', 50], ...until(110)]);
  assert.deepEqual(seen(runs), { steps: 3, runs: 2, scored: 0, open: 2, ...none });
  runs.read([...until(110.001), ['a', 109.9], ['a', 20], ['a', 110.1]]);
  assert.deepEqual(seen(runs), { steps: 7, runs: 4, scored: 1, open: 3, ...none, late: 2 });
});

// A run that ended in an answer goes on as another; one that ended in a call was cut.
for (const [what, values, steps, cut] of [
  ['a call, and a step that came before it ended', {}, [['a', 0], ['a', 70], ...until(200)], 1],
  ['a call, and a step that came after it ended', {}, [['a', 0], ...until(61), ['a', 70, 'answer']], 1],
  ['two such', {}, [['a', 0], ...until(61), ['a', 70], ...until(140), ['a', 150]], 2],
  ['a call, and no further step', {}, [['a', 0], ...until(61), ['b', 70]], 0],
  ['an answer', {}, [['a', 0], ['a', 1, 'answer'], ...until(61), ['a', 70, 'answer']], 0],
  ['an answer, by idle', { 'runs.end': 'idle' }, [['a', 0, 'answer'], ...until(61), ['a', 70, 'answer']], 0],
  ['a limit', { 'runs.steps': 2 }, [['a', 0], ['a', 1], ...until(61), ['a', 70, 'answer']], 0],
] as const)
  test(`runs cut by idle are counted where a further step came: ${what}`, () => {
    const runs = folding(values);
    runs.read(steps);
    assert.deepEqual([runs.state.input.runs_cut, runs.state.input.late_steps], [cut, 0]);
    const { store } = restored([encodeSnapshot(storeOf(runs.state, {}), keyAt('a', runs.state))]);
    assert.equal(finish(restoredPartition(runs.state.settings, store)).input.runs_cut, cut);
  });

test('a cut run is counted as such after a restart too', () => {
  const before = folding();
  before.read([['a', 0], ...until(61)]);
  const after = folding({}, savedAndRestored(before.state, {}));
  after.read([['a', 70]]);
  assert.equal(after.state.input.runs_cut, 1);
});

test('runs.end: idle: an answer ends no run', () => {
  const runs = folding({ 'runs.end': 'idle' });
  runs.read([['a', 0, 'answer'], ['a', 50, 'answer'], ...until(100)]);
  runs.end();
  assert.deepEqual(seen(runs), { steps: 3, runs: 2, scored: 2, open: 0, ...none });
});

// Where a clock is first seen to be ahead, event time jumps: what is open ends, and its later steps are late.
for (const [what, ahead, late] of [
  ['an hour behind', -hour, 0],
  ['an hour ahead', hour, 2],
  ['a day behind', -24 * hour, 0],
] as const)
  test(`a producer whose clock is ${what} has whole runs`, () => {
    const runs = folding();
    runs.read([['first', 0, 'answer']]);
    for (let run = 0; run < 20; run++)
      for (const [at, kind] of [
        [0, 'call'],
        [2, 'call'],
        [4, 'answer'],
      ] as const) {
        runs.read([[`run ${run}`, 10 * run + at, kind]]);
        runs.read([[`skewed ${run}`, 10 * run + at + ahead, kind]]);
      }
    runs.end();
    assert.deepEqual(seen(runs), { steps: 121, runs: 41, scored: 41, open: 0, ...none, late });
  });

test('a run that never ends is ended at every so many steps, and what is left of it goes on', () => {
  const runs = folding({ 'runs.steps': 200 });
  runs.read(Array.from({ length: 10_000 }, (_, at) => ['a', at] as const));
  assert.deepEqual(seen(runs), { steps: 10_000, runs: 50, scored: 50, open: 0, late: 0, limits: [50, 0] });
});

test('at its limit of steps, a key of several runs is left without the first of them', () => {
  const runs = folding({ 'runs.steps': 4 });
  runs.read([
    ['a', 1],
    ['a', 2, 'answer'],
    ['a', 3],
    ['a', 4, 'answer'],
  ]);
  assert.deepEqual(seen(runs), { steps: 4, runs: 2, scored: 1, open: 1, late: 0, limits: [1, 0] });
});

test('beyond the limit of open runs the oldest ones end, as many as are too many after a change too', () => {
  const runs = folding({ 'limits.open_runs': 5 });
  runs.read(Array.from({ length: 8 }, (_, run) => [`run ${run}`, run] as const));
  assert.deepEqual(seen(runs), { steps: 8, runs: 8, scored: 3, open: 5, late: 0, limits: [0, 3] });
  const fewer = folding({ 'limits.open_runs': 2 }, savedAndRestored(runs.state, { 'limits.open_runs': 2 }));
  fewer.read([['run 7', 8]]);
  assert.deepEqual(seen(fewer), { steps: 9, runs: 8, scored: 6, open: 2, late: 0, limits: [0, 3] });
});

test('open runs go on under another idle time, number of steps and end', () => {
  const before = folding();
  before.read([['a', 0], ['b', 0, 'answer'], ['b', 1], ...until(-8)]);
  const changed: readonly (readonly [Values, number])[] = [
    [{ 'runs.idle': '2s' }, 4],
    [{ 'runs.idle': '10m' }, 2],
    [{ 'runs.idle': '10m', 'runs.end': 'idle' }, 0],
  ];
  for (const [values, scored] of changed) {
    const after = folding(values, savedAndRestored(before.state, values));
    after.read(until(5));
    // Where answers end no run, those of one key are one.
    const runs = scored === 0 ? 4 : 5;
    assert.deepEqual(seen(after), { steps: 5, runs, scored, open: runs - scored, ...none });
  }
});

test('a checkpoint of a release without runs is read, and goes on as a chain', () => {
  const runs = folding();
  runs.add([{ example_id: 'q', run: 0, ts: startMs, label: 'direct' }]);
  const { ids: known, pendingLogs, ...store } = storeOf(runs.state, {});
  const without = <Value>(map: ReadonlyMap<string, Value>, name: string): Map<string, Value> =>
    new Map([...map].filter(([each]) => each !== name));
  const old = { ...store, ids: without(known, 'ended_runs'), pendingLogs: without(pendingLogs, 'open_runs') };
  const files = [encodeSnapshot(old, keyAt('a', runs.state))];
  const after = folding({}, finish(restoredPartition(runs.state.settings, restored(files).store)));
  after.read([['a', 1], ['b', 2, 'answer'], ...until(20)]);
  files.push(encodeDelta(storeOf(after.state, {}), keyAt('b', after.state), 'a'));
  const again = finish(restoredPartition(runs.state.settings, restored(files).store));
  assert.deepEqual(contentsOf(storeOf(again, {})), contentsOf(storeOf(after.state, {})));
  assert.equal(again.openRuns.runs.size, 2);
});

test('the bytes of a delta follow the steps that came, not the runs that are open', () => {
  const [few, many] = [100, 5_000].map((open) => {
    const runs = folding();
    runs.read(Array.from({ length: 5 * open }, (_, at) => [`run ${String(at % open).padStart(4, '0')}`, 1] as const));
    encodeSnapshot(storeOf(runs.state, {}), keyAt('a', runs.state));
    runs.read(Array.from({ length: 100 }, (_, at) => [`run ${String(at).padStart(4, '0')}`, 2] as const));
    return encodeDelta(storeOf(runs.state, {}), keyAt('b', runs.state), 'a').length;
  });
  assert.ok(Math.abs(many! / few! - 1) < 0.05, `${few} bytes beside 100 open runs, ${many} beside 5,000`);
});

function keyAt(id: string, { numbers }: PartitionState) {
  return { id, nextOffset: numbers.nextOffset, group: 'g', topic: 't', partition: 0 };
}

/** A state that goes on under other settings of runs. */
function savedAndRestored(state: PartitionState, values: Values): PartitionState {
  const { store } = restored([encodeSnapshot(storeOf(state, {}), keyAt('a', state))]);
  const config = configWith({ 'runs.by': '/c', 'time.out_of_orderness': '10s', ...values });
  return finish(restoredPartition(settingsOf(config, undefined), store));
}
