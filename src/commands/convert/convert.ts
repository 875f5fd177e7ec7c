import { evalRecords } from '../../adapters/files/eval-records.ts';
import { fileRecords } from '../../adapters/files/file-records.ts';
import { inputFiles } from '../../adapters/files/input-files.ts';
import { type LineFile, lineFile } from '../../adapters/files/line-file.ts';
import type { Config } from '../../config/config.ts';
import { deepOf, readerOf, resultsBytesMax, resultsReader, settingsOf } from '../../config/settings.ts';
import { UsageError } from '../../errors.ts';
import { isResultForm, resultForms } from '../../formats/benchmarks/results.ts';
import { deadLetterLine } from '../../formats/prediction/dead-letter-line.ts';
import { eventLine } from '../../formats/prediction/pending-text.ts';
import { takeDeadLetters } from '../../pipeline/dead-letters.ts';
import { takeNotes } from '../../pipeline/input-notes.ts';
import { type FileOpening, fileLog } from '../../service/file-log.ts';
import { emptyPartition } from '../../state/partition.ts';
import type { Event, LogRecord } from '../../stream/event.ts';
import { createFold, endOpenRuns, type Fold, foldRecords } from '../../stream/fold.ts';
import { activeTruth } from '../../stream/truth-cache.ts';
import { withoutTruth } from '../../stream/truth-overlay.ts';
import { inputText } from '../../terminal/input-text.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { inputReport, type PlacedNotes } from '../../view/input-report.ts';
import { countRecords } from '../../view/view.ts';

export interface ConvertOptions {
  readonly config: Config;
  readonly events: readonly string[];
  /** `-` is standard output. */
  readonly output: string;
  readonly rejects: string | undefined;
  /** Records are results of a benchmark. */
  readonly from: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * `assay convert`: events of any form as native ones, through the fold of `replay`, without truth. Resolves with the exit status: 1 where no
 * event was written.
 */
export async function convert(options: ConvertOptions): Promise<number> {
  const { config, output, rejects, from } = options;
  if (from !== undefined && !isResultForm(from))
    throw new UsageError(`convert: --from ${from} is none of ${Object.keys(resultForms).join(', ')}`);
  const files = await inputFiles(options.events);
  const sinks: Sinks = {
    out: await lineFile(output),
    rejects: rejects === undefined ? undefined : await lineFile(rejects),
  };
  const reader = from === undefined ? readerOf(config, false) : resultsReader(config, from);
  const fold = createFold(emptyPartition(settingsOf(config, await deepOf(config))), reader);
  const noted: PlacedNotes = { counts: new Map(), firsts: new Map() };
  let written = 0;
  try {
    written = await convertFiles(fold, files, sinks, noted, options);
    await sinks.out.close();
    await sinks.rejects?.close();
  } finally {
    await sinks.out.abandon();
    await sinks.rejects?.abandon();
  }
  process.stderr.write(reportOf(fold, written, noted));
  return written === 0 ? 1 : 0;
}

interface Sinks {
  readonly out: LineFile;
  readonly rejects: LineFile | undefined;
}

/** Writes the events of files, one after the other, as one log; resolves with their number. */
async function convertFiles(
  fold: Fold,
  files: readonly string[],
  sinks: Sinks,
  noted: PlacedNotes,
  { config, from, signal }: ConvertOptions,
): Promise<number> {
  const { out, reader, state } = fold;
  const truth = activeTruth(withoutTruth, state.settings.layout.families, state.settings.toolNaming);
  const log = fileLog(config, signal, from === undefined ? undefined : resultFiles);
  const accepted: Event[] = [];
  out.onEvent = (event) => void accepted.push(event);
  let written = 0;
  const take = async (records: readonly LogRecord[]): Promise<void> => {
    takeNotes(out.input, noted, log);
    for (const event of accepted) await sinks.out.write(eventLine(reader.textOf(event, event.ts || 0)));
    for (const letter of takeDeadLetters(out, records, log)) await sinks.rejects?.write(deadLetterLine(letter));
    written += accepted.splice(0).length;
  };
  for (const file of files)
    for await (const { records } of log.batches(file)) {
      foldRecords(fold, records, 0, records.length, truth);
      await take(records);
    }
  endOpenRuns(fold, truth);
  await take([]);
  return written;
}

/** A log of Inspect is a zip archive. */
const resultFiles: FileOpening = {
  recordBytesMax: resultsBytesMax,
  open: (file, options) => (file.endsWith('.eval') ? evalRecords(file) : fileRecords(file, options)),
};

/** The numbers of events, what was odd in the input, and what to do where nothing was written. */
function reportOf({ state, reader }: Fold, written: number, { firsts }: PlacedNotes): string {
  const records = countRecords([state]);
  const refused = Object.entries(records.rejected).map(([code, count]) => `, rejected ${code} ${count}`);
  const repeated = records.duplicates > 0 ? `, duplicates left out ${records.duplicates}` : '';
  // Without truth, each event counts as one that has none.
  const rows = inputReport(records, state.input, firsts).filter(({ kind }) => kind !== 'no_truth');
  const notices = reader.notices?.() ?? [];
  return [
    `${written} events written${refused.join('')}${repeated}\n`,
    inputText(rows, `${records.read} events read`, notices, widthOf(process.stderr)),
    written === 0 ? `convert: no event was written. ${rows.length === 0 ? noRecords : noAnswers}\n` : '',
  ].join('');
}

const noRecords = 'The files hold no records; name others with --events';
const noAnswers =
  'Name the form of the records with --format, or say where their answers lie with --response or --field (docs/reference/inputs.md)';
