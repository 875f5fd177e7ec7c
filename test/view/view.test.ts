import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateOf, settingsOf } from '../../src/config/settings.ts';
import { declarations } from '../../src/scoring/families.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { rejectCodes } from '../../src/state/reject.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { countRecords, type ViewOptions, viewOf } from '../../src/view/view.ts';
import { readView } from '../support/folding.ts';
import { naiveGroups } from '../support/naive-view.ts';
import { minuteMs, startMs, viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';

const config = viewConfig();
const everything: ViewOptions = {
  sets: config.slices,
  rate: rateOf(config),
  withWindows: true,
  withBreakdowns: true,
  groupsMax: undefined,
};

/** Views at which the merge and the naive count must agree; the events are of half an hour and two minutes. */
const readings: readonly [why: string, asOfMinutes: number | undefined, options: Partial<ViewOptions>][] = [
  ['at the newest event', 31, {}],
  ['in the past', 20, {}],
  ['ten minutes later', 41, {}],
  ['hours later, when the windows are empty', 300, {}],
  ['at no time, when nothing is in a window', undefined, {}],
  ['without windows', 31, { withWindows: false }],
  ['without breakdowns, but for those of groups of runs', 31, { withBreakdowns: false }],
  ['of one dimension', 31, { sets: [['agent']], withWindows: false }],
  ['the three greatest groups', 31, { groupsMax: 3 }],
  ['the greatest group', 31, { groupsMax: 1 }],
  ['as many groups as there are', 31, { groupsMax: 6, sets: [['model']] }],
];

test('the groups of a view are those that each event counted alone gives', () => {
  const { states, events } = viewedTraffic(config);
  const { settings } = states[0]!;
  for (const [why, minutes, changed] of readings) {
    const options = { ...everything, ...changed };
    const asOfMs = minutes === undefined ? undefined : startMs + minutes * minuteMs;
    const view = viewOf(states, settings, asOfMs, options);
    const groups = readView(view).groups.map(({ row: _, ...group }) => group);
    const expected = naiveGroups(events, settings, asOfMs, options);
    assert.deepEqual(places(groups), places(expected), why);
    assert.deepEqual(groups, expected, why);
    assert.equal(view.asOfMs, asOfMs, why);
  }
});

function places(groups: readonly { dimensions: readonly string[]; values: readonly string[]; scored: number }[]) {
  return groups.map(({ dimensions, values, scored }) => [...dimensions, ...values, scored].join(' '));
}

test('groups beyond the limit of groups are told', () => {
  const { states } = viewedTraffic(config);
  const options = { ...everything, sets: [['model']], withWindows: false };
  const folded = (groupsMax: number | undefined) =>
    viewOf(states, states[0]!.settings, undefined, { ...options, groupsMax }).folded;
  assert.deepEqual([undefined, 7, 6, 5, 1].map(folded), [false, false, false, true, true]);
  assert.ok(viewOf(states, states[0]!.settings, undefined, { ...everything, groupsMax: 7 }).folded, 'one set of three');
});

test('a group is read when it is asked for, and once; entries of breakdowns come by name, whichever partition had them first', () => {
  const { states } = viewedTraffic(config);
  const { settings } = states[0]!;
  const [family] = settings.layout.families.filter(({ name }) => name === 'trajectory');
  const listed: string[][] = [];
  const watched = {
    ...family!,
    sums: (from: Parameters<(typeof family & object)['sums']>[0]) => {
      for (const breakdown of family!.breakdowns.keys())
        listed.push((from.entries(breakdown) ?? []).map(({ key, subkey }) => `${key}\n${subkey}`));
      return family!.sums(from);
    },
  };
  const families = settings.layout.families.map((each) => (each === family ? watched : each));
  const options = { ...everything, sets: [], withWindows: false };
  const changed = { ...settings, layout: { ...settings.layout, families } };
  const [total] = viewOf([states[1]!, states[0]!], changed, undefined, options).groups;
  assert.equal(listed.length, 0);
  assert.equal(total!.blocks(), total!.blocks());
  assert.equal(listed.length, family!.breakdowns.length);
  assert.ok(listed.some((names) => names.length > 2));
  for (const names of listed) assert.deepEqual(names, names.toSorted());
});

test('a slice of which nothing was scored is in no view', () => {
  const state = emptyPartition(settingsOf(config, undefined));
  sliceCode(state.slices, ['m1', 'a', 'prod']);
  const { groups } = viewOf([state], state.settings, startMs, everything);
  assert.deepEqual(places(groups), ['0', '0', '0', '0']);
  assert.ok(groups.every(({ blocks }) => Object.values(blocks()).every((block) => block === null)));
});

test('blocks come in the order of every report, then those of families that no report knows', () => {
  const settings = settingsOf(config, undefined);
  const namesOf = (changed: Partial<Settings>): string[] => {
    const own = { ...settings, ...changed };
    return Object.keys(viewOf([emptyPartition(own)], own, undefined, everything).groups[0]!.blocks());
  };
  // Those of judgements are there where they are read.
  const known = declarations.filter(({ unit }) => unit !== 'judgement').map(({ name }) => name);
  const [decision, ...rest] = settings.layout.families;
  assert.deepEqual(namesOf({}), known);
  assert.deepEqual(
    namesOf({ stability: undefined }),
    known.filter((name) => name !== 'stability'),
  );
  assert.deepEqual(namesOf({ layout: layoutOf([{ ...decision!, name: 'mine' }, ...rest].toReversed()) }), [
    ...known.filter((name) => name !== 'decision'),
    'mine',
  ]);
});

test('record counts of partitions are added up; only the codes that occurred are named', () => {
  const settings = settingsOf(config, undefined);
  const partition = (times: number): PartitionState => {
    const state = emptyPartition(settings);
    const { numbers } = state;
    Object.assign(numbers, { read: times, scored: 2 * times, expired: 3 * times, duplicates: 4 * times });
    Object.assign(numbers, { late: 5 * times, unverified: 6 * times, callsNotRecorded: 7 * times });
    numbers.judgements = times;
    numbers.feedback = 9 * times;
    state.rejected[rejectCodes.indexOf('schema')] = 8 * times;
    state.rejected[rejectCodes.indexOf('too_deep')] = times - 1;
    return state;
  };
  assert.deepEqual(countRecords([partition(1), partition(10)]), {
    read: 11,
    scored: 22,
    pending: 0,
    expired: 33,
    duplicates: 44,
    open_runs: 0,
    steps: 0,
    runs: 0,
    late: 55,
    unverified: 66,
    judgements: 11,
    feedback: 99,
    calls_not_recorded: 77,
    malformed_calls: 0,
    unread_calls: 0,
    unscored: 130,
    rejected: { schema: 88, too_deep: 9 },
  });
});
