import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import type { AttributionSet } from '../../src/state/attribution-set.ts';
import { addAttributions, type Attributions, attributionKeys, dropAttributions } from '../../src/state/attributions.ts';
import { keyOf, liveRows } from '../../src/state/containers/table.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import { dropPanes } from '../../src/state/panes.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { restoredUnder } from '../../src/state/migrate.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceValues } from '../../src/state/slices.ts';
import { finish } from '../../src/state/steps.ts';
import { paneOf } from '../../src/state/windows.ts';
import { attributionsOf, lengths, limitsOf, restarted, tiers } from '../support/attribution-state.ts';
import { attributing, heldAttributions } from '../support/attributions.ts';
import { configOf, read, records, migrate, type Values } from '../support/changed-settings.ts';
import { startMs } from '../support/viewed-traffic.ts';

function pass(attributions: Attributions, ms: number): void {
  dropPanes(attributions.panes, ms);
  dropAttributions(attributions);
}

const tools = ['a', 'b', 'c d', ''];
const step = fc.record({
  slice: fc.nat(2),
  slot: fc.nat(2),
  tools: fc.subarray(tools, { minLength: 1 }),
  passedMs: fc.constantFrom(0, 0, 0, 7_000, 90_000, 2_000_000),
  lateMs: fc.constantFrom(0, 0, 20_000, 70_000),
  restarts: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
const keyOfName = (tool: string): string => JSON.stringify({ kind: 'tool', tool, argument: '' });

/** Adds events, restarting where the steps say so if it may; events that attribute the same share a set, also with other states. */
function runThrough(steps: readonly Step[], limits: Partial<Settings['limits']>, mayRestart: boolean) {
  const shared = new Map<string, AttributionSet>();
  const added: (Step & { readonly ts: number })[] = [];
  let attributions = attributionsOf(limits);
  let nowMs = startMs;
  for (const one of steps) {
    nowMs += one.passedMs;
    pass(attributions, nowMs);
    const key = JSON.stringify([one.slot, one.tools]);
    if (!shared.has(key)) shared.set(key, attributing(one.slot, one.tools));
    addAttributions(attributions, shared.get(key)!, one.slice, nowMs - one.lateMs);
    added.push({ ...one, ts: nowMs - one.lateMs });
    if (one.restarts && mayRestart) attributions = restarted(attributions, limits);
  }
  return { attributions, added, nowMs };
}

/** By definition: what was added in panes from a floor on. */
function recount(added: readonly (Step & { readonly ts: number })[], floors: readonly number[]): [string, number][] {
  const model = new Map<string, number>();
  for (const { slice, slot, tools: own, ts } of added)
    tiers.forEach((tier, index) => {
      const pane = paneOf(tier, ts);
      for (const tool of pane < floors[index]! ? [] : own) {
        const key = `${slice} ${index} ${pane} ${slot} ${keyOfName(tool)}`;
        model.set(key, (model.get(key) ?? 0) + 1);
      }
    });
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
}

test('events lie in the panes of every tier as long as those are kept, whatever restarts there are', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { attributions, added, nowMs } = runThrough(steps, {}, true);
      const kept = tiers.map((tier) => paneOf(tier, nowMs) - tier.panes + 1);
      assert.deepEqual(heldAttributions(attributions), recount(added, kept));
      assert.deepEqual(heldAttributions(restarted(attributions)), heldAttributions(attributions));
    }),
  );
});

test('a tier that is full drops its oldest panes: those from its floor on hold all, whatever restarts there are', () => {
  let drops = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (steps, most) => {
      const [attributions, again] = [false, true].map((may) => runThrough(steps, { attributions: most }, may));
      const { floors, sizes } = attributions!.attributions;
      if (floors.some((floor, tier) => floor > attributions!.attributions.panes.floors[tier]!)) drops++;
      assert.deepEqual(heldAttributions(attributions!.attributions), recount(attributions!.added, floors));
      assert.ok(sizes.every((size) => size <= Math.max(1, Math.floor(most / 2))));
      assert.equal(liveRows(attributions!.attributions.table).length, sizes[0]! + sizes[1]!);
      assert.deepEqual(again!.attributions.floors, floors);
      assert.deepEqual(heldAttributions(again!.attributions), heldAttributions(attributions!.attributions));
      const smaller = restarted(attributions!.attributions, { attributions: 2 });
      assert.ok(smaller.sizes.every((size) => size <= 1));
      assert.deepEqual(heldAttributions(smaller), recount(attributions!.added, smaller.floors));
    }),
  );
  assert.ok(drops > 20, `${drops}`);
});

test('a full tier: its other panes stay, and the other tier; what comes late into a pane that was dropped is refused', () => {
  for (const restarts of [false, true]) {
    let attributions = attributionsOf({ attributions: 6 });
    const again = (): void =>
      void (attributions = restarts ? restarted(attributions, { attributions: 6 }) : attributions);
    const add = (tool: string, pane: number): void => {
      addAttributions(attributions, attributing(0, [tool]), 0, startMs + pane * tiers[0]!.paneMs);
      again();
    };
    const first = paneOf(tiers[0]!, startMs);
    for (const pane of [0, 1, 2, 0, 1, 2]) add('a', pane);
    assert.deepEqual(attributions.sizes, [3, 2]);
    add('b', 2);
    assert.deepEqual(
      [attributions.sizes, attributions.floors],
      [
        [3, 3],
        [first + 1, Number.NEGATIVE_INFINITY],
      ],
    );
    add('a', 0);
    assert.deepEqual(attributions.sizes, [3, 3], 'refused where it was dropped, and known in the other tier');
    const keys = new Set(
      liveRows(attributions.table).map((row) => keyOf(attributions.table, row, attributionKeys.pane)),
    );
    assert.ok(!keys.has(first));
    for (const tool of ['c', 'd']) add(tool, 2);
    assert.deepEqual(
      [attributions.sizes[0], attributions.floors[0]],
      [0, first + 3],
      'a pane that does not fit is dropped whole',
    );
    assert.deepEqual(attributions.limitHits, { ...noLimitHits(), blames: 5 });
  }
});

test('floors are saved: those that the limit raised, and those that time did', () => {
  const state = emptyPartition(limitsOf({ attributions: 2 }));
  state.numbers.greatestTs = startMs;
  for (const tool of ['a', 'b']) addAttributions(state.attributions, attributing(0, [tool]), 0, startMs);
  const floors = tiers.map((tier) => paneOf(tier, startMs) + 1);
  assert.deepEqual(state.attributions.floors, floors);
  const store = storeOf(state, {});
  assert.deepEqual([store.numbers.get('blames.0'), store.numbers.get('blames.1')], floors);
  const again = finish(restoredPartition(state.settings, store));
  assert.deepEqual(again.attributions.floors, floors);
  addAttributions(again.attributions, attributing(0, ['a']), 0, startMs);
  assert.equal(again.attributions.table.size, 0);
  dropPanes(again.panes, startMs + 10 * lengths['1h']);
  dropAttributions(again.attributions);
  assert.equal(storeOf(again, {}).numbers.get('blames.0'), again.panes.floors[0]);
});

const changed: readonly { readonly what: string; readonly before?: Values; readonly after?: Values }[] = [
  { what: 'a family is dropped', after: { 'metrics.trajectory.enabled': false } },
  { what: 'a window is dropped', after: { 'time.windows': ['3m'] } },
  { what: 'a shorter window is added', before: { 'time.windows': ['3m'] }, after: { 'time.windows': ['20s', '3m'] } },
  { what: 'panes become coarser', before: { 'time.windows': ['3m'] }, after: { 'time.windows': ['10m'] } },
  { what: 'a dimension is dropped', before: { slices: [['agent'], ['tags.env']] }, after: { slices: [['tags.env']] } },
];

for (const { what, before = {}, after = {} } of changed)
  test(`${what}: what is attributed goes on as it would be had the settings been so all along`, () => {
    const [was, is] = [configOf(before), configOf(after)];
    const { attributions, slices } = migrate(read(was, records), was, is);
    const whole = read(is, records);
    const held = heldAttributions(attributions, (slice) => JSON.stringify(sliceValues(slices, slice)));
    const expected = heldAttributions(whole.attributions, (slice) => JSON.stringify(sliceValues(whole.slices, slice)));
    // A longer window begins with what the shorter one held.
    const keys = new Map(expected);
    if (what === 'panes become coarser') for (const [key, cases] of held) assert.ok(cases <= keys.get(key)!, key);
    else assert.deepEqual(held, expected);
    assert.ok(held.length > 50, `${held.length}`);
  });

for (const [window, panesInOne] of [
  ['3m', 1],
  ['10m', 2],
] as const)
  test(`a floor that the limit raised goes on with its panes, ${panesInOne} of which become one`, () => {
    const of = (one: string, trajectory: boolean) =>
      configOf({ 'limits.blames': 12, 'time.windows': [one], 'metrics.trajectory.enabled': trajectory });
    const before = read(of('3m', true), records);
    const [floor] = before.attributions.floors;
    assert.ok(floor! > before.attributions.panes.floors[0]!);
    const { attributions } = migrate(before, of('3m', true), of(window, false));
    assert.deepEqual(attributions.floors, [Math.ceil(floor! / panesInOne)]);
    const held = heldAttributions(attributions);
    addAttributions(
      attributions,
      attributing(0, ['late']),
      0,
      (attributions.floors[0]! - 1) * attributions.panes.plan.tiers[0]!.paneMs,
    );
    assert.deepEqual(heldAttributions(attributions), held, 'what comes late is refused');
  });

test('a state of a release that knew no attributions is refused, under the same settings and under others', () => {
  const [was, is] = [configOf({}), configOf({ 'metrics.trajectory.enabled': false })];
  const stored = storeOf(emptyPartition(settingsOf(was, undefined)), {});
  stored.tables.delete('blames');
  const migration = { before: settingsOf(was, undefined), after: settingsOf(is, undefined), anew: new Set<string>() };
  for (const under of [undefined, migration])
    assert.throws(
      () => finish(restoredUnder(settingsOf(under === undefined ? was : is, undefined), stored, under)),
      /its tables are entries, groups, tallies, those of this release blames, entries, groups, tallies; .* --rebuild/,
    );
});
