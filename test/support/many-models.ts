import { readerOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';

export interface ManyModels {
  readonly models: number;
  /** Predictions of the least busy model; the most busy one has twice as many. */
  readonly each: number;
  readonly startMs: number;
  readonly lengthMs: number;
}

/** The state of a partition that has scored traffic of that many models and three agents: all families, in every window. */
export function manyModels(config: Config, { models, each, startMs, lengthMs }: ManyModels): PartitionState {
  const settings = settingsOf(config, undefined);
  const traffic = createTraffic({ seed: 11, examples: 400, runs: 5, duplicates: 0, malformed: 0 });
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const active = activeTruth(table, settings.layout.families);
  const fold = createFold(state, readerOf(config, true));
  const rounds = 2 * each;
  let offset = 0;
  for (let round = 0; round < rounds; round++) {
    const tsMs = startMs + Math.floor((lengthMs * (round + 1)) / rounds);
    for (let model = 0; model < models; model++) {
      const { value } = traffic.next(tsMs, undefined)[0]!;
      // The first models are the busier ones.
      if (round % 2 === 1 && model > models * (1 - (round + 1) / rounds)) continue;
      const named = { ...(JSON.parse(value) as object), event_id: `e-${offset}`, model: `model-${model}` };
      const bytes = Buffer.from(JSON.stringify(named));
      const record = { bytes, start: 0, end: bytes.length, offset: offset++, timestamp: tsMs };
      foldRecords(fold, [record], 0, 1, active);
    }
  }
  return state;
}
