import type { Family, Scored, TallyReader } from '../family.ts';
import { byLabel, mean, type Metrics, rate } from '../metric.ts';
import type { RowFields } from '../row.ts';
import type { FeedbackFact } from './fact.ts';

/** Names of outcomes that have numbers of their own: those that are good where they are true, and those that are bad. */
export interface OutcomeNames {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

/** Cells of each name: values that are true or false, those that are true, numbers, and their sum. */
const kinds = ['count', 'count', 'count', 'sum'] as const;

interface OutcomeSums {
  readonly flags: number;
  readonly set: number;
  readonly numbers: number;
  readonly sum: number;
}

type Sums = Readonly<Record<keyof OutcomeNames, readonly OutcomeSums[]>>;

/** The value of an outcome, and the number of its name. */
interface NamedValue {
  readonly index: number;
  readonly value: boolean | number;
}

const noRow: RowFields<Scored<never, NamedValue>> = {};

/** A declaration for any names. */
export const outcomeDeclaration = {
  name: 'outcome',
  question: 'What came of it, by the outcomes that matter?',
  source: 'counts of feedback records',
  unit: 'judgement',
  row: noRow,
  counters: [],
  metrics: {
    good: { ...byLabel([], (sums: Sums, index) => sums.good[index]!, metricsOf('higher')), isOpen: true },
    bad: { ...byLabel([], (sums: Sums, index) => sums.bad[index]!, metricsOf('lower')), isOpen: true },
  } satisfies Metrics<Sums>,
} as const;

/** The declaration for some names. */
export function outcomeDeclarationOf({ good, bad }: OutcomeNames) {
  const { metrics, ...others } = outcomeDeclaration;
  return {
    ...others,
    metrics: {
      good: byLabel(good, metrics.good.of, metrics.good.metrics),
      bad: byLabel(bad, metrics.bad.of, metrics.bad.metrics),
    } satisfies Metrics<Sums>,
  };
}

/**
 * Outcomes of feedback that the configuration names (`feedback.outcomes`), each with a rate of its own in every window; added up in the slice and at
 * the time of their event.
 *
 * Two of three tickets are resolved: `outcome.good.resolved.rate` is 2/3. Refunds of 12.5 and 0: `outcome.bad.refund.mean` is 6.25.
 */
export function outcomeFamily(names: OutcomeNames): Family<never, NamedValue, Sums> {
  const all = [...names.good, ...names.bad];
  const indexes = new Map(all.map((name, index) => [name, index]));
  return {
    ...outcomeDeclarationOf(names),
    cells: all.flatMap(() => kinds),
    breakdowns: [],
    prepare: () => undefined,
    score: () => undefined,
    feedback(fact: FeedbackFact) {
      if (!('outcome' in fact)) return undefined;
      const index = indexes.get(fact.outcome);
      return index === undefined ? undefined : { index, value: fact.value };
    },
    tally({ index, value }, into) {
      const first = index * kinds.length;
      const isFlag = typeof value === 'boolean';
      into.count(isFlag ? first : first + 2, 1);
      if (value === true) into.count(first + 1, 1);
      if (!isFlag) into.sum(first + 3, value);
    },
    perfect: () => true,
    sums: (from) => ({
      good: names.good.map((_, index) => sumsAt(from, index)),
      bad: names.bad.map((_, index) => sumsAt(from, names.good.length + index)),
    }),
    isEmpty: ({ good, bad }) => [...good, ...bad].every(({ flags, numbers }) => flags + numbers === 0),
  };
}

function metricsOf(better: 'higher' | 'lower') {
  return {
    rate: rate({
      title: 'Share true',
      help: 'Share that is true, of the outcomes of the name that are true or false.',
      better,
      of: ({ flags, set }: OutcomeSums) => [set, flags],
    }),
    mean: mean({
      title: 'Mean',
      help: 'Mean of the outcomes of the name that are numbers.',
      better,
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      of: ({ sum, numbers }: OutcomeSums) => [sum, numbers],
    }),
  } satisfies Metrics<OutcomeSums>;
}

function sumsAt(from: TallyReader, index: number): OutcomeSums {
  const first = index * kinds.length;
  return {
    flags: from.count(first),
    set: from.count(first + 1),
    numbers: from.count(first + 2),
    sum: from.sum(first + 3),
  };
}
