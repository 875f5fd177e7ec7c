import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { chunkOf, findRow, valuesAt } from '../../src/state/containers/table.ts';
import {
  addExpired,
  addToPane,
  createPanes,
  dropPanes,
  expiredIn,
  forSlices,
  type Panes,
  panesBetween,
  raiseFloor,
  restorePanes,
} from '../../src/state/panes.ts';
import { scoredSlot } from '../../src/state/row-layout.ts';
import { paneOf, planWindows } from '../../src/state/windows.ts';
import { oneScored } from '../support/one-scored.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';

const lengths = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 };
const windows = planWindows(
  Object.entries(lengths).map(([name, lengthMs]) => ({ name, lengthMs })),
  5_000,
);
/** Windows in three tiers. */
const settings = { ...settingsOf(viewConfig(), undefined), windows };
const { tiers } = windows;
const row = oneScored(settings.layout);

/** What was scored in a pane of a tier (from 1), by slice. */
function scoredIn(panes: Panes, tier: number, pane: number): [slice: number, scored: number][] {
  const found: [number, number][] = [];
  forSlices(panes, tier - 1, pane, (slice, chunk, at) => void found.push([slice, chunk[at + scoredSlot]!]));
  return found.sort(([a], [b]) => a - b);
}

test('panes hold what was added to each of them, for many slices, in every tier, and after a restart', () => {
  // Tiers share the numbers of panes, and window `all` is pane 0 of tier 0.
  const place = fc.record({ slice: fc.nat(40), tier: fc.nat(tiers.length), pane: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 80, size: 'max' }), fc.boolean(), (places, expires) => {
      const panes = createPanes(settings);
      const model = new Map<string, number>();
      for (const { slice, tier, pane: given } of places) {
        const pane = tier === 0 ? 0 : given;
        addToPane(panes, row, slice, tier, pane);
        const key = `${slice} ${tier} ${pane}`;
        model.set(key, (model.get(key) ?? 0) + 1);
      }
      if (expires) addExpired(panes, 0);
      const check = (): void => {
        const found: [string, number][] = [];
        for (let slice = 0; slice <= 40; slice++) {
          const row = findRow(panes.table, slice, 0, 0, 0);
          const at = valuesAt(panes.table, row) + scoredSlot;
          if (row >= 0) found.push([`${slice} 0 0`, chunkOf(panes.table, row)[at]!]);
        }
        for (let tier = 1; tier <= tiers.length; tier++)
          for (let pane = 0; pane <= 3; pane++)
            for (const [slice, scored] of scoredIn(panes, tier, pane)) found.push([`${slice} ${tier} ${pane}`, scored]);
        assert.deepEqual(found.sort(), [...model].sort());
        assert.deepEqual(
          tiers.map((_, index) => expiredIn(panes, index, 0)),
          tiers.map(() => Number(expires)),
        );
      };
      check();
      restorePanes(panes, 0);
      check();
      restorePanes(panes, startMs);
      const kept = tiers.flatMap((_, tier) => panesBetween(panes, tier, Number.NEGATIVE_INFINITY, 3));
      assert.deepEqual(kept, [], 'no window reaches them any more');
    }),
  );
});

test('the panes between two are those that hold anything, also where an end is not finite', () => {
  const bound = fc.oneof(
    fc.integer({ min: -5, max: 45 }),
    fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(40)), bound, bound, (held, first, last) => {
      const panes = createPanes(settings);
      for (const pane of held) addToPane(panes, row, 0, 1, pane);
      const between = held.filter((pane) => pane >= first && pane <= last);
      const ascending = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
      assert.deepEqual(ascending(panesBetween(panes, 0, first, last)), ascending(between));
      assert.deepEqual(panesBetween(panes, 1, first, last), [], 'another tier');
    }),
  );
});

test('what is gone does not come back: neither by an older time nor by a restart', () => {
  const [tier] = tiers;
  const floor = paneOf(tier!, startMs) - tier!.panes + 1;
  const expiredAt = (panes: Panes, pane: number): number => {
    addExpired(panes, pane * tier!.paneMs);
    return expiredIn(panes, 0, pane);
  };
  const dropped = createPanes(settings);
  dropPanes(dropped, startMs);
  dropPanes(dropped, startMs - 10 * tier!.paneMs);
  const restored = createPanes(settings);
  restorePanes(restored, startMs);
  for (const panes of [dropped, restored])
    assert.deepEqual(
      [floor - 1, floor].map((pane) => expiredAt(panes, pane)),
      [0, 1],
    );
});

test('dropping takes out the panes below the floor, and no other', () => {
  const [tier] = tiers;
  const floor = paneOf(tier!, startMs) - tier!.panes + 1;
  const panes = createPanes(settings);
  const around = [floor - 2, floor - 1, floor, floor + 1];
  for (const pane of around) addToPane(panes, row, 0, 1, pane);
  const { size } = panes.table;
  dropPanes(panes, startMs);
  assert.deepEqual(panesBetween(panes, 0, floor - 2, floor + 1), [floor, floor + 1]);
  assert.equal(panes.table.size, size - 2);
  assert.deepEqual(
    around.map((pane) => scoredIn(panes, 1, pane).length),
    [0, 0, 1, 1],
  );
});

test('panes are found one by one where few are asked for, else among those held', () => {
  const panes = createPanes(settings);
  for (const pane of [1, 2, 3, 4, 5]) addToPane(panes, row, 0, 1, pane);
  assert.deepEqual(panesBetween(panes, 0, 2, 3), [2, 3]);
  assert.deepEqual(panesBetween(panes, 0, Number.NEGATIVE_INFINITY, 2), [1, 2]);
});

test('a floor that is raised tells how many rows it drops, and none where it lies no higher', () => {
  const panes = createPanes(settings);
  for (const pane of [1, 2, 3]) for (const slice of [0, 1]) addToPane(panes, row, slice, 1, pane);
  assert.deepEqual(
    [3, 3, 1, 4].map((floor) => raiseFloor(panes, 0, floor)),
    [4, 0, 0, 2],
  );
  assert.deepEqual([panes.floors[0], panes.table.size], [4, 0]);
});

test('what a slice adds to the pane that it used last needs no look into the index', () => {
  const panes = createPanes(settings);
  const add = (slice: number): void => {
    for (let tier = 0; tier <= tiers.length; tier++) addToPane(panes, row, slice, tier, tier * slice);
  };
  const slices = Array.from({ length: 40 }, (_, slice) => slice);
  slices.forEach(add);
  const { size, slots } = panes.table;
  const index = slots.slice();
  slots.fill(0);
  slices.forEach(add);
  assert.equal(panes.table.size, size);
  slots.set(index);
  for (const slice of slices) assert.deepEqual(scoredIn(panes, 1, slice), [[slice, 2]]);
});

test('what expired is found in the first row too', () => {
  const panes = createPanes(settings);
  for (const slice of [0, 1]) addToPane(panes, row, slice, 1, 0);
  raiseFloor(panes, 0, 1);
  addExpired(panes, tiers[0]!.paneMs);
  assert.equal(findRow(panes.table, -1, 1, 1, 0), 0);
  assert.equal(expiredIn(panes, 0, 1), 1);
});

test('what expired before anything was scored is no slice', () => {
  const panes = createPanes(settings);
  addExpired(panes, 0);
  assert.deepEqual(scoredIn(panes, 1, 0), []);
  assert.equal(expiredIn(panes, 0, 0), 1);
});
