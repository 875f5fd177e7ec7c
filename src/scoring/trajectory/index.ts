import type { Family, Joined, Mode, Scored } from '../family.ts';
import { callsOf } from '../join.ts';
import type { Json } from '../json.ts';
import { flag, fraction, json, type RowFields, struct, structs, text, texts } from '../row.ts';
import {
  breakdowns,
  cells,
  isEmpty,
  sumsOf,
  type TrajectorySums,
  tallyOutcome,
  trajectoryMetrics,
} from './aggregate.ts';
import { type Gold, goldOf } from './gold.ts';
import { type Profile, specProfile, upstreamProfile } from './profile.ts';
import {
  isStrictSuccess,
  type ModeScore,
  type Scoring,
  scoreCalls,
  type TrajectoryOutcome,
  type Weights,
} from './score.ts';

export interface TrajectoryOptions {
  readonly mode: Mode;
  /** Weights of any scale: they are divided by their sum. */
  readonly weights: Weights;
  /** Least flexible parameter score of every call for flexible success. */
  readonly paramThreshold: number;
  /** Least order score for flexible success. */
  readonly orderThreshold: number;
  /** Combinations of tools with fewer tasks are not listed. */
  readonly minCombinationCount: number;
}

type TrajectoryScored = Scored<Gold, TrajectoryOutcome>;

function modeRow(of: (outcome: TrajectoryOutcome) => ModeScore): RowFields<TrajectoryScored>[string] {
  return struct((scored: TrajectoryScored) => scored.outcome, {
    success: flag((outcome) => of(outcome).success),
    name: fraction(({ name }) => name),
    param: fraction((outcome) => of(outcome).param),
    order: fraction(({ order }) => order),
    overall: fraction((outcome) => of(outcome).overall),
  });
}

/** A parameter whose values differ, as the row shows it. */
interface MismatchValues {
  readonly tool: string;
  readonly parameter: string;
  readonly expected: Json;
  readonly actual: Json;
}

const rowFields: RowFields<TrajectoryScored> = {
  strict: modeRow(({ strict }) => strict),
  flexible: modeRow(({ flexible }) => flexible),
  missing: texts(({ outcome }) => outcome.missing),
  extra: texts(({ outcome }) => outcome.extra),
  mismatches: structs<TrajectoryScored, MismatchValues>(
    ({ outcome, input, prepared: { calls } }) =>
      outcome.mismatches.map(({ position, parameter }) => ({
        tool: calls[position]!.name,
        parameter,
        expected: calls[position]!.arguments[parameter]!,
        actual: input.prediction.calls![position]!.arguments![parameter]!,
      })),
    {
      tool: text(({ tool }) => tool),
      parameter: text(({ parameter }) => parameter),
      expected: json(({ expected }) => expected),
      actual: json(({ actual }) => actual),
    },
  ),
};

/** The part of the family that is the same for all options. */
export const trajectoryDeclaration = {
  name: 'trajectory',
  question: 'Are the calls right position by position?',
  source: "MCPEval's analyze",
  unit: 'event',
  metrics: trajectoryMetrics,
  row: rowFields,
  counters: [],
} as const;

/**
 * Calls compared position by position (docs/reference/scoring.md, "trajectory"; after MCPEval's `analyze`). Throws where the weights are of no
 * use (`trajectoryProblem`).
 *
 * Expected `find({city: "Rome", limit: 100})`, `book({id: 7})`; predicted `find({city: "rome, italy", limit: 100})`, `pay({})`.
 * One of two names is right: name 0.5, order 1/2. At the first position `limit` is the same and `city` strictly different,
 * flexibly contained: param 0.5 strict, 1 flexible. Overall 0.4*0.5 + 0.4*0.5 + 0.2*0.5 = 0.5 strict, 0.7 flexible. No success;
 * `book` is missing, `pay` extra, `city` of `find` a mismatch.
 */
export function trajectory(options: TrajectoryOptions): Family<Gold, TrajectoryOutcome, TrajectorySums> {
  const problem = trajectoryProblem(options);
  if (problem !== undefined) throw new Error(problem);
  const profile = profileOf(options.mode);
  const scoring: Scoring = { ...options, weights: normalisedWeights(options.weights), profile };
  return {
    ...trajectoryDeclaration,
    cells,
    breakdowns,
    prepare: ({ expected }) => expected && goldOf(expected, profile.combinationOrder),
    score: (input, gold) => (input.prediction.callsNotRecorded ? undefined : scoreCalls(gold, callsOf(input), scoring)),
    tally: (outcome, into) => tallyOutcome(outcome, profile, into),
    perfect: (outcome) => outcome.strict.success && outcome.flexible.success,
    sums: (from) => sumsOf(from, options.minCombinationCount),
    isEmpty,
  };
}

/** The problem of the options, as text for the user; `undefined` where there is none. */
export function trajectoryProblem(options: Pick<TrajectoryOptions, 'weights'>): string | undefined {
  const { name, params, order } = options.weights;
  const sum = name + params + order;
  if (sum !== 0 && Number.isFinite(sum)) return undefined;
  return `weights: name ${name} + params ${params} + order ${order} is ${sum}, and they are divided by their sum; give weights with a sum other than 0, such as 0.4, 0.4, 0.2`;
}

/**
 * Returns whether an event is a strict success of this family in a mode; `undefined` where the family does not apply to it. Needs neither
 * the options nor a prepared row: `stability` uses it for every run, also where the family is disabled.
 */
export function strictSuccess(joined: Joined, mode: Mode): boolean | undefined {
  const { prediction, truth } = joined;
  if (truth.expected === undefined || prediction.callsNotRecorded) return undefined;
  return isStrictSuccess(truth.expected, callsOf(joined), profileOf(mode));
}

function profileOf(mode: Mode): Profile {
  return mode === 'upstream' ? upstreamProfile : specProfile;
}

/** Weights within 0.001 of a sum of 1 stay as they are. */
function normalisedWeights({ name, params, order }: Weights): Weights {
  const sum = name + params + order;
  if (Math.abs(sum - 1) <= 0.001) return { name, params, order };
  return { name: name / sum, params: params / sum, order: order / sum };
}
