/** Rates that lie nearer than this cannot be distinguished in any useful time. */
const gapLeast = 0.005;
/** Below this baseline a chart of small steps has too many states to be computed. */
const baselineLeast = 0.0001;

/** The problem of a watch's rates; undefined where there is none. */
export function ratesProblem(baseline: number, worst: number): string | undefined {
  if (!(baseline >= baselineLeast)) return `the baseline ${baseline} must be at least ${baselineLeast}`;
  // 0.05 + 0.005 is not 0.055.
  if (worst < 1 && worst - baseline >= gapLeast * (1 - 1e-9)) return undefined;
  return `worst ${worst} must lie at least ${gapLeast} above the baseline ${baseline}, and below 1`;
}

/** The rate to be caught quickly where none is given: twice the baseline and at least 3 points above it, but no more than half of what is left to 1. */
export function worstOf(baseline: number): number {
  const worst = Math.min(Math.max(2 * baseline, baseline + 0.03), (1 + baseline) / 2);
  // 0.021 + 0.03 is not 0.051.
  return Number(worst.toPrecision(12));
}
