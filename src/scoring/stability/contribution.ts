import { histogramAt, histogramNames, type StabilityTally, shapeKey } from './histograms.ts';
import { labelOf, type RunLayout, verdictOf } from './runs.ts';

/**
 * What a group counts in the histograms: its key in each, by histogram; -1 where it counts in none of them. The place of `counters`
 * holds its home (`runs.ts`), -1 where the group is not complete.
 */
type Contribution = Float64Array;
const homeAt = histogramAt.counters;

const noVerdict = 2;

/** A group that counts nowhere. */
export function noContribution(): Contribution {
  return new Float64Array(histogramNames.length).fill(-1);
}

/** Works out what a row's group contributes: nothing unless it is complete. */
type ReadContribution = (cells: Float64Array, at: number, complete: boolean, into: Contribution) => void;

/**
 * Contributions of groups of k runs.
 *
 * @example Gold tool_call, runs tool_call, tool_call, cannot_answer, tool_call, cannot_answer: label counts 3 and 2, the mode
 * tool_call is right, 3 runs are correct, 3 of 4 adjacent pairs differ.
 */
export function contributionsOf(k: number, layout: RunLayout): ReadContribution {
  const runLabels = new Uint8Array(k);
  const counts = new Int32Array(5);
  return (cells, at, complete, into) => {
    // Loops: a call of `fill` costs more than the few values.
    for (let i = 0; i < into.length; i++) into[i] = -1;
    if (!complete) return;
    for (let i = 0; i < counts.length; i++) counts[i] = 0;
    let flips = 0;
    let successes = 0;
    let judged = true;
    for (let i = 0; i < k; i++) {
      const code = layout.code(cells, at, i);
      const label = labelOf(code);
      const verdict = verdictOf(code);
      runLabels[i] = label;
      counts[label]! += 1;
      if (i > 0 && label !== runLabels[i - 1]) flips++;
      if (verdict === noVerdict) judged = false;
      else successes += verdict;
    }
    const home = layout.home(cells, at);
    const gold = home & 3;
    into[homeAt] = home;
    into[histogramAt.correct] = counts[gold]!;
    into[histogramAt.flips] = flips;
    if (judged) into[histogramAt.successes] = successes;
    const modeCorrect = modeOf(runLabels, counts) === gold;
    sortDescending(counts);
    into[histogramAt.shapes] = shapeKey(k, counts, modeCorrect);
  };
}

/** Replaces one contribution by another; what they share is not touched. */
export function replaceContribution(before: Contribution, after: Contribution, into: StabilityTally): void {
  const moved = before[homeAt] !== after[homeAt];
  for (let histogram = homeAt + 1; histogram < after.length; histogram++) {
    if (!moved && before[histogram] === after[histogram]) continue;
    addKey(before, histogram, -1, into);
    addKey(after, histogram, 1, into);
  }
}

function addKey(contribution: Contribution, histogram: number, amount: number, into: StabilityTally): void {
  const key = contribution[histogram]!;
  const home = contribution[homeAt]!;
  if (key >= 0) into.add(Math.floor(home / 4), home & 3, histogram, key, amount);
}

/** Most frequent label; of equally frequent ones the one seen first in run order. */
function modeOf(runLabels: Uint8Array, counts: Int32Array): number {
  const most = Math.max(counts[0]!, counts[1]!, counts[2]!, counts[3]!, counts[4]!);
  let i = 0;
  while (counts[runLabels[i]!] !== most) i++;
  return runLabels[i]!;
}

function sortDescending(counts: Int32Array): void {
  for (let i = 1; i < counts.length; i++) {
    const count = counts[i]!;
    let to = i;
    while (to > 0 && counts[to - 1]! < count) counts[to] = counts[--to]!;
    counts[to] = count;
  }
}
