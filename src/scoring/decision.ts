import { type Block, cellNames, type Family, type Joined, type Mode, type Tally, type TallyReader } from './family.ts';
import type { Json } from './json.ts';
import {
  cannotAnswer,
  direct,
  invalid,
  type LabelCode,
  labels,
  predictedNames,
  requestForInfo,
  toolCall,
} from './label.ts';
import type { Call } from './prediction.ts';
import type { RateOf } from './reading.ts';
import { toolName } from './tool.ts';
import type { Truth } from './truth.ts';

/**
 * Family `decision`: what did the agent decide to do? (When2Call, arXiv:2504.18851, and its API evaluation suite;
 * spec: metrics, section 1.)
 *
 * Every number is a reading of a confusion matrix of 4 gold by 5 predicted labels and a few counts over tools.
 *
 * Worked example, gold / predicted: tool_call / tool_call, tool_call / direct, request_for_info / tool_call, cannot_answer without
 * tools / tool_call. accuracy = 1/4; param_hall = 1/1; tool_hall = 1/1; answer_hall = 1/4; tool_call: P 1/3, R 1/2,
 * F1 = 2·1/(2 + 3) = .4; macro_f1 = .4/4 = .1; macro_f1_no_direct = .4/3.
 */
export interface DecisionOptions {
  readonly mode: Mode;
  /** How a label that is missing or none of the four is scored: as a fifth predicted column, or as `cannot_answer`. */
  readonly invalidAs: 'wrong' | 'cannot_answer';
}

interface Prepared {
  readonly gold: LabelCode;
  /** Tools available by the truth row; undefined where it records none. */
  readonly tools: ReadonlySet<string> | undefined;
  readonly toolCount: number;
}

interface Outcome {
  readonly gold: LabelCode;
  /** As scored, after coercion. */
  readonly predicted: LabelCode;
  readonly missing: boolean;
  readonly invalid: boolean;
  /** Tools available: their number, -1 where none are recorded on either side. */
  readonly toolCount: number;
  /** Calls made, and those to no available tool; both 0 where no tools are recorded. */
  readonly calls: number;
  readonly unknownCalls: number;
}

const predictedCount = 5;
const cells = cellNames({
  missing: 'count',
  invalid: 'count',
  toolOpportunities: 'count',
  toolHallucinations: 'count',
  calls: 'count',
  unknownCalls: 'count',
  ...(Object.fromEntries(
    Array.from({ length: labels.length * predictedCount }, (_, cell) => [`outcome${cell}`, 'count']),
  ) as Record<'outcome0', 'count'>),
});
const { at } = cells;

/** Index of a confusion cell among the family's cells. */
export function outcomeCell(gold: number, predicted: number): number {
  return at.outcome0 + gold * predictedCount + predicted;
}

/** Indexes of the other cells, for exporters. */
export const decisionCells: Readonly<
  Record<'missing' | 'invalid' | 'toolOpportunities' | 'toolHallucinations' | 'calls' | 'unknownCalls', number>
> = at;

/** The family `decision` with its options closed over. */
export function decision(options: DecisionOptions): Family<Prepared, Outcome> {
  const coerced = options.invalidAs === 'cannot_answer';
  const upstream = options.mode === 'upstream';
  return {
    name: 'decision',
    cells: cells.kinds,
    breakdowns: [],
    prepare,
    score(input, prepared) {
      const { label, labelStatus, calls, tools } = input.prediction;
      const missing = labelStatus === 'missing';
      const toolCount = prepared.tools ? prepared.toolCount : tools ? tools.length : -1;
      const known = toolCount >= 0 && calls !== undefined && calls.length > 0;
      return {
        gold: prepared.gold,
        predicted: label === invalid && coerced ? cannotAnswer : label,
        missing,
        invalid: label === invalid && (upstream || !missing),
        toolCount,
        calls: known ? calls.length : 0,
        unknownCalls: known ? unknownCallsOf(calls, prepared.tools ?? namesOf(tools!)) : 0,
      };
    },
    tally,
    perfect: (outcome) => outcome.gold === outcome.predicted,
    row,
    read,
  };
}

function prepare(truth: Truth): Prepared | undefined {
  if (truth.label === undefined) return undefined;
  const { tools } = truth;
  return { gold: truth.label, tools: tools && namesOf(tools), toolCount: tools ? tools.length : -1 };
}

function namesOf(tools: readonly Json[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const tool of tools) {
    const name = toolName(tool);
    if (name !== undefined) names.add(name);
  }
  return names;
}

function unknownCallsOf(calls: readonly Call[], available: ReadonlySet<string>): number {
  let unknown = 0;
  for (let i = 0; i < calls.length; i++) {
    const { name } = calls[i]!;
    if (name === undefined || !available.has(name)) unknown++;
  }
  return unknown;
}

function tally(outcome: Outcome, into: Tally): void {
  const { gold, predicted } = outcome;
  into.count(outcomeCell(gold, predicted), 1);
  if (outcome.missing) into.count(at.missing, 1);
  if (outcome.invalid) into.count(at.invalid, 1);
  if (gold === cannotAnswer && outcome.toolCount === 0) {
    into.count(at.toolOpportunities, 1);
    if (predicted === toolCall) into.count(at.toolHallucinations, 1);
  }
  if (outcome.calls > 0) {
    into.count(at.calls, outcome.calls);
    if (outcome.unknownCalls > 0) into.count(at.unknownCalls, outcome.unknownCalls);
  }
}

function row(outcome: Outcome, input: Joined): Json {
  const { gold, predicted } = outcome;
  const hallucinations: string[] = [];
  if (gold === cannotAnswer && outcome.toolCount === 0 && predicted === toolCall) hallucinations.push('tool');
  if (gold === requestForInfo && predicted === toolCall) hallucinations.push('param');
  if (gold !== direct && predicted === direct) hallucinations.push('answer');
  if (outcome.unknownCalls > 0) hallucinations.push('unknown_tool');
  return {
    gold: predictedNames[gold]!,
    predicted: predictedNames[predicted]!,
    label_status: input.prediction.labelStatus,
    correct: gold === predicted,
    hallucinations,
  };
}

/** Block of the summary; null where nothing was scored. */
function read(reader: TallyReader, rate: RateOf): Block | null {
  const count = (gold: number, predicted: number): number => reader.count(outcomeCell(gold, predicted));
  const support = labels.map((_, gold) => sum(predictedNames.map((_name, predicted) => count(gold, predicted))));
  const predictedTotals = labels.map((_, predicted) => sum(labels.map((_name, gold) => count(gold, predicted))));
  const correct = labels.map((_, label) => count(label, label));
  const n = sum(support);
  if (n === 0) return null;
  const f1 = correct.map((tp, label) => orZero(2 * tp, support[label]! + predictedTotals[label]!));
  const present = f1.filter((_, label) => support[label]! + predictedTotals[label]! > 0);
  return {
    n,
    accuracy: rate(sum(correct), n),
    macro_f1: sum(f1) / 4,
    macro_f1_no_direct: sum(f1.filter((_, label) => label !== direct)) / 3,
    macro_f1_present: present.length === 0 ? null : sum(present) / present.length,
    confusion: byLabel((gold) =>
      Object.fromEntries(predictedNames.map((name, predicted) => [name, count(gold, predicted)])),
    ),
    per_class: byLabel((label) => ({
      precision: orZero(correct[label]!, predictedTotals[label]!),
      recall: orZero(correct[label]!, support[label]!),
      f1: f1[label]!,
      support: support[label]!,
    })),
    tool_hall: rate(reader.count(at.toolHallucinations), reader.count(at.toolOpportunities)),
    answer_hall: rate(predictedTotals[direct]! - correct[direct]!, n),
    param_hall: rate(count(requestForInfo, toolCall), support[requestForInfo]!),
    tool_hall_any: rate(count(cannotAnswer, toolCall), support[cannotAnswer]!),
    unknown_tool: rate(reader.count(at.unknownCalls), reader.count(at.calls)),
    missing: reader.count(at.missing),
    invalid: reader.count(at.invalid),
  };
}

function byLabel<T>(of: (label: number) => T): Record<string, T> {
  return Object.fromEntries(labels.map((name, label) => [name, of(label)]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function orZero(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}
