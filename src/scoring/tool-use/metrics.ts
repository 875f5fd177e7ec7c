import type { Counter } from '../family.ts';
import { type BreakdownEntry, breakdown, count, group, type Metrics, number, type RowPart, rate } from '../metric.ts';

/** Counts of any set of accepted events. */
export interface ToolUseSums {
  readonly n: number;
  readonly steps: number;
  readonly calls: number;
  readonly malformed: number;
  /** Calls where tools are known, and those of them that name none of these. */
  readonly known: number;
  readonly unknown: number;
  /** Calls that were checked by a schema, and those that break it. */
  readonly checked: number;
  readonly invalid: number;
  /** Calls with a result, and those that failed. */
  readonly answered: number;
  readonly failed: number;
  /** Calls without a result, of finished runs that have some. */
  readonly unanswered: number;
  /** Runs with a failed call, and those that end in words behind a failed one. */
  readonly failing: number;
  readonly notRecovered: number;
  /** Runs with calls enough for a loop, and those that have one. */
  readonly long: number;
  readonly looping: number;
  /** Calls by the first that holds of: malformed, unknown, invalid, failed, none of these. */
  readonly result: Readonly<Record<CallResultName, number>>;
  readonly tools: readonly BreakdownEntry[] | undefined;
  readonly violations: readonly BreakdownEntry[] | undefined;
  readonly errors: readonly BreakdownEntry[] | undefined;
}

const callResults = ['ok', 'failed', 'unknown', 'malformed', 'invalid'] as const;
export type CallResultName = (typeof callResults)[number];

/** Columns of the breakdown by tool. */
export const toolColumns = ['calls', 'unknown', 'checked', 'invalid', 'unchecked', 'answered', 'failed'] as const;

const column = ({ columns }: BreakdownEntry, name: (typeof toolColumns)[number]): number =>
  columns[toolColumns.indexOf(name)]!;

const ofTool = {
  calls: count({ title: 'Calls', help: 'Calls of the tool.', of: (entry: BreakdownEntry) => column(entry, 'calls') }),
  unknown: count({
    title: 'Unknown',
    help: 'Calls of it where tools are known, and it is none of them.',
    better: 'lower',
    of: (entry) => column(entry, 'unknown'),
  }),
  invalid_arguments: rate({
    title: 'Invalid arguments',
    help: "Calls whose arguments break the tool's JSON Schema.",
    better: 'lower',
    of: (entry) => [column(entry, 'invalid'), column(entry, 'checked')],
  }),
  unchecked: count({
    title: 'Not checked',
    help: 'Calls of it where its JSON Schema cannot be used.',
    of: (entry) => column(entry, 'unchecked'),
  }),
  failed: rate({
    title: 'Failed',
    help: 'Calls whose result is an error.',
    better: 'lower',
    of: (entry) => [column(entry, 'failed'), column(entry, 'answered')],
  }),
} satisfies Metrics<BreakdownEntry>;

const times = count({ title: 'Calls', help: 'How often.', of: ({ columns }: BreakdownEntry) => columns[0]! });

export const toolUseMetrics = {
  n: count({
    title: 'Events',
    help: 'Events accepted, whether or not their truth is known.',
    of: ({ n }: ToolUseSums) => n,
  }),
  unknown_tool: rate({
    title: 'Invented tool, of all calls',
    help: 'Calls of a tool that the event does not offer (where it names none: that is not configured as known), of all accepted events; family decision counts scored ones.',
    better: 'lower',
    headline: 'Invented tool',
    history: true,
    watched: true,
    of: ({ unknown, known }) => [unknown, known],
  }),
  malformed: rate({
    title: 'Malformed calls',
    help: 'Calls without a name, or with arguments that are no object.',
    better: 'lower',
    of: ({ malformed, calls }) => [malformed, calls],
  }),
  invalid_arguments: rate({
    title: 'Invalid arguments',
    help: "Calls whose arguments break the tool's JSON Schema, of those whose tool has one that can be used.",
    better: 'lower',
    headline: 'Invalid arguments',
    history: true,
    watched: true,
    of: ({ invalid, checked }) => [invalid, checked],
  }),
  failed: rate({
    title: 'Failed calls',
    help: 'Calls whose result is an error, of those with a result.',
    better: 'lower',
    headline: 'Failed calls',
    history: true,
    watched: true,
    of: ({ failed, answered }) => [failed, answered],
  }),
  unanswered: rate({
    title: 'Unanswered calls',
    help: 'Calls without a result, of finished runs that have results of other calls; of those and the calls with a result.',
    better: 'lower',
    of: ({ unanswered, answered }) => [unanswered, unanswered + answered],
  }),
  not_recovered: rate({
    title: 'Not recovered',
    help: 'Runs that end with an answer in words although their last result is an error, of those with a failed call.',
    better: 'lower',
    headline: 'Not recovered',
    of: ({ notRecovered, failing }) => [notRecovered, failing],
    ofRow: (row) => (Number(row['failed_calls']) > 0 ? Number(row['not_recovered']) : undefined),
  }),
  loops: rate({
    title: 'Loops',
    help: 'Runs with three equal calls in a row, or a cycle of 2 to 4 calls three times, of those with 3 calls or more.',
    better: 'lower',
    headline: 'Loops',
    of: ({ looping, long }) => [looping, long],
    ofRow: (row: RowPart) => (Number(row['calls']) >= 3 ? Number(row['loop']) : undefined),
  }),
  calls_per_run: perRun('Calls per run', 'Mean number of calls of a run.', ({ calls }) => calls),
  steps_per_run: perRun('Steps per run', 'Mean number of answers of the model in a run.', ({ steps }) => steps),
  tools: breakdown({
    title: 'Tools',
    help: 'Calls by the name that they give.',
    of: ({ tools }: ToolUseSums) => tools,
    depth: 1,
    value: group((entry: BreakdownEntry) => entry, ofTool),
  }),
  violations: breakdown({
    title: 'Invalid arguments',
    help: 'Calls whose arguments break the schema, by tool, then path and keyword.',
    of: ({ violations }: ToolUseSums) => violations,
    depth: 2,
    value: times,
  }),
  errors: breakdown({
    title: 'Errors',
    help: 'Failed calls by tool, then error, with numbers as #.',
    of: ({ errors }: ToolUseSums) => errors,
    depth: 2,
    value: times,
  }),
} satisfies Metrics<ToolUseSums>;

function perRun(title: string, help: string, of: (sums: ToolUseSums) => number) {
  return number<ToolUseSums>({
    ...{ title, help, range: [0, Number.POSITIVE_INFINITY], weight: 'n' },
    of: (sums) => (sums.n === 0 ? null : of(sums) / sums.n),
  });
}

export const toolUseCounters: readonly Counter<ToolUseSums>[] = [
  {
    name: 'tool_calls',
    help: 'Tool calls by what can be said of them without truth: the first that holds of malformed, unknown, invalid, failed, ok.',
    unit: 'calls',
    labels: ['result'],
    series: callResults.map((name) => ({ values: [name], of: ({ result }: ToolUseSums) => result[name] })),
  },
];
