import { cellNames, type Family, type Joined, type Mode, type Scored, type Tally } from '../family.ts';
import { callsOf } from '../join.ts';
import type { JsonObject } from '../json.ts';
import { flagRate } from '../flag-rate.ts';
import { bandOf, count, type Metrics, number } from '../metric.ts';
import type { Range } from '../range.ts';
import { band } from '../reading.ts';
import { flag, type RowFields, text } from '../row.ts';
import type { ExpectedCall, Truth } from '../truth.ts';
import { type Profile, specProfile, type ToolList, toolList, upstreamProfile } from './profile.ts';

/** Returns whether a JSON Schema accepts the arguments of a call. Never throws. */
export type DeepValidator = (parameters: JsonObject, args: JsonObject) => boolean;

export interface SchemaOptions {
  readonly mode: Mode;
  readonly weights: SchemaWeights;
  /** Validates arguments against a whole JSON Schema, in place of required names and top-level types. */
  readonly deep: DeepValidator | undefined;
}

/** Weights of the overall score: finite, not normalised. */
export interface SchemaWeights {
  readonly tool_selection: number;
  readonly parameter_accuracy: number;
  readonly execution_success: number;
  readonly response_quality: number;
}

/** A truth row as the family reads it. */
export interface SchemaPrepared {
  /** The first expected call. */
  readonly expected: ExpectedCall | undefined;
  /** Processing error of every prediction of this row. */
  readonly refusal: string | undefined;
  /** `undefined`: the row records no tools, so the event's are used. */
  readonly tools: ToolList | undefined;
}

/** `error` is the text of a processing error; then nothing is right. */
export interface SchemaOutcome {
  /** The row names the tools. */
  readonly named: boolean;
  readonly skipped: boolean;
  readonly selection: boolean;
  readonly parameters: boolean;
  readonly error: string | undefined;
  /** Arguments of which the schema of the called tool says nothing, by their names. */
  readonly unchecked: readonly string[];
  /** The expected tool, the attribution of a bad case; undefined where there is none. */
  readonly tool: string | undefined;
}

/** Counts of any set of events, and the weights of the overall score. */
interface SchemaSums {
  readonly n: number;
  readonly skipped: number;
  readonly selection: number;
  readonly parameters: number;
  readonly execution: number;
  readonly errors: number;
  readonly unchecked: number;
  readonly weights: SchemaWeights;
}

export const schemaMetrics = {
  n: count({ title: 'Events', help: 'Events scored.', of: ({ n }) => n }),
  tool_selection_accuracy: flagRate('selection', 'selection', {
    title: 'Tool selection',
    help: 'First predicted calls with the name of the first expected one.',
  }),
  parameter_accuracy: flagRate('parameters', 'parameters', {
    title: 'Parameters accepted',
    help: "First predicted calls whose arguments the called tool's schema accepts.",
  }),
  execution_success_rate: flagRate('execution', 'execution', {
    title: 'Would run',
    help: 'First predicted calls that select the expected tool with accepted parameters.',
    headline: 'Would run',
  }),
  response_quality: number({
    title: 'Response quality',
    help: 'Nothing measures it: always 0.',
    of: () => 0,
    ofBlock: () => 0,
  }),
  overall: number({
    title: 'Overall',
    help: 'Weighted sum of the rates.',
    better: 'higher',
    range: ({ weights = {} }) => rangeOfWeights(weights as SchemaWeights),
    of: overall,
    weight: 'n',
  }),
  band: bandOf({
    title: 'Band',
    help: 'Of the overall score: from 0.9 excellent, 0.75 good, 0.5 fair, else poor.',
    of: (sums) => band(overall(sums), 0.9, 0.75, 0.5),
  }),
  processing_errors: count({
    title: 'Processing errors',
    help: 'Events that could not be processed; all is wrong in them.',
    better: 'lower',
    of: ({ errors }) => errors,
  }),
  unchecked_arguments: count({
    title: 'Arguments unchecked',
    help: 'Arguments of which the schema says nothing: they are accepted.',
    of: ({ unchecked }) => unchecked,
  }),
  skipped_no_expected_tool: count({
    title: 'Skipped',
    help: 'Events of which no call is expected.',
    of: ({ skipped }) => skipped,
  }),
} satisfies Metrics<SchemaSums>;

/** The range of a sum of shares with weights; nothing measures the quality of the response. */
function rangeOfWeights({ response_quality: _unmeasured, ...weights }: SchemaWeights): Range {
  const sumOf = (sign: 1 | -1): number =>
    Object.values(weights).reduce((sum, weight) => (Math.sign(weight) === sign ? sum + weight : sum), 0);
  return [sumOf(-1), sumOf(1)];
}

interface SchemaScored extends Scored<SchemaPrepared, SchemaOutcome> {}

const rowFields: RowFields<SchemaScored> = {
  selection: flag(({ outcome }) => outcome.selection),
  parameters: flag(({ outcome }) => outcome.parameters),
  execution: flag(({ outcome }) => outcome.selection && outcome.parameters),
  expected_tool: text(({ outcome, prepared }) => (outcome.named ? (prepared.expected?.name ?? null) : null)),
  predicted_tool: text(({ outcome, input }) => (outcome.named ? (input.prediction.calls?.[0]?.name ?? null) : null)),
  error: text(({ outcome }) => outcome.error ?? null),
};

/** The part of the family that is the same for all options. */
export const schemaDeclaration = {
  name: 'schema',
  question: 'Would the first call run?',
  source: 'DeepFabric',
  unit: 'event',
  metrics: schemaMetrics,
  row: rowFields,
  counters: [],
} as const;

/**
 * Would the call run (docs/reference/scoring.md, "schema"; DeepFabric): the first predicted call has the name of the first expected one
 * (selection), and arguments that the predicted tool's schema accepts (parameters); both are execution.
 *
 * Expected `read_file({"path": "a.txt"})`, path being a required string. Predicted `read_file({"path": "b"})`, `read_file({"path":
 * 5})`, `write_file({"path": "x"})` (same schema) and nothing: selection 2/4, parameters 2/4, execution 1/4, so that overall is
 * 0.40 * 0.5 + 0.35 * 0.5 + 0.25 * 0.25 = 0.4375, poor.
 */
export function schema(options: SchemaOptions): Family<SchemaPrepared, SchemaOutcome, SchemaSums> {
  const scoring: Scoring = { profile: options.mode === 'spec' ? specProfile : upstreamProfile, deep: options.deep };
  return {
    ...schemaDeclaration,
    cells: cells.kinds,
    breakdowns: [],
    prepare: (truth) => prepare(truth, scoring),
    score: (input, prepared) => score(input, prepared, scoring),
    tally(outcome, into) {
      if (outcome.skipped) return into.count(at.skipped, 1);
      const { selection, parameters, error, unchecked } = outcome;
      const execution = selection && parameters;
      cells.add(into, {
        n: 1,
        selection,
        parameters,
        execution,
        errors: error !== undefined,
        unchecked: unchecked.length,
      });
      if (!execution) attribute(outcome, into);
    },
    perfect: ({ skipped, selection, parameters }) => skipped || (selection && parameters),
    skipped: ({ skipped }) => skipped,
    unchecked: ({ unchecked }) => unchecked,
    sums: (from) => ({ ...cells.read(from), weights: options.weights }),
    isEmpty: ({ n, skipped }) => n + skipped === 0,
  };
}

interface Scoring {
  readonly profile: Profile;
  readonly deep: SchemaOptions['deep'];
}

const cells = cellNames({
  n: 'count',
  selection: 'count',
  parameters: 'count',
  execution: 'count',
  errors: 'count',
  skipped: 'count',
  unchecked: 'count',
});
const { at } = cells;

const nothing = { named: true, skipped: false, selection: false, parameters: false, error: undefined, unchecked: [] };
const skippedOutcome: SchemaOutcome = { ...nothing, skipped: true, tool: undefined };

function prepare(truth: Truth, scoring: Scoring): SchemaPrepared | undefined {
  if (truth.expected === undefined) return undefined;
  const { profile } = scoring;
  const expected = truth.expected[0];
  const tools = truth.tools === undefined ? undefined : toolList(truth.tools);
  const refusal =
    profile.refusedTruth(truth.expected) ??
    (truth.tools === undefined ? undefined : profile.refusedTools(truth.tools, false));
  return { expected, refusal, tools };
}

function score(input: Joined, prepared: SchemaPrepared, scoring: Scoring): SchemaOutcome | undefined {
  const { prediction } = input;
  if (prediction.callsNotRecorded) return undefined;
  const { profile } = scoring;
  const { expected } = prepared;
  const tools = prepared.tools ?? toolList(prediction.tools);
  const wrong = { ...nothing, tool: expected?.name };
  const call = callsOf(input)[0];
  const malformed =
    call !== undefined && (call.name === undefined ? profile.refusesNameless : call.arguments === undefined);
  const error =
    prepared.refusal ??
    (prepared.tools === undefined ? profile.refusedTools(tools.tools, true) : undefined) ??
    prediction.error ??
    (malformed ? 'malformed call' : undefined);
  if (error !== undefined) return { ...wrong, named: profile.namesRefused, error };
  if (expected === undefined) return profile.skipsNothingExpected ? skippedOutcome : wrong;
  const { name, arguments: args } = call ?? {};
  if (name === undefined || args === undefined) return wrong;
  return outcomeOf(expected, { name, arguments: args }, tools, scoring);
}

function outcomeOf(expected: ExpectedCall, call: ExpectedCall, tools: ToolList, scoring: Scoring): SchemaOutcome {
  const { profile, deep } = scoring;
  const args = call.arguments;
  const unchecked: string[] = [];
  const fits = (parameters: JsonObject) =>
    deep?.(profile.schemaOf(parameters), args) ?? profile.fits(parameters, args, unchecked);
  const tool = expected.name;
  const parameters = profile.accepts(expected.arguments, call.name, args, tools, fits);
  const selection = call.name === expected.name;
  return { named: true, skipped: false, selection, parameters, error: undefined, unchecked, tool };
}

function attribute({ tool, selection, parameters }: SchemaOutcome, into: Tally): void {
  if (tool === undefined) return;
  if (!selection) into.attribute(at.selection, 'tool', tool);
  if (!parameters) into.attribute(at.parameters, 'tool', tool);
  into.attribute(at.execution, 'tool', tool);
}

/** Response quality is 0: nothing measures it, so its weight adds nothing. Null where nothing was scored. */
function overall({ n, selection, parameters, execution, weights }: SchemaSums): number | null {
  if (n === 0) return null;
  return (
    0 + // never -0, whatever the signs of the weights
    (selection / n) * weights.tool_selection +
    (parameters / n) * weights.parameter_accuracy +
    (execution / n) * weights.execution_success
  );
}
