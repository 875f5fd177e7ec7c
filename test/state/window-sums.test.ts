import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { chunkOf, findRow, keyOf, liveRows, valuesAt } from '../../src/state/containers/table.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { evictionTimeOf } from '../../src/state/event-time.ts';
import { addExpired, type Panes, paneKeys, restorePanes } from '../../src/state/panes.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { addRow, subtractRow } from '../../src/state/row-layout.ts';
import {
  createWindowSums,
  evictPanes,
  forWindows,
  restoreSums,
  tallyEvent,
  type WindowSums,
} from '../../src/state/window-sums.ts';
import { paneOf, paneSlot, planWindows } from '../../src/state/windows.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { oneScored } from '../support/one-scored.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';

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
        if (back > 300_000) addExpired(panes, nowMs - back);
        if (restored) {
          restorePanes(panes, evictionMs);
          sums = createWindowSums(panes);
          restoreSums(sums, evictionMs);
        }
        for (const asOfMs of [nowMs, nowMs + later, nowMs - earlier])
          assert.deepEqual(bySums(sums, asOfMs), byPanes(panes, asOfMs), `at ${asOfMs - nowMs}`);
      }
    }),
    { numRuns: 30 },
  );
});

test('a view from the newest event on takes a sum and the panes beside it, not every pane', () => {
  const state = emptyPartition(settings);
  const { panes, sums } = state;
  const row = oneScored(panes.layout);
  const { windows, tiers } = panes.plan;
  for (let second = 0; second <= 3_600; second++) {
    const ts = startMs + 1_000 * second;
    evictPanes(sums, ts);
    tallyEvent(sums, row, 0, ts, ts);
  }
  const nowMs = startMs + 3_600_000;
  const addends = (asOfMs: number, of: WindowSums = sums): number[] => {
    const counts = windows.map(() => 0);
    forWindows(of, asOfMs, (_slice, window) => counts[window]!++);
    return counts;
  };
  assert.deepEqual(
    addends(nowMs),
    windows.map(() => 2),
    'the sum, and the pane of the newest event',
  );
  const restored = createWindowSums(panes);
  restoreSums(restored, nowMs);
  assert.deepEqual(addends(nowMs, restored), addends(nowMs), 'after a restart too');
  // A pane later a window is the sum, the newest pane, and the oldest one of the sum to be taken away.
  assert.equal(tiers.length, 3);
  const [finest] = tiers;
  assert.equal(addends(nowMs + finest!.paneMs)[0], 3);
  assert.equal(addends(nowMs - finest!.paneMs)[0], windows[0]!.panes, 'before the newest event every pane');
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

test('without windows nothing is late', () => {
  const { sums } = emptyPartition({ ...settings, windows: planWindows([], 5_000) });
  assert.equal(tallyEvent(sums, oneScored(settings.layout), 0, 0, startMs), true);
});

test('a pane that is in the sums grows with what comes late; sums do not go back', () => {
  const { panes, sums } = emptyPartition(settings);
  const row = oneScored(panes.layout);
  const [tier] = panes.plan.tiers;
  const [early, nowMs] = [startMs, startMs + 2 * tier!.paneMs];
  evictPanes(sums, nowMs);
  tallyEvent(sums, row, 0, nowMs, nowMs);
  assert.equal(sums.grown[0]![paneSlot(tier!, paneOf(tier!, nowMs))], 0, 'its sums are read from the pane');
  for (const times of [1, 2]) {
    tallyEvent(sums, row, 0, early, nowMs);
    assert.equal(sums.grown[0]![paneSlot(tier!, paneOf(tier!, early))], times);
  }
  const grown = sums.grown.flatMap((ofTier) => [...ofTier]);
  assert.equal(
    sums.grownInAll,
    grown.reduce((all, times) => all + times),
  );
  const settled = [...sums.settled];
  evictPanes(sums, early);
  assert.deepEqual(sums.settled, settled);
});

test('readings that are kept of a slice see that its cells have changed: in window `all`, a pane or a sum', () => {
  const { panes, sums } = emptyPartition(settings);
  const row = oneScored(panes.layout);
  const numbers = (): number[] => [0, 1].map((slice) => sums.changes[slice] ?? 0);
  /** Of which of two slices the number has grown. */
  const grownBy = (change: () => void): boolean[] => {
    const before = numbers();
    change();
    return numbers().map((number, slice) => number > before[slice]!);
  };
  assert.deepEqual(numbers(), [0, 0]);
  const later = (ms: number) => () => evictPanes(sums, startMs + ms);
  const { paneMs, panes: kept } = panes.plan.tiers[0]!;
  evictPanes(sums, startMs);
  assert.deepEqual(
    grownBy(() => tallyEvent(sums, row, 0, startMs, startMs)),
    [true, false],
  );
  assert.deepEqual(grownBy(later(paneMs)), [true, false], 'its pane is settled');
  assert.deepEqual(
    grownBy(() => tallyEvent(sums, row, 1, 0, startMs)),
    [false, true],
    'too late for any window but `all`',
  );
  assert.deepEqual(grownBy(later(paneMs)), [false, false], 'no pane has moved');
  assert.deepEqual(grownBy(later(kept * paneMs)), [true, false], 'its pane leaves the sums');
});

/** Cells by slice and window, where anything was scored. */
type Cells = Record<string, number[]>;

function bySums(sums: WindowSums, asOfMs: number): Cells {
  const { layout } = sums.panes;
  const rows = new Map<string, Float64Array>();
  forWindows(sums, asOfMs, (slice, window, from, at, sign) => {
    const row = rows.get(`${slice} ${window}`) ?? new Float64Array(layout.width);
    rows.set(`${slice} ${window}`, row);
    (sign > 0 ? addRow : subtractRow)(layout, row, 0, from, at);
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
