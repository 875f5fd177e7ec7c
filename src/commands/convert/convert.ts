import { evalRecords } from '../../adapters/files/eval-records.ts';
import { fileRecords } from '../../adapters/files/file-records.ts';
import { limitFileModes } from '../../adapters/files/file-mode.ts';
import { inputFiles } from '../../adapters/files/input-files.ts';
import { type LineFile, lineFile } from '../../adapters/files/line-file.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { isResultForm, resultForms } from '../../formats/benchmarks/results.ts';
import { deadLetterLine } from '../../formats/prediction/dead-letter-line.ts';
import { eventLine } from '../../formats/prediction/pending-text.ts';
import { utf8 } from '../../state/containers/hash128.ts';
import { type Event, isRejected, type LogRecord, type Reader, type Rejected } from '../../stream/event.ts';
import { columnsOf, readerOf, resultsBytesMax, resultsReader, settingsOf } from '../../config/settings.ts';
import { emptyPartition } from '../../state/partition.ts';
import type { Run } from '../../stream/assembly.ts';
import { emptyOutput } from '../../stream/output.ts';
import { type Assembling, endAllRuns, takePlainSpans, takeStep } from '../../stream/runs.ts';

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
 * `assay convert`: events of any form as native ones, as `replay` reads them.
 * Resolves with the exit status: 1 where nothing could be read.
 */
export async function convert({ config, events, output, rejects, from, signal }: ConvertOptions): Promise<number> {
  if (from !== undefined && !isResultForm(from))
    throw new UsageError(`convert: --from ${from} is none of ${Object.keys(resultForms).join(', ')}`);
  limitFileModes(config.files.mode);
  const sinks: Sinks = {
    out: await lineFile(output),
    rejects: rejects === undefined ? undefined : await lineFile(rejects),
  };
  const written = {
    events: 0,
    rejects: new Map<string, number>(),
    firstReject: '',
    greatestTs: Number.NEGATIVE_INFINITY,
  };
  const reader = from === undefined ? readerOf(config, false) : resultsReader(config, from);
  const stage: Assembling = { state: emptyPartition(settingsOf(config, undefined)), reader, out: emptyOutput() };
  try {
    const files = await inputFiles(events);
    for (const file of files) await convertFile(file, stage, from !== undefined, config, sinks, written, signal);
    for (const run of endAllRuns(stage)) await writeRun(run, files.at(-1)!, reader, sinks, written);
    await sinks.out.close();
    await sinks.rejects?.close();
  } finally {
    await sinks.out.abandon();
    await sinks.rejects?.abandon();
  }
  const refused = [...written.rejects].map(([code, count]) => `, rejected ${code} ${count}`);
  process.stderr.write(`${written.events} events written${refused.join('')}\n`);
  if (written.firstReject !== '') process.stderr.write(`the first refusal: ${written.firstReject}\n`);
  return written.events === 0 && written.rejects.size > 0 ? 1 : 0;
}

interface Sinks {
  readonly out: LineFile;
  readonly rejects: LineFile | undefined;
}

interface Written {
  events: number;
  readonly rejects: Map<string, number>;
  /** The detail of the first refused event, for people. */
  firstReject: string;
}

async function convertFile(
  file: string,
  stage: Assembling,
  isResults: boolean,
  config: Config,
  sinks: Sinks,
  written: Written,
  signal: AbortSignal,
): Promise<void> {
  const recordBytesMax = isResults ? resultsBytesMax : config.limits.record_bytes;
  // A log of Inspect is a zip archive.
  const open = isResults && file.endsWith('.eval') ? evalRecords : fileRecords;
  const { batches } = await open(file, { recordBytesMax, isColumn: columnsOf(config), signal });
  const { reader } = stage;
  for await (const { records } of batches) {
    for (const record of records) {
      const { events, steps = [], plain = [] } = reader.read(record);
      for (const spans of plain) takePlainSpans(stage.state, spans);
      for (const event of events) await writeEvent(event, record, file, reader, sinks, written);
      for (const step of steps)
        for (const run of takeStep(stage, step, step.ts || record.offset) ?? [])
          await writeRun(run, file, reader, sinks, written);
    }
  }
}

/** Writes the event of a run that was made of steps. */
async function writeRun(
  { given, offset, element }: Run,
  file: string,
  reader: Reader,
  sinks: Sinks,
  written: Written,
): Promise<void> {
  const record: LogRecord = { bytes: new Uint8Array(0), start: 0, end: 0, offset, timestamp: Number.NaN };
  await writeEvent(reader.readRun(given, offset, element), record, file, reader, sinks, written);
}

async function writeEvent(
  event: Event | Rejected,
  record: LogRecord,
  file: string,
  reader: Reader,
  sinks: Sinks,
  written: Written,
): Promise<void> {
  if (isRejected(event)) return refuse(event, record, file, sinks.rejects, written);
  written.events++;
  await sinks.out.write(eventLine(reader.textOf(event, event.ts || 0)));
}

async function refuse(
  { code: reason, detail, element, text }: Rejected,
  { bytes, start, end, offset }: LogRecord,
  file: string,
  rejects: LineFile | undefined,
  written: Written,
): Promise<void> {
  written.rejects.set(reason, (written.rejects.get(reason) ?? 0) + 1);
  if (written.firstReject === '') written.firstReject = `${file}:${offset}: ${detail}`;
  const value = text === undefined ? bytes.subarray(start, end) : utf8(text);
  const source = { file, line: offset, ...(element < 0 ? {} : { element }) };
  await rejects?.write(deadLetterLine({ reason, detail, key: null, value, source }));
}
