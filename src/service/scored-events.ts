import { fileRecords } from '../adapters/files/file-records.ts';
import { inputFiles } from '../adapters/files/input-files.ts';
import { loadTruth } from '../adapters/truth-files/truth-loader.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import { emptyPartition } from '../state/partition.ts';
import { activateTruth, createFold, endOpenRuns, type Fold, foldRecords } from '../stream/fold.ts';
import type { Judged } from '../stream/judgement.ts';
import type { Scored } from '../stream/score.ts';
import { activeTruth } from '../stream/truth-cache.ts';
import { withoutTruth } from '../stream/truth-overlay.ts';
import type { TruthInfo } from '../formats/truth/table.ts';
import type { TruthTable } from '../scoring/truth.ts';
import { takeDeadLetters } from '../pipeline/dead-letters.ts';
import { columnsOf, deepOf, judgementReaderOf, readerOf, settingsOf } from '../config/settings.ts';
import { truthLoading } from './truth-loading.ts';

/** Files of events to be scored, with their truth. */
export interface ScoredEventsOptions {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  /** Judgements on the events; undefined where none are read. */
  readonly judgements?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** The truth of files; none where there are none. */
async function truthOf(
  paths: readonly string[],
  options: Parameters<typeof loadTruth>[1],
): Promise<TruthTable & { readonly info: Pick<TruthInfo, 'unread'> }> {
  return paths.length === 0 ? { ...withoutTruth, info: { unread: [] } } : loadTruth(paths, options);
}

/** Loads the truth of files, and begins the folds of their events and of their judgements, which are a log with a time of its own. */
export async function openFolds({ config, truth, judgements, signal }: ScoredEventsOptions, judged?: boolean) {
  const table = await truthOf(truth, { ...truthLoading(config), signal });
  const settings = settingsOf(config, await deepOf(config), judged);
  const state = emptyPartition(settings);
  activateTruth(state, table);
  return {
    ...{ table, settings, active: activeTruth(table, settings.layout.families, settings.toolNaming) },
    events: createFold(state, readerOf(config, false)),
    judgements: judgements && createFold(emptyPartition(settings), judgementReaderOf(config, false)),
  };
}

/** Reads the records of a file in batches of some hundred, which a fold takes in next. */
export async function* batchesOf(
  file: string,
  { state }: Fold,
  { config, signal }: Pick<ScoredEventsOptions, 'config' | 'signal'>,
) {
  state.numbers.nextOffset = 0;
  const input = { recordBytesMax: config.limits.record_bytes, isColumn: columnsOf(config), signal };
  for await (const batch of (await fileRecords(file, input)).batches) {
    signal.throwIfAborted();
    yield batch;
  }
}

interface Hooks {
  /** Awaited after some hundred events. */
  readonly afterBatch?: () => Promise<void>;
  readonly onJudged?: (judged: Judged) => void;
  /** Shown every event without truth, with what the families that need none found. */
  readonly onAccepted?: Visit;
}

type Visit = (scored: Scored, layout: Layout, file: string) => void;

/** Numbers of events read and scored, when all were visited. */
export interface VisitedEvents {
  readonly read: number;
  readonly scored: number;
}

/** Shows every scored event of files, in their order, as `replay` scores them; then the judgements. */
export async function eachScored(
  options: ScoredEventsOptions,
  visit: Visit,
  { afterBatch, onJudged, onAccepted }: Hooks = {},
): Promise<VisitedEvents> {
  const { settings, active, events, judgements } = await openFolds(options, options.judgements !== undefined);
  const foldFile = async (fold: Fold, file: string): Promise<void> => {
    for await (const { records } of batchesOf(file, fold, options)) {
      foldRecords(fold, records, 0, records.length, active);
      // Only takes them out of memory.
      takeDeadLetters(fold.out, records, { file });
      await afterBatch?.();
    }
  };
  for (const file of await inputFiles(options.events)) {
    events.out.onScored = (scored) => visit(scored, settings.layout, file);
    events.out.onAccepted = onAccepted && ((scored) => onAccepted(scored, settings.layout, file));
    await foldFile(events, file);
  }
  endOpenRuns(events, active);
  if (judgements !== undefined) judgements.out.onJudged = onJudged;
  for (const file of await inputFiles(options.judgements ?? [])) await foldFile(judgements!, file);
  const { read, scored } = events.state.numbers;
  return { read, scored };
}

/** The outcome of a family for an event; undefined where it does not apply, or is disabled. */
export function outcomeOf(scored: Scored, layout: Layout, family: string): unknown {
  return scored.outcomes[layout.families.findIndex(({ name }) => name === family)];
}
