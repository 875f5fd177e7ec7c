import { declaredAt } from '../../src/view/declared.ts';
import { printable } from './format.ts';

/** The texts of a rate, for people. */
export interface MetricAbout {
  readonly title: string;
  readonly help: string;
}

/** The declaration of a metric, by its path in a summary group; of one that this page lacks, its path. */
export function reportedOf(path: string): MetricAbout {
  const { title = printable(path), help = '' } = declaredAt(path)?.metric ?? {};
  const [, label] = /\.(?:per_class|good|bad)\.(\w+)\./.exec(path) ?? [];
  return { title: label === undefined ? title : `${title} of ${label}`, help };
}

/** A title within a sentence: `Tool hallucination` begins small, `JSON exact` does not. */
export function titleInSentence(path: string): string {
  const { title } = reportedOf(path);
  return title.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
