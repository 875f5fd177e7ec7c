import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { codeOf } from '../../src/state/containers/dictionary.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { createKeptRows, type KeptRows } from '../../src/view/kept-rows.ts';
import { mergeSlices } from '../../src/view/merge-slices.ts';
import { encodeSnapshot, restored } from '../support/encoded.ts';
import { minuteMs, startMs, viewConfig } from '../support/viewed-traffic.ts';

/** Rows that are kept from view to view are those that a view makes anew. */

// Panes of 10 s, and of a minute for six hours.
const settings = settingsOf(viewConfig(['1m', '10m', '6h']), undefined);
const { addition, tallies } = createAdditionWriter(settings.layout);

/** A partition, and how an event of a model is added to it. */
function partition(): { readonly state: PartitionState; add(model: string, tsMs: number): void } {
  const state = emptyPartition(settings);
  let greatestMs = Number.NEGATIVE_INFINITY;
  return {
    state,
    add(model, tsMs) {
      greatestMs = Math.max(greatestMs, tsMs);
      const slice = codeOf(
        state.slices.dictionary,
        JSON.stringify([model, ...settings.dimensions.slice(1).map(() => '')]),
      );
      evictPanes(state.sums, greatestMs);
      clearAddition(addition, 1);
      tallies[0]!.count(0, 1);
      tallyEvent(state.sums, addition.row, slice, tsMs, greatestMs);
    },
  };
}

const key = { id: 'a', nextOffset: 0, group: 'g', topic: 't', partition: 0 };

type Rows = Map<unknown, readonly (Float64Array | undefined)[]>;

/** The rows of each model. */
function rowsAt(states: readonly PartitionState[], asOfMs: number | undefined, kept?: KeptRows): Rows {
  const { slices } = mergeSlices(states, settings, asOfMs, false, kept);
  return new Map(slices.map(({ values, rows }) => [values[0], Array.from({ length: 4 }, (_, window) => rows[window])]));
}

/** What the rows hold: one with nothing in it is as good as none. */
function held(rows: Rows): unknown {
  return [...rows].map(([model, own]) => [model, own.map((row) => (row?.some((cell) => cell !== 0) ? [...row] : []))]);
}

const steps = fc.array(
  fc.record({
    partition: fc.nat(1),
    model: fc.constantFrom('a', 'b', 'c'),
    onMs: fc.oneof(fc.nat(15_000), fc.nat(15_000), fc.nat(20 * minuteMs), fc.nat(10 * 60 * minuteMs)),
    lateMs: fc.oneof(fc.constant(0), fc.nat(11 * minuteMs), fc.nat(7 * 60 * minuteMs)),
    reads: fc.array(
      fc.record({
        onMs: fc.oneof(fc.constant(0), fc.nat(25_000), fc.nat(2 * minuteMs), fc.integer({ min: -minuteMs, max: 0 })),
        held: fc.constantFrom(2, 2, 2, 1, 0),
      }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 30 },
);

test('rows that are kept are those of a view of its own, whatever is added, and whichever T and partitions are read', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (all, withWindows) => {
      const parts = [partition(), partition()];
      const kept = createKeptRows();
      let nowMs = startMs;
      for (const { partition: number, model, onMs, lateMs, reads } of all) {
        nowMs += onMs;
        parts[number]!.add(model, nowMs - lateMs);
        for (const read of reads) {
          const states = parts.slice(0, read.held).map(({ state }) => state);
          const asOfMs = withWindows ? nowMs + read.onMs : undefined;
          assert.deepEqual(held(rowsAt(states, asOfMs, kept)), held(rowsAt(states, asOfMs)));
        }
      }
    }),
    { numRuns: 300 },
  );
});

/** By model, which of its rows are those of before: `all`, 1m, 10m, 6h. */
function same(before: Rows, after: Rows): Record<string, string> {
  const told = (model: unknown): string =>
    after
      .get(model)!
      .map((row, window) => (row === before.get(model)?.[window] ? '=' : '!'))
      .join('');
  return Object.fromEntries([...after.keys()].map((model) => [model, told(model)]));
}

test('a row is made anew only where its slice has changed, or a pane of it came into the window or left', () => {
  const { state, add } = partition();
  const kept = createKeptRows();
  const read = (asOfMs: number | undefined): Rows => rowsAt([state], asOfMs, kept);
  add('early', startMs);
  add('often', startMs + 30_000);
  add('often', startMs + 50_000);
  const first = read(startMs + 50_000);
  const again = read(startMs + 50_000);
  assert.deepEqual(same(first, again), { early: '====', often: '====' });
  // The pane of `early` has left the minute, and that of the newest event may have been in another pane of the six hours.
  const later = read(startMs + 60_000);
  assert.deepEqual(same(again, later), { early: '=!=!', often: '=!!!' });
  add('often', startMs + 50_001);
  const grown = read(startMs + 60_000);
  assert.deepEqual(same(later, grown), { early: '====', often: '!!!!' });
  // Its pane leaves the sums of the minute.
  add('often', startMs + 60_000);
  assert.deepEqual(same(grown, read(startMs + 60_000)), { early: '!!!!', often: '!!!!' });
  // Nothing of `early` leaves a window; the newest pane of `often` is in no sum yet.
  const last = read(startMs + 70_000);
  assert.deepEqual(same(last, read(startMs + 80_000)), { early: '====', often: '=!!=' });
});

test('nothing is kept of a time before the newest event, nor of other partitions, nor of fewer', () => {
  const [one, two, three] = [partition(), partition(), partition()];
  for (const { add } of [one, two, three]) add('a', startMs);
  const all = [one.state, two.state];
  const nothing = { a: '!!!!' };
  for (const [before, after] of [
    [all, [one.state]],
    [[one.state], all],
    [[one.state], [two.state]],
    [all, [one.state, three.state]],
  ] as const) {
    const kept = createKeptRows();
    assert.deepEqual(same(rowsAt(before, startMs, kept), rowsAt(after, startMs, kept)), nothing);
    assert.deepEqual(same(rowsAt(after, startMs, kept), rowsAt(after, startMs, kept)), { a: '====' });
  }
  one.add('a', startMs + minuteMs);
  const kept = createKeptRows();
  assert.deepEqual(same(rowsAt(all, startMs, kept), rowsAt(all, startMs, kept)), nothing);
});

test('a partition that comes has its rows, though none has changed since it was restored', () => {
  const [one, two] = [partition(), partition()];
  for (const { add } of [one, two]) add('a', startMs);
  two.state.numbers.greatestTs = startMs;
  const { store } = restored([encodeSnapshot(storeOf(two.state, {}), key)]);
  const states = [one.state, finish(restoredPartition(settings, store))];
  const kept = createKeptRows();
  rowsAt([one.state], startMs, kept);
  assert.deepEqual(held(rowsAt(states, startMs, kept)), held(rowsAt([one.state, two.state], startMs)));
});

test('where no T is told, the rows of all time are kept', () => {
  const { state, add } = partition();
  for (const model of ['a', 'b']) add(model, startMs);
  const kept = createKeptRows();
  const ofAll = (rows: Rows): readonly unknown[] => ['a', 'b'].map((model) => rows.get(model)![0]);
  const before = ofAll(rowsAt([state], undefined, kept));
  add('b', startMs);
  const after = ofAll(rowsAt([state], undefined, kept));
  assert.deepEqual([after[0] === before[0], after[1] === before[1]], [true, false]);
});
