import { inputFiles } from '../adapters/files/input-files.ts';
import { loadTruth, type TruthFromFiles } from '../adapters/truth-files/truth-loader.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import { emptyPartition } from '../state/partition.ts';
import { activateTruth, createFold, endOpenRuns, endWaiting, type Fold, foldRecords } from '../stream/fold.ts';
import type { Judged } from '../stream/judgement.ts';
import type { FoldOutput } from '../stream/output.ts';
import type { Scored } from '../stream/score.ts';
import { aboutKeys, emptyBook, type Feedback, feedbackFor } from '../stream/feedback-book.ts';
import { activeTruth, withBook } from '../stream/truth-cache.ts';
import { withoutTruth } from '../stream/truth-overlay.ts';
import type { TruthTable } from '../scoring/truth.ts';
import { takeDeadLetters } from '../pipeline/dead-letters.ts';
import { deepOf, judgementReaderOf, readerOf, settingsOf } from '../config/settings.ts';
import { type FeedbackOfFiles, feedbackOfFiles } from './feedback-files.ts';
import { type FileLog, type FilePlace, fileLog } from './file-log.ts';
import { truthLoading } from './truth-loading.ts';

/** Files of events to be scored, with their truth. */
export interface ScoredEventsOptions {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  /** Judgements on the events; undefined where none are read. */
  readonly judgements?: readonly string[] | undefined;
  /** Feedback on the events; undefined where none is read. */
  readonly feedback?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** The truth of files; none where there are none. */
async function truthOf(
  paths: readonly string[],
  options: Parameters<typeof loadTruth>[1],
): Promise<TruthTable & Partial<TruthFromFiles>> {
  return paths.length === 0 ? withoutTruth : loadTruth(paths, options);
}

/** The configuration of a replay, which reads feedback from files alone. */
function readingFeedback(config: Config, isRead: boolean): Config {
  return { ...config, kafka: { ...config.kafka, feedback_topic: isRead ? 'feedback' : undefined } };
}

/** Loads the truth of files, and begins the folds of their events and of their judgements, which are a log with a time of its own. */
export async function openFolds(options: ScoredEventsOptions, judged?: boolean, keepsRequest?: boolean) {
  const { truth, judgements, feedback, signal } = options;
  const config = readingFeedback(options.config, feedback !== undefined);
  const files = await truthOf(truth, { ...truthLoading(config), signal });
  const given = feedback && (await feedbackOfFiles(feedback, config, signal));
  const book = given?.book ?? emptyBook;
  const table = { ...files, ...withBook(files, book) };
  const settings = settingsOf(config, await deepOf(config), judged);
  const state = emptyPartition(settings);
  activateTruth(state, table);
  return {
    ...{ table, settings, active: activeTruth(table, settings.layout.families, settings.toolNaming, book) },
    feedback: given,
    events: createFold(state, readerOf(config, false, { ownExamples: truth.length === 0, keepsRequest })),
    judgements: judgements && createFold(emptyPartition(settings), judgementReaderOf(config, false)),
  };
}

interface Hooks {
  /** Awaited after some hundred events. */
  readonly afterBatch?: () => Promise<void>;
  readonly onJudged?: (judged: Judged) => void;
  /** Shown every event without truth, with what the families that need none found. */
  readonly onAccepted?: Visit;
  readonly onContested?: FoldOutput['onContested'];
  /** Shown every event that no truth came for; such a one holds what its agent was asked. */
  readonly onWithoutTruth?: Visit;
}

/** `feedback`: on the event, oldest first. */
type Visit = (scored: Scored, layout: Layout, place: FilePlace, feedback: readonly Feedback[]) => void;

/** Numbers of events read and scored, when all were visited, and the feedback of files. */
export interface VisitedEvents {
  readonly read: number;
  readonly scored: number;
  readonly feedback: FeedbackOfFiles | undefined;
}

/** Shows every scored event of files, in their order, as `replay` scores them; then the judgements. */
export async function eachScored(
  options: ScoredEventsOptions,
  visit: Visit,
  { afterBatch, onJudged, onAccepted, onWithoutTruth, onContested }: Hooks = {},
): Promise<VisitedEvents> {
  const { settings, active, events, judgements, feedback } = await openFolds(
    options,
    options.judgements !== undefined,
    onWithoutTruth !== undefined,
  );
  const { layout } = settings;
  const foldFiles = async (fold: Fold, files: readonly string[], log: FileLog): Promise<void> => {
    for (const file of files)
      for await (const { records } of log.batches(file)) {
        foldRecords(fold, records, 0, records.length, active);
        // Only takes them out of memory.
        takeDeadLetters(fold.out, records, log);
        await afterBatch?.();
      }
  };
  const log = fileLog(options.config, options.signal);
  const feedbackOn = ({ event }: Scored) => feedbackFor(active.feedback, aboutKeys(event), event.exampleId);
  const shown = (show: Visit) => (scored: Scored) =>
    show(scored, layout, log.placeOf(scored.event.offset), feedbackOn(scored));
  events.out.onScored = shown(visit);
  events.out.onAccepted = onAccepted && shown(onAccepted);
  events.out.onContested = onContested;
  events.out.onWithoutTruth = onWithoutTruth && shown(onWithoutTruth);
  await foldFiles(events, await inputFiles(options.events), log);
  endOpenRuns(events, active);
  if (onWithoutTruth !== undefined) endWaiting(events);
  await afterBatch?.();
  if (judgements !== undefined) {
    judgements.out.onJudged = onJudged;
    await foldFiles(judgements, await inputFiles(options.judgements ?? []), fileLog(options.config, options.signal));
  }
  const { read, scored } = events.state.numbers;
  return { read, scored, feedback };
}

/** The outcome of a family for an event; undefined where it does not apply, or is disabled. */
export function outcomeOf(scored: Scored, layout: Layout, family: string): unknown {
  return scored.outcomes[layout.families.findIndex(({ name }) => name === family)];
}
