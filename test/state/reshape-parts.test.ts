import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { AnyFamily } from '../../src/scoring/family.ts';
import { stability } from '../../src/scoring/stability/index.ts';
import type { Begun } from '../../src/state/begun.ts';
import { chunkOf, valuesAt } from '../../src/state/containers/table.ts';
import { addVerdict } from '../../src/state/judge-pairs.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredUnder } from '../../src/state/reshape.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { addRun } from '../../src/state/run-groups/index.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { finish, type Steps } from '../../src/state/steps.ts';

const base = settingsOf(loadConfig({}).config, undefined);
const runs = stability({ k: 3, form: 'closed', mode: 'spec' });

const family = (name: string, more: Partial<AnyFamily>): AnyFamily =>
  ({ name, cells: [], breakdowns: [], unit: 'event', ...more }) as unknown as AnyFamily;
/** `verdict` and `rule` say whether an event is right, `judge` is compared with that; the rest does neither. */
const families = {
  plain: family('plain', {}),
  other: family('other', {}),
  verdict: family('verdict', { verdict: () => true } as unknown as Partial<AnyFamily>),
  rule: family('rule', { verdict: () => true } as unknown as Partial<AnyFamily>),
  judge: family('judge', { unit: 'judgement' } as Partial<AnyFamily>),
};

/** Settings by the names of families and dimensions; `stability` is that of groups of runs. */
function settingsWith(names: string, dimensions: readonly string[] = ['model']): Settings {
  const list = names.split(' ');
  const known = list.filter((name) => name in families).map((name) => families[name as keyof typeof families]);
  const hasRuns = list.includes('stability');
  return { ...base, layout: layoutOf(known, hasRuns), stability: hasRuns ? runs : undefined, dimensions };
}

function stateWith(settings: Settings, greatestTs = 5_000): PartitionState {
  const state = emptyPartition(settings);
  Object.assign(state.numbers, { greatestTs, nextOffset: 8, lastOffset: 7 });
  return state;
}

function reshaping(state: PartitionState, after: Settings, anew: readonly string[] = []): Steps<PartitionState> {
  return restoredUnder(after, storeOf(state, {}), { before: state.settings, after, anew: new Set(anew) });
}

/** Names of what begins under other settings. */
function begins(before: string, after: string, ...anew: string[]): string {
  const { begun } = finish(reshaping(stateWith(settingsWith(before)), settingsWith(after), anew));
  assert.ok(begun.every(({ kind, sinceMs, offset }) => kind === 'family' && sinceMs === 5_000 && offset === 8));
  return begun.map(({ name }) => name).join(' ');
}

test('a family begins where it is new or scores otherwise, groups of runs too', () => {
  assert.equal(begins('plain other stability', 'plain other stability'), '');
  assert.equal(begins('plain', 'other plain'), 'other');
  assert.equal(begins('plain other', 'other'), '');
  assert.equal(begins('plain other', 'plain other', 'other'), 'other');
  assert.equal(begins('plain', 'plain stability'), 'stability');
  assert.equal(begins('plain stability', 'plain'), '');
  assert.equal(begins('plain stability', 'plain stability', 'stability'), 'stability');
  assert.equal(begins('plain stability', 'plain stability', 'plain'), 'plain');
});

test('judgements begin anew with any of the verdicts that they are compared with', () => {
  assert.equal(begins('plain verdict judge', 'verdict judge other'), 'other');
  assert.equal(begins('judge', 'judge', 'judge'), 'judge');
  assert.equal(begins('verdict judge', 'verdict judge', 'verdict'), 'verdict judge');
  assert.equal(begins('judge', 'verdict judge'), 'verdict judge');
  assert.equal(begins('verdict judge', 'judge'), 'judge');
  assert.equal(begins('verdict judge', 'rule judge'), 'rule judge');
  assert.equal(begins('verdict', 'verdict judge'), 'judge');
  assert.equal(begins('verdict judge', 'verdict'), '');
});

test('under the settings that it was made under a state goes on as it is', () => {
  const state = stateWith(settingsWith('plain'));
  sliceCode(state.slices, ['m']);
  const again = finish(restoredUnder(state.settings, storeOf(state, {}), undefined));
  assert.deepEqual([again.numbers, again.begun, again.slices], [state.numbers, [], state.slices]);
});

test('before the first event nothing begins: all of it is there from the beginning', () => {
  const state = stateWith(settingsWith('plain'), Number.NEGATIVE_INFINITY);
  assert.deepEqual(finish(reshaping(state, settingsWith('plain other', ['model', 'agent']))).begun, []);
});

test('what had begun stays so while it is there; a family and a dimension of one name are two', () => {
  const state = stateWith(settingsWith('plain other', ['model', 'plain', 'tags.env']));
  const had: Begun[] = [
    { kind: 'dimension', name: 'plain', sinceMs: 1_000, offset: 2 },
    { kind: 'family', name: 'other', sinceMs: 2_000, offset: 3 },
    { kind: 'dimension', name: 'tags.env', sinceMs: 3_000, offset: 4 },
  ];
  state.begun.push(...had);
  const now = { sinceMs: 5_000, offset: 8 };
  assert.deepEqual(finish(reshaping(state, settingsWith('plain other', ['model', 'agent', 'plain']))).begun, [
    had[1],
    { kind: 'dimension', name: 'agent', ...now },
    had[0],
  ]);
});

test('slices have the values of the dimensions of now, null where one was not read; equal ones become one', () => {
  const state = stateWith(settingsWith('plain', ['model', 'agent']));
  for (const values of [
    ['m', 'a'],
    ['m', 'b'],
    ['n', 'a'],
  ])
    sliceCode(state.slices, values);
  const textsUnder = (dimensions: readonly string[]): readonly string[] =>
    finish(reshaping(state, settingsWith('plain', dimensions))).slices.dictionary.list;
  assert.deepEqual(textsUnder(['model', 'tags.env', 'agent']), ['["m",null,"a"]', '["m",null,"b"]', '["n",null,"a"]']);
  assert.deepEqual(textsUnder(['model']), ['["m"]', '["n"]']);
});

test('verdicts of judges are kept where judgements go on', () => {
  const verdictsAfter = (before: string, after: string, ...anew: string[]): number | undefined => {
    const state = stateWith(settingsWith(before));
    if (state.judgePairs !== undefined)
      addVerdict(state.judgePairs, Uint32Array.of(1, 2, 3, 4), 5_000, { by: 'm', passes: true });
    return finish(reshaping(state, settingsWith(after), anew)).judgePairs?.table.size;
  };
  assert.equal(verdictsAfter('plain judge', 'plain judge other'), 1);
  assert.equal(verdictsAfter('plain verdict judge', 'plain verdict judge', 'verdict'), 0);
  assert.equal(verdictsAfter('plain', 'plain judge'), 0);
  assert.equal(verdictsAfter('plain judge', 'plain'), undefined);
});

/** Groups of one run each, of two slices in turn, that differ in what is read beside the model. */
function stateOfGroups(count: number): PartitionState {
  const state = stateWith(settingsWith('plain stability', ['model', 'agent']));
  const [first, second] = ['a', 'b'].map((agent) => sliceCode(state.slices, ['m', agent])) as [number, number];
  const run = { index: 0, label: 0, verdict: 0, gold: 3, ts: 5_000 } as const;
  for (let group = 0; group < count; group++)
    addRun(state.runGroups!, Uint32Array.of(group, 1, 2, 3), { ...run, slice: group % 2 === 0 ? first : second });
  return state;
}

test('groups of runs go on in the slices of now', () => {
  const after = settingsWith('plain stability', ['model']);
  const { runGroups } = finish(reshaping(stateOfGroups(2), after));
  const { table, layout } = runGroups!;
  assert.deepEqual(
    [0, 1].map((row) => layout.home(chunkOf(table, row), valuesAt(table, row))),
    [3, 3],
    'of slice 0, gold label 3',
  );
  assert.equal(finish(reshaping(stateOfGroups(2), after, ['stability'])).runGroups!.table.size, 0);
  assert.equal(finish(reshaping(stateOfGroups(2), settingsWith('plain', ['model']))).runGroups, undefined);
});

test('many groups that move are many steps, those that stay are none', () => {
  const stepsTo = (dimensions: readonly string[]): number => {
    const steps = reshaping(stateOfGroups(3_000), settingsWith('plain stability', dimensions));
    let count = 0;
    while (!steps.next().done) count++;
    return count;
  };
  assert.equal(stepsTo(['model']) - stepsTo(['model', 'agent']), 2);
});
