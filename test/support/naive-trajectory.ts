import type { Joined } from '../../src/scoring/family.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { type Rate, rateWith, z95 } from '../../src/scoring/reading.ts';
import type { TrajectoryOptions } from '../../src/scoring/trajectory/index.ts';

/** Family trajectory as its definition reads (docs/reference/scoring.md, "trajectory"): values normalised first, plain sums, nothing shared with the family. */
export interface NaiveScore {
  readonly row: NaiveRow;
  readonly matchingTools: boolean;
  /** Key of each mismatch among the aggregates. */
  readonly mismatchKeys: readonly string[];
}

interface NaiveMode {
  readonly success: boolean;
  readonly name: number;
  readonly param: number;
  readonly order: number;
  readonly overall: number;
}

interface NaiveRow {
  readonly strict: NaiveMode;
  readonly flexible: NaiveMode;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly mismatches: readonly { readonly tool: string; readonly parameter: string; expected: Json; actual: Json }[];
}

export function naiveScore({ prediction, truth }: Joined, options: TrajectoryOptions): NaiveScore | undefined {
  if (truth.expected === undefined || prediction.callsNotRecorded) return undefined;
  const gold = truth.expected;
  const calls = prediction.calls ?? [];
  const goldNames = gold.map((call) => call.name);
  const names = calls.map((call) => call.name);
  const positions = [...gold.keys()].filter((i) => i < calls.length && names[i] === goldNames[i]);
  const bothEmpty = gold.length === 0 && calls.length === 0;
  const order = gold.length === 0 ? Number(bothEmpty) : subsequence(goldNames, names) / gold.length;
  const name = gold.length === 0 ? Number(bothEmpty) : positions.length / gold.length;
  const complete = positions.length === gold.length;
  const noOutsiders = names.every((one) => one !== undefined && goldNames.includes(one));
  const mode = (strict: boolean): NaiveMode => {
    const params = positions.map((i) => parameterScore(gold[i]!.arguments, calls[i]!.arguments, strict));
    const sum = params.reduce((total, one) => total + one, 0);
    const param = params.length === 0 ? Number(bothEmpty) : sum / params.length;
    const strictly =
      complete &&
      params.every((one) => one === 1) &&
      order === 1 &&
      (options.mode === 'upstream' ? noOutsiders : calls.length === gold.length);
    const flexibly =
      complete && params.every((one) => one >= options.paramThreshold) && order >= options.orderThreshold;
    const { weights } = options;
    const scale = weights.name + weights.params + weights.order;
    const overall = (weights.name * name + weights.params * param + weights.order * order) / scale;
    return { success: bothEmpty || (strict ? strictly : flexibly), name, param, order, overall };
  };
  const mismatches = positions.flatMap((i) =>
    Object.entries(gold[i]!.arguments)
      .filter(([key]) => calls[i]!.arguments !== undefined && Object.hasOwn(calls[i]!.arguments, key))
      .map(([parameter, expected]) => ({ i, parameter, expected, actual: calls[i]!.arguments![parameter]! }))
      .filter(({ expected, actual }) => !naiveSame(expected, actual, true)),
  );
  const repeated = (i: number) => goldNames.filter((one) => one === goldNames[i]).length > 1;
  return {
    row: {
      strict: mode(true),
      flexible: mode(false),
      missing: goldNames.filter((one) => !names.includes(one)),
      extra: names.filter((one) => one !== undefined && !goldNames.includes(one)) as string[],
      mismatches: mismatches.map(({ i, ...rest }) => ({ tool: goldNames[i]!, ...rest })),
    },
    matchingTools: goldNames.some((one) => names.includes(one)),
    mismatchKeys: mismatches.map(({ i }) =>
      options.mode === 'upstream' && repeated(i) ? `${goldNames[i]}_${i}` : goldNames[i]!,
    ),
  };
}

function subsequence(a: readonly string[], b: readonly (string | undefined)[]): number {
  const table = [...a, ''].map(() => [...b, ''].map(() => 0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j] ? 1 + table[i + 1]![j + 1]! : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table[0]![0]!;
}

function parameterScore(gold: JsonObject, actual: Call['arguments'], strict: boolean): number {
  if (actual === undefined) return 0;
  const unimportant = ['null', '""', '[]', '{}'];
  const entries = Object.entries(gold).filter(([, value]) => strict || !unimportant.includes(text(value)));
  if (entries.length === 0) return 1;
  const credits = entries.map(([key, value]) => {
    if (!Object.hasOwn(actual, key)) return 0;
    return naiveSame(value, actual[key]!, strict) ? 1 : strict ? 0 : 0.5;
  });
  return credits.reduce((total: number, one) => total + one, 0) / entries.length;
}

/** Infinity has no JSON text of its own. */
function text(value: Json): string {
  return value === Number.POSITIVE_INFINITY ? 'Infinity' : JSON.stringify(value);
}

export function naiveSame(gold: Json, predicted: Json, strict: boolean): boolean {
  const a = normalise(gold);
  const b = normalise(predicted);
  if (typeof a === 'number' && typeof b === 'number') {
    // 1e999 lies 0 from itself.
    if (a === b) return true;
    if (strict) return Math.abs(a - b) < 1e-6;
    if (Math.abs(a) < 1 || Math.abs(b) < 1) return Math.abs(a - b) < 0.2;
    return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)) < 0.2;
  }
  if (!strict && typeof a === 'string' && typeof b === 'string') return a.includes(b) || b.includes(a);
  return canonical(a) === canonical(b);
}

function normalise(value: Json): Json {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(normalise);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.trim().toLowerCase(), normalise(field)]));
}

/** A text that equal values share: sorted keys, -0 as 0, Infinity by name. */
function canonical(value: Json): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${entries.sort().join()}}`;
}

const rate = rateWith(z95);

type Scored = NaiveScore & { readonly names: readonly string[] };

export function naiveBlock(events: readonly Joined[], options: TrajectoryOptions): unknown {
  const scored = events.flatMap((event): Scored[] => {
    const score = naiveScore(event, options);
    return score === undefined ? [] : [{ ...score, names: event.truth.expected!.map((call) => call.name) }];
  });
  if (scored.length === 0) return null;
  return {
    tasks: scored.length,
    tasks_with_matching_tools: scored.filter((one) => one.matchingTools).length,
    strict: modeBlock(scored.map((one) => one.row.strict)),
    flexible: modeBlock(scored.map((one) => one.row.flexible)),
    ...breakdowns(scored, options),
  };
}

function modeBlock(scores: readonly NaiveMode[]): Record<string, unknown> {
  const mean = (numbers: readonly number[]) => {
    const sum = numbers.reduce((total, one) => total + one, 0);
    return { value: sum / numbers.length, sum, count: numbers.length };
  };
  return {
    success: rate(scores.filter((one) => one.success).length, scores.length),
    name: mean(scores.map((one) => one.name)),
    param: mean(scores.map((one) => one.param)),
    order: mean(scores.map((one) => one.order)),
    overall: mean(scores.map((one) => one.overall)),
  };
}

/** Where it goes wrong: by tool, by parameter, by number and by combination of calls. */
function breakdowns(scored: readonly Scored[], options: TrajectoryOptions): Record<string, unknown> {
  const success = (some: readonly Scored[]): { strict: Rate; flexible: Rate } => ({
    strict: rate(some.filter((one) => one.row.strict.success).length, some.length),
    flexible: rate(some.filter((one) => one.row.flexible.success).length, some.length),
  });
  const tools = grouped(scored.flatMap((one) => one.names.map((name) => [name, one.row.strict.success] as const)));
  const counts = grouped(scored.map((one) => [String(one.names.length), one] as const));
  const combinations = grouped(
    scored.map((one) => [combination(one.names, options.mode === 'upstream'), one] as const),
  );
  const frequent = combinations.filter(([, some]) => some.length >= options.minCombinationCount);
  const mismatches = grouped(
    scored.flatMap((one) => one.mismatchKeys.map((key, i) => [key, one.row.mismatches[i]!.parameter] as const)),
  );
  return {
    parameter_mismatches: byKey(mismatches, (parameters) =>
      byKey(grouped(parameters.map((one) => [one, one] as const)), (all) => all.length),
    ),
    tools: byKey(tools, (all) => ({ success: rate(all.filter((one) => one).length, all.length) })),
    by_call_count: byKey(counts, success),
    by_combination: byKey(frequent, success),
    missing_tools: occurrences(scored.map((one) => one.row.missing)),
    extra_tools: occurrences(scored.map((one) => one.row.extra)),
  };
}

/** In how many tasks, and how often, each name is there. */
function occurrences(namesOfTasks: readonly (readonly string[])[]): Record<string, unknown> {
  const tasksOf = grouped(namesOfTasks.flatMap((names, task) => names.map((name) => [name, task] as const)));
  return byKey(tasksOf, (tasks) => ({ tasks: new Set(tasks).size, occurrences: tasks.length }));
}

function byKey<V, Result>(
  groups: readonly (readonly [string, V[]])[],
  of: (all: V[]) => Result,
): Record<string, Result> {
  return Object.fromEntries(groups.map(([key, all]) => [key, of(all)]));
}

function combination(names: readonly string[], firstAppearance: boolean): string {
  const counted = grouped(names.map((name) => [name, name] as const)).map(([name, all]) => ({ name, n: all.length }));
  if (!firstAppearance) counted.sort((a, b) => (a.name < b.name ? -1 : 1));
  return counted.map(({ name, n }) => `${n}x ${name}`).join(', ');
}

function grouped<V>(pairs: readonly (readonly [string, V])[]): [string, V[]][] {
  const groups = new Map<string, V[]>();
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value]);
  return [...groups];
}
