import { readerOf, settingsOf } from '../src/config/settings.ts';
import type { Config } from '../src/config/config.ts';
import type { AnyFamily } from '../src/scoring/family.ts';
import type { TruthTable } from '../src/scoring/truth.ts';
import { emptyPartition } from '../src/state/partition.ts';
import type { LogRecord } from '../src/stream/event.ts';
import { activateTruth, createFold, foldRecords } from '../src/stream/fold.ts';
import type { ActiveTruth } from '../src/stream/truth-cache.ts';

/** Folds all records into a new state at each run, `batch` of them together; `activeOf` is the table as events meet it. */
export function folds(
  config: Config,
  records: readonly LogRecord[],
  truth: TruthTable,
  activeOf: (truth: TruthTable, families: readonly AnyFamily[]) => ActiveTruth,
  batch = 500,
): () => void {
  const settings = settingsOf(config, undefined);
  const reader = readerOf(config, true);
  const active = activeOf(truth, settings.layout.families);
  return () => {
    const state = emptyPartition(settings);
    activateTruth(state, truth);
    const fold = createFold(state, reader);
    for (let from = 0; from < records.length; from += batch)
      foldRecords(fold, records, from, Math.min(from + batch, records.length), active);
  };
}
