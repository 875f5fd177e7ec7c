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
import { isRejected, type LogRecord, type Reader, type Rejected } from '../../stream/event.ts';
import { columnsOf, readerOf, resultsBytesMax, resultsReader } from '../../config/settings.ts';

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
  try {
    for (const file of await inputFiles(events)) {
      const reader = from === undefined ? readerOf(config, false) : resultsReader(config, from);
      await convertFile(file, reader, from !== undefined, config, sinks, written, signal);
    }
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
  reader: Reader,
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
  for await (const { records } of batches) {
    for (const record of records) {
      for (const event of reader.read(record).events) {
        if (isRejected(event)) await refuse(event, record, file, sinks.rejects, written);
        else {
          written.events++;
          await sinks.out.write(eventLine(reader.textOf(event, event.ts || 0)));
        }
      }
    }
  }
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
