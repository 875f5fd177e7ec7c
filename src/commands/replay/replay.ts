import { inputFiles } from '../../adapters/files/input-files.ts';
import { type LineFile, lineFile } from '../../adapters/files/line-file.ts';
import { checkOutput, writeOutput } from '../../adapters/files/output.ts';
import { rateOf } from '../../config/settings.ts';
import { contextOf } from '../../documents/context.ts';
import { openReports, type ReportFlags, type Reports } from '../../documents/reports.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { deadLetterLine } from '../../formats/prediction/dead-letter-line.ts';
import { eventLine } from '../../formats/prediction/pending-text.ts';
import { createErrorKinds, type ErrorKinds } from '../../formats/summary/error-kinds.ts';
import { type SummaryDocument, summaryDocument } from '../../formats/summary/summary-document.ts';
import { takeDeadLetters } from '../../pipeline/dead-letters.ts';
import { takeNotes } from '../../pipeline/input-notes.ts';
import type { Json } from '../../scoring/json.ts';
import type { Rate } from '../../scoring/reading.ts';
import { endView } from '../../service/end-view.ts';
import { type EventReports, reportEvents } from '../../service/event-reports.ts';
import { feedbackText, unmatchedIn } from '../../service/feedback-files.ts';
import { fileLog } from '../../service/file-log.ts';
import { createSamples, type Samples } from '../../service/samples.ts';
import { openFolds, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { unreadTruthText } from '../../service/truth-loading.ts';
import type { PartitionState } from '../../state/partition.ts';
import type { LogRecord } from '../../stream/event.ts';
import { endOpenRuns, type Fold, foldRecords } from '../../stream/fold.ts';
import { listenToScored } from '../../stream/output.ts';
import type { ActiveTruth } from '../../stream/truth-cache.ts';
import { inputText } from '../../terminal/input-text.ts';
import { type ReplayProgress, replayProgress } from '../../terminal/replay-progress.ts';
import { summaryTable } from '../../terminal/summary-table.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { explainCommand, worthALook } from '../../terminal/worth-a-look.ts';
import type { FeedbackUse } from '../../view/gate.ts';
import type { PlacedNotes } from '../../view/input-report.ts';
import type { View } from '../../view/summary.ts';
import { totalOf } from '../../view/total.ts';
import { type ReplayResult, writeReports } from './ci-reports.ts';
import { evaluateGates, gateLines, parseGates } from './gates.ts';
import { type ReplayOutputs, replayOutputs } from './replay-outputs.ts';

/** Flags of `assay replay` beyond its files. */
export interface ReplayFlags {
  /** `-` is standard output, instead of the table for people. */
  readonly summary?: string;
  /** Show every metric of every group in the table. */
  readonly all?: boolean;
  readonly scores?: string;
  readonly rejects?: string;
  /** File of the predictions that still wait for their truth at the end. */
  readonly pending?: string;
  readonly snapshots?: string;
  readonly windows?: boolean;
  readonly gate?: readonly string[];
  /** true: succeed where no event was scored. */
  readonly allowEmpty?: boolean;
  /** true: gates may hold although calls were not read, or feedback counts for nothing. */
  readonly allowUnread?: boolean;
}

interface ReplayOptions extends ScoredEventsOptions, ReplayFlags, ReportFlags {
  /** The flags that name the events and their truth to `assay explain`. */
  readonly fileFlags: readonly string[];
}

type Folds = Awaited<ReturnType<typeof openFolds>>;

interface Sinks {
  readonly outputs: ReplayOutputs;
  readonly rejects: LineFile | undefined;
  readonly progress: ReplayProgress;
  readonly noted: PlacedNotes;
  readonly events: EventReports;
  readonly kinds: ErrorKinds;
}

/** Scores files of events against files of truth, through the same fold as the service. Resolves with the exit status. */
export async function replay(asked: ReplayOptions): Promise<number> {
  const judgements = asked.judgements && (await inputFiles(asked.judgements));
  const options = { ...asked, events: await inputFiles(asked.events), judgements };
  const { config } = options;
  const gates = parseGates(options.gate ?? [], config);
  const reports = await openReports(options);
  for (const path of [options.summary, options.pending]) if (path !== undefined) await checkOutput(path);
  const folds = await openFolds(options, judgements !== undefined);
  const { table } = folds;
  const { state } = folds.events;
  if (table.info !== undefined) process.stderr.write(unreadTruthText(table.info));
  const samples = createSamples(config.http.samples);
  const sinks = await openSinks(options, folds, samples);
  const states = [folds.events, folds.judgements].flatMap((fold) => fold?.state ?? []);
  const view = (groupsMax?: number): View =>
    endView(states, state.numbers.greatestTs, { config, withWindows: options.windows ?? false, groupsMax });
  try {
    await foldFiles(folds.events, options.events, folds.active, sinks, options);
    if (folds.judgements !== undefined) await foldFiles(folds.judgements, judgements!, folds.active, sinks, options);
    await sinks.outputs.finish(() => view(config.limits.groups_exported));
    await sinks.rejects?.close();
    if (options.pending !== undefined) await writePending(options.pending, state);
  } finally {
    sinks.progress.end();
    await sinks.outputs.abandon();
    await sinks.rejects?.abandon();
  }
  process.stderr.write(feedbackText(folds.feedback));
  const isWithoutTruth = table.isNone === true && state.numbers.scored === 0;
  const truth = isWithoutTruth ? null : { version: table.version, rows: table.rows };
  const { firsts } = sinks.noted;
  const feedback = feedbackUse(folds, firsts);
  const context = contextOf(config, truth, [], firsts, { findings: await table.findings, ...feedback });
  const report = { suspects: sinks.events.suspects(), wrongArguments: samples.wrongArguments() };
  const document = summaryDocument(view(), context, { failures: samples.latest, ...report });
  await writeSummary(options, document, isWithoutTruth);
  writeInput(document, folds.events.reader.notices?.() ?? [], isWithoutTruth);
  const allowEmpty = options.allowEmpty || (table.isNone && state.numbers.expired > 0);
  return conclude(options, reports, {
    document,
    gates: evaluateGates(gates, document, { feedback, allowUnread: options.allowUnread ?? false }),
    empty: allowEmpty ? undefined : emptyText(document.coverage, isWithoutTruth),
    kinds: sinks.kinds.sorted(),
    commandOf: (example) => explainCommand(options.fileFlags, example),
  });
}

/** Counts the feedback that was read, and notes the first record about no event; undefined where none is read. */
function feedbackUse({ feedback, events }: Folds, firsts: PlacedNotes['firsts']): FeedbackUse | undefined {
  if (feedback === undefined) return undefined;
  const { count, first } = unmatchedIn(feedback, events.out.feedback);
  if (first !== undefined) firsts.set('feedback_unmatched', first);
  return { records: feedback.book.size + feedback.refused, refused: feedback.refused, unmatched: count };
}

async function openSinks(options: ReplayOptions, { settings, events }: Folds, samples: Samples): Promise<Sinks> {
  const { config, scores, snapshots, rejects } = options;
  const { layout } = settings;
  const { state } = events;
  const given = { redact: new Set(config.http.redact), nowMs: () => state.numbers.read / 10 };
  return {
    outputs: await replayOutputs({ config, layout, scores, snapshots }),
    rejects: rejects === undefined ? undefined : await lineFile(rejects),
    progress: await progressOf(state, options),
    noted: { counts: new Map(), firsts: new Map() },
    events: reportEvents(config, settings, given, samples.add),
    kinds: createErrorKinds(layout, given.redact),
  };
}

/** Writes how the replay ended, for a person and into its reports. Resolves with the exit status. */
async function conclude(options: ReplayOptions, reports: Reports, result: ReplayResult): Promise<number> {
  const { gates, empty, kinds, commandOf } = result;
  process.stderr.write(gateLines(gates));
  if (gates.hold && empty !== undefined) process.stderr.write(`replay: ${empty}. Use --allow-empty to accept this\n`);
  if (options.summary !== '-') process.stderr.write(worthALook(kinds, commandOf, widthOf(process.stderr)));
  await writeReports(reports, result, options);
  process.stderr.write(nextSteps(options));
  if (!gates.hold) return 3;
  return empty === undefined ? 0 : 1;
}

/** Writes what was odd in the input to standard error; where no truth was given, not that there is none. */
function writeInput(document: SummaryDocument, notices: readonly string[], isWithoutTruth: boolean): void {
  const { input, coverage, records } = document;
  const noted = isWithoutTruth ? input.filter(({ kind }) => kind !== 'no_truth') : input;
  const of = isWithoutTruth
    ? `${records.expired} of ${coverage.denominator} events counted without truth`
    : `${coverage.numerator} of ${coverage.denominator} events scored`;
  process.stderr.write(inputText(noted, of, notices, widthOf(process.stderr)));
}

/** The problem of events of which none was scored, or without truth counted: a mistake, whatever a table of nothing looks like. */
function emptyText({ numerator: scored, denominator: all }: Rate, isWithoutTruth: boolean): string | undefined {
  if (scored > 0) return undefined;
  return all === 0 ? 'there are no events' : `none of ${all} events was ${isWithoutTruth ? 'accepted' : 'scored'}`;
}

/** The next commands for a person at a terminal. */
function nextSteps({ summary, scores }: ReplayOptions): string {
  if (summary === '-' || !process.stderr.isTTY) return '';
  const file = summary ?? 'summary.json';
  const steps = [
    ...(scores === undefined ? ['--scores scores.ndjson   each event with what was wrong with it'] : []),
    ...(summary === undefined ? [`--summary ${file}   the numbers for programs, and for the report`] : []),
    `assay report ${file} -o report.html   the same as a web page`,
  ];
  return `Next:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

/** The progress on standard error; none where lines of data may come between. */
function progressOf(state: PartitionState, { config, events, rejects }: ReplayOptions): Promise<ReplayProgress> {
  const terminal = rejects === '-' ? { write: () => undefined } : process.stderr;
  return replayProgress(terminal, events, () => totalOf(state, 'decision', rateOf(config)));
}

/** Folds files one after the other, as one log. */
async function foldFiles(
  fold: Fold,
  files: readonly string[],
  truth: ActiveTruth,
  sinks: Sinks,
  options: ScoredEventsOptions,
): Promise<void> {
  const { out, state } = fold;
  const log = fileLog(options.config, options.signal);
  const { onFailed, onRight, onJudged } = sinks.events;
  Object.assign(out, { onAccepted: undefined, onScored: undefined, onFailed, onRight, onJudged });
  const sink = sinks.outputs.sink(log);
  if (sink !== undefined) listenToScored(out, sink);
  listenToScored(out, { of: 'failures', add: (scored) => sinks.kinds.add(scored, log.placeOf(scored.event.offset)) });
  const take = async (records: readonly LogRecord[]): Promise<void> => {
    takeNotes(out.input, sinks.noted, log);
    await sinks.outputs.flush();
    for (const letter of takeDeadLetters(out, records, log)) await sinks.rejects?.write(deadLetterLine(letter));
  };
  let bytesBefore = 0;
  for (const file of files) {
    let bytes = 0;
    for await (const { records, bytesRead } of log.batches(file)) {
      foldRecords(fold, records, 0, records.length, truth);
      await take(records);
      bytes = bytesRead;
      sinks.progress.show(state.numbers.read, bytesBefore + bytes);
    }
    if (bytes === 0) process.stderr.write(`${file}: holds no records\n`);
    bytesBefore += bytes;
  }
  for (const name of log.unreadFolders)
    process.stderr.write(
      `folders ${name}=…: ${name} is no field, so nothing reads it; tags.${name}=… would be a tag\n`,
    );
  endOpenRuns(fold, truth);
  await take([]);
}

/** The predictions without truth as native events: once it is known, they can be read again. */
async function writePending(path: string, { pending }: PartitionState): Promise<void> {
  const file = await lineFile(path);
  try {
    for (const text of pending.log.texts.values()) await file.write(eventLine(text.slice(text.indexOf('\n') + 1)));
    await file.close();
  } finally {
    await file.abandon();
  }
}

async function writeSummary(
  { summary: path, all = false }: ReplayOptions,
  document: SummaryDocument,
  withoutTruth = false,
): Promise<void> {
  const options = { all, width: widthOf(process.stdout), withoutTruth };
  if (path !== '-') process.stdout.write(`${summaryTable(document, options)}\n`);
  if (path !== undefined)
    await writeOutput(path, `${jsonText(document as unknown as Json, path === '-' ? undefined : 1)}\n`);
}
