import { argumentsCells } from '../scoring/arguments.ts';
import { decisionCells, outcomeCell } from '../scoring/decision.ts';
import { toolCallsCells } from '../scoring/tool-calls.ts';
import type { FamilyName } from '../scoring/family.ts';
import { direct, labels, predictedNames, requestForInfo, toolCall } from '../scoring/label.ts';
import type { Layout } from '../state/row-layout.ts';
import { rejectCodes } from '../state/reject.ts';
import type { PartitionState } from '../state/partition.ts';
import { paneKeys } from '../state/panes.ts';
import { sliceValues } from '../state/slices.ts';
import { chunkOf, isLive, keyOf, liveRows, type Table, valuesAt } from '../state/containers/table.ts';
import { modelCells, modelCounters, type Telemetry, topicCounters } from '../telemetry.ts';

/**
 * What a partition adds to the process-lifetime counters: the difference between its window `all` at one cut and at the cut before.
 * It is taken with a cut, and published when the group accepts the commit of that cut.
 */
export interface Publisher {
  /** Adds what changed since the last call to what waits for publication. Call it with every cut, before the cut is encoded. */
  collect(): void;
  /** Moves what waits into the counters. */
  publish(telemetry: Telemetry, topic: string): void;
}

/** A publisher that starts from the state as it is: what was restored counts as published. */
export function createPublisher(state: PartitionState): Publisher {
  const { layout } = state.settings;
  const cells = modelCellsOf(layout);
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
        const into = waiting.get(model) ?? new Float64Array(modelCells.size);
        waiting.set(model, into);
        for (const { cell, slot } of cells) into[cell]! += chunk[at + slot]! - shadow[slot]!;
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
  readonly rejected: Float64Array;
}

function countsOf({ numbers, rejected }: PartitionState): Counts {
  const { scored, expired, duplicates, late } = numbers;
  return { scored, expired, duplicates, late, rejected: rejected.slice() };
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
}

function copyTotals(table: Table, row: number, shadows: Map<number, Float64Array>): void {
  const at = valuesAt(table, row);
  if (keyOf(table, row, paneKeys.tier) === 0)
    shadows.set(keyOf(table, row, paneKeys.slice), chunkOf(table, row).slice(at, at + table.values));
}

/** One term of a counter: `counter[cell] += row[slot]`. */
interface Term {
  readonly cell: number;
  readonly slot: number;
}

/** The terms of all counters by model that the enabled families feed. */
function modelCellsOf(layout: Layout): Term[] {
  const terms: Term[] = [];
  const slots = (name: FamilyName): readonly number[] | undefined =>
    layout.slots[layout.families.findIndex((family) => family.name === name)];
  const add = (cell: number, slot: number): void => void terms.push({ cell, slot });
  const decision = slots('decision');
  if (decision !== undefined) decisionTerms(decision, add);
  const calls = slots('tool_calls');
  if (calls !== undefined) {
    const { strictTp, strictFp, strictFn, flexibleTp, flexibleFp, flexibleFn } = toolCallsCells;
    for (const [mode, [tp, fp, fn]] of [
      [strictTp, strictFp, strictFn],
      [flexibleTp, flexibleFp, flexibleFn],
    ].entries()) {
      for (const cell of [tp!, fp!]) add(modelCells.predicted + mode, calls[cell]!);
      for (const cell of [tp!, fn!]) add(modelCells.reference + mode, calls[cell]!);
      add(modelCells.matched + mode, calls[tp!]!);
    }
  }
  const fields = slots('arguments');
  if (fields !== undefined)
    for (const [index, cell] of [argumentsCells.tp, argumentsCells.fp, argumentsCells.fn].entries())
      add(modelCells.fields + index, fields[cell]!);
  return terms;
}

function decisionTerms(slots: readonly number[], add: (cell: number, slot: number) => void): void {
  const [tool, param, answer] = [0, 1, 2] as const;
  add(modelCells.opportunities + tool, slots[decisionCells.toolOpportunities]!);
  add(modelCells.hallucinations + tool, slots[decisionCells.toolHallucinations]!);
  for (const gold of labels.keys())
    for (const predicted of predictedNames.keys()) {
      const slot = slots[outcomeCell(gold, predicted)]!;
      add(modelCells.outcomes + gold * predictedNames.length + predicted, slot);
      add(modelCells.opportunities + answer, slot);
      if (gold !== direct && predicted === direct) add(modelCells.hallucinations + answer, slot);
      if (gold !== requestForInfo) continue;
      add(modelCells.opportunities + param, slot);
      if (predicted === toolCall) add(modelCells.hallucinations + param, slot);
    }
}
