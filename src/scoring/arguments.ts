import { cellNames, type Family, type Joined, type Mode, type Scored, type Tally } from './family.ts';
import { compareFields, countFields } from './flatten.ts';
import { callsOf } from './join.ts';
import { isObject, type JsonObject, jsonEqual } from './json.ts';
import { flagRate } from './flag-rate.ts';
import { count, type Metrics } from './metric.ts';
import { jsonOf } from './parse-json.ts';
import { type Matches, matchCounts, pooledF1, pooledMetrics } from './pooled.ts';
import { flag, integer, type RowFields, texts } from './row.ts';
import type { ExpectedCall } from './truth.ts';

export interface ArgumentsOptions {
  readonly mode: Mode;
  /** Empty objects and arrays are fields of their own. */
  readonly emptyLeaves: boolean;
}

/** The reference call of a truth row. */
export interface ArgumentsPrepared {
  /** Not exactly one expected call: no reference, and the event is skipped. */
  readonly skipped: boolean;
  /** `undefined`: the reference is no valid call. */
  readonly reference: ValidCall | undefined;
}

export interface ArgumentsOutcome extends Matches {
  readonly skipped: boolean;
  readonly validCall: boolean;
  readonly nameMatch: boolean;
  readonly argsExact: boolean;
  /** Where the call is not exact: the expected tool, and those of its arguments that differ; undefined where there is no reference. */
  readonly attributed: { readonly tool: string; readonly arguments: readonly string[] } | undefined;
}

/** Names of the cells. */
type ArgumentsSums = Readonly<
  Record<'n' | 'skipped' | 'valid' | 'name' | 'args' | 'call' | 'tp' | 'fp' | 'fn', number>
>;

export const argumentsMetrics = {
  n: count({ title: 'Events', help: 'Events scored, of which one call is expected.', of: ({ n }) => n }),
  skipped: count({
    title: 'Skipped',
    help: 'Events of which not exactly one call is expected.',
    of: ({ skipped }) => skipped,
  }),
  valid_call_rate: flagRate('valid', 'valid_call', {
    title: 'Valid calls',
    help: 'Predictions that are one well-formed call.',
  }),
  name_match_rate: flagRate('name', 'name_match', {
    title: 'Names right',
    help: 'Predictions that call the expected tool.',
  }),
  args_exact_rate: flagRate('args', 'args_exact', {
    title: 'Arguments exact',
    help: 'Predictions whose arguments deeply equal the expected ones.',
    headline: 'Args exact',
  }),
  call_exact_rate: flagRate('call', 'call_exact', {
    title: 'Calls exact',
    help: 'Predictions that call the expected tool with the expected arguments.',
  }),
  ...pooledMetrics('fields'),
  f1: pooledF1('fields'),
  ...matchCounts('fields'),
} satisfies Metrics<ArgumentsSums>;

const rowFields: RowFields<Scored<ArgumentsPrepared, ArgumentsOutcome>> = {
  valid_call: flag(({ outcome }) => outcome.validCall),
  name_match: flag(({ outcome }) => outcome.nameMatch),
  args_exact: flag(({ outcome }) => outcome.argsExact),
  call_exact: flag(({ outcome }) => callExact(outcome)),
  tp: integer(({ outcome }) => outcome.tp),
  fp: integer(({ outcome }) => outcome.fp),
  fn: integer(({ outcome }) => outcome.fn),
  issues: texts(issuesOf),
};

/** The part of the family that is the same for all options. */
export const argumentsDeclaration = {
  name: 'arguments',
  question: 'Which fields of the arguments of one call are right?',
  source: 'Fledgling, tool-call track',
  unit: 'event',
  metrics: argumentsMetrics,
  row: rowFields,
  counters: [
    {
      name: 'argument_fields',
      help: 'Argument fields of single calls, compared with those expected.',
      unit: 'fields',
      labels: ['result'],
      series: [
        { values: ['matched'], of: ({ tp }: ArgumentsSums) => tp },
        { values: ['extra'], of: ({ fp }: ArgumentsSums) => fp },
        { values: ['missing'], of: ({ fn }: ArgumentsSums) => fn },
      ],
    },
  ],
} as const;

/**
 * Field-level precision and recall of one tool call (docs/reference/scoring.md, "arguments"; Fledgling, tool-call track). A wrong value costs one
 * fp and one fn. Arguments are compared independently of the name.
 *
 * Expected `f({"x": 1, "y": 3, "z": 4})`, predicted `f({"x": 1, "y": 2})`: name_match, not args_exact, tp 1, fp 1, fn 2, so
 * precision 1/2, recall 1/3, F1 2/5.
 */
export function argumentsFamily(options: ArgumentsOptions): Family<ArgumentsPrepared, ArgumentsOutcome, ArgumentsSums> {
  return {
    ...argumentsDeclaration,
    cells: cells.kinds,
    breakdowns: [],
    prepare: ({ expected }) => expected && prepare(expected, options.mode),
    score: (input, prepared) => score(input, prepared, options.emptyLeaves),
    tally(outcome, into) {
      if (outcome.skipped) return into.count(at.skipped, 1);
      const { validCall: valid, nameMatch: name, argsExact: args, tp, fp, fn } = outcome;
      cells.add(into, { n: 1, valid, name, args, call: callExact(outcome), tp, fp, fn });
      if (!callExact(outcome)) attribute(outcome, into);
    },
    verdict: { rank: 2, of: (outcome) => (outcome.skipped ? undefined : callExact(outcome)) },
    perfect: (outcome) => outcome.skipped || callExact(outcome),
    skipped: ({ skipped }) => skipped,
    sums: cells.read,
    isEmpty: ({ n, skipped }) => n + skipped === 0,
  };
}

/** A call that counts as valid: non-empty name, and an object of arguments. */
interface ValidCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

const cells = cellNames({
  n: 'count',
  skipped: 'count',
  valid: 'count',
  name: 'count',
  args: 'count',
  call: 'count',
  tp: 'count',
  fp: 'count',
  fn: 'count',
});

const { at } = cells;

const nothing: ArgumentsOutcome = {
  skipped: false,
  validCall: false,
  nameMatch: false,
  argsExact: false,
  tp: 0,
  fp: 0,
  fn: 0,
  attributed: undefined,
};
const skippedOutcome: ArgumentsOutcome = { ...nothing, skipped: true };

function prepare(expected: readonly ExpectedCall[], mode: Mode): ArgumentsPrepared {
  if (expected.length !== 1) return { skipped: mode === 'spec', reference: undefined };
  const call = expected[0]!;
  return { skipped: false, reference: call.name === '' ? undefined : call };
}

function score(input: Joined, prepared: ArgumentsPrepared, emptyLeaves: boolean): ArgumentsOutcome | undefined {
  const { prediction } = input;
  if (prediction.callsNotRecorded) return undefined;
  if (prepared.skipped) return skippedOutcome;
  const { reference } = prepared;
  const call = predictedCall(input);
  if (call === undefined) {
    if (reference === undefined) return nothing;
    const fn = countFields(reference.arguments, emptyLeaves);
    return { ...nothing, fn, attributed: { tool: reference.name, arguments: [] } };
  }
  if (reference === undefined) return { ...nothing, validCall: true };
  const nameMatch = call.name === reference.name;
  const argsExact = jsonEqual(call.arguments, reference.arguments);
  const { tp, fp, fn } = compareFields(call.arguments, reference.arguments, emptyLeaves);
  const attributed =
    nameMatch && argsExact
      ? undefined
      : { tool: reference.name, arguments: nameMatch ? differing(call.arguments, reference.arguments) : [] };
  return { skipped: false, validCall: true, nameMatch, argsExact, tp, fp, fn, attributed };
}

/** Names of arguments that one side lacks, or has with another value. */
function differing(given: JsonObject, wanted: JsonObject): string[] {
  const names = [...Object.keys(wanted), ...Object.keys(given).filter((name) => !Object.hasOwn(wanted, name))];
  return names.filter(
    (name) => !(Object.hasOwn(given, name) && Object.hasOwn(wanted, name) && jsonEqual(given[name], wanted[name])),
  );
}

function attribute({ attributed, validCall, nameMatch, argsExact }: ArgumentsOutcome, into: Tally): void {
  if (attributed === undefined) return;
  const { tool } = attributed;
  if (!validCall) into.attribute(at.valid, 'tool', tool);
  if (!nameMatch) into.attribute(at.name, 'tool', tool);
  for (const cell of argsExact ? [at.call] : [at.call, at.args]) {
    into.attribute(cell, 'tool', tool);
    for (const argument of attributed.arguments) into.attribute(cell, 'argument', tool, argument);
  }
}

function issuesOf({ outcome, prepared }: Scored<ArgumentsPrepared, ArgumentsOutcome>): string[] {
  if (!outcome.validCall) return ['invalid_tool_call_format'];
  const issues: string[] = [];
  if (!outcome.nameMatch) issues.push('tool_name_mismatch');
  if (!outcome.argsExact && prepared.reference !== undefined) issues.push('arguments_mismatch');
  return issues;
}

function callExact({ nameMatch, argsExact }: ArgumentsOutcome): boolean {
  return nameMatch && argsExact;
}

/** The one valid call of a prediction: its recorded call, or a text output that is nothing but a call. */
function predictedCall(input: Joined): ValidCall | undefined {
  const { calls, error, output } = input.prediction;
  if (calls === undefined) return error === undefined && output.kind === 'text' ? callOfText(output.text) : undefined;
  const [call] = callsOf(input);
  if (call === undefined || calls.length > 1 || call.name === undefined || call.name === '') return undefined;
  return call.arguments === undefined ? undefined : { name: call.name, arguments: call.arguments };
}

const callText = /^\s*<tool_call name="([^"]+)">\s*(\{[\s\S]*\})\s*<\/tool_call>\s*$/;

function callOfText(text: string): ValidCall | undefined {
  const match = callText.exec(text);
  if (match === null) return undefined;
  const value = jsonOf(match[2]!);
  return isObject(value) ? { name: match[1]!, arguments: value } : undefined;
}
