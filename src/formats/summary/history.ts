import { labels, predictedNames } from '../../scoring/label.ts';
import { isObject } from '../../scoring/json.ts';
import { wilson } from '../../scoring/reading.ts';

/**
 * What a point of a history remembers of one group: the counts from which its rates are read, all additive. The confusion matrix
 * first (gold * 5 + predicted), then the counts that it does not hold.
 */
export const historyCells: Readonly<Record<'toolHall' | 'toolChances' | 'unknownCalls' | 'calls' | 'size', number>> = {
  toolHall: 20,
  toolChances: 21,
  unknownCalls: 22,
  calls: 23,
  size: 24,
};

/** A number that has a history. Rates have an interval, the others none. */
export interface HistoryMetric {
  /** Path of the summary. */
  readonly path: string;
  readonly title: string;
  readonly better: 'higher' | 'lower';
  /** A share is told in percent, a score as a fraction. */
  readonly form: 'share' | 'score';
  readonly read: (cells: readonly number[]) => Counts | number | null;
}

/** A share of a whole. */
export interface Counts {
  readonly numerator: number;
  readonly denominator: number;
}

/** A reading of one metric; null at 0/0. */
export interface HistoryValue {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** What it rests on; undefined where it is no rate. */
  readonly counts: Counts | undefined;
}

/** The metrics that have a history, in the order of the charts. */
export const historyMetrics: readonly HistoryMetric[] = [
  { path: 'decision.accuracy', title: 'Accuracy', better: 'higher', form: 'share', read: accuracy },
  { path: 'decision.macro_f1', title: 'Macro-F1', better: 'higher', form: 'score', read: macroF1 },
  {
    path: 'decision.tool_hall',
    title: 'Tool hallucination',
    better: 'lower',
    form: 'share',
    read: share('toolHall', 'toolChances'),
  },
  { path: 'decision.param_hall', title: 'Parameter hallucination', better: 'lower', form: 'share', read: paramHall },
  { path: 'decision.answer_hall', title: 'Answer hallucination', better: 'lower', form: 'share', read: answerHall },
  {
    path: 'decision.unknown_tool',
    title: 'Unknown tool',
    better: 'lower',
    form: 'share',
    read: share('unknownCalls', 'calls'),
  },
];

/** The counts of a summary group's blocks; zeros where `decision` is disabled or scored nothing. */
export function cellsOf(blocks: Readonly<Record<string, unknown>>): number[] {
  const cells = new Array<number>(historyCells.size).fill(0);
  const { decision } = blocks;
  if (isObject(decision)) {
    const confusion = decision['confusion'];
    labels.forEach((gold, row) => {
      predictedNames.forEach((predicted, column) => {
        cells[row * predictedNames.length + column] = numberAt(confusion, gold, predicted);
      });
    });
    cells[historyCells.toolHall] = numberAt(decision, 'tool_hall', 'numerator');
    cells[historyCells.toolChances] = numberAt(decision, 'tool_hall', 'denominator');
    cells[historyCells.unknownCalls] = numberAt(decision, 'unknown_tool', 'numerator');
    cells[historyCells.calls] = numberAt(decision, 'unknown_tool', 'denominator');
  }
  return cells;
}

/** Reads a metric from counts, with its interval at `z` standard deviations where it is a rate. */
export function historyValue(metric: HistoryMetric, cells: readonly number[], z: number): HistoryValue {
  const read = metric.read(cells);
  if (read === null || typeof read === 'number') return { value: read, lower: null, upper: null, counts: undefined };
  const { numerator, denominator } = read;
  if (denominator === 0) return { value: null, lower: null, upper: null, counts: read };
  const [lower, upper] = wilson(numerator, denominator, z);
  return { value: numerator / denominator, lower, upper, counts: read };
}

function accuracy(cells: readonly number[]): Counts {
  return { numerator: sum(labels.map((_, label) => cell(cells, label, label))), denominator: total(cells) };
}

/** Mean of the four F1 = 2tp / (2tp + fp + fn), 0 at 0/0 (spec: metrics, section 1); null where nothing was scored. */
function macroF1(cells: readonly number[]): number | null {
  if (total(cells) === 0) return null;
  const f1 = labels.map((_, label) => {
    const weight = support(cells, label) + sum(labels.map((_gold, gold) => cell(cells, gold, label)));
    return weight === 0 ? 0 : (2 * cell(cells, label, label)) / weight;
  });
  return sum(f1) / labels.length;
}

function answerHall(cells: readonly number[]): Counts {
  const direct = labels.indexOf('direct');
  const wrong = labels.map((_, gold) => (gold === direct ? 0 : cell(cells, gold, direct)));
  return { numerator: sum(wrong), denominator: total(cells) };
}

function paramHall(cells: readonly number[]): Counts {
  const gold = labels.indexOf('request_for_info');
  return { numerator: cell(cells, gold, labels.indexOf('tool_call')), denominator: support(cells, gold) };
}

function share(part: keyof typeof historyCells, whole: keyof typeof historyCells): HistoryMetric['read'] {
  return (cells) => ({ numerator: cells[historyCells[part]]!, denominator: cells[historyCells[whole]]! });
}

function cell(cells: readonly number[], gold: number, predicted: number): number {
  return cells[gold * predictedNames.length + predicted]!;
}

function support(cells: readonly number[], gold: number): number {
  return sum(predictedNames.map((_, predicted) => cell(cells, gold, predicted)));
}

function total(cells: readonly number[]): number {
  return sum(labels.map((_, gold) => support(cells, gold)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function numberAt(from: unknown, ...path: readonly string[]): number {
  let at: unknown = from;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return typeof at === 'number' ? at : 0;
}
