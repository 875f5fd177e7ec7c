import { readFile } from 'node:fs/promises';
import { type Comparand, compareSummaries, parseComparand } from '../view/compare.ts';
import { isProblem, type SummaryGroups } from '../view/summary-lookup.ts';
import { UsageError } from '../errors.ts';

export interface CompareOptions {
  /** Reference and candidate: a summary file, or `FILE#model=x`. */
  readonly a: string;
  readonly b: string;
  readonly metric: string | undefined;
}

/** Compares two summaries (docs/reference/command-line.md): prints a line of JSON for each metric. Resolves with the exit status. */
export async function compare({ a, b, metric }: CompareOptions): Promise<number> {
  const compared = compareSummaries(
    await readComparand(parseComparand(a)),
    await readComparand(parseComparand(b)),
    metric,
  );
  if (isProblem(compared)) throw new UsageError(`compare: ${compared.problem}`);
  for (const comparison of compared) process.stdout.write(`${JSON.stringify(comparison)}\n`);
  return 0;
}

async function readComparand({ file, slice }: Comparand): Promise<Comparand & { readonly summary: SummaryGroups }> {
  return { file, slice, summary: summaryOf(await textOf(file), file) };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: the summary cannot be read: ${(error as Error).message}`);
  }
}

function summaryOf(text: string, file: string): SummaryGroups {
  const parsed = jsonOf(text);
  const summary = parsed as { readonly format?: unknown; readonly groups?: unknown } | null | undefined;
  if (summary?.format === 'assay.summary/1' && Array.isArray(summary.groups)) return parsed as SummaryGroups;
  throw new UsageError(`${file}: is no summary (format assay.summary/1); make one with assay replay --summary FILE`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
