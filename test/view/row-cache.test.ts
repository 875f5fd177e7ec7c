import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { codeOf } from '../../src/state/containers/dictionary.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { createRowCache, type RowCache } from '../../src/view/row-cache.ts';
import { mergeSlices } from '../../src/view/merge-slices.ts';
import { minuteMs, startMs, viewConfig } from '../support/viewed-traffic.ts';
import { runs } from '../support/soak.ts';

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

type Rows = Map<unknown, readonly (Float64Array | undefined)[]>;

/** The rows of each model. */
function rowsAt(states: readonly PartitionState[], asOfMs: number | undefined, kept?: RowCache): Rows {
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
      const kept = createRowCache();
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
    { numRuns: runs(60) },
  );
});
