import type { Mode, RunsFamily } from '../family.ts';
import { cannotAnswer, invalid, type LabelCode } from '../label.ts';
import type { StabilityReader } from './histograms.ts';
import { type GroupOutcome, groupOutcome } from './outcome.ts';
import { stabilityDeclaration, type StabilitySums, stabilitySums } from './read.ts';

export { type GroupOutcome, noVerdict, type Verdict } from './outcome.ts';

export interface StabilityOptions {
  /** Runs per group: an integer from 1 to 1,000. */
  readonly k: number;
  /** `closed`: final when runs 0..k-1 are there. `rolling`: the k highest run indices. */
  readonly form: 'closed' | 'rolling';
  readonly mode: Mode;
}

/**
 * Does the agent decide the same again (docs/reference/scoring.md, "stability"; after the When2Call API evaluation suite and tau-bench). A
 * family that scores groups of runs: the state collects them, and keeps histograms of their outcomes. All functions are pure.
 */
export interface Stability extends RunsFamily<StabilityReader, StabilitySums> {
  readonly k: number;
  readonly form: 'closed' | 'rolling';
  /** The label that a run counts with. */
  countedLabel(label: LabelCode): LabelCode;
  /** Outcome of a complete group: its gold label, then labels and verdicts of its k runs, in run order. */
  outcome(gold: number, labels: ArrayLike<number>, verdicts: ArrayLike<number>): GroupOutcome;
}

/** The family with its options closed over. */
export function stability({ k, form, mode }: StabilityOptions): Stability {
  return {
    ...stabilityDeclaration,
    k,
    form,
    countedLabel: (label) => (label === invalid && mode === 'spec' ? cannotAnswer : label),
    outcome: groupOutcome,
    sums: (histograms) => stabilitySums(k, mode, histograms),
    isEmpty: ({ seen, judged }) => seen + judged === 0,
  };
}
