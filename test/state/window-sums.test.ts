import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { chunkOf, findRow, keyOf, liveRows, valuesAt } from '../../src/state/containers/table.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { evictionTimeOf } from '../../src/state/event-time.ts';
import { addUnscored, type Panes, paneKeys, restorePanes } from '../../src/state/panes.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { addRow } from '../../src/state/row-layout.ts';
import {
  createWindowSums,
  evictPanes,
  forWindows,
  restoreSums,
  tallyEvent,
  type WindowSums,
} from '../../src/state/window-sums.ts';
import { paneOf } from '../../src/state/windows.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { oneScored } from '../support/one-scored.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';
import { runs } from '../support/soak.ts';

/** Two windows that share a tier, and two more tiers. */
const settings = {
  ...settingsOf(viewConfig(['1m', '10m', '6h', '24h']), undefined),
  layout: madeUpLayout([['count', 'sum'], []]),
};

interface Step {
  /** Event time moves on so far, and the event lies so far before it. */
  readonly on: number;
  readonly back: number;
  readonly slice: number;
  readonly value: number;
  readonly restored: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    on: fc.oneof(fc.nat(2_000), fc.nat(40_000), fc.nat(4_000_000)),
    back: fc.oneof(fc.constant(0), fc.nat(5_000), fc.nat(400_000)),
    slice: fc.nat(2),
    value: fc.constantFrom(0, 0.1, 0.9, 1 / 3, 1),
    restored: fc.boolean(),
  }),
  { maxLength: 60, size: 'max' },
);

test('running sums of windows are the sums of their panes, at any time from the newest event on and before it', () => {
  fc.assert(
    fc.property(steps, fc.nat(600_000), fc.nat(30_000), (events, later, earlier) => {
      const state = emptyPartition(settings);
      const { panes } = state;
      let { sums } = state;
      const { addition, tallies } = createAdditionWriter(panes.layout);
      let nowMs = startMs;
      for (const { on, back, slice, value, restored } of events) {
        nowMs += on;
        const evictionMs = evictionTimeOf(nowMs);
        evictPanes(sums, evictionMs);
        clearAddition(addition, 1);
        tallies[0]!.count(0, 1);
        tallies[0]!.sum(1, value);
        tallyEvent(sums, addition.row, slice, nowMs - back, nowMs);
        if (back > 300_000) addUnscored(panes, 'expired', nowMs - back);
        if (restored) {
          restorePanes(panes, evictionMs);
          sums = createWindowSums(panes);
          restoreSums(sums, evictionMs);
        }
        for (const asOfMs of [nowMs, nowMs + later, nowMs - earlier])
          assert.deepEqual(bySums(sums, asOfMs), byPanes(panes, asOfMs), `at ${asOfMs - nowMs}`);
      }
    }),
    { numRuns: runs(10) },
  );
});

test('an event is added to the panes that a window still reaches, and to window `all`; beyond the longest it is late', () => {
  const nowMs = startMs + 12_345;
  /** Whether it is in time, and by tier whether its pane is there. */
  const added = (ts: number): readonly [boolean, boolean[]] => {
    const { panes, sums } = emptyPartition(settings);
    evictPanes(sums, nowMs);
    const inTime = tallyEvent(sums, oneScored(panes.layout), 0, ts, nowMs);
    assert.ok(findRow(panes.table, 0, 0, 0, 0) >= 0, 'window `all`');
    return [inTime, panes.plan.tiers.map((tier, at) => findRow(panes.table, 0, at + 1, paneOf(tier, ts), 0) >= 0)];
  };
  const { tiers, longestMs } = settings.windows;
  const [first, second] = tiers.map((tier) => (paneOf(tier, nowMs) - tier.panes + 1) * tier.paneMs) as [number, number];
  assert.deepEqual(added(first), [true, [true, true, true]]);
  assert.deepEqual(added(first - 1), [true, [false, true, true]]);
  assert.deepEqual(added(second), [true, [false, true, true]]);
  assert.deepEqual(added(second - 1), [true, [false, false, true]]);
  assert.equal(added(nowMs - longestMs)[0], true);
  assert.deepEqual(added(nowMs - longestMs - 1), [false, [false, false, false]]);
});

/** Cells by slice and window, where anything was scored. */
type Cells = Record<string, number[]>;

function bySums(sums: WindowSums, asOfMs: number): Cells {
  const { layout } = sums.panes;
  const rows = new Map<string, Float64Array>();
  forWindows(sums, asOfMs, (slice, window, from, at, sign) => {
    const row = rows.get(`${slice} ${window}`) ?? new Float64Array(layout.width);
    rows.set(`${slice} ${window}`, row);
    addRow(layout, row, 0, from, at, sign);
  });
  return scored(rows);
}

function byPanes({ layout, plan: windows, table }: Panes, asOfMs: number): Cells {
  const rows = new Map<string, Float64Array>();
  windows.windows.forEach((window, index) => {
    for (const row of liveRows(table)) {
      if (keyOf(table, row, paneKeys.slice) < 0) continue;
      const age = paneOf(windows.tiers[window.tier]!, asOfMs) - keyOf(table, row, paneKeys.pane);
      if (keyOf(table, row, paneKeys.tier) !== window.tier + 1 || age < 0 || age >= window.panes) continue;
      const name = `${keyOf(table, row, paneKeys.slice)} ${index}`;
      const into = rows.get(name) ?? new Float64Array(layout.width);
      rows.set(name, into);
      addRow(layout, into, 0, chunkOf(table, row), valuesAt(table, row));
    }
  });
  return scored(rows);
}

function scored(rows: ReadonlyMap<string, Float64Array>): Cells {
  return Object.fromEntries(
    [...rows]
      .filter(([, row]) => row[0]! > 0)
      .sort()
      .map(([name, row]) => [name, [...row]]),
  );
}
