import { inputFiles } from '../../adapters/files/input-files.ts';
import type { PartitionState } from '../../state/partition.ts';
import { endOpenRuns, foldRecords } from '../../stream/fold.ts';
import type { Scored } from '../../stream/score.ts';
import { fileLog } from '../../service/file-log.ts';
import { openFolds, type ScoredEventsOptions } from '../../service/scored-events.ts';

interface HistoryHooks {
  readonly onScored?: (scored: Scored, state: PartitionState) => void;
  /** Called after a record that brings event time to another of the finest panes, and at the end. */
  readonly onPane?: (state: PartitionState, asOfMs: number) => void;
}

/** Folds files record by record, as a service that reads them one after the other. Resolves with the state at the end. */
export async function foldHistory(
  options: ScoredEventsOptions,
  { onScored, onPane }: HistoryHooks,
): Promise<PartitionState> {
  const { active, events: fold } = await openFolds(options);
  const { state, out } = fold;
  out.onScored = onScored && ((scored) => onScored(scored, state));
  const { numbers } = state;
  const finestMs = Math.min(...state.settings.windows.tiers.map(({ paneMs }) => paneMs));
  let pane = Number.NaN;
  const log = fileLog(options.config, options.signal);
  for (const file of await inputFiles(options.events)) {
    for await (const { records } of log.batches(file)) {
      for (let at = 0; at < records.length; at++) {
        foldRecords(fold, records, at, at + 1, active);
        const now = Math.floor(numbers.greatestTs / finestMs);
        if (now === pane || !Number.isFinite(now)) continue;
        pane = now;
        onPane?.(state, numbers.greatestTs);
      }
      for (const kept of [out.rejects, out.expired, out.truthDelaysMs, out.runSeconds]) kept.length = 0;
    }
  }
  endOpenRuns(fold, active);
  if (Number.isFinite(numbers.greatestTs)) onPane?.(state, numbers.greatestTs);
  return state;
}
