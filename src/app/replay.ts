import { loadTruth } from '../adapters/truth-files/truth-loader.ts';
import { eventLines } from '../adapters/files/event-lines.ts';
import { limitFileModes } from '../adapters/files/file-mode.ts';
import { type LineFile, lineFile } from '../adapters/files/line-file.ts';
import { writeOutput } from '../adapters/files/output.ts';
import { deadLetterLine } from '../formats/prediction/dead-letter-line.ts';
import { summaryDocument } from '../formats/summary/summary-document.ts';
import type { Config } from '../config/config.ts';
import { activateTruth, createFold, foldRecords } from '../stream/fold.ts';
import { emptyPartition, type PartitionState } from '../state/partition.ts';
import type { View } from '../view/summary.ts';
import { activeTruth } from '../stream/truth-cache.ts';
import { totalOf } from '../view/total.ts';
import { viewOf } from '../view/view.ts';
import { takeDeadLetters } from '../pipeline/dead-letters.ts';
import { deepOf } from './deep.ts';
import { contextOf } from './context.ts';
import { finishGates, parseGates } from './gates.ts';
import { type ReplayOutputs, replayOutputs } from './replay-outputs.ts';
import { type ReplayProgress, replayProgress } from './replay-progress.ts';
import { rateOf, readerOf, settingsOf } from './settings.ts';
import { summaryTable } from './summary-table.ts';

export interface ReplayOptions {
  readonly config: Config;
  readonly truth: readonly string[];
  readonly events: readonly string[];
  /** `-` is standard output; undefined prints a table for people. */
  readonly summary: string | undefined;
  readonly scores: string | undefined;
  readonly rejects: string | undefined;
  readonly snapshots: string | undefined;
  readonly windows: boolean;
  readonly gates: readonly string[];
  readonly signal: AbortSignal;
}

interface Sinks {
  readonly outputs: ReplayOutputs;
  readonly rejects: LineFile | undefined;
  readonly progress: ReplayProgress;
}

/** Scores files of events against files of truth, through the same fold as the service. Resolves with the exit status. */
export async function replay(options: ReplayOptions): Promise<number> {
  const { config } = options;
  const gates = parseGates(options.gates);
  limitFileModes(config.files.mode);
  const table = await loadTruth(options.truth, {
    deadlineMs: config.limits.truth_load.ms,
    callsMax: config.limits.calls,
    signal: options.signal,
  });
  const settings = settingsOf(config, await deepOf(config));
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const { scores, snapshots } = options;
  const sinks: Sinks = {
    outputs: await replayOutputs({ config, layout: settings.layout, scores, snapshots }),
    rejects: options.rejects === undefined ? undefined : await lineFile(options.rejects),
    progress: await progressOf(state, options),
  };
  const view = (groupsMax: number | undefined): View => endView(state, options, groupsMax);
  try {
    const ignored = await foldFiles(state, options, activeTruth(table, settings.layout.families), sinks);
    if (ignored > 0)
      process.stderr.write(
        `choices_ignored: ${ignored}; their answers say which run they are, so the first choice counts\n`,
      );
    await sinks.outputs.finish(() => view(config.limits.groups_exported));
    await sinks.rejects?.close();
  } finally {
    sinks.progress.end();
    await sinks.outputs.abandon();
    await sinks.rejects?.abandon();
  }
  const context = contextOf(config, { version: table.version, rows: table.rows }, []);
  const document = summaryDocument(view(undefined), context);
  await writeSummary(options.summary, document);
  return finishGates(gates, document);
}

/** What is shown on standard error meanwhile: nothing where lines of data may come between. */
function progressOf(state: PartitionState, { config, events, rejects }: ReplayOptions): Promise<ReplayProgress> {
  const terminal = rejects === '-' ? { write: () => undefined } : process.stderr;
  return replayProgress(terminal, events, () => totalOf(state, 'decision', rateOf(config)));
}

/** The view at the greatest event time. */
function endView(state: PartitionState, { config, windows }: ReplayOptions, groupsMax: number | undefined): View {
  const { greatestTs } = state.numbers;
  return viewOf([state], state.settings, greatestTs === Number.NEGATIVE_INFINITY ? undefined : greatestTs, {
    sets: config.slices,
    rate: rateOf(config),
    withWindows: windows,
    withBreakdowns: true,
    groupsMax,
  });
}

/** Folds the files one after the other: one log. Resolves with the choices that were not read. */
async function foldFiles(
  state: PartitionState,
  options: ReplayOptions,
  truth: ReturnType<typeof activeTruth>,
  sinks: Sinks,
): Promise<number> {
  const { config, signal } = options;
  const fold = createFold(state, readerOf(config, false));
  const { out } = fold;
  let bytesBefore = 0;
  for (const file of options.events) {
    let bytes = 0;
    out.onScored = sinks.outputs.listener(file);
    state.numbers.nextOffset = 0;
    for await (const { records, bytesRead } of eventLines(file, config.limits.record_bytes, signal)) {
      signal.throwIfAborted();
      foldRecords(fold, records, 0, records.length, truth);
      await sinks.outputs.flush();
      for (const letter of takeDeadLetters(out, records, { file })) await sinks.rejects?.write(deadLetterLine(letter));
      bytes = bytesRead;
      sinks.progress.show(state.numbers.read, bytesBefore + bytes);
    }
    bytesBefore += bytes;
  }
  return out.choicesIgnored;
}

async function writeSummary(path: string | undefined, document: Record<string, unknown>): Promise<void> {
  if (path === undefined) {
    process.stdout.write(`${summaryTable(document)}\n`);
    return;
  }
  await writeOutput(path, `${JSON.stringify(document, null, path === '-' ? undefined : 1)}\n`);
}
