import { writeOutput } from '../adapters/files/output.ts';
import { textLines } from '../adapters/files/text-lines.ts';
import { loadTruth } from '../adapters/truth-files/truth-loader.ts';
import { truthBuilder } from '../formats/truth/builder.ts';
import { truthLines } from '../formats/truth/lines.ts';

export interface BuildTruthOptions {
  readonly inputs: readonly string[];
  readonly output: string;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
  /** Expected calls of a row (configuration: `limits.calls`). */
  readonly callsMax: number;
  readonly signal: AbortSignal;
}

export interface InspectTruthOptions {
  readonly path: string;
  readonly callsMax: number;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(options: BuildTruthOptions): Promise<number> {
  const builder = truthBuilder();
  let skipped = 0;
  const refused = (file: string, line: number, problem: string): void => {
    if (!options.skipInvalid) throw new Error(`${file}:${line}: ${problem}`);
    skipped++;
  };
  const lines = truthLines(builder, refused, options.callsMax);
  for (const file of options.inputs) {
    const add = lines.openFile(file);
    for await (const { text, line } of textLines(file)) {
      options.signal.throwIfAborted();
      add(line, text);
    }
  }
  const { rows } = builder;
  await writeOutput(options.output, builder.finish());
  process.stderr.write(`${options.output}: ${rows} rows${skipped > 0 ? `, ${skipped} records skipped` : ''}\n`);
  return 0;
}

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth({ path, callsMax, signal }: InspectTruthOptions): Promise<number> {
  const { info } = await loadTruth([path], { deadlineMs: inspectDeadlineMs, callsMax, signal });
  process.stdout.write(`${JSON.stringify(info, null, 1)}\n`);
  return 0;
}

/** Looking at a file by hand may take its time; a damaged one must end all the same. */
const inspectDeadlineMs = 300_000;
