import type { Config } from '../../src/config/config.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { foldingOf } from './folding.ts';

export interface ManyModels {
  readonly models: number;
  /** Predictions of the least busy model; the most busy one has twice as many. */
  readonly each: number;
  readonly startMs: number;
  readonly lengthMs: number;
}

/** The state of a partition that has scored traffic of that many models and three agents: all families, in every window. */
export function manyModels(config: Config, { models, each, startMs, lengthMs }: ManyModels): PartitionState {
  const traffic = createTraffic({ seed: 11, examples: 400, runs: 5, duplicates: 0, malformed: 0 });
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  const { state, add } = foldingOf(config, table);
  const rounds = 2 * each;
  for (let round = 0; round < rounds; round++) {
    const tsMs = startMs + Math.floor((lengthMs * (round + 1)) / rounds);
    for (let model = 0; model < models; model++) {
      const { value } = traffic.next(tsMs, undefined)[0]!;
      // The first models are the busier ones.
      if (round % 2 === 1 && model > models * (1 - (round + 1) / rounds)) continue;
      const event_id = `e-${state.numbers.nextOffset}`;
      add([{ ...(JSON.parse(value) as object), event_id, model: `model-${model}` }], tsMs);
    }
  }
  return state;
}
