import type { Family, Scored, Tally } from '../family.ts';
import type { RowFields } from '../row.ts';
import type { Judgement, Judging } from './judgement.ts';
import { isNone, metricsByJudge, peopleBreakdown } from './metrics.ts';
import {
  entryOf,
  type JudgementSums,
  judgementCells,
  judgementSums,
  passes,
  rulesVerdict,
  rulesVerdicts,
  tallyCells,
} from './sums.ts';

const noRow: RowFields<Scored<never, Judgement>> = {};

const shared = {
  source: "Fledgling, after OpenAI's cookbook",
  unit: 'judgement',
  cells: judgementCells.kinds,
  sums: judgementSums,
  row: noRow,
  counters: [],
} as const;

export const semanticDeclaration = {
  ...shared,
  name: 'semantic',
  question: 'Does the answer mean what was expected?',
  metrics: metricsByJudge({ pass: 'Semantic', scores: [-1, 1] }),
} as const;

export const judgeDeclaration = {
  ...shared,
  name: 'judge',
  question: 'Does a judge, a model or a person, pass the answer?',
  metrics: { ...metricsByJudge({ pass: 'Judge', corrected: 'Corrected' }), people: peopleBreakdown },
} as const;

/**
 * Columns of the breakdowns: tokens and money; by the verdict of the rules, how often both pass, the first alone, the second alone, none; by the
 * same, how often a judge passes and fails.
 */
const breakdowns = [3, 4 * rulesVerdicts.length, 2 * rulesVerdicts.length] as const;

/**
 * Judgements of one name, `semantic` or `judge`, on a part of the traffic (docs/reference/scoring.md, "judge"): what they come to over the
 * judged events, and over all traffic by 1/probability. They are made elsewhere and come as events; here they are only added up.
 *
 * Scores 6 and 3 of 7, chosen with chances 0.5 and 0.1, threshold 0.85: pass 1/2; of all traffic (1/0.5)/(1/0.5 + 1/0.1) = 1/6.
 */
export function judgements(
  declaration: typeof semanticDeclaration | typeof judgeDeclaration,
  judging: Judging,
): Family<never, Judgement, JudgementSums> {
  return {
    ...declaration,
    breakdowns,
    prepare: () => undefined,
    score: () => undefined,
    judged: {
      take: (judgement) => (judgement.name === declaration.name ? judgement : undefined),
      passes: (judgement) => passes(judgement, judging),
      compare([first, second], exact, into) {
        const column = 4 * rulesVerdict(exact) + (first!.passes ? 0 : 2) + (second!.passes ? 0 : 1);
        into.entry(entryOf.pairs, first!.by, second!.by, column, 1);
      },
    },
    tally(judgement, into) {
      tallyCells(judgement, judging, into);
      tallyCost(judgement, into, entryOf.costs, judgement.by, '');
      tallyVerdict(judgement, judging, into);
    },
    perfect: () => true,
    isEmpty: isNone,
  };
}

/** Adds the verdict of a judge, by the chance of the event. */
function tallyVerdict(judgement: Judgement, judging: Judging, into: Tally): void {
  const isPass = passes(judgement, judging);
  if (isPass === undefined) return;
  const column = 2 * rulesVerdict(judgement.exact) + (isPass ? 0 : 1);
  into.entry(entryOf.verdicts, judgement.by, String(judgement.probability), column, 1);
}

/** Adds what a judgement cost, where it cost anything. */
export function tallyCost({ cost }: Judgement, into: Tally, breakdown: number, key: string, subkey: string): void {
  const { inputTokens, outputTokens, nanoUsd } = cost;
  [inputTokens, outputTokens, nanoUsd].forEach((amount, column) => {
    if (amount > 0) into.entry(breakdown, key, subkey, column, amount);
  });
}
