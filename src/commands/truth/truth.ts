import { fileRecords } from '../../adapters/files/file-records.ts';
import { inputFiles } from '../../adapters/files/input-files.ts';
import { UsageError } from '../../errors.ts';
import { writeOutput } from '../../adapters/files/output.ts';
import { loadTruth } from '../../adapters/truth-files/truth-loader.ts';
import { truthBuilder } from '../../formats/truth/builder.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import {
  type BenchmarkName,
  type BenchmarkReader,
  benchmarkReader,
  benchmarks,
} from '../../formats/benchmarks/benchmarks.ts';
import { decodeUtf8 } from '../../formats/bytes/utf8.ts';
import { type Refused, type TruthLines, truthLines } from '../../formats/truth/lines.ts';
import { truthReader } from '../../formats/truth/record.ts';
import { truthColumns } from '../../formats/truth/columns.ts';

export interface BuildTruthOptions {
  readonly inputs: readonly string[];
  readonly output: string;
  /** The benchmark whose form the inputs have; undefined: they are truth records. */
  readonly from: string | undefined;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
  readonly limits: RowLimits;
  readonly signal: AbortSignal;
}

export interface InspectTruthOptions {
  readonly path: string;
  readonly limits: RowLimits;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(options: BuildTruthOptions): Promise<number> {
  const builder = truthBuilder();
  let skipped = 0;
  const refused: Refused = (file, number, problem, unit) => {
    const place = unit === 'line' ? `:${number}` : `, ${unit} ${number}`;
    if (!options.skipInvalid) throw new Error(`${file}${place}: ${problem}`);
    skipped++;
  };
  const lines = truthLines(builder, refused, truthReader({ limits: options.limits }));
  const { signal } = options;
  const reader = options.from === undefined ? undefined : readerOf(options.from);
  for (const file of await inputFiles(options.inputs)) {
    const { unit, batches } = await fileRecords(file, { recordBytesMax, isColumn, signal });
    const addTruth = lines.openFile(file, unit);
    const refuse = (number: number, problem: string): void => refused(file, number, problem, unit);
    const add = reader === undefined ? addTruth : adding(reader, addTruth, refuse);
    for await (const { records } of batches) {
      signal.throwIfAborted();
      for (const { bytes, start, end, offset } of records) add(offset, decodeUtf8(bytes, start, end));
    }
  }
  const lacking = reader?.lacking() ?? [];
  if (lacking.length > 0 && !options.skipInvalid)
    throw new Error(`${lacking.length} records of ${options.from} are not whole: the first lacks ${lacking[0]}`);
  skipped += lacking.length;
  const { rows } = builder;
  await writeOutput(options.output, builder.finish());
  process.stderr.write(`${options.output}: ${rows} rows${skipped > 0 ? `, ${skipped} records skipped` : ''}\n`);
  return 0;
}

function readerOf(name: string): BenchmarkReader {
  if (Object.hasOwn(benchmarks, name)) return benchmarkReader(name as BenchmarkName);
  throw new UsageError(`truth build: --from ${name} is none of ${Object.keys(benchmarks).join(', ')}`);
}

type Add = ReturnType<TruthLines['openFile']>;

/** Adds the truth in the records of a benchmark. */
function adding(reader: BenchmarkReader, add: Add, refuse: (number: number, problem: string) => void): Add {
  return (number, text) => {
    const read = text === undefined ? { texts: [text] } : reader.read(text, number);
    if ('problem' in read) refuse(number, read.problem);
    else for (const one of read.texts) add(number, one);
  };
}

/** No record is longer than a string can be. */
const recordBytesMax = 2 ** 29 - 32;

/** Columns of the benchmarks that are published as Parquet or CSV too. */
const benchmarkColumns: readonly string[] = ['correct_answer', 'ideal', 'tool_context', 'messages', 'ground_truth'];

function isColumn(name: string): boolean {
  return Object.hasOwn(truthColumns, name) || benchmarkColumns.includes(name);
}

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth({ path, limits, signal }: InspectTruthOptions): Promise<number> {
  const { info } = await loadTruth([path], { deadlineMs: inspectDeadlineMs, limits, signal });
  process.stdout.write(`${JSON.stringify(info, null, 1)}\n`);
  return 0;
}

/** Looking at a file by hand may take its time; a damaged one must end all the same. */
const inspectDeadlineMs = 300_000;
