import { writeOutput } from '../../adapters/files/output.ts';
import type { ComparisonDocument } from '../../formats/summary/comparison-document.ts';
import { type Change, comparisonOf, headlinePaths } from '../../view/compare.ts';
import { fullPath } from '../../view/summary-lookup.ts';
import { UsageError } from '../../errors.ts';
import { comparisonOfFiles } from '../../documents/comparison.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { addToStepSummary, openReports, type ReportFlags, writeJunit } from '../../documents/reports.ts';
import { type Failed, markdownOf, suitesOf } from './ci-reports.ts';
import { comparisonTable } from './comparison-table.ts';
import { pageWith } from '../../documents/report-page.ts';

export interface CompareOptions extends ReportFlags {
  /** The reference, then candidates: each a summary or a file of scores, or `FILE#model=x`. */
  readonly files: readonly string[];
  /** Paths; none: the headline metrics. */
  readonly metrics: readonly string[];
  /** `worse`, or `worse:METRIC`. */
  readonly failOn: readonly string[];
  /** A .json or .html file; `-` is JSON on standard output. */
  readonly output?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Compares candidates with a reference (docs/reference/command-line.md): a table, a line of JSON for each metric that is named, or a file. Resolves
 * with the exit status.
 */
export async function compare(options: CompareOptions): Promise<number> {
  const { files, metrics, failOn, output, signal } = options;
  const reports = await openReports(options);
  const conditions = failOn.map(parseCondition);
  const named = metrics.map(fullPath);
  const required = new Set([...named, ...conditions.flatMap(({ path }) => path ?? [])]);
  const document = await comparisonOfFiles(files, named.length > 0 ? named : headlinePaths, required, signal);
  if (output !== undefined) await writeComparison(output, document);
  else if (named.length > 0) process.stdout.write(lines(document, new Set(named)));
  else process.stdout.write(`${comparisonTable(document, widthOf(process.stdout))}\n`);
  const failures = failuresOf(document, conditions);
  for (const { message } of failures) process.stderr.write(`compare: ${message}\n`);
  await writeJunit(reports, () => suitesOf(document, failures));
  if (reports.github !== undefined) await addToStepSummary(reports.github, markdownOf(document, failures));
  return failures.length === 0 ? 0 : 3;
}

interface Condition {
  readonly text: string;
  /** Undefined: any of those compared. */
  readonly path: string | undefined;
}

function parseCondition(text: string): Condition {
  if (text === 'worse') return { text, path: undefined };
  if (text.startsWith('worse:') && text.length > 6) return { text, path: fullPath(text.slice(6)) };
  throw new UsageError(`compare: --fail-on ${text} is neither worse nor worse:METRIC, such as worse:decision.accuracy`);
}

/** A line of JSON for each metric; with several candidates it names its own. */
function lines({ candidates }: ComparisonDocument, shown: ReadonlySet<string>): string {
  return candidates
    .flatMap(({ file, metrics }) =>
      metrics
        .filter(({ metric }) => shown.has(metric))
        .map((change) => ({ ...comparisonOf(change), ...(candidates.length > 1 && { candidate: file }) })),
    )
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

async function writeComparison(output: string, document: ComparisonDocument): Promise<void> {
  const isPage = output.endsWith('.html');
  await writeOutput(
    output,
    isPage ? await pageWith(document) : `${JSON.stringify(document, null, output === '-' ? undefined : 1)}\n`,
  );
}

/** The metrics that became worse where that was to fail. A metric of which it cannot be said fails where it is named. */
function failuresOf({ candidates }: ComparisonDocument, conditions: readonly Condition[]): Failed[] {
  return candidates.flatMap(({ file, metrics }) =>
    conditions.flatMap(({ text, path }) =>
      metrics
        .filter(({ metric, change }) => (path === undefined ? change === 'worse' : metric === path && isBad(change)))
        .map((change) => ({ file, metric: change.metric, message: `${text}: ${file}: ${sentence(change)}` })),
    ),
  );
}

function isBad(change: Change['change']): boolean {
  return change === 'worse' || change === null;
}

function sentence({ metric, a, b, lower, upper, change }: Change): string {
  if (change === null) return `${metric} has no interval to decide by (${a ?? 'no value'} and ${b ?? 'no value'})`;
  return `${metric} fell behind: ${a} before, ${b} now; difference [${lower!.toFixed(4)}, ${upper!.toFixed(4)}] at 95 %`;
}
