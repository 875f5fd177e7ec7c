import { indented, ratio } from './promql.ts';
import type { RecordingRule } from './rule.ts';

/** Where a confusion matrix comes from, and how what follows from it is named. */
export interface Matrix {
  /** Series with labels `gold` and `predicted` besides those of the level; every cell is there, if at 0. */
  readonly cells: string;
  readonly level: readonly string[];
  /** Name of a sum of cells: level as `job_model`, counter as `correct_outcomes`. */
  readonly count: (level: string, counter: string) => string;
  /** Name of a score: level as `job_model`, metric as `accuracy`. */
  readonly score: (level: string, metric: string) => string;
}

/**
 * Accuracy, and precision, recall and F1 of each class with their means (docs/reference/scoring.md, "decision"): 0/0 in a class is 0, the
 * mean is over all four classes; without any prediction there is no series, never a 0. Label `class` is a gold or predicted label.
 */
export function matrixRules({ cells, level, count, score }: Matrix): RecordingRule[] {
  const group = level.join('_');
  const classes = `${group}_class`;
  const total = count(group, 'outcomes');
  const gold = count(`${group}_gold`, 'outcomes');
  const ofGold = count(classes, 'gold_outcomes');
  const ofPredicted = count(classes, 'predicted_outcomes');
  const correct = count(classes, 'correct_outcomes');
  const f1 = score(classes, 'f1');
  const orZero = (numerator: string, denominator: string): string => `(
${indented(ratio(numerator, denominator))}
  or
    (${correct} * 0)
)
and on (${level.join(', ')})
  ${total} > 0`;
  return [
    { record: total, expr: `sum without (gold, predicted) (${cells})` },
    { record: gold, expr: `sum without (predicted) (${cells})` },
    { record: ofGold, expr: `sum without (gold) (${renamed(gold, 'gold', 'class')})` },
    { record: ofPredicted, expr: `sum without (gold, predicted) (${renamed(cells, 'predicted', 'class')})` },
    { record: correct, expr: correctOutcomes(cells, gold, level) },
    { record: score(group, 'accuracy'), expr: ratio(`sum without (class) (${correct})`, total) },
    { record: score(classes, 'precision'), expr: orZero(correct, ofPredicted) },
    { record: score(classes, 'recall'), expr: orZero(correct, ofGold) },
    { record: f1, expr: orZero(`2 * ${correct}`, `(${ofGold} + ${ofPredicted})`) },
    { record: score(group, 'macro_f1'), expr: `avg without (class) (${f1})` },
    { record: score(group, 'macro_f1_no_direct'), expr: `avg without (class) (${f1}{class!="direct"})` },
  ];
}

const renamed = (expr: string, from: string, to: string): string =>
  `label_replace(${expr}, "${to}", "$1", "${from}", "(.+)")`;

/** PromQL cannot compare two labels: the diagonal is what a copy of `gold` as `predicted` matches. */
function correctOutcomes(cells: string, gold: string, level: readonly string[]): string {
  return `sum without (gold, predicted) (
  label_replace(
      ${cells}
    and on (${[...level, 'gold', 'predicted'].join(', ')})
      ${renamed(gold, 'gold', 'predicted')},
    "class", "$1", "gold", "(.+)"
  )
)`;
}
