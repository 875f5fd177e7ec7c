import { isObject } from '../json.ts';
import {
  type BreakdownEntry,
  breakdown,
  count,
  estimate,
  group,
  type Metrics,
  mean,
  number,
  type RowPart,
  rate,
} from '../metric.ts';
import { type Range, shareRange } from '../range.ts';
import { cohensKappa, correctedSuccess, meanOfTraffic, shareOfTraffic, type Weighted } from './estimates.ts';
import { failures } from './judgement.ts';
import { peopleByModel, peopleMetrics } from './people.ts';
import { againstRules, type JudgementSums, passedAndFailed, rulesVerdicts } from './sums.ts';

const failedMetrics = Object.fromEntries(
  failures.map((reason, index) => [
    reason,
    count<readonly number[]>({ title: `Failed: ${reason}`, help: failureHelp(reason), of: (counts) => counts[index]! }),
  ]),
) as Readonly<Record<(typeof failures)[number], ReturnType<typeof count<readonly number[]>>>>;

function failureHelp(reason: (typeof failures)[number]): string {
  const help = {
    timeout: 'No answer in time.',
    unparseable: 'An answer without a score, twice.',
    refused: 'The judge would not answer.',
    error: 'Any other failure.',
  };
  return help[reason];
}

const verdicts = (rules: 'right' | 'wrong') => {
  const said = `that the rules call ${rules}`;
  return {
    pass: count<JudgementSums>({
      title: `${rules}, passed`,
      help: `Judged events ${said} and the judge passes.`,
      of: ({ kinds }) => kinds[`${rules}_pass`].n,
    }),
    fail: count<JudgementSums>({
      title: `${rules}, failed`,
      help: `Judged events ${said} and the judge does not pass.`,
      of: ({ kinds }) => kinds[`${rules}_fail`].n,
    }),
  };
};

/** Both pass, the first alone, the second alone, none. */
type FourCounts = readonly [number, number, number, number];

/** How two verdicts agree. */
const agreementMetrics = <S>(of: (sums: S) => FourCounts, countsIn?: (block: RowPart) => FourCounts | undefined) => ({
  agreement: rate<S>({
    title: 'Agreement',
    help: 'Events on which both say the same.',
    better: 'higher',
    of: (sums) => {
      const [both, first, second, none] = of(sums);
      return [both + none, both + first + second + none];
    },
  }),
  kappa: number<S>({
    title: "Cohen's kappa",
    help: 'Agreement beyond what chance gives: 0 is chance, 1 is full.',
    range: [-1, 1],
    better: 'higher',
    of: (sums) => cohensKappa(...of(sums)),
    ...(countsIn && { ofBlock: ({ block }) => kappaOf(countsIn(block)) }),
  }),
});

function againstExact({ kinds }: JudgementSums): FourCounts {
  return [kinds.right_pass.n, kinds.right_fail.n, kinds.wrong_pass.n, kinds.wrong_fail.n];
}

function kappaOf(counts: FourCounts | undefined): number | null | undefined {
  return counts && cohensKappa(...counts);
}

/** The same, of a block. */
function countsIn({ against_exact }: RowPart): FourCounts | undefined {
  if (!isObject(against_exact)) return undefined;
  const { right, wrong } = against_exact as Readonly<Record<string, Readonly<Record<string, number>>>>;
  return [right?.['pass'] ?? 0, right?.['fail'] ?? 0, wrong?.['pass'] ?? 0, wrong?.['fail'] ?? 0];
}

const costMetrics = {
  input_tokens: count({ title: 'Input', help: 'Tokens asked.', of: ({ columns }: BreakdownEntry) => columns[0]! }),
  output_tokens: count({ title: 'Output', help: 'Tokens answered.', of: ({ columns }) => columns[1]! }),
  usd: number({
    title: 'Cost',
    help: 'US dollars.',
    range: [0, Number.POSITIVE_INFINITY],
    of: ({ columns }) => columns[2]! / 1e9,
  }),
} satisfies Metrics<BreakdownEntry>;

/** The cost of a judge. */
export const costBreakdown = {
  title: 'Cost',
  help: 'Tokens and money by judge.',
  value: group((entry: BreakdownEntry) => entry, costMetrics),
} as const;

const pairCounts = ({ columns }: BreakdownEntry): FourCounts =>
  [0, 1, 2, 3].map((at) =>
    rulesVerdicts.reduce((sum, _, verdict) => sum + columns[4 * verdict + at]!, 0),
  ) as unknown as FourCounts;

const pairMetrics = {
  n: count({
    title: 'Events',
    help: 'Events that both judged.',
    of: (entry: BreakdownEntry) => pairCounts(entry).reduce((sum, one) => sum + one, 0),
  }),
  ...agreementMetrics(pairCounts),
} satisfies Metrics<BreakdownEntry>;

const againstExactMetrics = group((sums: JudgementSums) => sums, {
  right: group((sums: JudgementSums) => sums, verdicts('right')),
  wrong: group((sums: JudgementSums) => sums, verdicts('wrong')),
});

const unreferencedMetrics = group(
  ({ kinds }: JudgementSums) => [kinds.unreferenced_pass, kinds.unreferenced_fail] as const,
  {
    n: count({
      title: 'Judged without truth',
      help: 'Events without truth that were judged by their request alone.',
      of: ([passed, failed]: readonly [Weighted, Weighted]) => passed.n + failed.n,
    }),
    pass: rate({
      title: 'Passed without truth',
      help: 'Events judged without truth that pass.',
      better: 'higher',
      of: ([passed, failed]) => [passed.n, passed.n + failed.n],
    }),
    traffic: estimate({
      title: 'Passed of all traffic without truth',
      help: 'Share of all events without truth that passes, each judged event weighted by 1/probability.',
      better: 'higher',
      of: ([passed, failed], z) => shareOfTraffic(passed, failed, z),
    }),
  } satisfies Metrics<readonly [Weighted, Weighted]>,
);

/** Short titles of the metrics that tables of groups have columns for, and the range of a score where it is no share. */
export interface JudgementShown {
  readonly pass?: string;
  readonly corrected?: string;
  readonly scores?: Range;
}

/** The metrics of families of judgements. */
export const judgementMetrics = ({ pass, corrected, scores: range = shareRange }: JudgementShown = {}) =>
  ({
    n: count({ title: 'Judged', help: 'Judgements with a score.', of: ({ scores }: JudgementSums) => scores.n }),
    failed: group(({ failed }: JudgementSums) => failed, failedMetrics),
    score: mean({
      title: 'Score',
      help: 'Mean score of the judged events, as a share of the scale.',
      better: 'higher',
      range,
      of: ({ x, scores }) => [x, scores.n],
    }),
    pass: rate({
      title: 'Passed',
      help: 'Judged events that pass.',
      better: 'higher',
      of: (sums) => {
        const [passed, failed] = passedAndFailed(sums);
        return [passed.n, passed.n + failed.n];
      },
    }),
    traffic: group((sums: JudgementSums) => sums, {
      score: estimate({
        title: 'Score of all traffic',
        help: 'Mean score, each judged event weighted by 1/probability.',
        better: 'higher',
        range,
        of: ({ scores }, z) => meanOfTraffic(scores, z),
      }),
      pass: estimate({
        title: 'Passed of all traffic',
        help: 'Share that passes, each judged event weighted by 1/probability.',
        better: 'higher',
        ...(pass !== undefined && { headline: pass }),
        of: (sums, z) => shareOfTraffic(...passedAndFailed(sums), z),
      }),
    } satisfies Metrics<JudgementSums>),
    unreferenced: unreferencedMetrics,
    against_exact: againstExactMetrics,
    ...agreementMetrics(againstExact, countsIn),
    corrected: estimate({
      title: 'Success, corrected',
      help: 'Share of all traffic that the rules call right, corrected by the judge where both have a verdict.',
      better: 'higher',
      ...(corrected !== undefined && { headline: corrected }),
      of: (sums, z) => correctedSuccess(sums.traffic, againstRules(sums), z),
    }),
  }) satisfies Metrics<JudgementSums>;

/** The same, with what is kept by judge. */
export const metricsByJudge = (shown: JudgementShown) =>
  ({
    ...judgementMetrics(shown),
    judges: breakdown({
      title: 'Two judges',
      help: 'How two judges of the same events agree.',
      of: ({ pairs }: JudgementSums) => pairs,
      depth: 2,
      value: group((entry: BreakdownEntry) => entry, pairMetrics),
    }),
    cost: breakdown({ ...costBreakdown, of: ({ costs }: JudgementSums) => costs, depth: 1 }),
  }) satisfies Metrics<JudgementSums>;

/** The share of all traffic that people call right. */
export const peopleBreakdown = breakdown({
  title: 'Right by people',
  help: 'Share of all traffic that people call right, by the model whose verdicts are used besides theirs.',
  of: peopleByModel,
  depth: 1,
  value: group((entry: BreakdownEntry) => entry, peopleMetrics),
});

/** No judgement was added. */
export function isNone({ scores, kinds, failed }: JudgementSums): boolean {
  const unreferenced = kinds.unreferenced_pass.n + kinds.unreferenced_fail.n;
  return scores.n + unreferenced + failed.reduce((sum, one) => sum + one, 0) === 0;
}
