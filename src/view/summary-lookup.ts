import { allMetrics, declarations } from '../scoring/families.ts';
import { isObject } from '../scoring/json.ts';
import { nearestOf } from './near.ts';

/** The parts of a summary that gates and comparisons read (docs/reference/outputs.md). */
export interface SummaryGroups {
  readonly records?: unknown;
  readonly coverage?: unknown;
  readonly groups: readonly SummaryGroup[];
}

export interface SummaryGroup {
  readonly slice: Readonly<Record<string, string>>;
  readonly window: string;
  /** Blocks by family: null where nothing was scored, absent where disabled. */
  readonly [family: string]: unknown;
}

/** Dimensions and their values; none is the total. */
export type Slice = ReadonlyMap<string, string>;

/** A user's mistake: what is wrong, where, and what to do. */
export interface Problem {
  readonly problem: string;
}

/** A number of a summary; `numerator` of `denominator` where it is a rate or a part of one, `sum` and `count` of a mean. */
export interface Metric {
  /** Path from the family on. */
  readonly path: string;
  readonly value: number | null;
  /** Its numerator and denominator, where it is a rate or a mean. */
  readonly part?: Part;
  /** `17 of 20`, where there are counts. */
  readonly counts: string | undefined;
}

/** x of n: of a rate counts, of a mean a sum. */
export interface Part {
  readonly kind: 'rate' | 'mean';
  readonly x: number;
  readonly n: number;
}

/** Returns whether an answer is a problem instead. */
export function isProblem(value: object): value is Problem {
  return Object.hasOwn(value, 'problem');
}

/** Reads `model=gpt-4o,agent=b`; `undefined` where a part is not `model=…`, `agent=…` or `tags.<name>=…`. A value may hold anything else. */
export function parseSlice(text: string): Slice | undefined {
  const slice = new Map<string, string>();
  for (const part of text.split(/,(?=(?:model|agent|tags\.[^=,]+)=)/)) {
    const [, dimension, value] = /^\s*(model|agent|tags\.[^=]+)=([\s\S]*)$/.exec(part) ?? [];
    if (dimension === undefined || value === undefined || slice.has(dimension)) return undefined;
    slice.set(dimension, value);
  }
  return slice;
}

/** A slice as a user writes it: `model=a,agent=b`. */
export function sliceText(slice: Slice): string {
  return slice.size === 0 ? 'the total' : [...slice].map(([dimension, value]) => `${dimension}=${value}`).join(',');
}

/** The group of window `all` with exactly these dimensions and values. */
export function findGroup({ groups }: SummaryGroups, slice: Slice): SummaryGroup | undefined {
  return groups.find(
    (group) =>
      group.window === 'all' &&
      Object.keys(group.slice).length === slice.size &&
      [...slice].every(
        ([dimension, value]) => Object.hasOwn(group.slice, dimension) && group.slice[dimension] === value,
      ),
  );
}

/**
 * The number at a path of a group: `decision.per_class.tool_call.recall`, `tool_calls.strict.f1` (the value of a rate or mean),
 * `decision.accuracy.lower`. What does not begin with a family is taken from `decision`. Keys may hold dots.
 */
export function readMetric(group: SummaryGroup, path: string): Metric | Problem {
  const segments = fullPath(path).split('.');
  const family = segments[0]!;
  const full = segments.join('.');
  const block = Object.hasOwn(group, family) ? group[family] : undefined;
  if (block === undefined) return { problem: `${path}: family ${family} is not in the summary (is it enabled?)` };
  if (block === null) return { path: full, value: null, counts: undefined };
  const found = valueAt(block, segments.slice(1));
  if (found !== undefined) return { path: full, ...found };
  if (breakdowns.some((prefix) => full.startsWith(`${prefix}.`))) return { path: full, value: null, counts: undefined };
  return { problem: `${path}: no such number in the summary; nearest: ${nearest(group, full).join(', ')}` };
}

/** A path with its family: what does not begin with one is of `decision`. */
export function fullPath(path: string): string {
  return families.has(path.split('.', 1)[0]!) ? path : `decision.${path}`;
}

/** Returns whether a text is a path that begins with a family's name. */
export function startsWithFamily(text: string): boolean {
  const [head, ...rest] = text.trim().split('.', 2);
  return rest.length > 0 && families.has(head!);
}

const families: ReadonlySet<string> = new Set(declarations.map(({ name }) => name));

/** Below these the keys are what the data held: an absent one is no mistake of the path. */
const breakdowns = allMetrics()
  .filter(({ metric }) => metric.kind === 'breakdown')
  .map(({ family, keys }) => [family.name, ...keys].join('.'));

type Found = Pick<Metric, 'value' | 'counts' | 'part'>;

/** Tries the shortest key first, then keys with dots. */
function valueAt(from: unknown, segments: readonly string[]): Found | undefined {
  if (segments.length === 0) return numberOf(from);
  if (!isObject(from)) return undefined;
  for (let end = 1; end <= segments.length; end++) {
    const key = segments.slice(0, end).join('.');
    const found = Object.hasOwn(from, key) ? valueAt(from[key], segments.slice(end)) : undefined;
    if (found !== undefined)
      return end === segments.length ? { ...found, counts: found.counts ?? countsOf(from) } : found;
  }
  return undefined;
}

function numberOf(value: unknown): Found | undefined {
  if (typeof value === 'number' || value === null) return { value, counts: undefined };
  const part = partOf(value);
  const held = isObject(value) ? value['value'] : undefined;
  if (part === undefined || (typeof held !== 'number' && held !== null)) return undefined;
  return { value: held, counts: countsOf(value), part };
}

/** Counts of a rate or mean; `undefined` for anything else. */
function countsOf(value: unknown): string | undefined {
  const part = partOf(value);
  return part && `${part.kind === 'mean' ? 'sum ' : ''}${part.x} of ${part.n}`;
}

function partOf(value: unknown): Part | undefined {
  if (!isObject(value) || !Object.hasOwn(value, 'value')) return undefined;
  if (Object.hasOwn(value, 'denominator'))
    return { kind: 'rate', x: value['numerator'] as number, n: value['denominator'] as number };
  if (!Object.hasOwn(value, 'count')) return undefined;
  return { kind: 'mean', x: value['sum'] as number, n: value['count'] as number };
}

/** The three paths of the group that take the fewest edits. */
function nearest(group: SummaryGroup, path: string): readonly string[] {
  return nearestOf(path, pathsOf(group), 3);
}

/** Paths of all numbers; a rate or mean is one. */
function pathsOf(group: SummaryGroup): string[] {
  const paths: string[] = [];
  const stack: [string, unknown][] = Object.entries(group).filter(([key]) => families.has(key));
  while (stack.length > 0) {
    const [path, value] = stack.pop()!;
    if (numberOf(value) !== undefined) paths.push(path);
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) stack.push([`${path}.${key}`, inner]);
  }
  return paths;
}
