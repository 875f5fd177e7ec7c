import { type Block, cellNames, type Family, type Joined, type Mode, type TallyReader } from '../family.ts';
import { callsEqual } from '../join.ts';
import type { Json, JsonObject } from '../json.ts';
import { band, type RateOf } from '../reading.ts';
import type { ExpectedCall, Truth } from '../truth.ts';
import type { Profile } from './profile.ts';
import { specProfile } from './spec.ts';
import { type ToolList, toolList } from './tools.ts';
import { fitsSchema } from './types.ts';
import { upstreamProfile } from './upstream.ts';

export interface SchemaOptions {
  readonly mode: Mode;
  readonly weights: SchemaWeights;
  /** Validates arguments against a whole JSON Schema, in place of required names and top-level types. Must not throw. */
  readonly deep: ((parameters: Json, args: JsonObject) => boolean) | undefined;
}

/** Weights of the overall score: finite, not normalised. */
export interface SchemaWeights {
  readonly tool_selection: number;
  readonly parameter_accuracy: number;
  readonly execution_success: number;
  readonly response_quality: number;
}

/** What a truth row says of its first expected call and of its tools. */
export interface SchemaPrepared {
  /** The first expected call. */
  readonly expected: ExpectedCall | undefined;
  /** Processing error of every prediction of this row. */
  readonly refusal: string | undefined;
  /** `undefined`: the row records no tools, so the event's are used. */
  readonly tools: ToolList | undefined;
  /** Outcome of predicted calls that equal the expected ones, where neither the event's tools nor its error can change it. */
  readonly equal: SchemaOutcome | undefined;
}

/** `error` is the text of a processing error; then nothing is right. */
export interface SchemaOutcome {
  readonly skipped: boolean;
  readonly selection: boolean;
  readonly parameters: boolean;
  readonly error: string | undefined;
}

/**
 * Would the call run (spec: metrics, section 5; DeepFabric): the first predicted call has the name of the first expected one
 * (selection), and arguments that the predicted tool's schema accepts (parameters); both are execution.
 *
 * Expected `read_file({"path": "a.txt"})`, path being a required string. Predicted `read_file({"path": "b"})`, `read_file({"path":
 * 5})`, `write_file({"path": "x"})` (same schema) and nothing: selection 2/4, parameters 2/4, execution 1/4, so that overall is
 * 0.40 * 0.5 + 0.35 * 0.5 + 0.25 * 0.25 = 0.4375, poor.
 */
export function schema(options: SchemaOptions): Family<SchemaPrepared, SchemaOutcome> {
  const scoring: Scoring = { profile: options.mode === 'spec' ? specProfile : upstreamProfile, deep: options.deep };
  return {
    name: 'schema',
    cells: kinds,
    breakdowns: [],
    prepare: (truth) => prepare(truth, scoring),
    score: (input, prepared) => score(input, prepared, scoring),
    tally(outcome, into) {
      if (outcome.skipped) return into.count(at.skipped, 1);
      into.count(at.n, 1);
      if (outcome.selection) into.count(at.selection, 1);
      if (outcome.parameters) into.count(at.parameters, 1);
      if (outcome.selection && outcome.parameters) into.count(at.execution, 1);
      if (outcome.error !== undefined) into.count(at.errors, 1);
    },
    perfect: ({ skipped, selection, parameters }) => skipped || (selection && parameters),
    row: (outcome, input, prepared) => row(outcome, input, prepared, scoring.profile),
    read: (cells, rate) => read(cells, rate, options.weights),
  };
}

interface Scoring {
  readonly profile: Profile;
  readonly deep: SchemaOptions['deep'];
}

const { kinds, at } = cellNames({
  n: 'count',
  selection: 'count',
  parameters: 'count',
  execution: 'count',
  errors: 'count',
  skipped: 'count',
});

const wrong: SchemaOutcome = { skipped: false, selection: false, parameters: false, error: undefined };
const skippedOutcome: SchemaOutcome = { ...wrong, skipped: true };

function prepare(truth: Truth, scoring: Scoring): SchemaPrepared | undefined {
  if (truth.expected === undefined) return undefined;
  const { profile } = scoring;
  const expected = truth.expected[0];
  const tools = truth.tools === undefined ? undefined : toolList(truth.tools);
  const refusal =
    profile.refusedTruth(truth.expected) ??
    (truth.tools === undefined ? undefined : profile.refusedTools(truth.tools, false));
  const settled = refusal === undefined && expected !== undefined && tools !== undefined;
  const equal = settled ? outcomeOf(expected, expected, tools, scoring) : undefined;
  return { expected, refusal, tools, equal };
}

function score(input: Joined, prepared: SchemaPrepared, scoring: Scoring): SchemaOutcome | undefined {
  const { prediction } = input;
  if (prediction.callsNotRecorded) return undefined;
  if (prepared.equal !== undefined && prediction.error === undefined && callsEqual(input)) return prepared.equal;
  const { profile } = scoring;
  const { expected } = prepared;
  const call = prediction.calls?.[0];
  const malformed =
    call !== undefined && (call.name === undefined ? profile.refusesNameless : call.arguments === undefined);
  const error =
    prepared.refusal ??
    (prepared.tools === undefined ? profile.refusedTools(prediction.tools ?? [], true) : undefined) ??
    prediction.error ??
    (malformed ? 'malformed call' : undefined);
  if (error !== undefined) return { ...wrong, error };
  if (expected === undefined) return profile.skipsNothingExpected ? skippedOutcome : wrong;
  const { name, arguments: args } = call ?? {};
  if (name === undefined || args === undefined) return wrong;
  return outcomeOf(expected, { name, arguments: args }, prepared.tools ?? toolList(prediction.tools), scoring);
}

function outcomeOf(expected: ExpectedCall, call: ExpectedCall, tools: ToolList, scoring: Scoring): SchemaOutcome {
  const { profile, deep } = scoring;
  const args = call.arguments;
  const fits = (parameters: JsonObject) => deep?.(parameters, args) ?? fitsSchema(parameters, args, profile);
  const parameters = profile.accepts(expected.arguments, call.name, args, tools, fits);
  return { skipped: false, selection: call.name === expected.name, parameters, error: undefined };
}

function row(outcome: SchemaOutcome, { prediction }: Joined, { expected }: SchemaPrepared, profile: Profile): Json {
  const { selection, parameters, error } = outcome;
  if (outcome.skipped) return { skipped: true };
  const named = error === undefined || profile.namesRefused;
  return {
    selection,
    parameters,
    execution: selection && parameters,
    expected_tool: named ? (expected?.name ?? null) : null,
    predicted_tool: named ? (prediction.calls?.[0]?.name ?? null) : null,
    error: error ?? null,
  };
}

function read(cells: TallyReader, rate: RateOf, weights: SchemaWeights): Block | null {
  const n = cells.count(at.n);
  const skipped = cells.count(at.skipped);
  if (n + skipped === 0) return null;
  const selection = cells.count(at.selection);
  const parameters = cells.count(at.parameters);
  const execution = cells.count(at.execution);
  const overall = n === 0 ? null : weighted(selection / n, parameters / n, execution / n, weights);
  return {
    n,
    tool_selection_accuracy: rate(selection, n),
    parameter_accuracy: rate(parameters, n),
    execution_success_rate: rate(execution, n),
    response_quality: 0,
    overall,
    band: band(overall, 0.9, 0.75, 0.5),
    processing_errors: cells.count(at.errors),
    skipped_no_expected_tool: skipped,
  };
}

/** Response quality is 0: nothing measures it, so its weight adds nothing. */
function weighted(selection: number, parameters: number, execution: number, weights: SchemaWeights): number {
  return (
    0 + // never -0, whatever the signs of the weights
    selection * weights.tool_selection +
    parameters * weights.parameter_accuracy +
    execution * weights.execution_success
  );
}
