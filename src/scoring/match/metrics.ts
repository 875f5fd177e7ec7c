import { flagRate } from '../flag-rate.ts';
import { cellNames, type TallyReader } from '../family.ts';
import { type BreakdownEntry, breakdown, byLabel, count, fieldOfRow, group, type Metrics, rate } from '../metric.ts';
import { type Matches, pooledF1, pooledMetrics } from '../pooled.ts';
import { type ArgumentError, argumentErrors, type CallErrorKind, callErrors } from './kinds.ts';

const kindCells = Object.fromEntries(
  callErrors.flatMap((kind) => [
    [`${kind}_events`, 'count'],
    [kind, 'count'],
  ]),
) as Readonly<Record<CallErrorKind | `${CallErrorKind}_events`, 'count'>>;

const cells = cellNames({
  n: 'count',
  correct: 'count',
  alternatives: 'count',
  tp: 'count',
  fp: 'count',
  fn: 'count',
  forbidden: 'count',
  loops: 'count',
  repeated: 'count',
  ...kindCells,
});

/** The cells of family `match`. */
export const matchCells: typeof cells = cells;

/** Tool: its matched calls, those missing, those too many, then its errors by kind. Tool and argument: the errors of arguments. */
export const entryOf = { tools: 0, arguments: 1 } as const;
export const toolColumns = { matched: 0, missing: 1, extra: 2, firstKind: 3 } as const;
const { matched, missing, extra, firstKind } = toolColumns;

/** Columns of the breakdowns. */
export const matchBreakdowns: readonly number[] = [firstKind + callErrors.length, argumentErrors.length];

/** The sums from which the metrics are read. */
export interface MatchSums extends Matches {
  readonly n: number;
  readonly correct: number;
  readonly alternatives: number;
  readonly forbidden: number;
  readonly loops: number;
  readonly repeated: number;
  /** By kind of error, as `callErrors` lists them. */
  readonly errors: readonly ErrorCounts[];
  readonly tools: readonly BreakdownEntry[] | undefined;
  readonly arguments: readonly BreakdownEntry[] | undefined;
}

export interface ErrorCounts {
  readonly events: number;
  readonly occurrences: number;
}

/** Reads the sums of any set of events. */
export function matchSums(from: TallyReader): MatchSums {
  const read = cells.read(from);
  return {
    ...read,
    errors: callErrors.map((kind) => ({ events: read[`${kind}_events`], occurrences: read[kind] })),
    tools: from.entries(entryOf.tools),
    arguments: from.entries(entryOf.arguments),
  };
}

const errorMetrics = {
  events: count({ title: 'Events', help: 'Events with such an error.', of: ({ events }) => events }),
  occurrences: count({ title: 'Errors', help: 'Such errors.', of: ({ occurrences }) => occurrences }),
} satisfies Metrics<ErrorCounts>;

const errorCount = (kind: CallErrorKind, column: number) =>
  count<BreakdownEntry>({ title: titleOf(kind), help: helpOf[kind], of: ({ columns }) => columns[column]! });

function titleOf(kind: CallErrorKind): string {
  const words = kind.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

const helpOf: Readonly<Record<CallErrorKind, string>> = {
  missing_call: 'Expected calls that were not made.',
  extra_call: 'Calls that were not expected.',
  wrong_tool: 'Calls of another tool than the expected one.',
  wrong_order: 'Calls that are right in another order.',
  malformed_call: 'Calls without a name, or whose arguments are no object.',
  forbidden_call: 'Calls of a tool that must not be called.',
  missing_argument: 'Expected arguments that were not given.',
  unexpected_argument: 'Arguments that were not expected.',
  wrong_type: 'Arguments of another JSON type than expected.',
  wrong_value: 'Arguments with another value than expected.',
};

const toolErrors = Object.fromEntries(callErrors.map((kind, i) => [kind, errorCount(kind, firstKind + i)])) as Readonly<
  Record<CallErrorKind, ReturnType<typeof errorCount>>
>;

const toolMetrics = {
  expected: count({
    title: 'Expected',
    help: 'Calls of the tool that were expected.',
    of: ({ columns }) => columns[matched]! + columns[missing]!,
  }),
  predicted: count({
    title: 'Predicted',
    help: 'Calls of the tool that were made.',
    of: ({ columns }) => columns[matched]! + columns[extra]!,
  }),
  matched: count({
    title: 'Matched',
    help: 'Expected calls of the tool that were made as expected.',
    of: ({ columns }) => columns[matched]!,
  }),
  errors: group((entry: BreakdownEntry) => entry, toolErrors),
} satisfies Metrics<BreakdownEntry>;

const argumentMetrics = Object.fromEntries(argumentErrors.map((kind, i) => [kind, errorCount(kind, i)])) as Readonly<
  Record<ArgumentError, ReturnType<typeof errorCount>>
>;

export const matchMetrics = {
  n: count({ title: 'Events', help: 'Events scored, whose truth says which calls are right.', of: ({ n }) => n }),
  correct: flagRate('correct', 'correct', {
    title: 'Calls right',
    help: 'Events whose calls are right by the rules of their truth.',
    headline: 'Calls right',
    history: true,
    watched: true,
  }),
  alternatives_used: count({
    title: 'By an alternative',
    help: 'Events that are right by an alternative list of calls.',
    of: ({ alternatives }) => alternatives,
  }),
  ...pooledMetrics('calls'),
  f1: pooledF1('calls'),
  expected: count({ title: 'Expected', help: 'Calls of the lists that count.', of: ({ tp, fn }) => tp + fn }),
  predicted: count({ title: 'Predicted', help: 'Calls that were made.', of: ({ tp, fp }) => tp + fp }),
  matched: count({ title: 'Matched', help: 'Expected calls that were made as expected.', of: ({ tp }) => tp }),
  forbidden_events: rate({
    title: 'Forbidden calls',
    help: 'Events that call a tool that must not be called.',
    better: 'lower',
    of: ({ forbidden, n }) => [forbidden, n],
  }),
  loop_events: rate({
    title: 'Loops',
    help: 'Events that make the same call three times or more.',
    better: 'lower',
    of: ({ loops, n }) => [loops, n],
    ofRow: fieldOfRow('loop'),
  }),
  repeated_calls: count({
    title: 'Repeated calls',
    help: 'Calls that are equal to an earlier one of the same event.',
    of: ({ repeated }) => repeated,
  }),
  errors: byLabel(callErrors, ({ errors }: MatchSums, index) => errors[index]!, errorMetrics),
  tools: breakdown({
    title: 'Tools',
    help: 'Calls and their errors by tool.',
    of: (sums) => sums.tools,
    depth: 1,
    value: group((entry: BreakdownEntry) => entry, toolMetrics),
  }),
  arguments: breakdown({
    title: 'Arguments',
    help: 'Errors of arguments by tool, then path; [*] is any index.',
    of: (sums) => sums.arguments,
    depth: 2,
    value: group((entry: BreakdownEntry) => entry, argumentMetrics),
  }),
} satisfies Metrics<MatchSums>;
