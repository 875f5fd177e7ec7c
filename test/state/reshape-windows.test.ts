import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Begun } from '../../src/state/begun.ts';
import { addBlames } from '../../src/state/blames.ts';
import { addExpired, addToPane, expiredIn, forSlices, type Panes, panesBetween } from '../../src/state/panes.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredUnder } from '../../src/state/reshape.ts';
import { layoutOf, scoredSlot } from '../../src/state/row-layout.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { finish } from '../../src/state/steps.ts';
import { blaming } from '../support/blames.ts';
import { oneScored } from '../support/one-scored.ts';

/** Seconds that a pane of each tier is long, and how many of them the windows have: `1x30,60 5x12`. */
type Tiers = string;

const layout = layoutOf([]);
const base = { ...settingsOf(loadConfig({}).config, undefined), layout, stability: undefined };
const row = oneScored(layout);
/** Windows move on by the second: the newest pane of a second is number 100. */
const nowMs = 100_500;

function tiersOf(tiers: Tiers): { readonly seconds: number; readonly panes: readonly number[] }[] {
  return tiers.split(' ').map((tier) => {
    const [seconds, panes] = tier.split('x') as [string, string];
    return { seconds: Number(seconds), panes: panes.split(',').map(Number) };
  });
}

function settingsWith(of: Tiers): Settings {
  const windows = tiersOf(of).flatMap(({ seconds, panes }, tier) =>
    panes.map((count) => ({ name: `${count * seconds}s`, lengthMs: 1_000 * count * seconds, tier, panes: count })),
  );
  const tiers = tiersOf(of).map(({ seconds, panes }) => ({ paneMs: 1_000 * seconds, panes: Math.max(...panes) }));
  return { ...base, windows: { windows, tiers, longestMs: Math.max(...windows.map(({ lengthMs }) => lengthMs)) } };
}

function stateAt(greatestTs: number, tiers: Tiers): PartitionState {
  const state = emptyPartition(settingsWith(tiers));
  sliceCode(state.slices, ['m']);
  Object.assign(state.numbers, { greatestTs, nextOffset: 8, lastOffset: 7 });
  return state;
}

function reshaped(state: PartitionState, tiers: Tiers): PartitionState {
  const after = settingsWith(tiers);
  const reshaping = { before: state.settings, after, anew: new Set<string>() };
  return finish(restoredUnder(after, storeOf(state, {}), reshaping));
}

/** Adds once to each pane of a tier. */
function fill({ panes }: PartitionState, tier: number, from: number, to: number): void {
  for (let pane = from; pane <= to; pane++) addToPane(panes, row, 0, tier, pane);
}

/** What lies in the panes of a tier, as `pane: scored`. */
function scoredIn(panes: Panes, tier: number): string[] {
  const found = panesBetween(panes, tier - 1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return found
    .sort((a, b) => a - b)
    .map((pane) => {
      let scored = 0;
      forSlices(panes, tier - 1, pane, (_slice, chunk, at) => {
        scored += chunk[at + scoredSlot]!;
      });
      return `${pane}: ${scored}`;
    });
}

test('panes stay, and are added to those that they are part of, from the first one on that a window reaches', () => {
  const state = stateAt(nowMs, '1x60');
  fill(state, 0, 0, 0);
  fill(state, 1, 41, 100);
  const { panes } = reshaped(state, '1x3 20x3');
  assert.deepEqual(scoredIn(panes, 1), ['98: 1', '99: 1', '100: 1']);
  // Seconds 60 to 79, 80 to 99, and the last; no window reaches what lies before.
  assert.deepEqual(scoredIn(panes, 2), ['3: 20', '4: 20', '5: 1']);
  assert.equal(panes.table.size, 7, 'window `all` is there too, once');
});

test('what expired, which lies in no slice, stays and is added as what was scored', () => {
  const state = stateAt(nowMs, '1x60');
  for (const second of [79, 80, 99]) addExpired(state.panes, 1_000 * second);
  const { panes } = reshaped(state, '1x3 20x3');
  assert.deepEqual([expiredIn(panes, 0, 99), expiredIn(panes, 1, 3), expiredIn(panes, 1, 4)], [1, 1, 2]);
});

test('a tier is made of that one which holds most of it, of those that hold as much of the coarsest', () => {
  const sourceOf = (before: Tiers, after: Tiers): string | undefined => {
    const state = stateAt(nowMs, before);
    // The tiers tell themselves apart by what lies in their newest pane.
    tiersOf(before).forEach(({ seconds }, tier) => {
      for (let times = 0; times <= tier; times++) addToPane(state.panes, row, 0, tier + 1, Math.floor(100 / seconds));
    });
    return scoredIn(reshaped(state, after).panes, 1).at(-1);
  };
  const cases: readonly (readonly [Tiers, Tiers, string | undefined])[] = [
    ['1x10 2x60', '4x20', '25: 2'],
    ['1x100 2x5', '4x20', '25: 1'],
    ['1x100 2x50', '4x5', '25: 2'],
    ['1x90 2x20', '4x5', '25: 2'],
    ['1x100 3x50', '4x20', '25: 1'],
    ['1x60 4x20', '2x60', '50: 1'],
    ['2x60 3x60', '1x60', undefined],
  ];
  for (const [before, after, source] of cases) assert.equal(sourceOf(before, after), source, before);
});

test('a window begins where it reaches further back than what is kept, or than what that holds all of', () => {
  const since = (lengthMs: number, sinceMs: number): Begun => {
    return { kind: 'window', name: `${lengthMs}`, sinceMs, offset: 8 };
  };
  const cases: readonly (readonly [string, Tiers, Tiers, Begun[], Begun[]])[] = [
    ['as long as before', '1x60', '1x60', [], []],
    ['longer', '1x60', '1x60,61', [], [since(61_000, 41_000)]],
    ['of coarser panes that lie in those kept', '1x60', '2x30', [], []],
    ['of coarser panes, one too many', '1x60', '2x31', [], [since(62_000, 41_000)]],
    ['of finer panes', '2x60', '1x3', [], [since(3_000, nowMs)]],
    ['of panes that are no sums', '2x60', '3x3', [], [since(9_000, nowMs)]],
    ['that had begun', '1x60', '1x60', [since(60_000, 70_000)], [since(60_000, 70_000)]],
    ['shorter than one that had begun before it', '1x60', '1x30', [since(60_000, 71_000)], []],
    ['shorter than one that has begun since', '1x60', '1x30', [since(60_000, 71_001)], [since(30_000, 71_001)]],
    ['that had begun, beside one that holds more', '1x30,60', '1x60', [since(60_000, 80_000)], [since(60_000, 71_000)]],
    ['of another tier', '1x10 5x12', '5x12,13', [since(10_000, 99_000)], [since(65_000, 45_000)]],
  ];
  for (const [what, before, after, earlier, begun] of cases) {
    const state = stateAt(nowMs, before);
    state.begun.push(...earlier);
    assert.deepEqual(reshaped(state, after).begun, begun, what);
  }
});

test('before the first event no window begins', () => {
  const state = stateAt(Number.NEGATIVE_INFINITY, '1x60');
  assert.deepEqual(reshaped(state, '1x61 3x3').begun, []);
});

test('a tier holds all that is blamed from the first pane on that lies behind the floor of what it is made of', () => {
  const floorsOf = (floor: number, before: Tiers, after: Tiers): number[] => {
    const state = stateAt(nowMs, before);
    state.blames.floors.fill(floor);
    return [...reshaped(state, after).blames.floors];
  };
  assert.deepEqual(floorsOf(60, '1x60', '1x50 2x30 7x8'), [60, 30, 9]);
  assert.deepEqual(floorsOf(61, '1x60', '2x30'), [31]);
  // Where nothing was dropped, or nothing is kept, from the first pane of the windows on.
  assert.deepEqual(floorsOf(Number.NEGATIVE_INFINITY, '1x60', '2x30'), [21]);
  assert.deepEqual(floorsOf(60, '2x60', '1x60'), [41]);
});

test('what is blamed moves with its pane, less what lies below a floor', () => {
  const state = stateAt(nowMs, '1x60');
  for (const second of [60, 61, 62, 63]) addBlames(state.blames, blaming(scoredSlot, ['x']), 0, 1_000 * second);
  state.blames.floors[0] = 61;
  const { blames } = reshaped(state, '2x30');
  assert.deepEqual([...blames.rows[0]!.keys()], [31], 'half of pane 30 had been dropped');
});
