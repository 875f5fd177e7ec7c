import type { Block, Mode } from '../family.ts';
import { labels } from '../label.ts';
import { type Mean, meanOf, type Rate, type RateOf } from '../reading.ts';
import { counterKeys, histogramAt, histogramNames, type StabilityReader, shapeOf } from './histograms.ts';

/** Histograms of one block: [key, total] by ascending key, so that sums of fractions are the same for equal totals. */
type Histograms = readonly (readonly (readonly [number, number])[])[];

/** The summary block of groups of k runs (spec: outputs, section 2); null where no group was seen. */
export function readStability(k: number, mode: Mode, reader: StabilityReader, rate: RateOf): Block | null {
  const perGold = labels.map((_, gold) =>
    histogramNames.map((_, histogram) => merged([reader.counts(histogram, gold)])),
  );
  const all = histogramNames.map((_, histogram) => merged(perGold.map((histograms) => histograms[histogram]!)));
  if (totalAt(all, counterKeys.seen) === 0) return null;
  return {
    ...measures(k, mode, all, rate),
    ignored_runs: totalAt(all, counterKeys.ignored),
    dropped_groups: totalAt(all, counterKeys.dropped),
    per_label: Object.fromEntries(labels.map((label, gold) => [label, measures(k, mode, perGold[gold]!, rate)])),
  };
}

/**
 * All measures of one set of groups.
 *
 * @example Two groups with k = 4 and gold tool_call, runs (tool_call x 4) and (tool_call, direct, direct, direct): stability 1/2,
 * mean consistency (1 + 3/4)/2, mode correct 1/2, mean accuracy (1 + 1/4)/2, entropy (0 + 0.8113)/2, flip rate (0 + 1/3)/2.
 */
function measures(k: number, mode: Mode, histograms: Histograms, rate: RateOf): Block {
  const seen = totalAt(histograms, counterKeys.seen);
  const { complete, stable, stableCorrect, modeCorrect, modal, entropy } = shapeSums(k, histograms);
  const zeroed = mode === 'upstream' && complete === 0;
  const rateOver = (numerator: number): Rate => {
    const reading = rate(numerator, complete);
    return zeroed ? { ...reading, value: 0 } : reading;
  };
  const meanOver = (sum: number): Mean => {
    const reading = meanOf(sum, complete);
    return zeroed ? { ...reading, value: 0 } : reading;
  };
  const flips = weighted(histograms[histogramAt.flips]!);
  return {
    k,
    groups_seen: seen,
    groups_complete: complete,
    coverage: rate(complete, seen),
    stability: rateOver(stable),
    stable_correct: rateOver(stableCorrect),
    stable_wrong: rateOver(stable - stableCorrect),
    mode_correct: rateOver(modeCorrect),
    mean_consistency: meanOver(modal / k),
    mean_accuracy: meanOver(weighted(histograms[histogramAt.correct]!) / k),
    entropy: meanOver(entropy),
    entropy_norm: meanOver(entropy / Math.log2(labels.length)),
    flip_rate: meanOver(k === 1 ? 0 : flips / (k - 1)),
    pass_hat_k: passHat(k, histograms[histogramAt.successes]!),
  };
}

interface ShapeSums {
  complete: number;
  stable: number;
  stableCorrect: number;
  modeCorrect: number;
  /** Sum of the modal counts. */
  modal: number;
  /** Sum of the entropies in bits. */
  entropy: number;
}

function shapeSums(k: number, histograms: Histograms): ShapeSums {
  const sums: ShapeSums = { complete: 0, stable: 0, stableCorrect: 0, modeCorrect: 0, modal: 0, entropy: 0 };
  for (const [key, groups] of histograms[histogramAt.shapes]!) {
    const { counts, modeCorrect } = shapeOf(k, key);
    const stable = counts[0] === k;
    sums.complete += groups;
    if (stable) sums.stable += groups;
    if (modeCorrect) sums.modeCorrect += groups;
    if (stable && modeCorrect) sums.stableCorrect += groups;
    sums.modal += groups * counts[0]!;
    sums.entropy += groups * entropyOf(k, counts);
  }
  return sums;
}

/** Shannon entropy in bits of label counts that add up to k. */
function entropyOf(k: number, counts: readonly number[]): number {
  let entropy = 0;
  for (const count of counts) if (count > 0) entropy += (count / k) * Math.log2(k / count);
  return entropy;
}

/**
 * pass^j for j = 1..k: mean of C(c, j) / C(k, j) over groups with c successes (Yao et al. 2024, tau-bench). The quotient is the
 * product of (c - i) / (k - i) for i < j: no binomial overflows, and c = k gives exactly 1.
 */
function passHat(k: number, successes: Histograms[number]): Block {
  const groups = successes.reduce((sum, [, total]) => sum + total, 0);
  const shares = successes.map(() => 1);
  const readings: [string, Mean][] = [];
  for (let j = 1; j <= k; j++) {
    let sum = 0;
    successes.forEach(([correct, total], i) => {
      shares[i]! *= Math.max(0, correct - j + 1) / (k - j + 1);
      sum += total * shares[i]!;
    });
    readings.push([String(j), meanOf(sum, groups)]);
  }
  return Object.fromEntries(readings);
}

/** The sum of histograms, by key. */
function merged(parts: readonly Iterable<readonly [number, number]>[]): Histograms[number] {
  const totals = new Map<number, number>();
  for (const part of parts) for (const [key, total] of part) totals.set(key, (totals.get(key) ?? 0) + total);
  return [...totals].sort(([a], [b]) => a - b);
}

function totalAt(histograms: Histograms, counter: number): number {
  return histograms[histogramAt.counters]!.find(([key]) => key === counter)?.[1] ?? 0;
}

/** Sum of key times total. */
function weighted(histogram: Histograms[number]): number {
  return histogram.reduce((sum, [key, total]) => sum + key * total, 0);
}
