import { cellNames, type Family, type Scored, type Tally, type TallyReader } from '../family.ts';
import { shareOfTraffic, type Weighted } from '../judgement/estimates.ts';
import { type BreakdownEntry, breakdown, count, estimate, group, type Metrics, mean, rate } from '../metric.ts';
import type { RowFields } from '../row.ts';
import { type FeedbackFact, type FeedbackKind, feedbackKinds } from './fact.ts';

const cells = cellNames({
  human: 'count',
  human_right: 'count',
  shadow: 'count',
  shadow_right: 'count',
  system: 'count',
  system_right: 'count',
  other: 'count',
  other_right: 'count',
  flags: 'count',
  flags_set: 'count',
  // Of events chosen with a known chance: facts, and the sums of their weights 1/probability and of the squares of those.
  chosen_right: 'count',
  chosen_right_w: 'sum',
  chosen_right_ww: 'sum',
  chosen_wrong: 'count',
  chosen_wrong_w: 'sum',
  chosen_wrong_ww: 'sum',
});

type Cells = ReturnType<typeof cells.read>;

interface FeedbackSums extends Cells {
  readonly outcomes: readonly BreakdownEntry[] | undefined;
}

/** Columns of an outcome: values, flags among them, flags that are set, and the sum of numbers in whole units and in parts of 2^-30. */
const column = { n: 0, flags: 1, set: 2, whole: 3, parts: 4 } as const;
const partsPerOne = 2 ** 30;

const noRow: RowFields<Scored<never, FeedbackFact>> = {};

const titles: Readonly<Record<FeedbackKind, string>> = {
  human: 'people',
  shadow: 'shadow models',
  system: 'systems',
  other: 'others',
};

export const feedbackDeclaration = {
  name: 'feedback',
  question: 'Was the agent right, by people, systems and shadow models who saw what came of it?',
  source: 'counts of feedback records',
  unit: 'judgement',
  cells: cells.kinds,
  row: noRow,
  counters: [],
  sums: (from: TallyReader): FeedbackSums => ({ ...cells.read(from), outcomes: from.entries(0) }),
  metrics: {
    n: count({
      title: 'Feedback',
      help: 'Facts of feedback that say whether the agent did right.',
      of: (sums: FeedbackSums) => total(sums, ''),
    }),
    correct: rate({
      title: 'Feedback right',
      help: 'Feedback by which the agent did right, of all that says whether it did.',
      better: 'higher',
      headline: 'Feedback right',
      history: true,
      of: (sums: FeedbackSums) => [total(sums, '_right'), total(sums, '')],
    }),
    traffic: group((sums: FeedbackSums) => sums, {
      n: count({
        title: 'Feedback with a chance',
        help: 'Facts on events that were chosen with a known chance.',
        of: ({ chosen_right, chosen_wrong }: FeedbackSums) => chosen_right + chosen_wrong,
      }),
      correct: estimate({
        title: 'Right, of all traffic',
        help: 'Share of all traffic that feedback calls right, each fact with a known chance weighted by 1/probability.',
        better: 'higher',
        of: (sums, z) => shareOfTraffic(weighted(sums, 'chosen_right'), weighted(sums, 'chosen_wrong'), z),
      }),
    } satisfies Metrics<FeedbackSums>),
    human: kindMetrics('human'),
    shadow: kindMetrics('shadow'),
    system: kindMetrics('system'),
    other: kindMetrics('other'),
    outcome: rate({
      title: 'Outcomes true',
      help: 'Named outcomes that are true, of those that are true or false, under all names.',
      better: 'higher',
      of: ({ flags, flags_set }: FeedbackSums) => [flags_set, flags],
    }),
    outcomes: breakdown({
      title: 'Outcomes',
      help: 'Numbers by the name of the outcome.',
      of: ({ outcomes }: FeedbackSums) => outcomes,
      depth: 1,
      value: group((entry: BreakdownEntry) => entry.columns, {
        n: count({
          title: 'Outcomes',
          help: 'Events with the outcome.',
          of: (columns: readonly number[]) => columns[column.n]!,
        }),
        rate: rate({
          title: 'True',
          help: 'Share that is true, of those that are true or false.',
          of: (columns: readonly number[]) => [columns[column.set]!, columns[column.flags]!],
        }),
        mean: mean({
          title: 'Mean',
          help: 'Mean of the outcomes that are numbers.',
          of: (columns: readonly number[]) => [
            columns[column.whole]! + columns[column.parts]! / partsPerOne,
            columns[column.n]! - columns[column.flags]!,
          ],
        }),
      }),
    }),
  } satisfies Metrics<FeedbackSums>,
} as const;

/**
 * Words of people and systems on single events afterwards (docs/reference/feedback.md): how often the agent was right, by the kind of those who say
 * it, and named outcomes. Facts are added up in the slice and at the time of their event.
 *
 * Two people say right and one wrong of three events: `feedback.human.correct` is 2/3. Where one of the right ones was chosen with chance 0.5, and the
 * wrong one with 0.1, `feedback.traffic.correct` is (1/0.5)/(1/0.5 + 1/0.1) = 1/6.
 */
export function feedbackFamily(): Family<never, FeedbackFact, FeedbackSums> {
  return {
    ...feedbackDeclaration,
    breakdowns: [5],
    prepare: () => undefined,
    score: () => undefined,
    feedback: (fact) => fact,
    tally: tallyFact,
    perfect: () => true,
    isEmpty: (sums) => total(sums, '') === 0 && sums.flags === 0 && (sums.outcomes ?? []).length === 0,
  };
}

function kindMetrics(kind: FeedbackKind) {
  return group((sums: FeedbackSums) => [sums[`${kind}_right`], sums[kind]] as const, {
    n: count({
      title: `Feedback of ${titles[kind]}`,
      help: `Facts of ${titles[kind]} that say whether the agent did right.`,
      of: ([, n]: readonly [number, number]) => n,
    }),
    correct: rate({
      title: `Right by ${titles[kind]}`,
      help: `Feedback of ${titles[kind]} by which the agent did right.`,
      better: 'higher',
      of: (counts: readonly [number, number]) => counts,
    }),
  });
}

function total(sums: Cells, suffix: '' | '_right'): number {
  return feedbackKinds.reduce((sum, kind) => sum + sums[`${kind}${suffix}`], 0);
}

function weighted(sums: Cells, kind: 'chosen_right' | 'chosen_wrong'): Weighted {
  return { n: sums[kind], w: sums[`${kind}_w`], ww: sums[`${kind}_ww`] };
}

function tallyFact(fact: FeedbackFact, into: Tally): void {
  if ('correct' in fact) {
    const { kind, correct, probability } = fact;
    cells.add(into, { [kind]: 1, [`${kind}_right`]: correct });
    if (probability === undefined) return;
    const chosen = correct ? 'chosen_right' : 'chosen_wrong';
    const w = 1 / probability;
    cells.add(into, { [chosen]: 1, [`${chosen}_w`]: w, [`${chosen}_ww`]: w * w });
    return;
  }
  const { outcome, value } = fact;
  const isFlag = typeof value === 'boolean';
  if (isFlag) cells.add(into, { flags: 1, flags_set: value });
  const add = (at: number, amount: number): void => {
    if (amount !== 0) into.entry(0, outcome, '', at, amount);
  };
  add(column.n, 1);
  if (isFlag) add(column.flags, 1);
  if (value === true) add(column.set, 1);
  if (isFlag) return;
  const whole = Math.floor(value);
  add(column.whole, whole);
  add(column.parts, Math.round((value - whole) * partsPerOne));
}
