import type { Mode } from '../family.ts';
import { labels } from '../label.ts';
import { type BlockOf, byLabel, count, mean, type Metrics, numbered, rate } from '../metric.ts';
import type { FamilyOptions } from '../range.ts';
import type { GroupCounts } from './counts.ts';
import { counterKeys, histogramAt, histogramNames, type StabilityReader, shapeOf } from './histograms.ts';

/** Sums over the groups of runs of one set: all, or those of one gold label. */
interface Measures extends GroupCounts {
  readonly k: number;
  readonly seen: number;
  /** Sum of the runs that have their group's mode, of runs equal to gold, of adjacent runs that differ, of entropies in bits. */
  readonly modal: number;
  readonly correct: number;
  readonly flips: number;
  readonly entropy: number;
  /** For j from 1 to k: sum of C(c, j) / C(k, j) over judged groups with c successes. */
  readonly passed: readonly number[];
  readonly judged: number;
  /** The value of the measures where no group is complete: in mode upstream 0. */
  readonly whenEmpty: number | null;
}

export interface StabilitySums extends Measures {
  readonly ignored: number;
  readonly dropped: number;
  readonly perLabel: readonly Measures[];
}

/** Five labels with upstream. */
/** Greatest entropy in bits: in mode upstream invalid labels are a fifth one. */
const mostEntropy = ({ mode }: FamilyOptions): number => Math.log2(labels.length + (mode === 'upstream' ? 1 : 0));
const whenEmpty = (sums: Measures): number | null => sums.whenEmpty;

const measureMetrics = {
  k: count({
    title: 'Runs a group',
    help: 'Runs of an example that make a complete group.',
    of: ({ k }) => k,
    isOption: true,
  }),
  groups_seen: count({ title: 'Groups seen', help: 'Groups of which any run arrived.', of: ({ seen }) => seen }),
  groups_complete: count({ title: 'Groups complete', help: 'Groups with all k runs.', of: ({ complete }) => complete }),
  coverage: rate({
    title: 'Coverage',
    help: 'Complete groups of those seen.',
    better: 'higher',
    of: ({ complete, seen }) => [complete, seen],
  }),
  stability: rate({
    title: 'Stability',
    help: 'Groups all of whose runs decide the same.',
    better: 'higher',
    headline: 'Stability',
    whenEmpty,
    of: ({ stable, complete }) => [stable, complete],
  }),
  stable_correct: rate({
    title: 'Stable and right',
    help: 'Groups all of whose runs decide right.',
    better: 'higher',
    whenEmpty,
    of: ({ stableCorrect, complete }) => [stableCorrect, complete],
  }),
  stable_wrong: rate({
    title: 'Stable and wrong',
    help: 'Groups all of whose runs decide the same, wrongly.',
    better: 'lower',
    whenEmpty,
    of: ({ stable, stableCorrect, complete }) => [stable - stableCorrect, complete],
  }),
  mode_correct: rate({
    title: 'Mode right',
    help: 'Groups whose most frequent decision is right.',
    better: 'higher',
    whenEmpty,
    of: ({ modeCorrect, complete }) => [modeCorrect, complete],
  }),
  mean_consistency: mean({
    title: 'Consistency',
    help: 'Share of the runs that decide as most of their group.',
    better: 'higher',
    whenEmpty,
    of: ({ modal, k, complete }) => [modal / k, complete],
  }),
  mean_accuracy: mean({
    title: 'Accuracy of runs',
    help: 'Share of the runs that decide right.',
    better: 'higher',
    whenEmpty,
    of: ({ correct, k, complete }) => [correct / k, complete],
  }),
  entropy: mean({
    title: 'Entropy',
    help: 'Shannon entropy of the decisions of a group, in bits.',
    better: 'lower',
    range: (options) => [0, mostEntropy(options)],
    whenEmpty,
    of: ({ entropy, complete }) => [entropy, complete],
  }),
  entropy_norm: mean({
    title: 'Normalised entropy',
    help: 'Entropy over its greatest value for four labels.',
    better: 'lower',
    range: (options) => [0, mostEntropy(options) / Math.log2(labels.length)],
    whenEmpty,
    of: ({ entropy, complete }) => [entropy / Math.log2(labels.length), complete],
  }),
  flip_rate: mean({
    title: 'Flip rate',
    help: 'Share of adjacent runs that decide differently.',
    better: 'lower',
    whenEmpty,
    of: ({ flips, k, complete }) => [k === 1 ? 0 : flips / (k - 1), complete],
  }),
  pass_hat_k: numbered({
    title: 'pass^j',
    help: 'Chance that j runs of an example all succeed, by j; of examples without a gold label too.',
    better: 'higher',
    of: ({ passed, judged }) => passed.map((sum) => [sum, judged] as const),
  }),
} satisfies Metrics<Measures>;

export const stabilityMetrics = {
  ...measureMetrics,
  ignored_runs: count({ title: 'Runs ignored', help: 'Runs received less runs held.', of: ({ ignored }) => ignored }),
  dropped_groups: count({ title: 'Groups dropped', help: 'Groups dropped from memory.', of: ({ dropped }) => dropped }),
  per_label: byLabel(labels, ({ perLabel }: StabilitySums, label) => perLabel[label]!, measureMetrics),
} satisfies Metrics<StabilitySums>;

/** The block of a summary group. */
export type StabilityBlock = BlockOf<typeof stabilityMetrics>;

/** The part of the declaration that no option changes. */
export const stabilityDeclaration = {
  name: 'stability',
  question: 'Does the agent decide the same again?',
  source: 'When2Call API evaluation suite; tau-bench (Yao et al. 2024) for pass^k',
  unit: 'runs',
  metrics: stabilityMetrics,
  row: {},
  counters: [],
} as const;

/** Histograms of one set of groups: [key, total] by ascending key, so that sums of fractions are the same for equal totals. */
type Histograms = readonly (readonly (readonly [number, number])[])[];

/**
 * Sums over groups of k runs.
 *
 * @example Two groups with k = 4 and gold tool_call, runs (tool_call x 4) and (tool_call, direct, direct, direct): stability 1/2,
 * mean consistency (1 + 3/4)/2, mode correct 1/2, mean accuracy (1 + 1/4)/2, entropy (0 + 0.8113)/2, flip rate (0 + 1/3)/2.
 */
export function stabilitySums(k: number, mode: Mode, reader: StabilityReader): StabilitySums {
  const perGold = labels.map((_, gold) =>
    histogramNames.map((_, histogram) => merged([reader.counts(histogram, gold)])),
  );
  const all = histogramNames.map((_, histogram) => merged(perGold.map((histograms) => histograms[histogram]!)));
  const { successes, unlabelled } = histogramAt;
  all[successes] = merged([all[successes]!, all[unlabelled]!]);
  return {
    ...measuresOf(k, mode, all),
    ignored: totalAt(all, counterKeys.ignored),
    dropped: totalAt(all, counterKeys.dropped),
    perLabel: perGold.map((histograms) => measuresOf(k, mode, histograms)),
  };
}

function measuresOf(k: number, mode: Mode, histograms: Histograms): Measures {
  const sums = { complete: 0, stable: 0, stableCorrect: 0, modeCorrect: 0, modal: 0, entropy: 0 };
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
  return {
    ...sums,
    k,
    seen: totalAt(histograms, counterKeys.seen),
    correct: weighted(histograms[histogramAt.correct]!),
    flips: weighted(histograms[histogramAt.flips]!),
    ...passHat(k, histograms[histogramAt.successes]!),
    whenEmpty: mode === 'upstream' ? 0 : null,
  };
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
function passHat(k: number, successes: Histograms[number]): Pick<Measures, 'passed' | 'judged'> {
  const shares = successes.map(() => 1);
  const passed: number[] = [];
  for (let j = 1; j <= k; j++) {
    let sum = 0;
    successes.forEach(([correct, total], i) => {
      shares[i]! *= Math.max(0, correct - j + 1) / (k - j + 1);
      sum += total * shares[i]!;
    });
    passed.push(sum);
  }
  return { passed, judged: successes.reduce((sum, [, total]) => sum + total, 0) };
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
