import { inputFiles } from '../../adapters/files/input-files.ts';
import { UsageError } from '../../errors.ts';
import { writeOutput } from '../../adapters/files/output.ts';
import { loadTruth } from '../../adapters/truth-files/truth-loader.ts';
import { type Between, readTruthFiles } from '../../adapters/truth-files/truth-records.ts';
import { truthBuilder } from '../../formats/truth/builder.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import {
  type BenchmarkName,
  type BenchmarkReader,
  benchmarkReader,
  benchmarks,
} from '../../formats/benchmarks/benchmarks.ts';
import { countsText, nothingToScore } from '../../formats/truth/counts.ts';
import type { TruthPlaces } from '../../formats/truth/fields.ts';
import type { Refused } from '../../formats/truth/lines.ts';

export interface BuildTruthOptions {
  readonly inputs: readonly string[];
  readonly output: string;
  /** The benchmark whose form the inputs have; undefined: they are truth records. */
  readonly from: string | undefined;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
  readonly limits: RowLimits;
  readonly fields: TruthPlaces;
  readonly signal: AbortSignal;
}

export interface InspectTruthOptions {
  readonly path: string;
  readonly limits: RowLimits;
  readonly fields: TruthPlaces;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(options: BuildTruthOptions): Promise<number> {
  const { limits, fields, signal, skipInvalid } = options;
  const builder = truthBuilder();
  let skipped = 0;
  const refused: Refused = (file, number, problem, unit) => {
    const place = unit === 'line' ? `:${number}` : `, ${unit} ${number}`;
    if (!skipInvalid) throw new Error(`${file}${place}: ${problem}`);
    skipped++;
  };
  const reader = options.from === undefined ? undefined : readerOf(options.from);
  const files = (await inputFiles(options.inputs)).map((name) => ({ name }));
  const { counts, unread } = await readTruthFiles(files, builder, refused, {
    ...{ limits, signal },
    ...(reader === undefined ? { fields } : { between: betweenOf(reader), columns: benchmarkColumns }),
  });
  const lacking = reader?.lacking() ?? [];
  if (lacking.length > 0 && !skipInvalid)
    throw new Error(`${lacking.length} records of ${options.from} are not whole: the first lacks ${lacking[0]}`);
  skipped += lacking.length;
  const problem = nothingToScore(counts, unread);
  if (problem !== undefined) throw new Error(`${options.inputs.join(', ')}: ${problem}`);
  await writeOutput(options.output, builder.finish());
  const left = skipped > 0 ? `, ${skipped} records skipped` : '';
  process.stderr.write(`${options.output}: ${countsText(counts, unread)}${left}\n`);
  return 0;
}

function readerOf(name: string): BenchmarkReader {
  if (Object.hasOwn(benchmarks, name)) return benchmarkReader(name as BenchmarkName);
  throw new UsageError(`truth build: --from ${name} is none of ${Object.keys(benchmarks).join(', ')}`);
}

/** Reads the truth in the records of a benchmark. */
function betweenOf(reader: BenchmarkReader): Between {
  return (add, refuse) => (number, text) => {
    const read = text === undefined ? { texts: [text] } : reader.read(text, number);
    if ('problem' in read) refuse(number, read.problem);
    else for (const one of read.texts) add(number, one);
  };
}

/** Columns of the benchmarks that are published as Parquet or CSV too. */
const benchmarkColumns: readonly string[] = ['correct_answer', 'ideal', 'tool_context', 'messages', 'ground_truth'];

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth({ path, signal, ...reading }: InspectTruthOptions): Promise<number> {
  const { info } = await loadTruth([path], { deadlineMs: inspectDeadlineMs, ...reading, signal });
  process.stdout.write(`${JSON.stringify(info, null, 1)}\n`);
  return 0;
}

/** Looking at a file by hand may take its time; a damaged one must end all the same. */
const inspectDeadlineMs = 300_000;
