import {
  cellNames,
  type Counter,
  type Family,
  type Mode,
  type Scored,
  type Tally,
  type TallyReader,
} from './family.ts';
import { callsOf } from './join.ts';
import { bandOf, count, fieldOfRow, group, mean, type Metrics } from './metric.ts';
import { matchCounts, type Matches, pooledF1, pooledMetrics } from './pooled.ts';
import type { Call } from './prediction.ts';
import { band, ratio } from './reading.ts';
import { fraction, integer, type RowFields, struct } from './row.ts';
import { similarities, type Similarity } from './similarity.ts';
import type { ExpectedCall } from './truth.ts';

export interface ToolCallsOptions {
  /** The modes do not differ in this family. */
  readonly mode: Mode;
  /** Least similarity of a flexible match, inclusive; any finite number. */
  readonly threshold: number;
}

export interface MatchCounts extends Matches {
  readonly f1: number;
}

export type ToolCallsOutcome = 'skipped' | { readonly strict: MatchCounts; readonly flexible: MatchCounts };

/** One mode's numbers over any set of events. */
export interface ModeSums extends Matches {
  readonly f1: number;
  readonly scored: number;
}

interface ToolCallsSums {
  readonly strict: ModeSums;
  readonly flexible: ModeSums;
  readonly scored: number;
  readonly skipped: number;
}

const modeMetrics = {
  f1: mean({
    title: 'F1',
    help: 'Mean over events of 2 tp / (predicted + expected calls).',
    better: 'higher',
    of: ({ f1, scored }) => [f1, scored],
    ofRow: fieldOfRow('f1'),
  }),
  band: bandOf({
    title: 'Band',
    help: 'Of the mean F1: from 0.9 excellent, 0.7 good, 0.5 fair, else poor.',
    of: ({ f1, scored }) => band(ratio(f1, scored), 0.9, 0.7, 0.5),
  }),
  ...pooledMetrics('calls'),
  f1_pooled: pooledF1('calls'),
  ...matchCounts('calls'),
} satisfies Metrics<ModeSums>;

export const toolCallsMetrics = {
  strict: group(({ strict }: ToolCallsSums) => strict, {
    ...modeMetrics,
    f1: { ...modeMetrics.f1, title: 'Call F1', headline: 'Call F1' },
  }),
  flexible: group(({ flexible }: ToolCallsSums) => flexible, modeMetrics),
  skipped: count({ title: 'Skipped', help: 'Events of which no call is expected.', of: ({ skipped }) => skipped }),
} satisfies Metrics<ToolCallsSums>;

const modes = ['strict', 'flexible'] as const;

function callCounter(name: string, help: string, of: (sums: ModeSums) => number): Counter<ToolCallsSums> {
  const series = modes.map((mode) => ({ values: [mode], of: (sums: ToolCallsSums) => of(sums[mode]) }));
  return { name, help, unit: 'calls', labels: ['mode'], series };
}

const modeRow: RowFields<MatchCounts> = {
  f1: fraction(({ f1 }) => f1),
  tp: integer(({ tp }) => tp),
  fp: integer(({ fp }) => fp),
  fn: integer(({ fn }) => fn),
};

type Matched = Exclude<ToolCallsOutcome, 'skipped'>;

const rowFields: RowFields<Scored<readonly ExpectedCall[], ToolCallsOutcome>> = {
  strict: struct(({ outcome }) => (outcome as Matched).strict, modeRow),
  flexible: struct(({ outcome }) => (outcome as Matched).flexible, modeRow),
};

/** The part of the family that is the same for all options. */
export const toolCallsDeclaration = {
  name: 'tool_calls',
  question: 'Are the calls right, in any order?',
  source: 'ToolCallAccuracy of spring-ai-ragas',
  unit: 'event',
  metrics: toolCallsMetrics,
  row: rowFields,
  counters: [
    callCounter(
      'calls_predicted',
      'Tool calls made, of predictions scored by family tool_calls.',
      ({ tp, fp }) => tp + fp,
    ),
    callCounter(
      'calls_reference',
      'Tool calls expected, of predictions scored by family tool_calls.',
      ({ tp, fn }) => tp + fn,
    ),
    callCounter('calls_matched', 'Tool calls made that match an expected one.', ({ tp }) => tp),
  ],
} as const;

/**
 * F1 over calls, whatever their order (docs/reference/scoring.md, "tool_calls"; after ToolCallAccuracy of spring-ai-ragas). Each predicted call
 * takes the most similar expected call that is left, one to one.
 *
 * Expected `search({q: 1, n: 2})` and `open({})`; predicted `open({})` and `search({q: 1, n: 3})`. Strict: `open` matches,
 * `search` does not: tp 1, fp 1, fn 1, F1 = 2/(2 + 2) = 0.5. Flexible: `search` has 1 of 2 arguments, below the default
 * threshold of 0.8, so the same; at a threshold of 0.5 both match and F1 is 1.
 */
export function toolCalls({
  threshold,
}: ToolCallsOptions): Family<readonly ExpectedCall[], ToolCallsOutcome, ToolCallsSums> {
  return {
    ...toolCallsDeclaration,
    cells: cells.kinds,
    breakdowns: [],
    prepare: ({ expected }) => expected,
    score(input, expected) {
      if (input.prediction.callsNotRecorded) return undefined;
      if (expected.length === 0) return 'skipped';
      return outcomeOf(callsOf(input), expected, threshold);
    },
    tally,
    perfect: (outcome) => outcome === 'skipped' || (isPerfect(outcome.strict) && isPerfect(outcome.flexible)),
    skipped: (outcome) => outcome === 'skipped',
    sums: sumsOf,
    isEmpty: ({ scored, skipped }) => scored + skipped === 0,
  };
}

function outcomeOf(actual: readonly Call[], references: readonly ExpectedCall[], threshold: number): ToolCallsOutcome {
  const count = references.length;
  const similarityOf = similarities(references);
  const free = new Uint8Array(count).fill(freeInStrict | freeInFlexible);
  let strict = 0;
  let flexible = 0;
  for (const call of actual) {
    if (call.arguments === undefined) continue;
    const matched = match(call.name, references, similarityOf(call.arguments), free, threshold);
    if (matched & freeInStrict) strict++;
    if (matched & freeInFlexible) flexible++;
  }
  return { strict: counts(strict, actual.length, count), flexible: counts(flexible, actual.length, count) };
}

/** Bits of a reference that no call has taken yet. */
const freeInStrict = 1;
const freeInFlexible = 2;

/** Finds a call's reference in both modes with one walk, takes them, and returns the bits of the modes that matched. */
function match(
  name: string | undefined,
  references: readonly ExpectedCall[],
  similarityTo: (at: number) => Similarity,
  free: Uint8Array,
  threshold: number,
): number {
  let strictAt = -1;
  let flexibleAt = -1;
  let best = 0;
  for (let i = 0; i < references.length; i++) {
    if (references[i]!.name !== name) continue;
    const { equal, flexible } = similarityTo(i);
    // Which of several equal references a call takes does not matter.
    if (equal && free[i]! & freeInStrict) strictAt = i;
    if (flexible > best && free[i]! & freeInFlexible) {
      best = flexible;
      flexibleAt = i;
    }
  }
  return take(free, strictAt, freeInStrict) | take(free, best >= threshold ? flexibleAt : -1, freeInFlexible);
}

function take(free: Uint8Array, at: number, mode: number): number {
  if (at < 0) return 0;
  free[at]! &= ~mode;
  return mode;
}

function counts(tp: number, actual: number, references: number): MatchCounts {
  return { f1: (2 * tp) / (actual + references), tp, fp: actual - tp, fn: references - tp };
}

function isPerfect(match: MatchCounts): boolean {
  return match.fp === 0 && match.fn === 0;
}

const cells = cellNames({
  scored: 'count',
  skipped: 'count',
  strictF1: 'sum',
  strictTp: 'count',
  strictFp: 'count',
  strictFn: 'count',
  flexibleF1: 'sum',
  flexibleTp: 'count',
  flexibleFp: 'count',
  flexibleFn: 'count',
});

function tally(outcome: ToolCallsOutcome, into: Tally): void {
  if (outcome === 'skipped') {
    cells.add(into, { skipped: 1 });
    return;
  }
  const { strict, flexible } = outcome;
  cells.add(into, {
    scored: 1,
    strictF1: strict.f1,
    strictTp: strict.tp,
    strictFp: strict.fp,
    strictFn: strict.fn,
    flexibleF1: flexible.f1,
    flexibleTp: flexible.tp,
    flexibleFp: flexible.fp,
    flexibleFn: flexible.fn,
  });
}

function sumsOf(from: TallyReader): ToolCallsSums {
  const sums = cells.read(from);
  const { scored, skipped } = sums;
  return {
    strict: { f1: sums.strictF1, tp: sums.strictTp, fp: sums.strictFp, fn: sums.strictFn, scored },
    flexible: { f1: sums.flexibleF1, tp: sums.flexibleTp, fp: sums.flexibleFp, fn: sums.flexibleFn, scored },
    scored,
    skipped,
  };
}
