import type { Layout } from '../state/row-layout.ts';
import { rejectCodes } from '../state/reject.ts';
import type { PartitionState } from '../state/partition.ts';
import { paneKeys } from '../state/panes.ts';
import { sliceValues } from '../state/slices.ts';
import { chunkOf, isLive, keyOf, liveRows, type Table, valuesAt } from '../state/containers/table.ts';
import { modelCounters, modelSeries, type Telemetry, topicCounters } from '../telemetry.ts';

/**
 * The additions of a partition to the process-lifetime counters: the difference between its window `all` at one checkpoint and at the one
 * before. It is taken with a checkpoint, and published when the group accepts the commit of that checkpoint.
 */
export interface Publisher {
  /** Adds what changed since the last call to what waits for publication. Call it with every checkpoint, before that is encoded. */
  collect(): void;
  /** Moves what waits into the counters. */
  publish(telemetry: Telemetry, topic: string): void;
}

/** A publisher that starts from the state as it is: what was restored counts as published. */
export function createPublisher(state: PartitionState): Publisher {
  const { layout } = state.settings;
  const terms = termsOf(layout);
  const shadows = new Map<number, Float64Array>();
  const waiting = new Map<string, Float64Array>();
  const { table } = state.panes;
  for (const row of liveRows(table)) copyTotals(table, row, shadows);
  let counted = countsOf(state);
  let published = counted;
  return {
    collect() {
      for (const row of table.changes.rows) {
        if (!isLive(table, row)) continue;
        const slice = keyOf(table, row, paneKeys.slice);
        if (keyOf(table, row, paneKeys.tier) !== 0 || slice < 0) continue;
        const chunk = chunkOf(table, row);
        const at = valuesAt(table, row);
        const shadow = shadows.get(slice) ?? new Float64Array(layout.width);
        const model = sliceValues(state.slices, slice)[0]!;
        const into = waiting.get(model) ?? new Float64Array(modelSeries.length);
        waiting.set(model, into);
        for (const { series, slot, factor } of terms) into[series]! += factor * (chunk[at + slot]! - shadow[slot]!);
        shadow.set(chunk.subarray(at, at + layout.width));
        shadows.set(slice, shadow);
      }
      counted = countsOf(state);
    },
    publish(telemetry, topic) {
      for (const [model, delta] of waiting) {
        const counters = modelCounters(telemetry, model).cells;
        for (let cell = 0; cell < counters.length; cell++) counters[cell]! += delta[cell]!;
      }
      waiting.clear();
      publishCounts(telemetry, topic, published, counted);
      published = counted;
    },
  };
}

interface Counts {
  readonly scored: number;
  readonly expired: number;
  readonly duplicates: number;
  readonly late: number;
  readonly steps: number;
  readonly lateSteps: number;
  readonly rejected: Float64Array;
}

function countsOf({ numbers, input, rejected }: PartitionState): Counts {
  const { scored, expired, duplicates, late, steps } = numbers;
  const { late_steps: lateSteps } = input;
  return { scored, expired, duplicates, late, steps, lateSteps, rejected: rejected.slice() };
}

function publishCounts(telemetry: Telemetry, topic: string, from: Counts, to: Counts): void {
  const counters = topicCounters(telemetry, topic);
  counters.scored += to.scored - from.scored;
  counters.expired += to.expired - from.expired;
  counters.duplicate += to.duplicates - from.duplicates;
  rejectCodes.forEach((_, index) => {
    const more = to.rejected[index]! - from.rejected[index]!;
    counters.rejected += more;
    telemetry.published.rejects[index]! += more;
  });
  telemetry.published.late += to.late - from.late;
  telemetry.published.steps += to.steps - from.steps;
  telemetry.published.lateSteps += to.lateSteps - from.lateSteps;
}

function copyTotals(table: Table, row: number, shadows: Map<number, Float64Array>): void {
  const at = valuesAt(table, row);
  if (keyOf(table, row, paneKeys.tier) === 0)
    shadows.set(keyOf(table, row, paneKeys.slice), chunkOf(table, row).slice(at, at + table.values));
}

/** One term of a counter: `counters[series] += factor * row[slot]`. */
interface Term {
  readonly series: number;
  readonly slot: number;
  readonly factor: number;
}

/** The terms of all counters of a model that the enabled families feed. Counters are sums of counts: what one count adds says it all. */
function termsOf({ families, slots }: Layout): Term[] {
  return families.flatMap((family, index) =>
    family.cells.flatMap((kind, cell) => {
      if (kind !== 'count') return [];
      const sums = family.sums({ count: (at) => (at === cell ? 1 : 0), sum: () => 0, entries: () => undefined });
      return modelSeries.flatMap((series, at) => {
        const factor = series.family === family.name ? series.of(sums) : 0;
        return factor === 0 ? [] : [{ series: at, slot: slots[index]![cell]!, factor }];
      });
    }),
  );
}
