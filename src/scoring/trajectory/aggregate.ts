import { type Block, type BreakdownEntry, type CellKind, cellNames, type Tally, type TallyReader } from '../family.ts';
import { meanOf, type Rate, type RateOf } from '../reading.ts';
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
  into.count(at.tasks, 1);
  if (outcome.matchingTools) into.count(at.matchingTools, 1);
  if (strict.success) into.count(at.strictSuccess, 1);
  if (flexible.success) into.count(at.flexibleSuccess, 1);
  into.sum(at.name, outcome.name);
  into.sum(at.order, outcome.order);
  into.sum(at.strictParam, strict.param);
  into.sum(at.flexibleParam, flexible.param);
  into.sum(at.strictOverall, strict.overall);
  into.sum(at.flexibleOverall, flexible.overall);
  const column = successColumn(outcome);
  into.entry(callCounts, gold.callCount, '', column, 1);
  into.entry(combinations, gold.combination, '', column, 1);
  for (const [tool, occurrences] of gold.counts) into.entry(tools, tool, '', strict.success ? 1 : 0, occurrences);
  for (const { position, parameter } of outcome.mismatches) {
    into.entry(mismatches, profile.mismatchKey(gold, position), parameter, 0, 1);
  }
  if (outcome.missing.length > 0) tallyNames(missing, outcome.missing, into);
  if (outcome.extra.length > 0) tallyNames(extra, outcome.extra, into);
}

function tallyNames(breakdown: number, tools: readonly string[], into: Tally): void {
  for (const tool of new Set(tools)) into.entry(breakdown, tool, '', 0, 1);
  for (const tool of tools) into.entry(breakdown, tool, '', 1, 1);
}

/** The summary block of what was tallied. */
export function readBlock(from: TallyReader, rate: RateOf, minCombinationCount: number): Block | null {
  const tasks = from.count(at.tasks);
  if (tasks === 0) return null;
  const mode = (success: number, param: number, overall: number): Block => ({
    success: rate(from.count(success), tasks),
    name: meanOf(from.sum(at.name), tasks),
    param: meanOf(from.sum(param), tasks),
    order: meanOf(from.sum(at.order), tasks),
    overall: meanOf(from.sum(overall), tasks),
  });
  return {
    tasks,
    tasks_with_matching_tools: from.count(at.matchingTools),
    strict: mode(at.strictSuccess, at.strictParam, at.strictOverall),
    flexible: mode(at.flexibleSuccess, at.flexibleParam, at.flexibleOverall),
    ...readBreakdowns(from, rate, minCombinationCount),
  };
}

/** The breakdowns, or nothing where the view keeps none. */
function readBreakdowns(from: TallyReader, rate: RateOf, minCombinationCount: number): Block {
  const lists = breakdowns.map((_, breakdown) => from.entries(breakdown));
  const [byParameter, byTool, byCount, byCombination, byMissing, byExtra] = lists;
  if (!byParameter || !byTool || !byCount || !byCombination || !byMissing || !byExtra) return {};
  const successes = ({ columns }: BreakdownEntry): { strict: Rate; flexible: Rate } => {
    const [neither, strict, flexible, both] = columns as [number, number, number, number];
    const total = neither + strict + flexible + both;
    return { strict: rate(strict + both, total), flexible: rate(flexible + both, total) };
  };
  const frequent = byCombination.filter(({ columns }) => sumOf(columns) >= minCombinationCount);
  return {
    parameter_mismatches: nested(byParameter),
    tools: record(byTool, ({ columns }) => ({ success: rate(columns[1]!, sumOf(columns)) })),
    by_call_count: record(byCount, successes),
    by_combination: record(frequent, successes),
    missing_tools: record(byMissing, occurrences),
    extra_tools: record(byExtra, occurrences),
  };
}

function occurrences({ columns }: BreakdownEntry): { tasks: number; occurrences: number } {
  return { tasks: columns[0]!, occurrences: columns[1]! };
}

function sumOf(columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + column, 0);
}

/** `Object.fromEntries` defines its keys: `__proto__` is one like any other. */
function record<T>(
  entries: readonly BreakdownEntry[],
  value: (entry: BreakdownEntry) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.map((entry) => [entry.key, value(entry)]));
}

function nested(entries: readonly BreakdownEntry[]): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const byKey = new Map<string, [string, number][]>();
  for (const { key, subkey, columns } of entries) {
    const held = byKey.get(key);
    if (held) held.push([subkey, columns[0]!]);
    else byKey.set(key, [[subkey, columns[0]!]]);
  }
  return Object.fromEntries([...byKey].map(([key, fields]) => [key, Object.fromEntries(fields)]));
}
