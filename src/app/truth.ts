import { rename, writeFile } from 'node:fs/promises';
import { textLines } from '../adapters/lines/text-lines.ts';
import { loadTruth } from '../adapters/truth/truth-loader.ts';
import { truthBuilder } from '../codec/truth-builder.ts';
import { readTruthRecord } from '../codec/truth-record.ts';
import { identityOfText } from '../core/identity.ts';
import { chunkOf, createTable, findRow, insertRow, type Table, valuesAt } from '../core/state/table.ts';

export interface BuildTruthOptions {
  readonly inputs: readonly string[];
  readonly output: string;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
  readonly signal: AbortSignal;
}

export interface InspectTruthOptions {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(options: BuildTruthOptions): Promise<number> {
  const builder = truthBuilder();
  const lineOf = createTable(1);
  let skipped = 0;
  for (const file of options.inputs) {
    for await (const { text, line } of textLines(file)) {
      options.signal.throwIfAborted();
      const record = readTruthRecord(text);
      const problem = 'problem' in record ? record.problem : repeated(lineOf, record.example_id, line);
      if (problem === undefined) {
        if (!('problem' in record)) builder.add(record);
      } else if (options.skipInvalid) skipped++;
      else throw new Error(`${file}:${line}: ${problem}`);
    }
  }
  const { rows } = builder;
  const temporary = `${options.output}.${process.pid}.tmp`;
  await writeFile(temporary, builder.finish());
  await rename(temporary, options.output);
  process.stderr.write(`${options.output}: ${rows} rows${skipped > 0 ? `, ${skipped} records skipped` : ''}\n`);
  return 0;
}

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth({ path, signal }: InspectTruthOptions): Promise<number> {
  const { info } = await loadTruth([path], { deadlineMs: inspectDeadlineMs, signal });
  process.stdout.write(`${JSON.stringify(info, null, 1)}\n`);
  return 0;
}

/** Looking at a file by hand may take its time; a damaged one must end all the same. */
const inspectDeadlineMs = 300_000;

/** What is wrong with an id that was there before; remembers it otherwise. Ids are known by their identity: any number of them fits. */
function repeated(lineOf: Table, exampleId: string, line: number): string | undefined {
  const words = new Uint32Array(4);
  identityOfText(exampleId, words, 0);
  const [w0, w1, w2, w3] = words as unknown as readonly [number, number, number, number];
  const known = findRow(lineOf, w0, w1, w2, w3);
  if (known >= 0) {
    const before = chunkOf(lineOf, known)[valuesAt(lineOf, known)];
    return `example_id ${JSON.stringify(exampleId)} occurred before, on line ${before}; give each example one record`;
  }
  const row = insertRow(lineOf, w0, w1, w2, w3);
  chunkOf(lineOf, row)[valuesAt(lineOf, row)] = line;
  return undefined;
}
