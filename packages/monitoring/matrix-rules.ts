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
 * Accuracy, and precision, recall and F1 of each class with their means (docs/reference/scoring.md, "decision"): 0/0 in a class is 0, the mean is over all four
 * classes; without any prediction there is no series, never a 0. Label `class` is a gold or predicted label.
 */
export function matrixRules(matrix: Matrix): RecordingRule[] {
  return [...sumRules(matrix), ...scoreRules(matrix)];
}

interface Names {
  readonly group: string;
  readonly classes: string;
  readonly total: string;
  readonly gold: string;
  readonly goldOutcomes: string;
  readonly predicted: string;
  readonly correct: string;
}

function namesOf({ level, count }: Matrix): Names {
  const group = level.join('_');
  const classes = `${group}_class`;
  return {
    group,
    classes,
    total: count(group, 'outcomes'),
    gold: count(`${group}_gold`, 'outcomes'),
    goldOutcomes: count(classes, 'gold_outcomes'),
    predicted: count(classes, 'predicted_outcomes'),
    correct: count(classes, 'correct_outcomes'),
  };
}

function sumRules(matrix: Matrix): RecordingRule[] {
  const { cells, level } = matrix;
  const { total, gold, goldOutcomes, predicted, correct } = namesOf(matrix);
  const asClass = (expr: string, label: string): string => `label_replace(${expr}, "class", "$1", "${label}", "(.+)")`;
  return [
    { record: total, expr: `sum without (gold, predicted) (${cells})` },
    { record: gold, expr: `sum without (predicted) (${cells})` },
    { record: goldOutcomes, expr: `sum without (gold) (${asClass(gold, 'gold')})` },
    { record: predicted, expr: `sum without (gold, predicted) (${asClass(cells, 'predicted')})` },
    {
      // PromQL cannot compare two labels: the diagonal is what a copy of `gold` as `predicted` matches.
      record: correct,
      expr: `sum without (gold, predicted) (
  label_replace(
      ${cells}
    and on (${[...level, 'gold', 'predicted'].join(', ')})
      label_replace(${gold}, "predicted", "$1", "gold", "(.+)"),
    "class", "$1", "gold", "(.+)"
  )
)`,
    },
  ];
}

function scoreRules(matrix: Matrix): RecordingRule[] {
  const { level, score } = matrix;
  const { group, classes, total, goldOutcomes, predicted, correct } = namesOf(matrix);
  const orZero = (numerator: string, denominator: string): string => `(
${indented(ratio(numerator, denominator))}
  or
    (${correct} * 0)
)
and on (${level.join(', ')})
  ${total} > 0`;
  const f1 = score(classes, 'f1');
  return [
    { record: score(group, 'accuracy'), expr: ratio(`sum without (class) (${correct})`, total) },
    { record: score(classes, 'precision'), expr: orZero(correct, predicted) },
    { record: score(classes, 'recall'), expr: orZero(correct, goldOutcomes) },
    { record: f1, expr: orZero(`2 * ${correct}`, `(${goldOutcomes} + ${predicted})`) },
    { record: score(group, 'macro_f1'), expr: `avg without (class) (${f1})` },
    { record: score(group, 'macro_f1_no_direct'), expr: `avg without (class) (${f1}{class!="direct"})` },
  ];
}
