import { inputFiles } from '../../adapters/files/input-files.ts';
import { type Between, eachRecord, readTruthFiles } from '../../adapters/truth-files/truth-records.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import {
  type BenchmarkName,
  type BenchmarkReader,
  benchmarkReader,
  benchmarks,
} from '../../formats/benchmarks/benchmarks.ts';
import { nothingAtPlace } from '../../formats/truth/counts.ts';
import { TruthError } from '../../formats/truth/error.ts';
import { gather } from '../../formats/platforms/gather.ts';
import { platformColumns, platformReader, type PlatformName, platforms } from '../../formats/platforms/platforms.ts';
import { buildFromEvents, type Choice } from './from-events.ts';
import { type TruthOutputOptions, truthOutput, writeGathered } from './truth-output.ts';

export interface BuildTruthOptions extends TruthOutputOptions {
  readonly config: Config;
  /** The benchmark or platform whose form the inputs have, or events; undefined: they are truth records. */
  readonly from: string | undefined;
  /** Events that become truth. */
  readonly choice: Choice;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(options: BuildTruthOptions): Promise<number> {
  const { from } = options;
  if (from !== 'events' && Object.keys(options.choice).length > 0)
    throw new UsageError('truth build: --model, --run and --agree choose among events; give --from events');
  if (from === 'events') await buildFromEvents(options);
  else if (from !== undefined && Object.hasOwn(platforms, from)) await buildFromPlatform(options, from as PlatformName);
  else await buildFromRecords(options);
  return 0;
}

async function buildFromRecords(options: BuildTruthOptions): Promise<void> {
  const { config, signal, from } = options;
  const { limits, truth } = config;
  const { builder, refuse, refused, write } = truthOutput(options);
  const reader = from === undefined || from === 'csv' ? undefined : benchmarkOf(from);
  const files = (await inputFiles(options.inputs)).map((name) => ({ name }));
  const { counts, unread } = await readTruthFiles(files, builder, refused, {
    ...{ limits, signal },
    ...(reader === undefined ? { fields: truth.fields } : { between: betweenOf(reader), columns: benchmarkColumns }),
  });
  const lacking = reader?.lacking() ?? [];
  for (const part of lacking) refuse(`${lacking.length} records of ${from} are not whole; one lacks ${part}`);
  await write(counts, unread);
}

function benchmarkOf(name: string): BenchmarkReader {
  if (Object.hasOwn(benchmarks, name)) return benchmarkReader(name as BenchmarkName);
  const known = [...Object.keys(benchmarks), ...Object.keys(platforms), 'csv', 'events'];
  throw new UsageError(`truth build: --from ${name} is none of ${known.join(', ')}`);
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

async function buildFromPlatform(options: BuildTruthOptions, name: PlatformName): Promise<void> {
  const { config, signal } = options;
  const { fields } = config.truth;
  const gathered = gather();
  const files = (await inputFiles(options.inputs)).map((file) => ({ name: file }));
  const reader = platformReader(name, fields);
  await eachRecord(files, { fields, columns: platformColumns, signal }, (file, unit) => {
    const read = reader.openFile(file);
    return (number, text) => {
      if (text?.trim() === '') return;
      const readings = read(text);
      for (const [at, reading] of readings.entries())
        gathered.add(reading, { file, number, unit, ...(readings.length > 1 && { item: at + 1 }) });
    };
  });
  const missing = reader.missing();
  if (missing !== undefined) throw new TruthError(nothingAtPlace(missing, []));
  const pages = reader.missingPages();
  if (pages !== undefined) process.stderr.write(`warning: ${pages}\n`);
  await writeGathered(truthOutput(options), gathered, config.limits);
}
