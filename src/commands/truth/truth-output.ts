import { writeOutput } from '../../adapters/files/output.ts';
import { parquetOfArrow } from '../../formats/files/arrow-to-parquet.ts';
import { type LackCounts, lacksText, placeText } from '../../formats/platforms/lacks.ts';
import { type TruthBuilder, truthBuilder } from '../../formats/truth/builder.ts';
import { countRecord, countsText, noRecords, nothingToScore, type TruthCounts } from '../../formats/truth/counts.ts';
import { truthLineBuilder } from '../../formats/truth/line-builder.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import type { Refused } from '../../formats/truth/lines.ts';
import { truthReader } from '../../formats/truth/record.ts';
import type { Gathered } from '../../formats/platforms/gather.ts';

/** A truth table that is being built, in the form that the name of its file says: NDJSON, Parquet, else Arrow. */
export interface TruthOutput {
  readonly builder: TruthBuilder;
  /** Skips a record that is no truth. */
  readonly refused: Refused;
  readonly refuse: (problem: string) => void;
  /** Writes the table; `lacks` are the records that gave no row. Throws where records are refused and may not be skipped, or there is nothing to score. */
  write(counts: TruthCounts, unread?: readonly string[], lacks?: LackCounts): Promise<void>;
}

export interface TruthOutputOptions {
  /** The files that it is built of, for messages. */
  readonly inputs: readonly string[];
  readonly output: string;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
}

/** Begins a truth table. */
export function truthOutput({ inputs, output, skipInvalid }: TruthOutputOptions): TruthOutput {
  const builder = builderOf(output);
  const shown: string[] = [];
  let skipped = 0;
  const refuse = (problem: string): void => {
    if (skipped++ < skippedShown) shown.push(problem);
  };
  return {
    builder,
    refuse,
    refused(file, number, problem, unit) {
      refuse(`${placeText({ file, number, unit })}: ${problem}`);
    },
    async write(counts, unread = [], lacks?: LackCounts) {
      if (skipped > 0 && !skipInvalid) throw new Error(refusedText(shown, skipped));
      const left = skipped > 0 ? `, ${skipped} records skipped` : '';
      for (const problem of shown) process.stderr.write(`skipped: ${problem}\n`);
      if (lacks !== undefined && lacks.size > 0)
        process.stderr.write(`records that give no truth:\n${lacksText(lacks)}`);
      const problem = builder.rows === 0 && lacks !== undefined ? noRow : nothingToScore(counts, unread);
      if (problem !== undefined) throw new Error(`${inputs.join(', ')}: ${problem}`);
      await writeOutput(output, builder.finish());
      process.stderr.write(`${output}: ${countsText(counts, unread)}${left}\n`);
    },
  };
}

/** More skipped records than these are counted only. */
const skippedShown = 5;

/** Why a table is not written: the only refused record, or the number of them and the first ones. */
function refusedText(first: readonly string[], count: number): string {
  if (count === 1) return first[0]!;
  const more = count > first.length ? [`  and ${count - first.length} more`] : [];
  const lines = first.map((problem) => `  ${problem}`);
  return [`${count} records are refused (--skip-invalid leaves them out):`, ...lines, ...more].join('\n');
}

const noRow = 'no record gives truth; name other files, or do what is listed above';

/** Writes the table of gathered rows. */
export async function writeGathered(
  { builder, refused, write }: TruthOutput,
  { rows, lacks }: Gathered,
  limits: RowLimits,
): Promise<void> {
  const reader = truthReader({ limits });
  const counts = noRecords();
  for (const { text, place } of rows()) {
    const record = reader.read(text);
    if ('problem' in record) refused(place.file, place.number, record.problem, place.unit);
    else {
      builder.add(record);
      countRecord(counts, record);
    }
  }
  await write(counts, [...reader.unread], lacks);
}

function builderOf(output: string): TruthBuilder {
  if (/\.(ndjson|jsonl)$/.test(output)) return truthLineBuilder();
  const builder = truthBuilder();
  if (!output.endsWith('.parquet')) return builder;
  const { finish } = builder;
  return Object.assign(builder, { finish: () => parquetOfArrow([finish()], {}) });
}
