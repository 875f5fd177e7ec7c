import type { Counter } from '../family.ts';
import { isObject } from '../json.ts';
import { cannotAnswer, direct, labels, predictedNames, requestForInfo, toolCall } from '../label.ts';
import {
  type BlockOf,
  byLabel,
  type Counted,
  count,
  fieldOfRow,
  type Metrics,
  matrix,
  type NumberMetric,
  number,
  type OfRow,
  type RowPart,
  rate,
  type About,
} from '../metric.ts';

/** The counts of any set of scored predictions. */
export interface DecisionSums {
  /** `outcomes[gold][predicted]`. */
  readonly outcomes: readonly (readonly number[])[];
  /** Predictions by gold label, by predicted label, and those where the two are equal. */
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
  readonly correct: readonly number[];
  readonly n: number;
  readonly missing: number;
  readonly invalid: number;
  readonly inferred: number;
  /** Predictions that should refuse for want of any tool, and those of them that call one. */
  readonly toolOpportunities: number;
  readonly toolHallucinations: number;
  /** Calls where tools are recorded, and those of no available tool. */
  readonly calls: number;
  readonly unknownCalls: number;
}

/** The cells of F1. */
type LabelSums = Pick<DecisionSums, 'gold' | 'predicted' | 'correct' | 'n'>;

/** Metrics of one label against the others. */
const classMetrics = {
  precision: ofClass({
    title: 'Precision',
    help: 'Share of the predictions of the label that are right; 0 where there are none.',
    better: 'higher',
    of: ({ correct, predicted }) => orZero(correct, predicted),
    share: ({ correct, predicted }) => [correct, predicted],
  }),
  recall: ofClass({
    title: 'Recall',
    help: 'Share of the examples of the label that were predicted so; 0 where there are none.',
    better: 'higher',
    of: ({ correct, gold }) => orZero(correct, gold),
    share: ({ correct, gold }) => [correct, gold],
  }),
  f1: ofClass({ title: 'F1', help: '2 tp / (gold + predicted); 0 where there are none.', better: 'higher', of: f1Of }),
  support: count({ title: 'Support', help: 'Examples of the label.', of: ({ gold }) => gold }),
} satisfies Metrics<ClassCounts>;

export const decisionMetrics = {
  n: count({ title: 'Decisions', help: 'Predictions scored.', of: ({ n }) => n }),
  accuracy: rate({
    title: 'Accuracy',
    help: 'Decisions equal to the truth.',
    better: 'higher',
    headline: 'Accuracy',
    history: true,
    of: ({ correct, n }) => [sum(correct), n],
    ofRow: fieldOfRow('correct'),
  }),
  macro_f1: ofLabels({
    title: 'Macro-F1',
    help: 'Mean F1 over the four labels; an absent label counts 0.',
    better: 'higher',
    headline: 'Macro-F1 of 4',
    of: (sums) => (sums.n === 0 ? null : sum(classesOf(sums).map(f1Of)) / labels.length),
  }),
  macro_f1_no_direct: ofLabels({
    title: 'Macro-F1 without direct',
    help: 'Mean F1 over the three labels but direct; drops the label, not its predictions.',
    better: 'higher',
    of: (sums) =>
      sums.n === 0
        ? null
        : sum(
            classesOf(sums)
              .filter((_, label) => label !== direct)
              .map(f1Of),
          ) / 3,
  }),
  macro_f1_present: ofLabels({
    title: 'Macro-F1 of present labels',
    help: 'Mean F1 over those labels that occur in truth or predictions.',
    better: 'higher',
    headline: 'Macro-F1',
    history: true,
    of: (sums) => {
      const present = classesOf(sums).filter(({ gold, predicted }) => gold + predicted > 0);
      return present.length === 0 ? null : sum(present.map(f1Of)) / present.length;
    },
  }),
  confusion: matrix({
    title: 'Confusion matrix',
    help: 'Predictions by gold label, then predicted label.',
    rows: labels,
    columns: predictedNames,
    of: ({ outcomes }, gold, predicted) => outcomes[gold]![predicted]!,
  }),
  per_class: byLabel(labels, (sums: DecisionSums, label) => classesOf(sums)[label]!, classMetrics),
  tool_hall: rate({
    title: 'Tool hallucination',
    help: 'Calls of a tool where the agent should refuse and no tool is available.',
    better: 'lower',
    headline: 'ToolHall',
    history: true,
    watched: true,
    budget: 0.05,
    of: (sums) => [sums.toolHallucinations, sums.toolOpportunities],
  }),
  answer_hall: rate({
    title: 'Answer hallucination',
    help: 'Direct answers where the truth asks for something else.',
    better: 'lower',
    headline: 'AnswerHall',
    history: true,
    watched: true,
    budget: 0.05,
    of: ({ predicted, correct, n }) => [predicted[direct]! - correct[direct]!, n],
    ofRow: (row) => {
      const [gold, predicted] = codesOf(row);
      return gold < 0 ? undefined : Number(predicted === direct && gold !== direct);
    },
  }),
  param_hall: rate({
    title: 'Parameter hallucination',
    help: 'Calls of a tool where the agent should ask for missing information.',
    better: 'lower',
    headline: 'ParamHall',
    history: true,
    watched: true,
    budget: 0.08,
    of: ({ outcomes, gold }) => [outcomes[requestForInfo]![toolCall]!, gold[requestForInfo]!],
    ofRow: ofGold(requestForInfo),
  }),
  tool_hall_any: rate({
    title: 'Tool hallucination, any tools',
    help: 'Calls of a tool where the agent should refuse, whatever tools are recorded.',
    better: 'lower',
    of: ({ outcomes, gold }) => [outcomes[cannotAnswer]![toolCall]!, gold[cannotAnswer]!],
    ofRow: ofGold(cannotAnswer),
  }),
  unknown_tool: rate({
    title: 'Unknown tool',
    help: 'Calls of a tool that is not among those available, of scored predictions; family tool_use counts all.',
    better: 'lower',
    headline: 'Unknown tool',
    history: true,
    of: ({ unknownCalls, calls }) => [unknownCalls, calls],
  }),
  missing: count({ title: 'Missing labels', help: 'Predictions without a label.', of: ({ missing }) => missing }),
  invalid: count({
    title: 'Invalid labels',
    help: 'Predictions whose label is none of the four.',
    of: ({ invalid }) => invalid,
  }),
  inferred: count({
    title: 'Inferred labels',
    help: 'Predictions whose label was read from their words by decision.rules.',
    of: ({ inferred }) => inferred,
  }),
} satisfies Metrics<DecisionSums>;

/** The block of a summary group. */
export type DecisionBlock = BlockOf<typeof decisionMetrics>;

/** Counters of what was scored. */
export const decisionCounters: readonly Counter<DecisionSums>[] = [
  {
    name: 'outcomes',
    help: 'Predictions scored by gold and predicted label, counted once their checkpoint is committed.',
    unit: 'events',
    labels: ['gold', 'predicted'],
    series: labels.flatMap((gold, row) =>
      predictedNames.map((predicted, column) => ({
        values: [gold, predicted],
        of: ({ outcomes }: DecisionSums) => outcomes[row]![column]!,
      })),
    ),
  },
];

/** Predictions of one label: by truth, by prediction, and both. */
export interface ClassCounts {
  readonly gold: number;
  readonly predicted: number;
  readonly correct: number;
}

/** A number that the confusion matrix gives: an event is one in a cell of it. */
function ofLabels(metric: About & { of(sums: LabelSums): number | null }) {
  const counted: Counted = {
    cells: labels.length * predictedNames.length,
    of: (counts) => metric.of(labelSums(counts)),
    ofBlock: countsIn,
    ofRow: (row) => {
      const [gold, predicted] = codesOf(row);
      return gold < 0 || predicted < 0 ? undefined : gold * predictedNames.length + predicted;
    },
  };
  return number<DecisionSums>({ ...metric, counted });
}

/** A number of one label, which the confusion matrix gives, too. */
function ofClass(metric: About & Pick<NumberMetric<ClassCounts>, 'of' | 'share'>) {
  return number<ClassCounts>({
    ...metric,
    ofBlock: ({ block, label }) => {
      const counts = countsIn(block);
      return counts && metric.of(classesOf(labelSums(counts))[label]!);
    },
  });
}

/** The cells of the confusion matrix of a block. */
function countsIn({ confusion }: RowPart): readonly number[] | undefined {
  if (!isObject(confusion)) return undefined;
  return labels.flatMap((gold) => predictedNames.map((predicted) => cellOf(confusion[gold], predicted)));
}

function cellOf(row: unknown, predicted: string): number {
  return isObject(row) && typeof row[predicted] === 'number' ? row[predicted] : 0;
}

function labelSums(counts: readonly number[]): LabelSums {
  const at = (gold: number, predicted: number): number => counts[gold * predictedNames.length + predicted]!;
  return {
    gold: labels.map((_, gold) => sum(predictedNames.map((_name, predicted) => at(gold, predicted)))),
    predicted: labels.map((_, predicted) => sum(labels.map((_name, gold) => at(gold, predicted)))),
    correct: labels.map((_, label) => at(label, label)),
    n: sum(counts),
  };
}

/** Gold and predicted label of a score row; -1 for what is none. */
function codesOf({ gold, predicted }: RowPart): readonly [gold: number, predicted: number] {
  return [(labels as readonly unknown[]).indexOf(gold), (predictedNames as readonly unknown[]).indexOf(predicted)];
}

/** Calls of a tool, of the events with a gold label. */
function ofGold(label: number): OfRow {
  return (row) => {
    const [gold, predicted] = codesOf(row);
    return gold === label ? Number(predicted === toolCall) : undefined;
  };
}

function classesOf({ gold, predicted, correct }: LabelSums): ClassCounts[] {
  return labels.map((_, label) => ({ gold: gold[label]!, predicted: predicted[label]!, correct: correct[label]! }));
}

function f1Of({ gold, predicted, correct }: ClassCounts): number {
  return orZero(2 * correct, gold + predicted);
}

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function orZero(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}
