import { isObject, type JsonObject } from '../scoring/json.ts';
import { inputProblems } from '../state/input.ts';
import { type FamiliesOptions, isOfAll, type NumberPlace, placeOf } from './metric-path.ts';
import { nearestOf } from './near.ts';
import {
  findGroup,
  fullPath,
  isProblem,
  type Problem,
  parseSlice,
  readMetric,
  type Slice,
  type SummaryGroup,
  type SummaryGroups,
  sliceText,
  startsWithFamily,
} from './summary-lookup.ts';

/** A condition on one number of a summary (docs/reference/command-line.md). */
export interface Gate {
  /** As the user wrote it. */
  readonly text: string;
  readonly slice: Slice;
  readonly path: string;
  readonly op: Op;
  readonly bound: number;
}

export type Op = '>=' | '>' | '<=' | '<' | '==';

export interface GateResult {
  readonly gate: Gate;
  readonly holds: boolean;
  /** `undefined`: the summary has no such group; null: the number is undefined (0/0). Neither holds. */
  readonly value: number | null | undefined;
  /** `17 of 20`, where the number has counts. */
  readonly counts: string | undefined;
  /** Ends of the interval, of the value of a rate. */
  readonly interval?: readonly [lower: number, upper: number] | undefined;
  /** The basis of the number: events, groups of runs, calls. */
  readonly n?: number | undefined;
  /** Groups of the same dimensions that there are, the nearest first, where the gate's own is not there. */
  readonly instead?: readonly string[];
}

/**
 * Reads `[SLICE ':'] PATH OP NUMBER`. A slice's value may hold colons.
 *
 * `model=gpt-4o:decision.accuracy.lower>=0.8`: the lower bound of that model's accuracy is at least 0.8.
 */
export function parseGate(text: string): Gate | Problem {
  const [, left, op, number] = gateText.exec(text) ?? [];
  if (left === undefined) {
    return {
      problem: `gate "${text}": expected [SLICE:]PATH OP NUMBER, such as decision.accuracy>=0.9; OP is >= > <= < ==`,
    };
  }
  const { slice, path } = splitSlice(left);
  if (slice === undefined) {
    return {
      problem: `gate "${text}": expected model=…, agent=… or tags.<name>=… (several with commas) before the colon`,
    };
  }
  if (path === '') return { problem: `gate "${text}": no PATH before ${op}` };
  return { text, slice, path, op: op as Op, bound: Number(number) };
}

/** The shape that the summary of a run will have. */
export interface Expected {
  /** Families that are enabled. */
  readonly families: readonly string[];
  /** Configured sets of dimensions, without the total. */
  readonly sets: readonly (readonly string[])[];
  readonly options: FamiliesOptions;
}

/**
 * The problem of a gate for any data: a number or groups that the summary will not have, a bound that the number cannot pass.
 *
 * `accuracy>=90` can never hold, `tool_hall<=5` always: both mean percent.
 */
export function gateProblem(
  { text, slice, path, op, bound }: Gate,
  { families, sets, options }: Expected,
): Problem | undefined {
  const place = placeOf(path, options);
  if (isProblem(place)) return { problem: `gate "${text}": ${place.problem}` };
  if (place.family === undefined && slice.size > 0)
    return {
      problem: `gate "${text}": ${path} is counted of all records, not by group; leave out ${sliceText(slice)}:`,
    };
  if (place.family !== undefined && !families.includes(place.family))
    return { problem: `gate "${text}": metrics.${place.family}.enabled is false` };
  const dimensions = [...slice.keys()].sort().join();
  if (slice.size > 0 && !sets.some((set) => [...set].sort().join() === dimensions)) {
    const known = sets.map((set) => set.join(',')).join(' | ');
    return { problem: `gate "${text}": no groups by ${[...slice.keys()].join(',')}; slices has ${known || 'none'}` };
  }
  const problem = boundProblem(op, bound, place);
  if (problem === undefined) return undefined;
  const isPercent = place.range[1] === 1 && bound > 1 && bound <= 100;
  const hint = isPercent ? `; did you mean ${text.slice(0, text.lastIndexOf(op)).trim()}${op}${bound / 100}?` : '';
  return { problem: `gate "${text}" ${problem}${hint}` };
}

/** The problem of a bound for any value that the number can have; undefined where it is none. */
function boundProblem(op: Op, bound: number, { path, range, isWhole }: NumberPlace): string | undefined {
  if (op === '==' && isWhole && !Number.isInteger(bound)) return `can never hold: ${path} is a whole number`;
  const [least, greatest] = range;
  const decides =
    bound > greatest || bound < least || (bound === greatest && op === '>') || (bound === least && op === '<');
  if (!decides) return undefined;
  const never = op === '==' || (op.startsWith('>') ? bound >= greatest : bound <= least);
  const lies =
    greatest === Number.POSITIVE_INFINITY
      ? `at ${least} or above`
      : `between ${rounded(least)} and ${rounded(greatest)}`;
  return `${never ? 'can never hold' : 'holds always'}: ${path} lies ${lies}`;
}

/**
 * Evaluates a gate on the groups of window `all`. A problem where the path names no number of the summary.
 *
 * `decision.accuracy>=0.9` on 17 right of 20: value 0.85, counts `17 of 20`, does not hold.
 */
export function evaluateGate(gate: Gate, summary: SummaryGroups): GateResult | Problem {
  const group = findGroup(summary, gate.slice);
  if (group === undefined && !isOfAll(gate.path))
    return { gate, holds: false, value: undefined, counts: undefined, instead: groupsLike(gate.slice, summary) };
  const read = isOfAll(gate.path) ? readOfAll(summary, gate.path) : readGroup(group!, gate.path);
  if (isProblem(read)) return { problem: `gate "${gate.text}": ${read.problem}` };
  return { gate, holds: read.value !== null && compare(read.value, gate.op, gate.bound), ...read };
}

/** One line for a person: `✗ decision.accuracy>=0.9: 0.85 [0.6396, 0.9476], bound 0.9, n 20 (17 of 20)`. */
export function gateMessage({ gate, holds, value, counts, interval, n, instead = [] }: GateResult): string {
  const head = `${holds ? '✓' : '✗'} ${gate.text}: `;
  if (value === undefined) {
    const known = instead.length === 0 ? 'there are none of these dimensions' : `there are ${instead.join('; ')}`;
    return `${head}no such group: ${sliceText(gate.slice)}; ${known}`;
  }
  // A value that misses the bound by less than is shown would look as if it met it.
  const isClose = value !== null && value !== gate.bound && rounded(value) === rounded(gate.bound);
  const found = value === null ? 'no value' : `${isClose ? value : rounded(value)}`;
  const shown = interval === undefined ? found : `${found} [${interval.map(rounded).join(', ')}]`;
  const rests = n === undefined ? '' : `, n ${n}`;
  return `${head}${shown}, bound ${gate.bound}${rests}${counts === undefined ? '' : ` (${counts})`}`;
}

/** Greatest share of records with calls that nothing read, and of unused feedback, at which gates on metrics mean something. */
const unreadMax = 0.01;

/** Number of the feedback records that were given, and of those that count for nothing. */
export interface FeedbackUse {
  readonly records: number;
  readonly refused: number;
  /** Records about no event that was read. */
  readonly unmatched: number;
}

/** A problem of all gates that rest on what events say, or on feedback; counts of records do not rest on it. */
export interface BasisProblem {
  readonly kind: 'unread_calls' | 'feedback';
  readonly text: string;
}

/** The problems of all gates on metrics: calls that were not read, feedback that was refused, or none of which reached an event: one file may hold that on more events than these. */
export function basisProblems(gates: readonly Gate[], summary: SummaryGroups, feedback?: FeedbackUse): BasisProblem[] {
  if (gates.every(({ path }) => path.startsWith('records.'))) return [];
  const problems = [
    { kind: 'unread_calls', text: unreadText(summary) },
    { kind: 'feedback', text: feedback && unusedText(feedback) },
  ] as const;
  return problems.flatMap(({ kind, text }) => (text === undefined ? [] : [{ kind, text }]));
}

function unreadText(summary: SummaryGroups): string | undefined {
  const unread = readOfAll(summary, 'records.unread_calls').value ?? 0;
  const { n = 0 } = readOfAll(summary, 'coverage');
  if (unread <= unreadMax * n) return undefined;
  const { what, remedy } = inputProblems.unread_calls;
  return `records.unread_calls: ${unread} of ${n} ${what}, more than ${100 * unreadMax} %; ${remedy}`;
}

function unusedText({ records, refused, unmatched }: FeedbackUse): string | undefined {
  const isUnused = records > 0 && refused + unmatched === records;
  if (refused <= unreadMax * records && !isUnused) return undefined;
  const why = isUnused ? 'none counts' : `more than ${100 * unreadMax} % refused`;
  return `feedback: of ${records} records ${refused} refused and ${unmatched} about no event, ${why}; correct them; --allow-unread accepts them`;
}

const gateText = /^([\s\S]*?)\s*(?<![<>=])(>=|<=|==|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/i;

/** The slice ends at the first colon that a family's name follows, else at the last one. `undefined`: it is no slice. */
function splitSlice(left: string): { readonly slice: Slice | undefined; readonly path: string } {
  if (startsWithFamily(left)) return { slice: new Map(), path: left.trim() };
  const colons = [...left.matchAll(/:/g)].map((match) => match.index);
  const colon = colons.find((at) => startsWithFamily(left.slice(at + 1))) ?? colons.at(-1);
  if (colon === undefined) return { slice: new Map(), path: left.trim() };
  return { slice: parseSlice(left.slice(0, colon)), path: left.slice(colon + 1).trim() };
}

function compare(value: number, op: Op, bound: number): boolean {
  switch (op) {
    case '>=':
      return value >= bound;
    case '>':
      return value > bound;
    case '<=':
      return value <= bound;
    case '<':
      return value < bound;
    case '==':
      return value === bound;
  }
}

const insteadMax = 8;

/** Groups of the same dimensions, as a user writes them. */
function groupsLike(slice: Slice, { groups }: SummaryGroups): readonly string[] {
  const alike = groups.filter(
    (group) =>
      group.window === 'all' &&
      Object.keys(group.slice).length === slice.size &&
      Object.keys(group.slice).every((dimension) => slice.has(dimension)),
  );
  const texts = alike.map((group) => sliceText(new Map(Object.entries(group.slice))));
  return nearestOf(sliceText(slice), texts, insteadMax);
}

interface Reading extends Pick<GateResult, 'counts' | 'interval' | 'n'> {
  readonly value: number | null;
}

function readGroup(group: SummaryGroup, path: string): Reading | Problem {
  const metric = readMetric(group, path);
  if (isProblem(metric)) return metric;
  const part = (name: string): number | undefined => {
    const found = readMetric(group, `${path}.${name}`);
    return isProblem(found) ? undefined : (found.value ?? undefined);
  };
  const n = part('denominator') ?? part('count') ?? unitsOf(group[fullPath(path).split('.', 1)[0]!]);
  return { value: metric.value, counts: metric.counts, interval: intervalOf(part('lower'), part('upper')), n };
}

/** The basis of a family's numbers without counts. */
function unitsOf(block: unknown): number | undefined {
  const units = isObject(block) ? (block['n'] ?? block['tasks'] ?? block['groups_complete']) : undefined;
  return typeof units === 'number' ? units : undefined;
}

function intervalOf(lower: number | undefined, upper: number | undefined): GateResult['interval'] {
  return lower === undefined || upper === undefined ? undefined : [lower, upper];
}

/** The counts of all records: rejects of all codes are their sum, a code that did not occur is 0. */
function readOfAll({ records, coverage }: SummaryGroups, path: string): Reading {
  const [head, name, code] = path.split('.');
  const counted = isObject(records) ? records : {};
  const n = numberIn(counted, 'read') ?? undefined;
  if (head === 'coverage') {
    const rate = isObject(coverage) ? coverage : {};
    const interval = intervalOf(numberIn(rate, 'lower') ?? undefined, numberIn(rate, 'upper') ?? undefined);
    const counts = `${rate['numerator']} of ${rate['denominator']}`;
    return {
      value: numberIn(rate, name ?? 'value'),
      counts,
      interval: name === undefined ? interval : undefined,
      n: numberIn(rate, 'denominator') ?? n,
    };
  }
  const { rejected } = counted;
  if (name !== 'rejected' || !isObject(rejected)) return { value: numberIn(counted, name!), counts: undefined, n };
  if (code !== undefined) return { value: numberIn(rejected, code) ?? 0, counts: undefined, n };
  const sum = Object.values(rejected).reduce<number>((total, count) => total + Number(count), 0);
  return { value: sum, counts: undefined, n };
}

function numberIn(object: JsonObject, key: string): number | null {
  const value = Object.hasOwn(object, key) ? object[key] : null;
  return typeof value === 'number' ? value : null;
}

/** Four decimals, without zeros at the end. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
