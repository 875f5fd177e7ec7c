import {
  cellNames,
  type Family,
  type Joined,
  type Mode,
  type Scored,
  type Tally,
  type TallyReader,
} from '../family.ts';
import type { Json } from '../json.ts';
import {
  cannotAnswer,
  direct,
  invalid,
  type LabelCode,
  labelStatuses,
  labels,
  predictedNames,
  requestForInfo,
  toolCall,
} from '../label.ts';
import type { Call } from '../prediction.ts';
import { flag, type RowFields, text, texts } from '../row.ts';
import { isNamed, unknownAmong } from '../tool.ts';
import { type DecisionSums, decisionCounters, decisionMetrics, sum } from './metrics.ts';

/**
 * Family `decision`: what did the agent decide to do? (When2Call, arXiv:2504.18851, and its API evaluation suite;
 * docs/reference/scoring.md, "decision".)
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
  /** Tools that exist, where neither event nor truth records any. */
  readonly known?: readonly string[] | undefined;
}

const rowFields: RowFields<Scored<Prepared, Outcome>> = {
  gold: text(({ outcome }) => predictedNames[outcome.gold]!, labels),
  predicted: text(({ outcome }) => predictedNames[outcome.predicted]!, predictedNames),
  label_status: text(({ input }) => input.prediction.labelStatus, labelStatuses),
  correct: flag(({ outcome }) => outcome.gold === outcome.predicted),
  hallucinations: texts(({ outcome }) => hallucinationsOf(outcome), ['tool', 'param', 'answer', 'unknown_tool']),
};

interface Prepared {
  readonly gold: LabelCode;
  /** Tools available by the truth row; undefined where it records none. */
  readonly tools: readonly Json[] | undefined;
}

/** The decision that is right, and that of the agent as it is scored, after coercion. */
export interface Decided {
  readonly gold: LabelCode;
  readonly predicted: LabelCode;
}

interface Outcome extends Decided {
  readonly missing: boolean;
  readonly invalid: boolean;
  readonly inferred: boolean;
  /** Tools available: their number, -1 where none are recorded on either side. */
  readonly toolCount: number;
  /** Calls made, and those to no available tool; both 0 where no tools are recorded. */
  readonly calls: number;
  readonly unknownCalls: number;
  /** Names of tools, where the event is bad. */
  readonly attributed: AttributedTools | undefined;
}

/** The tools called, else those that should have been, and the called ones that are not available. */
interface AttributedTools {
  readonly tools: readonly NamedCall[];
  readonly invented: readonly NamedCall[];
}

type NamedCall = Pick<Call, 'name'>;

const predictedCount = 5;
const cells = cellNames({
  missing: 'count',
  invalid: 'count',
  inferred: 'count',
  toolOpportunities: 'count',
  toolHallucinations: 'count',
  calls: 'count',
  unknownCalls: 'count',
  ...(Object.fromEntries(
    Array.from({ length: labels.length * predictedCount }, (_, cell) => [`outcome${cell}`, 'count']),
  ) as Record<'outcome0', 'count'>),
});
const { at } = cells;

/** Indexes of some cells, for tests and demonstrations that make cells. */
export const decisionCells: Readonly<Record<'unknownCalls' | 'calls' | 'outcome0', number>> = at;

/** The part of the family that is the same for all options. */
export const decisionDeclaration = {
  name: 'decision',
  question: 'What did the agent decide to do: answer, call a tool, ask back, decline? Does it hallucinate?',
  source: 'When2Call (arXiv:2504.18851) and its API evaluation suite',
  unit: 'event',
  metrics: decisionMetrics,
  row: rowFields,
  counters: decisionCounters,
  cells: cells.kinds,
  sums: sumsOf,
} as const;

/** Index of a confusion cell among the family's cells. */
function outcomeCell(gold: number, predicted: number): number {
  return at.outcome0 + gold * predictedCount + predicted;
}

/** The family `decision` with its options closed over. */
export function decision(options: DecisionOptions): Family<Prepared, Outcome, DecisionSums> {
  const coerced = options.invalidAs === 'cannot_answer';
  const upstream = options.mode === 'upstream';
  return {
    ...decisionDeclaration,
    breakdowns: [],
    prepare: ({ label, tools }) => (label === undefined ? undefined : { gold: label, tools }),
    score(input, prepared) {
      const { label, labelStatus, calls } = input.prediction;
      const missing = labelStatus === 'missing';
      const tools = prepared.tools ?? input.prediction.tools ?? options.known;
      const { gold } = prepared;
      const predicted = label === invalid && coerced ? cannotAnswer : label;
      const known = tools === undefined ? undefined : calls;
      const unknownCalls = known === undefined ? 0 : unknownAmong(known, tools!);
      return {
        gold,
        predicted,
        missing,
        invalid: label === invalid && (upstream || !missing),
        inferred: labelStatus === 'inferred',
        toolCount: tools?.length ?? -1,
        calls: known?.length ?? 0,
        unknownCalls,
        attributed: gold === predicted && unknownCalls === 0 ? undefined : attributedTools(input, predicted, tools),
      };
    },
    tally,
    perfect: (outcome) => outcome.gold === outcome.predicted,
    isEmpty: ({ n }) => n === 0,
  };
}

/** A direct answer is attributed to the tool that it should have called. */
function attributedTools(
  { prediction: { calls = [] }, truth: { expected = [] } }: Joined,
  predicted: LabelCode,
  tools: readonly Json[] | undefined,
): AttributedTools {
  return {
    tools: calls.length === 0 || predicted === direct ? expected : calls,
    invented: tools === undefined ? [] : calls.filter(({ name }) => !isNamed(name, tools)),
  };
}

function tally(outcome: Outcome, into: Tally): void {
  const { gold, predicted, missing, invalid, inferred, toolCount, calls, unknownCalls } = outcome;
  into.count(outcomeCell(gold, predicted), 1);
  cells.add(into, {
    missing,
    invalid,
    inferred,
    toolOpportunities: gold === cannotAnswer && toolCount === 0,
    toolHallucinations: isToolHallucination(outcome),
    calls,
    unknownCalls,
  });
  if (outcome.attributed !== undefined) attribute(outcome, outcome.attributed, into);
}

function attribute(outcome: Outcome, { tools, invented }: AttributedTools, into: Tally): void {
  const { gold, predicted } = outcome;
  for (const { name } of invented) if (name !== undefined) into.attribute(at.unknownCalls, 'invented_tool', name);
  if (gold === predicted) return;
  const isHallucinated = isToolHallucination(outcome);
  for (const { name } of tools) {
    if (name === undefined) continue;
    into.attribute(outcomeCell(gold, predicted), 'tool', name);
    if (isHallucinated) into.attribute(at.toolHallucinations, 'tool', name);
  }
}

function isToolHallucination({ gold, predicted, toolCount }: Outcome): boolean {
  return gold === cannotAnswer && toolCount === 0 && predicted === toolCall;
}

function hallucinationsOf(outcome: Outcome): string[] {
  const { gold, predicted, unknownCalls } = outcome;
  const found: string[] = [];
  if (isToolHallucination(outcome)) found.push('tool');
  if (gold === requestForInfo && predicted === toolCall) found.push('param');
  if (gold !== direct && predicted === direct) found.push('answer');
  if (unknownCalls > 0) found.push('unknown_tool');
  return found;
}

function sumsOf(from: TallyReader): DecisionSums {
  const outcomes = labels.map((_, gold) =>
    predictedNames.map((_name, predicted) => from.count(outcomeCell(gold, predicted))),
  );
  const gold = outcomes.map(sum);
  return {
    ...cells.read(from),
    outcomes,
    gold,
    predicted: labels.map((_, predicted) => sum(outcomes.map((row) => row[predicted]!))),
    correct: labels.map((_, label) => outcomes[label]![label]!),
    n: sum(gold),
  };
}
