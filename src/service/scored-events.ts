import { fileRecords } from '../adapters/files/file-records.ts';
import { inputFiles } from '../adapters/files/input-files.ts';
import { loadTruth } from '../adapters/truth-files/truth-loader.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import { emptyPartition } from '../state/partition.ts';
import { activateTruth, createFold, type Fold, foldRecords } from '../stream/fold.ts';
import type { Judged } from '../stream/judgement.ts';
import type { Scored } from '../stream/score.ts';
import { type ActiveTruth, activeTruth } from '../stream/truth-cache.ts';
import { takeDeadLetters } from '../pipeline/dead-letters.ts';
import { deepOf } from '../config/deep.ts';
import { columnsOf, judgementReaderOf, readerOf, settingsOf } from '../config/settings.ts';
import { truthLoading } from './truth-loading.ts';

export interface ScoredEventsOptions {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  /** Judgements on them; undefined where none are read. */
  readonly judgements?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

interface Hooks {
  /** Waited for after some hundred events. */
  readonly afterBatch?: () => Promise<void>;
  readonly onJudged?: (judged: Judged) => void;
}

/** How many events were read and scored, when all were visited. */
export interface VisitedEvents {
  readonly read: number;
  readonly scored: number;
}

/** Shows every scored event of files, in their order, as `replay` scores them; then the judgements. */
export async function eachScored(
  { config, truth, events, judgements, signal }: ScoredEventsOptions,
  visit: (scored: Scored, layout: Layout, file: string) => void,
  { afterBatch, onJudged }: Hooks = {},
): Promise<VisitedEvents> {
  const table = await loadTruth(truth, { ...truthLoading(config), signal });
  const settings = settingsOf(config, await deepOf(config), judgements !== undefined);
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const common = { config, signal, afterBatch, truth: activeTruth(table, settings.layout.families) };
  const fold = createFold(state, readerOf(config, false));
  await foldFiles(fold, await inputFiles(events), {
    ...common,
    onFile: (file) => (fold.out.onScored = (scored) => visit(scored, settings.layout, file)),
  });
  if (judgements !== undefined) {
    const judged = createFold(emptyPartition(settings), judgementReaderOf(config, false));
    judged.out.onJudged = onJudged;
    await foldFiles(judged, await inputFiles(judgements), common);
  }
  const { read, scored } = state.numbers;
  return { read, scored };
}

interface FoldedFiles extends Pick<ScoredEventsOptions, 'config' | 'signal'> {
  readonly afterBatch: Hooks['afterBatch'];
  readonly truth: ActiveTruth;
  readonly onFile?: (file: string) => void;
}

async function foldFiles(
  fold: Fold,
  files: readonly string[],
  { config, signal, truth, onFile, afterBatch }: FoldedFiles,
): Promise<void> {
  const { state, out } = fold;
  const input = { recordBytesMax: config.limits.record_bytes, isColumn: columnsOf(config), signal };
  for (const file of files) {
    onFile?.(file);
    state.numbers.nextOffset = 0;
    const { batches } = await fileRecords(file, input);
    for await (const { records } of batches) {
      signal.throwIfAborted();
      foldRecords(fold, records, 0, records.length, truth);
      // Nobody asks for what was refused.
      takeDeadLetters(out, records, { file });
      await afterBatch?.();
    }
  }
}

/** The outcome of a family for an event; undefined where it does not apply, or is disabled. */
export function outcomeOf(scored: Scored, layout: Layout, family: string): unknown {
  return scored.outcomes[layout.families.findIndex(({ name }) => name === family)];
}
