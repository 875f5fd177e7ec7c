import { fileRecords } from '../adapters/files/file-records.ts';
import { inputFiles } from '../adapters/files/input-files.ts';
import { loadTruth } from '../adapters/truth-files/truth-loader.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import { emptyPartition } from '../state/partition.ts';
import { activateTruth, createFold, foldRecords } from '../stream/fold.ts';
import type { Scored } from '../stream/score.ts';
import { activeTruth } from '../stream/truth-cache.ts';
import { takeDeadLetters } from '../pipeline/dead-letters.ts';
import { deepOf } from './deep.ts';
import { columnsOf, readerOf, settingsOf } from './settings.ts';

export interface ScoredEventsOptions {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  readonly signal: AbortSignal;
}

/** How many events were read and scored, when all were visited. */
export interface VisitedEvents {
  readonly read: number;
  readonly scored: number;
}

/** Shows every scored event of files, in their order, as `replay` scores them. `afterBatch` is waited for after some hundred of them. */
export async function eachScored(
  { config, truth, events, signal }: ScoredEventsOptions,
  visit: (scored: Scored, layout: Layout, file: string) => void,
  afterBatch?: () => Promise<void>,
): Promise<VisitedEvents> {
  const { limits } = config;
  const table = await loadTruth(truth, { deadlineMs: limits.truth_load.ms, limits, signal });
  const settings = settingsOf(config, await deepOf(config));
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const active = activeTruth(table, settings.layout.families);
  const fold = createFold(state, readerOf(config, false));
  const input = { recordBytesMax: limits.record_bytes, isColumn: columnsOf(config), signal };
  for (const file of await inputFiles(events)) {
    fold.out.onScored = (scored) => visit(scored, settings.layout, file);
    state.numbers.nextOffset = 0;
    const { batches } = await fileRecords(file, input);
    for await (const { records } of batches) {
      signal.throwIfAborted();
      foldRecords(fold, records, 0, records.length, active);
      // Nobody asks for what was refused.
      takeDeadLetters(fold.out, records, { file });
      await afterBatch?.();
    }
  }
  const { read, scored } = state.numbers;
  return { read, scored };
}

/** The outcome of a family for an event; undefined where it does not apply, or is disabled. */
export function outcomeOf(scored: Scored, layout: Layout, family: string): unknown {
  return scored.outcomes[layout.families.findIndex(({ name }) => name === family)];
}
