import { inputFiles } from '../../adapters/files/input-files.ts';
import { eachRecord } from '../../adapters/truth-files/truth-records.ts';
import type { Config } from '../../config/config.ts';
import { namingOf } from '../../config/families.ts';
import { type RecordFinding, recordFindingKinds, truthChecker } from '../../formats/truth/checker.ts';
import { nothingAtPlace, nothingToScore } from '../../formats/truth/counts.ts';
import { TruthError } from '../../formats/truth/error.ts';
import { truthReader } from '../../formats/truth/record.ts';
import { printable } from '../../terminal/terminal-text.ts';
import { textTable } from '../../terminal/text-table.ts';

export interface CheckTruthOptions {
  readonly config: Config;
  readonly inputs: readonly string[];
  /** A finding is a failure. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
}

/** `assay truth check`: prints what contradicts itself in files of truth. Resolves with the exit status: 3 where there is something, and `strict`. */
export async function checkTruth({ config, inputs, strict, signal }: CheckTruthOptions): Promise<number> {
  const { fields } = config.truth;
  const reader = truthReader({ limits: config.limits, fields });
  const checker = truthChecker(reader, namingOf(config.tools));
  const files = (await inputFiles(inputs)).map((name) => ({ name }));
  const found: RecordFinding[] = [];
  await eachRecord(files, { fields, signal }, (file, unit) => (line, text) => {
    found.push(...checker.check({ file, line, unit, text }));
  });
  if (checker.rows === 0) throw new TruthError(`${inputs.join(', ')}: no row of truth; name a file that holds some`);
  const missing = reader.missing();
  if (missing !== undefined) throw new TruthError(nothingAtPlace(missing, [...reader.unread]));
  const nothing = nothingToScore(checker.counts, [...reader.unread]);
  if (nothing !== undefined) throw new TruthError(nothing);
  process.stdout.write(process.stdout.isTTY ? tableOf(found) : found.map((one) => `${JSON.stringify(one)}\n`).join(''));
  process.stderr.write(`${checker.rows} rows${countsOf(found)}\n`);
  return strict && found.length > 0 ? 3 : 0;
}

function countsOf(found: readonly RecordFinding[]): string {
  if (found.length === 0) return ', none of which contradicts itself';
  const counts = recordFindingKinds
    .map((kind) => ({ kind, count: found.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0);
  return `; ${counts.map(({ kind, count }) => `${kind} ${count}`).join(', ')}`;
}

function tableOf(found: readonly RecordFinding[]): string {
  if (found.length === 0) return '';
  const rows = found.map(({ kind, example_id: id, file, line, detail, remedy }) =>
    [kind, id ?? '–', `${file}:${line}`, `${detail}; ${remedy}`].map(printable),
  );
  return `${textTable([['kind', 'example', 'place', 'detail'], ...rows], { left: [1, 2, 3] })}\n`;
}
