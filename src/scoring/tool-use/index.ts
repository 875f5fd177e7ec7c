import type { AttributionKind } from '../attribution.ts';
import { cellNames, type Family, type Scored, type Tally, type TallyReader } from '../family.ts';
import type { Json } from '../json.ts';
import type { Prediction } from '../prediction.ts';
import { flag, integer, type RowFields, structs, text, texts } from '../row.ts';
import { type CallFinding, findingsOf, type SchemaCheck, type Violation } from './calls.ts';
import { loopAt, loopLeast } from './loops.ts';
import { type CallResultName, toolColumns, type ToolUseSums, toolUseCounters, toolUseMetrics } from './metrics.ts';

export interface ToolUseOptions {
  /** Tools that exist, where an event records none. */
  readonly known?: readonly string[] | undefined;
  readonly check: SchemaCheck;
}

/** The verdicts on a run that need no truth. */
export interface ToolUseOutcome {
  readonly calls: readonly CallFinding[];
  readonly steps: number;
  /** Its calls had time to be answered, and some were. */
  readonly awaited: boolean;
  readonly notRecovered: boolean;
  /** Index of the call that closes a loop, -1 where none does. */
  readonly loop: number;
}

const cells = cellNames({
  ...{ n: 'count', steps: 'count', calls: 'count', malformed: 'count', known: 'count', unknown: 'count' },
  ...{ checked: 'count', invalid: 'count', answered: 'count', failed: 'count', unanswered: 'count' },
  ...{ failing: 'count', notRecovered: 'count', long: 'count', looping: 'count' },
  // Calls by the first that holds of malformed, unknown, invalid, failed.
  ...{ onlyUnknown: 'count', onlyFailed: 'count' },
});
const { at } = cells;
const entryOf = { tools: 0, violations: 1, errors: 2 } as const;

interface Violating extends Violation, Pick<CallFinding, 'tool'> {}

const rowFields: RowFields<Scored<unknown, ToolUseOutcome>> = {
  calls: integer(({ outcome }) => outcome.calls.length),
  steps: integer(({ outcome }) => outcome.steps),
  malformed: integer(({ outcome }) => outcome.calls.filter(({ malformed }) => malformed).length),
  unknown: texts(({ outcome }) => outcome.calls.filter(({ unknown }) => unknown).map(({ tool }) => tool)),
  invalid: structs(({ outcome }) => outcome.calls.flatMap(violationOf), {
    tool: text(({ tool }: Violating) => tool),
    path: text(({ path }: Violating) => path),
    keyword: text(({ keyword }: Violating) => keyword),
  }),
  failed_calls: integer(({ outcome }) => failedOf(outcome).length),
  failed: structs(({ outcome }) => failedOf(outcome), {
    tool: text(({ tool }: CallFinding) => tool),
    error: text(({ error }: CallFinding) => error),
  }),
  unanswered: integer(({ outcome }) => unansweredOf(outcome).length),
  not_recovered: flag(({ outcome }) => outcome.notRecovered),
  loop: flag(({ outcome }) => outcome.loop >= 0),
};

/** The part of the family that is the same for all options. */
export const toolUseDeclaration = {
  name: 'tool_use',
  question: 'Do the calls name tools that exist, fit their schemas, and succeed? It needs no truth.',
  source: 'JSON Schema, and the results that the calls have',
  unit: 'event',
  truth: 'none',
  metrics: toolUseMetrics,
  row: rowFields,
  counters: toolUseCounters,
  cells: cells.kinds,
  sums: sumsOf,
} as const;

/**
 * Family `tool_use`: verdicts on an agent's calls without truth (docs/reference/scoring.md, "tool_use"), counted when an event is accepted. Known
 * tools are those that the event names, else `tools.known`; those of a truth row are left out, so that no number depends on when truth comes.
 *
 * Offered `find({"city": text, required})`, `pay({})`. Calls `find({"city": 5})` that works, `fly({})`, `pay({})` that fails, answer "Paid.":
 * unknown_tool 1/3, malformed 0/3, invalid_arguments 1/2, failed 1/2, unanswered 1/3, not_recovered 1/1, loops 0/1, calls_per_run 3.
 */
export function toolUse({ known, check }: ToolUseOptions): Family<true, ToolUseOutcome, ToolUseSums> {
  return {
    ...toolUseDeclaration,
    breakdowns: [toolColumns.length, 1, 1],
    prepare: () => true,
    score: ({ prediction }) => (prediction.callsNotRecorded ? undefined : outcomeOf(prediction, known, check)),
    tally,
    unusable: ({ calls }) => calls.filter((call) => call.check === 'unusable').map(({ tool }) => tool),
    perfect: (outcome) =>
      outcome.calls.every((call) => resultOf(call) === 'ok') && unansweredOf(outcome).length === 0 && outcome.loop < 0,
    isEmpty: ({ n }) => n === 0,
  };
}

function outcomeOf(prediction: Prediction, known: readonly Json[] | undefined, check: SchemaCheck): ToolUseOutcome {
  const calls = findingsOf(prediction, known, check);
  const answered = calls.filter(({ failed }) => failed !== undefined);
  const endsInWords = prediction.answered && prediction.error === undefined;
  return {
    calls,
    steps: prediction.steps,
    awaited: answered.length > 0 && prediction.finished,
    notRecovered: endsInWords && answered.at(-1)?.failed === true,
    loop: loopAt(prediction.calls ?? []),
  };
}

function tally(outcome: ToolUseOutcome, into: Tally): void {
  const { calls, steps, notRecovered, loop } = outcome;
  const failing = failedOf(outcome).length > 0;
  cells.add(into, { n: 1, steps, failing, notRecovered, long: calls.length >= loopLeast, looping: loop >= 0 });
  cells.add(into, { unanswered: unansweredOf(outcome).length });
  for (const call of calls) tallyCall(call, into);
  for (const { tool } of unansweredOf(outcome)) into.attribute(at.unanswered, 'tool', tool);
  if (loop >= 0) into.attribute(at.looping, 'tool', calls[loop]!.tool);
  if (!notRecovered) return;
  const { tool, error } = failedOf(outcome).at(-1)!;
  into.attribute(at.notRecovered, 'tool_error', tool, error);
}

function tallyCall(call: CallFinding, into: Tally): void {
  const { tool, malformed, unknown, check, failed, error } = call;
  const amounts = {
    calls: true,
    unknown: unknown === true,
    checked: check !== undefined && check !== 'unusable',
    invalid: typeof check === 'object',
    unchecked: check === 'unusable',
    answered: failed !== undefined,
    failed: failed === true,
  };
  const result = resultOf(call);
  const only = { onlyUnknown: result === 'unknown', onlyFailed: result === 'failed' };
  const { unchecked: _, ...counted } = amounts;
  cells.add(into, { ...counted, ...only, malformed, known: unknown !== undefined });
  toolColumns.forEach((column, index) => {
    if (amounts[column]) into.entry(entryOf.tools, tool, '', index, 1);
  });
  if (unknown && tool !== '') into.attribute(at.unknown, 'invented_tool', tool);
  if (malformed) into.attribute(at.malformed, 'tool', tool);
  if (typeof check === 'object') {
    into.entry(entryOf.violations, tool, violationText(check), 0, 1);
    into.attribute(at.invalid, kindOf(check), tool, check.path);
  }
  if (failed) {
    into.entry(entryOf.errors, tool, error, 0, 1);
    into.attribute(at.failed, 'tool_error', tool, error);
  }
}

const kinds: Readonly<Record<string, AttributionKind>> = {
  required: 'missing_argument',
  additionalProperties: 'unexpected_argument',
  type: 'wrong_type',
};

/** The kind of error by the keyword that the arguments break. */
function kindOf({ keyword }: Violation): AttributionKind {
  return Object.hasOwn(kinds, keyword) ? kinds[keyword]! : 'wrong_value';
}

function resultOf({ malformed, unknown, check, failed }: CallFinding): CallResultName {
  if (malformed) return 'malformed';
  if (unknown) return 'unknown';
  if (typeof check === 'object') return 'invalid';
  return failed ? 'failed' : 'ok';
}

function violationOf({ tool, check }: CallFinding): Violating[] {
  return typeof check === 'object' ? [{ tool, ...check }] : [];
}

function failedOf({ calls }: ToolUseOutcome): CallFinding[] {
  return calls.filter(({ failed }) => failed);
}

function unansweredOf({ calls, awaited }: ToolUseOutcome): CallFinding[] {
  return awaited ? calls.filter(({ failed }) => failed === undefined) : [];
}

/** A bad case of a run: the metric that counts it, the tool, and what is wrong. */
export interface Finding {
  readonly rate: keyof typeof toolUseMetrics;
  readonly tool: string;
  readonly detail: string;
}

/** The bad cases of a run, for a person. */
export function findingsIn(outcome: ToolUseOutcome): Finding[] {
  const { calls, notRecovered, loop } = outcome;
  const of = (
    rate: Finding['rate'],
    some: readonly CallFinding[],
    detail: (call: CallFinding) => string = () => '',
  ): Finding[] => some.map((call) => ({ rate, tool: call.tool, detail: detail(call) }));
  return [
    ...of(
      'unknown_tool',
      calls.filter(({ unknown }) => unknown),
    ),
    ...of(
      'malformed',
      calls.filter(({ malformed }) => malformed),
    ),
    ...calls.flatMap(violationOf).map(({ tool, ...violation }): Finding => {
      return { rate: 'invalid_arguments', tool, detail: violationText(violation) };
    }),
    ...of('failed', failedOf(outcome), ({ error }) => error),
    ...of('unanswered', unansweredOf(outcome)),
    ...(notRecovered ? of('not_recovered', failedOf(outcome).slice(-1)) : []),
    ...(loop < 0 ? [] : of('loops', [calls[loop]!])),
  ];
}

function violationText({ path, keyword }: Violation): string {
  return `${path} ${keyword}`.trimStart();
}

function sumsOf(from: TallyReader): ToolUseSums {
  const counts = cells.read(from);
  const { calls, malformed, invalid, onlyUnknown: unknown, onlyFailed: failed } = counts;
  return {
    ...counts,
    result: { ok: calls - malformed - invalid - unknown - failed, failed, unknown, malformed, invalid },
    tools: from.entries(entryOf.tools),
    violations: from.entries(entryOf.violations),
    errors: from.entries(entryOf.errors),
  };
}
