import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/app/settings.ts';
import { type BlameKind, blamedText } from '../../src/scoring/blame.ts';
import {
  addBlames,
  type Blames,
  createBlames,
  dropBlames,
  forBlames,
  namesInPane,
  restoreBlames,
} from '../../src/state/blames.ts';
import { createDictionary } from '../../src/state/containers/dictionary.ts';
import { createTable } from '../../src/state/containers/table.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import { createPanes, dropPanes } from '../../src/state/panes.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { restoredUnder } from '../../src/state/reshape.ts';
import type { BlameDelta } from '../../src/state/row-delta.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceValues } from '../../src/state/slices.ts';
import { finish } from '../../src/state/steps.ts';
import { paneOf, planWindows } from '../../src/state/windows.ts';
import { heldBlames } from '../support/blames.ts';
import { configOf, read, records, reshape, type Values } from '../support/changed-settings.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';

const lengths = { '1m': 60_000, '1h': 3_600_000 };
const windows = planWindows(
  Object.entries(lengths).map(([name, lengthMs]) => ({ name, lengthMs })),
  5_000,
);
/** Windows in two tiers. */
const settings: Settings = { ...settingsOf(viewConfig(), undefined), windows };
const { tiers } = windows;

function blamesOf(limits: Partial<Settings['limits']> = {}): Blames {
  const own = { ...settings, limits: { ...settings.limits, ...limits } };
  return createBlames(own, noLimitHits(), createPanes(own), createTable(1), createDictionary());
}

function restarted({ panes, table, names, limits, limitHits }: Blames): Blames {
  const again = createBlames({ ...settings, limits }, limitHits, panes, table, names);
  restoreBlames(again);
  return again;
}

function pass(blames: Blames, ms: number): void {
  dropPanes(blames.panes, ms);
  dropBlames(blames);
}

const delta = (slot: number, tool: string, kind: BlameKind = 'tool'): BlameDelta => {
  return { slot, kind, tool, argument: '', code: undefined };
};
const nameOf = (tool: string, kind: BlameKind = 'tool'): string => blamedText({ kind, tool, argument: '' });

test('cases lie in the panes of every tier as long as those are kept, whatever restarts there are', () => {
  const step = fc.record({
    slice: fc.nat(2),
    slot: fc.nat(2),
    tool: fc.constantFrom('a', 'b', 'c d', ''),
    passedMs: fc.constantFrom(0, 0, 0, 7_000, 90_000, 2_000_000),
    lateMs: fc.constantFrom(0, 0, 20_000, 70_000),
    restarts: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let blames = blamesOf();
      let nowMs = startMs;
      const added: { slice: number; slot: number; tool: string; ts: number }[] = [];
      const shared = ['a', 'b', 'c d', ''].flatMap((tool) => [0, 1, 2].map((slot) => delta(slot, tool)));
      for (const { slice, slot, tool, passedMs, lateMs, restarts } of steps) {
        nowMs += passedMs;
        pass(blames, nowMs);
        // A delta that is kept is added again, also to another state.
        const own = shared.find((one) => one.slot === slot && one.tool === tool)!;
        addBlames(blames, [own], slice, nowMs - lateMs);
        added.push({ slice, slot, tool, ts: nowMs - lateMs });
        if (restarts) blames = restarted(blames);
      }
      const model = new Map<string, number>();
      for (const { slice, slot, tool, ts } of added)
        tiers.forEach((tier, index) => {
          const pane = paneOf(tier, ts);
          const key = `${slice} ${index} ${pane} ${slot} ${nameOf(tool)}`;
          if (pane > paneOf(tier, nowMs) - tier.panes) model.set(key, (model.get(key) ?? 0) + 1);
        });
      assert.deepEqual(
        heldBlames(blames),
        [...model].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      assert.deepEqual(heldBlames(restarted(blames)), heldBlames(blames));
    }),
  );
});

/** Cases by name of one slot, in a pane of the first tier. */
function casesOf(blames: Blames, slot: number): Map<string, number> {
  const found = new Map<string, number>();
  forBlames(blames, 0, paneOf(tiers[0]!, startMs), (_slice, own, name, cases) => {
    if (own === slot) found.set(blames.names.list[name]!, cases);
  });
  return found;
}

test('beyond 64 names of a slice, pane and cell new ones are others; known ones, other cells and panes are not', () => {
  for (const restarts of [false, true]) {
    let blames = blamesOf();
    for (let name = 0; name < namesInPane + 6; name++) {
      addBlames(blames, [delta(1, `${name}`)], 0, startMs);
      if (restarts) blames = restarted(blames);
    }
    addBlames(blames, [delta(1, '0'), delta(2, 'late')], 0, startMs);
    addBlames(blames, [delta(1, 'late')], 0, startMs + tiers[0]!.paneMs);
    const cases = casesOf(blames, 1);
    assert.deepEqual([cases.size, cases.get(nameOf('__other__')), cases.get(nameOf('0'))], [65, 6, 2]);
    assert.deepEqual([...casesOf(blames, 2)], [[nameOf('late'), 1]]);
    // The pane of the second tier holds both times.
    assert.equal(blames.limitHits.names, 6 + 6 + 1);
  }
});

test('beyond limits.names a kind has no new names; beyond limits.blames there are no new rows', () => {
  for (const restarts of [false, true]) {
    let few = blamesOf({ names: 2 });
    for (const [at, kind] of (['tool', 'tool', 'tool', 'extra_tool'] as const).entries()) {
      addBlames(few, [delta(0, `${at}`, kind)], 0, startMs);
      if (restarts) few = restarted(few);
    }
    const expected = [nameOf('0'), nameOf('1'), nameOf('__other__'), nameOf('3', 'extra_tool')];
    assert.deepEqual([...casesOf(few, 0).keys()], expected);
    assert.equal(few.limitHits.names, 1);
  }
  // A row in each tier, and one beside it that counts names.
  const small = blamesOf({ blames: 4 });
  for (const tool of ['a', 'b', 'a']) addBlames(small, [delta(0, tool)], 0, startMs);
  assert.deepEqual([...casesOf(small, 0)], [[nameOf('a'), 2]]);
  assert.deepEqual([small.table.size, small.limitHits.blames], [4, 2]);
  pass(small, startMs + 2 * lengths['1h']);
  addBlames(small, [delta(0, 'b')], 0, startMs + 2 * lengths['1h']);
  assert.equal(small.table.size, 4, 'there is room again when panes are gone');
});

const changed: readonly { readonly what: string; readonly before?: Values; readonly after?: Values }[] = [
  { what: 'a family is dropped', after: { 'metrics.trajectory.enabled': false } },
  { what: 'a window is dropped', after: { 'time.windows': ['3m'] } },
  { what: 'a shorter window is added', before: { 'time.windows': ['3m'] }, after: { 'time.windows': ['20s', '3m'] } },
  { what: 'panes become coarser', before: { 'time.windows': ['3m'] }, after: { 'time.windows': ['10m'] } },
  { what: 'a dimension is dropped', before: { slices: [['agent'], ['tags.env']] }, after: { slices: [['tags.env']] } },
];

for (const { what, before = {}, after = {} } of changed)
  test(`${what}: what is blamed goes on as it would be had the settings been so all along`, () => {
    const [was, is] = [configOf(before), configOf(after)];
    const { blames, slices } = reshape(read(was, records), was, is);
    const whole = read(is, records);
    const held = heldBlames(blames, (slice) => JSON.stringify(sliceValues(slices, slice)));
    const expected = heldBlames(whole.blames, (slice) => JSON.stringify(sliceValues(whole.slices, slice)));
    // A longer window begins with what the shorter one held.
    const keys = new Map(expected);
    if (what === 'panes become coarser') for (const [key, cases] of held) assert.ok(cases <= keys.get(key)!, key);
    else assert.deepEqual(held, expected);
    assert.ok(held.length > 50, `${held.length}`);
  });

test('a state of a release that knew no blames is refused, under the same settings and under others', () => {
  const [was, is] = [configOf({}), configOf({ 'metrics.trajectory.enabled': false })];
  const stored = storeOf(emptyPartition(settingsOf(was, undefined)), {});
  stored.tables.delete('blames');
  const reshaping = { before: settingsOf(was, undefined), after: settingsOf(is, undefined), anew: new Set<string>() };
  for (const under of [undefined, reshaping])
    assert.throws(
      () => finish(restoredUnder(settingsOf(under === undefined ? was : is, undefined), stored, under)),
      /its tables are entries, groups, tallies, those of this release blames, entries, groups, tallies; .* --rebuild/,
    );
});
