import { shapeKey } from './histograms.ts';

/** Success of a run: 0 no, 1 yes, 2 unknown. */
export type Verdict = 0 | 1 | 2;
export const noVerdict = 2;

/** The counts of a complete group: its key in each histogram. `undefined`: it counts in none. */
export interface GroupOutcome {
  readonly shapes: number;
  readonly correct: number;
  readonly flips: number;
  readonly successes: number | undefined;
}

/**
 * Outcome of a group of k runs, whose labels and verdicts are given in run order.
 *
 * @example Gold tool_call, runs tool_call, tool_call, cannot_answer, tool_call, cannot_answer: label counts 3 and 2, the mode
 * tool_call is right, 3 runs are correct, 3 of 4 adjacent pairs differ.
 */
export function groupOutcome(gold: number, labels: ArrayLike<number>, verdicts: ArrayLike<number>): GroupOutcome {
  const k = labels.length;
  const counts = [0, 0, 0, 0, 0];
  let flips = 0;
  let successes = 0;
  let judged = true;
  for (let i = 0; i < k; i++) {
    counts[labels[i]!]! += 1;
    if (i > 0 && labels[i] !== labels[i - 1]) flips++;
    if (verdicts[i] === noVerdict) judged = false;
    else successes += verdicts[i]!;
  }
  const correct = counts[gold]!;
  const modeCorrect = modeOf(labels, counts) === gold;
  counts.sort((a, b) => b - a);
  return { shapes: shapeKey(k, counts, modeCorrect), correct, flips, successes: judged ? successes : undefined };
}

/** Most frequent label; of equally frequent ones the one seen first in run order. */
function modeOf(labels: ArrayLike<number>, counts: readonly number[]): number {
  const most = Math.max(...counts);
  let i = 0;
  while (counts[labels[i]!] !== most) i++;
  return labels[i]!;
}
