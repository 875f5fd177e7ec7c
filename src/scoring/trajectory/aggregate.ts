import { type CellKind, cellNames, type Tally, type TallyReader } from '../family.ts';
import { type BreakdownEntry, breakdown, count, fieldOfRow, group, mean, type Metrics, rate } from '../metric.ts';
import type { Profile } from './profile.ts';
import type { TrajectoryOutcome } from './score.ts';

const names = cellNames({
  tasks: 'count',
  matchingTools: 'count',
  strictSuccess: 'count',
  flexibleSuccess: 'count',
  name: 'sum',
  order: 'sum',
  strictParam: 'sum',
  flexibleParam: 'sum',
  strictOverall: 'sum',
  flexibleOverall: 'sum',
});
const at = names.at;

export const cells: readonly CellKind[] = names.kinds;

/** Tool and parameter: mismatches. */
const mismatches = 0;
/** Tool: its occurrences in gold of tasks that failed and that succeeded, strictly. One column of one entry changes a task. */
const tools = 1;
/** Number of gold calls, and combination of gold tools: tasks by success (`successColumn`). */
const callCounts = 2;
const combinations = 3;
/** Tool: tasks, occurrences. */
const missing = 4;
const extra = 5;

export const breakdowns: readonly number[] = [1, 2, 4, 4, 2, 2];

/** Column of a task: neither success, strict only, flexible only, both. */
function successColumn(outcome: TrajectoryOutcome): number {
  return (outcome.strict.success ? 1 : 0) + (outcome.flexible.success ? 2 : 0);
}

/** Adds one outcome to the cells and breakdowns. */
export function tallyOutcome(outcome: TrajectoryOutcome, profile: Profile, into: Tally): void {
  const { gold, strict, flexible } = outcome;
  names.add(into, {
    tasks: 1,
    matchingTools: outcome.matchingTools,
    strictSuccess: strict.success,
    flexibleSuccess: flexible.success,
    name: outcome.name,
    order: outcome.order,
    strictParam: strict.param,
    flexibleParam: flexible.param,
    strictOverall: strict.overall,
    flexibleOverall: flexible.overall,
  });
  const column = successColumn(outcome);
  into.entry(callCounts, gold.callCount, '', column, 1);
  into.entry(combinations, gold.combination, '', column, 1);
  for (const [tool, occurrences] of gold.counts) into.entry(tools, tool, '', strict.success ? 1 : 0, occurrences);
  for (const { position, parameter } of outcome.mismatches) {
    into.entry(mismatches, profile.mismatchKey(gold, position), parameter, 0, 1);
  }
  tallyNames(missing, outcome.missing, into);
  tallyNames(extra, outcome.extra, into);
  if (!strict.success) attribute(at.strictSuccess, outcome, into);
  if (!flexible.success) attribute(at.flexibleSuccess, outcome, into);
}

function attribute(cell: number, { gold, missing, extra, mismatches }: TrajectoryOutcome, into: Tally): void {
  for (const tool of missing) into.attribute(cell, 'missing_tool', tool);
  for (const tool of extra) into.attribute(cell, 'extra_tool', tool);
  for (const { position, parameter } of mismatches) {
    const { name } = gold.calls[position]!;
    into.attribute(cell, 'tool', name);
    into.attribute(cell, 'argument', name, parameter);
  }
}

function tallyNames(breakdown: number, tools: readonly string[], into: Tally): void {
  if (tools.length === 0) return;
  for (const tool of new Set(tools)) into.entry(breakdown, tool, '', 0, 1);
  for (const tool of tools) into.entry(breakdown, tool, '', 1, 1);
}

/** One mode's counts and sums over any set of tasks. */
export interface ModeSums {
  readonly tasks: number;
  readonly success: number;
  readonly name: number;
  readonly param: number;
  readonly order: number;
  readonly overall: number;
}

export interface TrajectorySums {
  readonly tasks: number;
  readonly matchingTools: number;
  readonly strict: ModeSums;
  readonly flexible: ModeSums;
  /** Entries of a breakdown, `undefined` where none are kept. */
  entries(breakdown: number): readonly BreakdownEntry[] | undefined;
}

const modeMetrics = {
  success: rate({
    title: 'Success',
    help: 'Tasks solved call by call.',
    better: 'higher',
    of: ({ success, tasks }) => [success, tasks],
    ofRow: fieldOfRow('success'),
  }),
  name: mean({
    title: 'Names',
    help: 'Share of the positions with the expected name.',
    better: 'higher',
    of: ({ name, tasks }) => [name, tasks],
    ofRow: fieldOfRow('name'),
  }),
  param: mean({
    title: 'Parameters',
    help: 'Parameter score over positions with the expected name.',
    better: 'higher',
    of: ({ param, tasks }) => [param, tasks],
    ofRow: fieldOfRow('param'),
  }),
  order: mean({
    title: 'Order',
    help: 'Longest common subsequence of the names over the expected calls.',
    better: 'higher',
    of: ({ order, tasks }) => [order, tasks],
    ofRow: fieldOfRow('order'),
  }),
  overall: mean({
    title: 'Overall',
    help: 'Weighted sum of names, parameters and order.',
    better: 'higher',
    of: ({ overall, tasks }) => [overall, tasks],
    ofRow: fieldOfRow('overall'),
  }),
} satisfies Metrics<ModeSums>;

/** Success of tasks by `successColumn`. */
const successes = group((entry: BreakdownEntry) => entry.columns, {
  strict: rate({
    title: 'Strict success',
    help: 'Tasks solved strictly.',
    better: 'higher',
    of: (columns) => [columns[1]! + columns[3]!, sumOf(columns)],
  }),
  flexible: rate({
    title: 'Flexible success',
    help: 'Tasks solved flexibly.',
    better: 'higher',
    of: (columns) => [columns[2]! + columns[3]!, sumOf(columns)],
  }),
} satisfies Metrics<readonly number[]>);

const toolSuccess = group((entry: BreakdownEntry) => entry.columns, {
  success: rate({
    title: 'Success',
    help: 'Expected calls of the tool in tasks solved strictly.',
    better: 'higher',
    of: (columns) => [columns[1]!, sumOf(columns)],
  }),
} satisfies Metrics<readonly number[]>);

const occurrences = group((entry: BreakdownEntry) => entry.columns, {
  tasks: count({ title: 'Tasks', help: 'Tasks with such a call.', of: (columns) => columns[0]! }),
  occurrences: count({ title: 'Calls', help: 'Such calls.', of: (columns) => columns[1]! }),
} satisfies Metrics<readonly number[]>);

const mismatchCount = count<BreakdownEntry>({
  title: 'Mismatches',
  help: 'Values that are not strictly the same.',
  of: ({ columns }) => columns[0]!,
});

export const trajectoryMetrics = {
  tasks: count({ title: 'Tasks', help: 'Events scored.', of: ({ tasks }) => tasks }),
  tasks_with_matching_tools: count({
    title: 'Tasks with a matching tool',
    help: 'Tasks in which some expected name is predicted.',
    of: ({ matchingTools }) => matchingTools,
  }),
  strict: group(({ strict }: TrajectorySums) => strict, {
    ...modeMetrics,
    success: { ...modeMetrics.success, title: 'Trajectory success', headline: 'Trajectory' },
  }),
  flexible: group(({ flexible }: TrajectorySums) => flexible, modeMetrics),
  parameter_mismatches: breakdown({
    title: 'Parameter mismatches',
    help: 'By tool and parameter.',
    depth: 2,
    of: ({ entries }) => entries(mismatches),
    value: mismatchCount,
  }),
  tools: breakdown({
    title: 'Tools',
    help: 'Success by expected tool.',
    depth: 1,
    of: ({ entries }) => entries(tools),
    value: toolSuccess,
  }),
  by_call_count: breakdown({
    title: 'By number of calls',
    help: 'Success by number of expected calls.',
    depth: 1,
    of: ({ entries }) => entries(callCounts),
    value: successes,
  }),
  by_combination: breakdown({
    title: 'By combination',
    help: 'Success by combination of expected tools.',
    depth: 1,
    of: ({ entries }) => entries(combinations),
    value: successes,
  }),
  missing_tools: breakdown({
    title: 'Missing tools',
    help: 'Expected tools that are never called.',
    depth: 1,
    of: ({ entries }) => entries(missing),
    value: occurrences,
  }),
  extra_tools: breakdown({
    title: 'Extra tools',
    help: 'Called tools that are not expected.',
    depth: 1,
    of: ({ entries }) => entries(extra),
    value: occurrences,
  }),
} satisfies Metrics<TrajectorySums>;

/** Names what was tallied; combinations with fewer tasks than the minimum are left out. */
export function sumsOf(from: TallyReader, minCombinationCount: number): TrajectorySums {
  const sums = names.read(from);
  const { tasks, name, order } = sums;
  return {
    tasks,
    matchingTools: sums.matchingTools,
    strict: { tasks, name, order, success: sums.strictSuccess, param: sums.strictParam, overall: sums.strictOverall },
    flexible: {
      tasks,
      name,
      order,
      success: sums.flexibleSuccess,
      param: sums.flexibleParam,
      overall: sums.flexibleOverall,
    },
    entries(breakdown) {
      const entries = from.entries(breakdown);
      if (breakdown !== combinations) return entries;
      return entries?.filter(({ columns }) => sumOf(columns) >= minCombinationCount);
    },
  };
}

/** Returns whether nothing was scored. */
export function isEmpty({ tasks }: TrajectorySums): boolean {
  return tasks === 0;
}

function sumOf(columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + column, 0);
}
