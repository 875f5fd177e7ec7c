import { markdownTable, markdownText } from '../../documents/github.ts';
import type { TestSuite } from '../../documents/junit.ts';
import type { ComparedCandidate, ComparisonDocument } from '../../formats/summary/comparison-document.ts';
import { arrowOf, cellsOf } from './comparison-table.ts';
import { programName } from '../../name.ts';

/** A metric of a candidate that fails the command. */
export interface Failed {
  readonly file: string;
  readonly metric: string;
  readonly message: string;
}

/** A suite for each candidate, with a test case for each metric: it fails where the metric fails the command. */
export function suitesOf({ candidates }: ComparisonDocument, failures: readonly Failed[]): TestSuite[] {
  return candidates.map(({ file, metrics }) => ({
    name: `${programName}.compare.${file}`,
    cases: metrics.map((change) => {
      const lines = failures.filter((one) => one.file === file && one.metric === change.metric);
      const [message] = lines.map((one) => one.message);
      const failure = message === undefined ? undefined : { type: 'worse', message, lines: [message] };
      return { name: change.metric, failure, output: cellsOf(change).join('  ') };
    }),
  }));
}

/** A comparison in Markdown: a table for each candidate. */
export function markdownOf({ reference, candidates }: ComparisonDocument, failures: readonly Failed[]): string {
  const tableOf = ({ file, metrics }: ComparedCandidate): string[] => [
    `### Assay: ${markdownText(file)} compared with ${markdownText(reference.file)}`,
    markdownTable(
      ['Metric', 'A', 'B', 'B - A', '95 % interval', ''],
      metrics.map((change) => [`${change.metric} ${arrowOf(change)}`, ...cellsOf(change)].map(markdownText)),
    ),
  ];
  const worse = failures.map(({ message }) => `- ✗ ${markdownText(message)}`);
  return [...candidates.flatMap(tableOf), ...(worse.length === 0 ? [] : [worse.join('\n')])].join('\n\n');
}
