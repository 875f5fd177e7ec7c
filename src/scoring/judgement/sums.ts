import { cellNames, type Tally, type TallyReader, type Traffic } from '../family.ts';
import type { BreakdownEntry } from '../metric.ts';
import type { AgainstRules, Weighted, WeightedScores } from './estimates.ts';
import { together } from './estimates.ts';
import { failures, type Judgement, type Judging, shareOf } from './judgement.ts';

/** Verdicts of the rules on a judged event; `other`: they have none. */
export const rulesVerdicts = ['right', 'wrong', 'other'] as const;

/** Index of the verdict of the rules. */
export function rulesVerdict(exact: boolean | undefined): number {
  if (exact === undefined) return 2;
  return exact ? 0 : 1;
}

/** Judged events by the verdict of the rules and that of the judge. */
const referenced = ['right_pass', 'right_fail', 'wrong_pass', 'wrong_fail', 'other_pass', 'other_fail'] as const;
/** The same with the events that were judged without truth. */
const kinds = [...referenced, 'unreferenced_pass', 'unreferenced_fail'] as const;
type Kind = (typeof kinds)[number];

const ofKinds = Object.fromEntries(
  kinds.flatMap((kind) => [
    [kind, 'count'],
    [`${kind}_w`, 'sum'],
    [`${kind}_ww`, 'sum'],
  ]),
) as Readonly<Record<Kind, 'count'> & Record<`${Kind}_w` | `${Kind}_ww`, 'sum'>>;

const ofFailures = Object.fromEntries(failures.map((reason) => [reason, 'count'])) as Readonly<
  Record<(typeof failures)[number], 'count'>
>;

/** The cells of a family of judgements. Weights are 1/probability; `wx` is their sum over scores. */
export const judgementCells = cellNames({
  ...ofKinds,
  ...ofFailures,
  x: 'sum',
  wx: 'sum',
  wwx: 'sum',
  wwxx: 'sum',
});

type CellName = keyof typeof judgementCells.at;

/** The cells of the metrics. */
export interface JudgementSums {
  readonly kinds: Readonly<Record<Kind, Weighted>>;
  readonly failed: readonly number[];
  readonly scores: WeightedScores;
  /** Sum of the scores, unweighted. */
  readonly x: number;
  readonly traffic: Traffic | undefined;
  readonly costs: readonly BreakdownEntry[] | undefined;
  readonly pairs: readonly BreakdownEntry[] | undefined;
  /** By judge and chance. */
  readonly verdicts: readonly BreakdownEntry[] | undefined;
}

/** The additions of one judgement, by cell. */
export function eachAddend(
  judgement: Judgement,
  judging: Judging,
  add: (cell: CellName, kind: 'count' | 'sum', value: number) => void,
): void {
  const { score, failed, scale, exact, probability, hasReference } = judgement;
  if (score === undefined) {
    add(failed ?? 'error', 'count', 1);
    return;
  }
  const x = shareOf(score, scale, judging);
  const w = 1 / probability;
  const verdict = x >= judging.threshold ? 'pass' : 'fail';
  const kind = `${hasReference ? rulesVerdicts[rulesVerdict(exact)]! : 'unreferenced'}_${verdict}` as const;
  add(kind, 'count', 1);
  add(`${kind}_w`, 'sum', w);
  add(`${kind}_ww`, 'sum', w * w);
  if (!hasReference) return;
  add('x', 'sum', x);
  add('wx', 'sum', w * x);
  add('wwx', 'sum', w * w * x);
  add('wwxx', 'sum', w * w * x * x);
}

/** Returns whether a judgement passes; undefined where there is no score. */
export function passes({ score, scale }: Judgement, judging: Judging): boolean | undefined {
  return score === undefined ? undefined : shareOf(score, scale, judging) >= judging.threshold;
}

/** Adds a judgement to the cells of a row. */
export function tallyCells(judgement: Judgement, judging: Judging, into: Tally): void {
  const { at } = judgementCells;
  eachAddend(judgement, judging, (cell, kind, value) => into[kind](at[cell], value));
}

/** Sums of cells by name. */
export function sumsOf(
  cells: Readonly<Record<CellName, number>>,
  others: Pick<JudgementSums, 'traffic' | 'costs' | 'pairs' | 'verdicts'>,
): JudgementSums {
  const weighted = (kind: Kind): Weighted => ({ n: cells[kind], w: cells[`${kind}_w`], ww: cells[`${kind}_ww`] });
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, weighted(kind)])) as JudgementSums['kinds'];
  const { x, wx, wwx, wwxx } = cells;
  return {
    kinds: byKind,
    failed: failures.map((reason) => cells[reason]),
    scores: { ...together(...referenced.map((kind) => byKind[kind])), wx, wwx, wwxx },
    x,
    ...others,
  };
}

/** Entries of a family of one judgement: costs by judge, how pairs of judges agree, verdicts by judge and chance. */
export const entryOf = { costs: 0, pairs: 1, verdicts: 2 } as const;

/** Reads the sums of any set of judgements. */
export function judgementSums(from: TallyReader): JudgementSums {
  return sumsOf(judgementCells.read(from), {
    traffic: from.traffic,
    costs: from.entries(entryOf.costs),
    pairs: from.entries(entryOf.pairs),
    verdicts: from.entries(entryOf.verdicts),
  });
}

/** Judged events that pass, and those that do not. */
export function passedAndFailed({ kinds }: JudgementSums): readonly [passed: Weighted, failed: Weighted] {
  const { right_pass, wrong_pass, other_pass, right_fail, wrong_fail, other_fail } = kinds;
  return [together(right_pass, wrong_pass, other_pass), together(right_fail, wrong_fail, other_fail)];
}

/** The judged events that the rules have a verdict on. */
export function againstRules({ kinds }: JudgementSums): AgainstRules {
  const { right_pass: rightPass, right_fail: rightFail, wrong_pass: wrongPass, wrong_fail: wrongFail } = kinds;
  return { rightPass, rightFail, wrongPass, wrongFail };
}
