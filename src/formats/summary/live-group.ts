import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import { hash128OfText } from '../../state/containers/hash128.ts';
import { isObject } from '../../scoring/json.ts';
import type { DecisionBlock } from '../../scoring/decision/metrics.ts';
import { type Headline, headlinesOf } from '../../scoring/families.ts';
import type { Estimate, Mean, Rate } from '../../scoring/reading.ts';
import type { StabilityBlock } from '../../scoring/stability/read.ts';
import { type Judged, judgedOf } from './judged.ts';
import { type WrongArgument, type WrongEvent, wrongArguments } from './wrong-arguments.ts';
import type { PlainGroup } from './summary-document.ts';

/** Columns of the table of groups, in order; one that no group has is left out. */
export const headlines: readonly Headline[] = headlinesOf();

/** One group as the page has it. */
export interface LiveGroup {
  /** Stands for the slice in addresses. */
  readonly id: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly window: string;
  /** Decisions scored; 0 where the family is disabled. */
  readonly n: number;
  /** By path; absent where there is none. */
  readonly headlines: Readonly<Record<string, Rate | Estimate | Mean | number>>;
  /** Families whose numbers begin later than the span shown, with the event time, ISO 8601. */
  readonly since?: Readonly<Record<string, string>>;
  /** The details of the selected group. */
  readonly detail: GroupDetail | null;
}

export interface GroupDetail {
  /** Blocks `decision` of the window, `stability` of `all`: as in the summary. */
  readonly decision: DecisionBlock | null;
  readonly stability: StabilityBlock | null;
  /** The worst tools and arguments in `all`; null where trajectories are not scored. */
  readonly worst: Worst | null;
  /** Arguments that are wrong by the rules of the truth, in `all`; empty where that is not scored. */
  readonly wrong: readonly WrongArgument[];
  /** Its judgements; empty where there are none. */
  readonly judged: readonly Judged[];
}

export interface Worst {
  readonly tools: readonly { readonly tool: string; readonly success: Rate }[];
  readonly parameters: readonly { readonly tool: string; readonly parameter: string; readonly count: number }[];
  readonly missing: readonly NamedCount[];
  readonly extra: readonly NamedCount[];
}

export interface NamedCount {
  readonly tool: string;
  readonly tasks: number;
  readonly occurrences: number;
}

/** A short name for a slice that fits into an address, whatever its values: equal slices, equal names. */
export function sliceId(slice: Readonly<Record<string, string>>): string {
  const words = new Uint32Array(4);
  hash128OfText(JSON.stringify(Object.entries(slice)), words, 0);
  return hexadecimal(words);
}

/** A group for the table; `all` is the same slice's group of window `all`. With its events whose arguments do not match it is shown in detail. */
export function liveGroup(group: PlainGroup, all: PlainGroup, failures: readonly WrongEvent[] | undefined): LiveGroup {
  const numbers = headlines.flatMap(({ path, allOnly }) => {
    const value = valueAt(allOnly ? all : group, path);
    return isNumber(value) ? [[path, value] as const] : [];
  });
  const n = valueAt(group, 'decision.n');
  const since = { ...all.since, ...group.since };
  const shown = Object.entries(since).filter(([family]) => group.since?.[family] !== undefined || !(family in group));
  return {
    id: sliceId(group.slice),
    slice: group.slice,
    window: group.window,
    n: typeof n === 'number' ? n : 0,
    headlines: Object.fromEntries(numbers),
    ...(shown.length > 0 && { since: Object.fromEntries(shown) }),
    detail: failures
      ? {
          decision: (group['decision'] ?? null) as DecisionBlock | null,
          stability: (all['stability'] ?? null) as StabilityBlock | null,
          worst: isObject(all['trajectory']) ? worstOf(all['trajectory']) : null,
          wrong: wrongArguments(all['match'], failures),
          judged: judgedOf(group, all),
        }
      : null,
  };
}

const worstMax = 8;

/** The tools and parameters of a `trajectory` block that fail most often; equal ones by name. */
export function worstOf(trajectory: Readonly<Record<string, unknown>>): Worst {
  const record = (key: string): [string, unknown][] =>
    isObject(trajectory[key]) ? Object.entries(trajectory[key]) : [];
  const tools = record('tools').map(([tool, value]) => ({ tool, success: (value as { success: Rate }).success }));
  const parameters = record('parameter_mismatches').flatMap(([tool, counts]) =>
    Object.entries(counts as Record<string, number>).map(([parameter, count]) => ({ tool, parameter, count })),
  );
  const named = (key: string): NamedCount[] =>
    greatest(
      record(key).map(([tool, counts]) => ({ tool, ...(counts as Omit<NamedCount, 'tool'>) })),
      ({ tasks }) => tasks,
    );
  return {
    tools: greatest(
      tools.filter(({ success }) => success.numerator < success.denominator),
      ({ success }) => success.denominator - success.numerator,
    ),
    parameters: greatest(parameters, ({ count }) => count),
    missing: named('missing_tools'),
    extra: named('extra_tools'),
  };
}

/** Sorting is stable: equal ones keep the order of the summary, which is by name. */
function greatest<T>(items: readonly T[], of: (item: T) => number): T[] {
  return [...items].sort((a, b) => of(b) - of(a)).slice(0, worstMax);
}

/** The value at a path of a group; undefined where there is none. */
export function valueAt(group: PlainGroup, path: string): unknown {
  let at: unknown = group;
  for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

function isNumber(value: unknown): value is Rate | Estimate | Mean | number {
  return typeof value === 'number' || (isObject(value) && Object.hasOwn(value, 'value'));
}
