import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { evictionTimeOf, watermarkOf } from '../../src/state/event-time.ts';
import { addUnscored, dropPanes } from '../../src/state/panes.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { addPending } from '../../src/state/pending.ts';
import { windowCounts } from '../../src/state/window-counts.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { paneOf, paneSlot, planWindows } from '../../src/state/windows.ts';
import { oneScored } from '../support/one-scored.ts';
import { startMs, viewConfig } from '../support/viewed-traffic.ts';
import { runs } from '../support/soak.ts';

const seconds = (count: number): number => 1_000 * count;
const named = (lengths: Readonly<Record<string, number>>): { name: string; lengthMs: number }[] =>
  Object.entries(lengths).map(([name, length]) => ({ name, lengthMs: seconds(length) }));

test('windows ascend by length; those whose panes are equally wide share a tier as long as the longest of them', () => {
  assert.deepEqual(planWindows(named({ '1h': 3_600, '5m': 300, '1m': 60, '1d': 86_400 }), seconds(5)), {
    windows: [
      { name: '1m', lengthMs: seconds(60), tier: 0, panes: 12 },
      { name: '5m', lengthMs: seconds(300), tier: 0, panes: 60 },
      { name: '1h', lengthMs: seconds(3_600), tier: 1, panes: 360 },
      { name: '1d', lengthMs: seconds(86_400), tier: 2, panes: 360 },
    ],
    tiers: [
      { paneMs: seconds(5), panes: 60 },
      { paneMs: seconds(10), panes: 360 },
      { paneMs: seconds(240), panes: 360 },
    ],
    longestMs: seconds(86_400),
  });
});

test('a pane is a multiple of the finest one, the least of which 360 cover a window', () => {
  const widths = [1_799, 1_800, 1_801, 3_600, 3_601, 7].map((length) => {
    const { tiers, windows } = planWindows(named({ w: length }), seconds(5));
    return [tiers[0]!.paneMs / 1_000, tiers[0]!.panes, windows[0]!.panes];
  });
  assert.deepEqual(widths, [
    [5, 360, 360],
    [5, 360, 360],
    [10, 181, 181],
    [10, 360, 360],
    [15, 241, 241],
    [5, 2, 2],
  ]);
});

test('where there is no window nothing is ever late', () => {
  assert.deepEqual(planWindows([], seconds(5)), { windows: [], tiers: [], longestMs: 0 });
});

test('the pane of a time begins with it, before 1970 too', () => {
  const tier = { paneMs: 10, panes: 3 };
  assert.deepEqual(
    [-11, -10, -1, 0, 9, 10].map((ts) => paneOf(tier, ts)),
    [-2, -1, -1, 0, 0, 1],
  );
});

test('panes lie in a ring of as many as are kept, those before 1970 too', () => {
  const tier = { paneMs: 10, panes: 3 };
  assert.deepEqual(
    [-4, -3, -2, -1, 0, 1, 2, 3, 7].map((pane) => paneSlot(tier, pane)),
    [2, 0, 1, 2, 0, 1, 2, 0, 1],
  );
});

test('eviction goes by whole seconds of the greatest event time, the watermark lies behind it', () => {
  assert.deepEqual([0, 999, 1_000, 1_999, -1].map(evictionTimeOf), [0, 0, 1_000, 1_000, -1_000]);
  assert.equal(watermarkOf({ numbers: { greatestTs: 500 }, settings: { outOfOrdernessMs: 30 } }), 470);
});

const settings = settingsOf(viewConfig(), undefined);
const kinds = ['scored', 'pending', 'expired', 'rejected'] as const;

interface Happening {
  readonly kind: (typeof kinds)[number];
  /** Event time moves on so far; the event lies so far before it. */
  readonly on: number;
  readonly back: number;
}

test('the counts of a window are those of the events whose panes it covers, over all partitions', () => {
  const happenings = fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      on: fc.oneof(fc.nat(20_000), fc.nat(900_000)),
      back: fc.oneof(fc.constant(0), fc.nat(90_000), fc.nat(4_000_000)),
    }),
    { maxLength: 30, size: 'max' },
  );
  // In 1970 the panes of all tiers have the same numbers.
  const from = fc.constantFrom(startMs, 4_000_000);
  fc.assert(
    fc.property(fc.tuple(happenings, happenings), fc.nat(4_000_000), from, (partitions, later, fromMs) => {
      const states = partitions.map((list) => stateAfter(list, fromMs));
      const asOfMs = Math.max(fromMs, ...states.map(({ nowMs }) => nowMs)) + later;
      const events = states.flatMap((each) => each.events);
      const counts = windowCounts(
        states.map(({ state }) => state),
        settings,
        asOfMs,
      );
      const all = { window: 'all', ...countsOf(events) };
      const windows = settings.windows.windows.map(({ name, tier, panes }) => {
        const newest = paneOf(settings.windows.tiers[tier]!, asOfMs);
        const within = events.filter(({ ts, late }) => {
          const age = newest - paneOf(settings.windows.tiers[tier]!, ts);
          return !late && age >= 0 && age < panes;
        });
        return { window: name, ...countsOf(within) };
      });
      assert.deepEqual(counts, [all, ...windows]);
      const atNoTime = windowCounts(
        states.map(({ state }) => state),
        settings,
        undefined,
      );
      assert.deepEqual(atNoTime, [all, ...windows.map(({ window }) => ({ window, ...countsOf([]) }))]);
    }),
    { numRuns: runs(20) },
  );
});

interface Counted {
  readonly kind: (typeof kinds)[number];
  readonly ts: number;
  readonly late: boolean;
}

/** A partition to which these events happened. */
function stateAfter(list: readonly Happening[], fromMs: number) {
  const state = emptyPartition(settings);
  const row = oneScored(settings.layout);
  const events: Counted[] = [];
  let nowMs = fromMs;
  for (const { kind, on, back } of list) {
    nowMs += on;
    const ts = nowMs - back;
    evictPanes(state.sums, evictionTimeOf(nowMs));
    if (kind === 'pending') {
      addPending(state.pending, { exampleId: 'e', ts, offset: events.length, element: 0 }, '{}');
      events.push({ kind, ts, late: false });
      continue;
    }
    if (kind === 'rejected') state.rejected[0]!++;
    else state.numbers[kind]++;
    const inTime = kind !== 'scored' || tallyEvent(state.sums, row, events.length % 5, ts, nowMs);
    if (kind !== 'scored') addUnscored(state.panes, kind, ts);
    events.push({ kind, ts, late: !inTime });
  }
  return { state, events, nowMs };
}

function countsOf(events: readonly Counted[]): Record<(typeof kinds)[number], number> {
  const count = (of: string): number => events.filter(({ kind }) => kind === of).length;
  return { scored: count('scored'), pending: count('pending'), expired: count('expired'), rejected: count('rejected') };
}

test('where there is no window no event is late', () => {
  const { sums } = emptyPartition({ ...settings, windows: planWindows([], 5_000) });
  const row = oneScored(settings.layout);
  assert.ok(tallyEvent(sums, row, 0, startMs - 1, startMs));
});

test('panes that no window reaches any more leave memory', () => {
  const state = emptyPartition(settings);
  const row = oneScored(settings.layout);
  const { table, rows } = state.panes;
  tallyEvent(state.sums, row, 0, startMs, startMs);
  const { tiers } = settings.windows;
  assert.equal(table.size, 1 + tiers.length);
  tiers.forEach((tier, index) => {
    const endMs = (paneOf(tier, startMs) + tier.panes) * tier.paneMs;
    dropPanes(state.panes, endMs - 1);
    assert.equal(rows[index]!.size, 1, 'still reached by the longest window of its tier');
    dropPanes(state.panes, endMs);
    assert.equal(rows[index]!.size, 0);
  });
  assert.equal(table.size, 1, 'window `all` stays');
});
