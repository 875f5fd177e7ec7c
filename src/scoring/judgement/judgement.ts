/** Why a judge gave no score. */
export const failures = ['timeout', 'unparseable', 'refused', 'error'] as const;
export type Failure = (typeof failures)[number];

/** The judgement of one prediction by a judge, a model or a person (docs/reference/judgements.md). */
export interface Judgement {
  /** `judge`, `semantic` or a name of one's own. */
  readonly name: string;
  /** Within the scale; undefined where the judge failed. */
  readonly score: number | undefined;
  readonly scale: readonly [least: number, greatest: number];
  readonly failed: Failure | undefined;
  /** The judge: `gpt-4.1-mini`, `human:ann`. */
  readonly by: string;
  /** The chance with which the prediction was chosen to be judged: above 0, at most 1. */
  readonly probability: number;
  /** True if the rules call it right; undefined where they have no verdict. */
  readonly exact: boolean | undefined;
  /** False: it was judged without truth. */
  readonly hasReference: boolean;
  readonly cost: Cost;
}

export interface Cost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In units of 1e-9 US dollars: an integer adds up exactly. */
  readonly nanoUsd: number;
}

/** Scores as shares of the scale: `div7` divides by its greatest value, `minmax` makes the least 0. */
export const normalizations = ['div7', 'minmax'] as const;

export interface Judging {
  readonly normalization: (typeof normalizations)[number];
  /** Least share that passes. */
  readonly threshold: number;
}

/** The scale of a judgement that says none. */
export function usualScale(name: string): Judgement['scale'] {
  if (name === 'judge') return [1, 7];
  return name === 'semantic' ? [-1, 1] : [0, 1];
}

/** The score as a share of its scale, to which it is clamped. 6 of [1, 7] is 6/7, or 5/6 by `minmax`. */
export function shareOf(score: number, [least, greatest]: Judgement['scale'], { normalization }: Judging): number {
  const clamped = Math.min(greatest, Math.max(least, score));
  if (normalization === 'minmax') return (clamped - least) / (greatest - least);
  return greatest === 0 ? clamped : clamped / greatest;
}
