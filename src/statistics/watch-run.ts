import { scoreOf, type Weights } from './cusum.ts';

/** A time in which the rate was up, and the alarm of it. Times are borders of panes. */
export interface WatchIncident {
  /** From when to when the rate was up: where the greatest sum of scores begins and ends. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Cases and bad cases from since to until. */
  readonly n: number;
  readonly bad: number;
  /** When the alarm began, and ended. */
  readonly beginMs: number;
  readonly endMs: number | undefined;
}

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
  /** From the alarm on: the statistic of the chart in the other direction, with which it ends. */
  back: number;
  /** From the alarm on: its incident up to now, which has an end while the level is below the threshold, and the level that its sum has reached. */
  incident: WatchIncident | undefined;
  peak: number;
  /** The incidents that are over. */
  over: readonly WatchIncident[];
}

/** A chart that has read nothing. */
export function newRun(): Run {
  return {
    level: 0,
    sinceMs: Number.NaN,
    n: 0,
    bad: 0,
    firing: false,
    back: 0,
    incident: undefined,
    peak: 0,
    over: [],
  };
}

/** Cases of a time, of which some are bad. */
export interface Pane {
  readonly startMs: number;
  readonly endMs: number;
  readonly n: number;
  readonly bad: number;
}

/**
 * Reads the next pane; one without cases changes nothing. It fires while the level is at the threshold or above: falling below it ends the alarm,
 * but the sum goes on, so that it fires again with what it was, in the same incident, if the rate is still up. Where the chart in the other direction
 * (bad and good exchanged: from the worst rate to the baseline), begun with the alarm, has reached the threshold, all begins anew, so that the next
 * alarm need not wait until what is over has been made good.
 */
export function readPane(run: Run, weights: Weights, threshold: number, { startMs, endMs, n, bad }: Pane): void {
  if (n === 0) return;
  if (run.level <= 0) beginAnew(run, startMs);
  const score = scoreOf(weights, bad, n);
  run.level += score;
  run.n += n;
  run.bad += bad;
  if (run.incident !== undefined) run.back = Math.max(0, run.back) - score;
  run.firing = run.level >= threshold && run.back < threshold;
  if (run.firing) reach(run, endMs);
  else if (run.incident !== undefined) leave(run, threshold, endMs);
}

function reach(run: Run, endMs: number): void {
  const { sinceMs, n, bad, level, peak, incident } = run;
  const beginMs = incident?.beginMs ?? endMs;
  if (level > peak) Object.assign(run, { incident: { sinceMs, untilMs: endMs, n, bad, beginMs }, peak: level });
  run.incident = { ...run.incident!, endMs: undefined };
}

function leave(run: Run, threshold: number, endMs: number): void {
  run.incident = { ...run.incident!, endMs: run.incident!.endMs ?? endMs };
  if (run.level > 0 && run.back < threshold) return;
  run.over = [...run.over, run.incident];
  beginAnew(run, Number.NaN);
}

/** Most panes of most charts begin anew: no object is made for each. */
function beginAnew(run: Run, sinceMs: number): void {
  run.level = 0;
  run.sinceMs = sinceMs;
  run.n = 0;
  run.bad = 0;
  run.firing = false;
  run.back = 0;
  run.incident = undefined;
  run.peak = 0;
}
