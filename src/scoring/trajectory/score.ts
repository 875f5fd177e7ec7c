import type { Json } from '../json.ts';
import type { Call } from '../prediction.ts';
import type { ExpectedCall } from '../truth.ts';
import { likeness } from './compare.ts';
import type { Gold } from './gold.ts';
import { commonLength } from './order.ts';
import type { Profile } from './profile.ts';

/** Shares of the overall score; they sum to 1 or nearly so. */
export interface Weights {
  readonly name: number;
  readonly params: number;
  readonly order: number;
}

export interface Scoring {
  readonly weights: Weights;
  readonly paramThreshold: number;
  readonly orderThreshold: number;
  readonly profile: Profile;
}

/** Scores of one mode of comparison, of the parameters and of the whole; name and order are the same in both. */
export interface ModeScore {
  readonly success: boolean;
  readonly param: number;
  readonly overall: number;
}

/** A parameter that is on both sides of a name-matching position with values that are not strictly the same. */
export interface Mismatch {
  readonly position: number;
  readonly parameter: string;
}

export interface TrajectoryOutcome {
  readonly gold: Gold;
  readonly name: number;
  readonly order: number;
  readonly strict: ModeScore;
  readonly flexible: ModeScore;
  /** Some gold name is predicted. */
  readonly matchingTools: boolean;
  /** Gold names that are never predicted, and predicted names that gold has not, once per occurrence. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly mismatches: readonly Mismatch[];
}

/** Scores predicted calls against the gold ones, position by position. */
export function scoreCalls(gold: Gold, predicted: readonly Call[], scoring: Scoring): TrajectoryOutcome {
  const positions = comparePositions(gold.calls, predicted);
  const names = compareNames(gold, predicted, positions.matched);
  const size = gold.calls.length;
  const { matched } = positions;
  const bothEmpty = size === 0 && predicted.length === 0;
  const whenEmpty = bothEmpty ? 1 : 0;
  const name = size === 0 ? whenEmpty : matched / size;
  const order = size === 0 ? whenEmpty : names.common / size;
  const modeScore = (params: number, success: boolean): ModeScore => {
    const param = matched === 0 ? whenEmpty : params / matched;
    const { weights } = scoring;
    return { success, param, overall: weights.name * name + weights.params * param + weights.order * order };
  };
  const strict = isStrictSuccess(gold.calls, predicted, scoring.profile, positions);
  const flexible =
    matched === size && positions.flexibleLeast >= scoring.paramThreshold && order >= scoring.orderThreshold;
  return {
    gold,
    name,
    order,
    strict: modeScore(positions.strictSum, strict),
    flexible: modeScore(positions.flexibleSum, bothEmpty || flexible),
    matchingTools: names.missing.length < size,
    missing: names.missing,
    extra: names.extra,
    mismatches: positions.mismatches,
  };
}

/** Strict success: every expected call is at its position with its name and all parameters, and extras are spared. */
export function isStrictSuccess(
  expected: readonly ExpectedCall[],
  predicted: readonly Call[],
  profile: Profile,
  { strictPerfect } = comparePositions(expected, predicted),
): boolean {
  return strictPerfect === expected.length && profile.sparesExtras(expected, predicted);
}

interface Positions {
  /** Positions with equal names. */
  readonly matched: number;
  /** Matched positions whose strict parameter score is 1. */
  readonly strictPerfect: number;
  /** Sums of the parameter scores over the matched positions, and the least flexible one. */
  readonly strictSum: number;
  readonly flexibleSum: number;
  readonly flexibleLeast: number;
  readonly mismatches: readonly Mismatch[];
}

function comparePositions(expected: readonly ExpectedCall[], predicted: readonly Call[]): Positions {
  const mismatches: Mismatch[] = [];
  let matched = 0;
  let strictPerfect = 0;
  let strictSum = 0;
  let flexibleSum = 0;
  let flexibleLeast = Number.POSITIVE_INFINITY;
  const length = Math.min(expected.length, predicted.length);
  for (let i = 0; i < length; i++) {
    if (predicted[i]!.name !== expected[i]!.name) continue;
    const { strict, flexible } = compareParameters(expected[i]!, i, predicted[i]!, mismatches);
    matched++;
    strictSum += strict;
    flexibleSum += flexible;
    if (strict === 1) strictPerfect++;
    if (flexible < flexibleLeast) flexibleLeast = flexible;
  }
  return { matched, strictPerfect, strictSum, flexibleSum, flexibleLeast, mismatches };
}

/** Parameter scores of one call; its mismatches are added to the list. */
function compareParameters(
  { arguments: expected }: ExpectedCall,
  position: number,
  { arguments: actual }: Call,
  mismatches: Mismatch[],
): { readonly strict: number; readonly flexible: number } {
  if (actual === undefined) return { strict: 0, flexible: 0 };
  const keys = Object.keys(expected);
  let same = 0;
  let telling = 0;
  let credit = 0;
  for (const key of keys) {
    const value = expected[key]!;
    const tells = tellsSomething(value);
    if (tells) telling++;
    if (!Object.hasOwn(actual, key)) continue;
    const found = likeness(value, actual[key]!);
    if (found === 'same') same++;
    else mismatches.push({ position, parameter: key });
    if (tells) credit += found === 'different' ? 0.5 : 1;
  }
  return { strict: keys.length === 0 ? 1 : same / keys.length, flexible: telling === 0 ? 1 : credit / telling };
}

/** Returns whether flexible comparison looks at a parameter: its value as given is not null, "", [] or {}. */
function tellsSomething(value: Json): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object') return true;
  if (value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

interface Names {
  /** Length of the longest common subsequence. */
  readonly common: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

const none: readonly string[] = [];

function compareNames({ calls, counts }: Gold, predicted: readonly Call[], matched: number): Names {
  const size = calls.length;
  if (matched === size && predicted.length === size) return { common: size, missing: none, extra: none };
  const names = predicted.map((call) => call.name);
  const wanted = calls.map((call) => call.name);
  const found = new Set(names);
  const extra: string[] = [];
  for (const name of names) if (name !== undefined && !counts.has(name)) extra.push(name);
  return {
    common: commonLength(wanted, names),
    missing: wanted.filter((name) => !found.has(name)),
    extra,
  };
}
