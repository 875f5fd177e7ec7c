import { scoreOf, type Weights } from './cusum.ts';

/** A chart that reads panes, oldest first: the greatest sum of scores of the panes up to now, over where to begin. */
export interface Run {
  /** The statistic; below 0 it begins anew with the next pane. */
  level: number;
  /** Since when the sum runs: start of a pane, ms. NaN before the first. */
  sinceMs: number;
  /** Cases and bad cases since then. */
  n: number;
  bad: number;
  firing: boolean;
  /** While it fires: the statistic of the chart in the other direction, with which it ends. */
  back: number;
}

/** A chart that has read nothing. */
export function newRun(): Run {
  return { level: 0, sinceMs: Number.NaN, n: 0, bad: 0, firing: false, back: 0 };
}

/**
 * Reads the next pane; one without cases changes nothing. It begins to fire where the level reaches the threshold, and ends where the level is
 * below it or the chart in the other direction (bad and good exchanged: from the worst rate to the baseline) has reached it. Then all begins anew,
 * so that the next alarm need not wait until what is over has been made good.
 */
export function readPane(run: Run, weights: Weights, threshold: number, startMs: number, n: number, bad: number): void {
  if (n === 0) return;
  if (run.level <= 0 && !run.firing) {
    run.level = 0;
    run.sinceMs = startMs;
    run.n = 0;
    run.bad = 0;
  }
  const score = scoreOf(weights, bad, n);
  run.level += score;
  run.n += n;
  run.bad += bad;
  if (!run.firing) {
    run.firing = run.level >= threshold;
    run.back = 0;
    return;
  }
  run.back = Math.max(0, run.back) - score;
  if (run.level >= threshold && run.back < threshold) return;
  Object.assign(run, newRun());
}
