import { fileRecords } from '../../adapters/files/file-records.ts';
import { inputFiles } from '../../adapters/files/input-files.ts';
import { loadTruth } from '../../adapters/truth-files/truth-loader.ts';
import type { Config } from '../../config/config.ts';
import { emptyPartition, type PartitionState } from '../../state/partition.ts';
import { activateTruth, createFold, foldRecords } from '../../stream/fold.ts';
import type { Scored } from '../../stream/score.ts';
import { activeTruth } from '../../stream/truth-cache.ts';
import { deepOf } from '../../config/deep.ts';
import { columnsOf, readerOf, settingsOf } from '../../config/settings.ts';
import { truthLoading } from '../../service/truth-loading.ts';

/** Files of what happened. */
export interface HistoryFiles {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  readonly signal: AbortSignal;
}

export interface HistoryHooks {
  readonly onScored?: (scored: Scored, state: PartitionState) => void;
  /** Description after a record with which event time has come to another of the finest panes, and at the end. */
  readonly onPane?: (state: PartitionState, asOfMs: number) => void;
}

/** Folds files record by record, as a service that meets them one after the other. Resolves with what is remembered at the end. */
export async function foldHistory(
  { config, truth, events, signal }: HistoryFiles,
  { onScored, onPane }: HistoryHooks,
): Promise<PartitionState> {
  const table = await loadTruth(truth, { ...truthLoading(config), signal });
  const settings = settingsOf(config, await deepOf(config));
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const active = activeTruth(table, settings.layout.families);
  const fold = createFold(state, readerOf(config, false));
  fold.out.onScored = onScored && ((scored) => onScored(scored, state));
  const { numbers } = state;
  const finestMs = Math.min(...settings.windows.tiers.map(({ paneMs }) => paneMs));
  let pane = Number.NaN;
  const input = { recordBytesMax: config.limits.record_bytes, isColumn: columnsOf(config), signal };
  for (const file of await inputFiles(events)) {
    state.numbers.nextOffset = 0;
    const { batches } = await fileRecords(file, input);
    for await (const { records } of batches) {
      signal.throwIfAborted();
      for (let at = 0; at < records.length; at++) {
        foldRecords(fold, records, at, at + 1, active);
        const now = Math.floor(numbers.greatestTs / finestMs);
        if (now === pane || !Number.isFinite(now)) continue;
        pane = now;
        onPane?.(state, numbers.greatestTs);
      }
      fold.out.rejects.length = 0;
      fold.out.expired.length = 0;
      fold.out.truthDelaysMs.length = 0;
    }
  }
  if (Number.isFinite(numbers.greatestTs)) onPane?.(state, numbers.greatestTs);
  return state;
}
