import { scoreOf, type Weights } from './cusum.ts';
import type { Cases } from './kitagawa.ts';

/** A Bernoulli CUSUM with its threshold in cases as they are counted. */
export interface Bound {
  readonly weights: Weights;
  readonly threshold: number;
}

/** The chart of a watch: when its alarm begins, and by the cases of the alarm, when it ends. */
export interface Chart extends Bound {
  /** The rate in control. */
  readonly baseline: number;
  /** The chart of the other direction, in which a good case counts for the end. */
  endFor(alarm: Cases): Bound;
}

/** Cases since a time: the start of a pane, ms. */
export interface Span extends Cases {
  readonly sinceMs: number;
}

/** A time in which the rate was up, and its alarm, or the alarms that are one incident. Times are borders of panes. */
export interface WatchIncident extends Span {
  /** From since to until the rate was up; the cases are those of that time. */
  readonly untilMs: number;
  /** When it began to fire, and when it ended; undefined while it fires. */
  readonly beginMs: number;
  readonly endMs: number | undefined;
}

/** A chart that reads panes, oldest first. */
export interface Run {
  /** The statistic: the greatest sum of scores of the panes up to now, over where to begin, or 0. */
  level: number;
  /** The panes of that sum. */
  pooled: Pooled | undefined;
  /** The alarm that fires: its cases are those until the recovery. */
  alarm: WatchIncident | undefined;
  /** The chart that ends it. */
  end: Bound | undefined;
  /** While it fires: the cases that speak for the end, since the chart of it began last. */
  recovery: Recovery | undefined;
  /** The alarms that are over, the oldest first. */
  over: readonly WatchIncident[];
}

/** A chart that has read nothing. */
export function newRun(): Run {
  return {
    ...{ level: 0, pooled: undefined, alarm: undefined },
    ...{ end: undefined, recovery: undefined, over: [] },
  };
}

/** Cases of a time, of which some are bad. */
export interface Pane extends Cases {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Reads the next pane; one without cases changes nothing. It begins to fire where the level is at the threshold or above. From then on the chart of
 * the other direction reads too. As long as nothing speaks for the end, the rate is up. Where that chart signals, or nothing of the sum is
 * left, the alarm ends and all begins anew, so that what is over need not be made good.
 */
export function readPane(run: Run, chart: Chart, pane: Pane): void {
  const { n, bad, startMs, endMs } = pane;
  if (n === 0) return;
  run.level += scoreOf(chart.weights, bad, n);
  if (run.alarm === undefined && run.level <= 0) {
    run.level = 0;
    run.pooled = undefined;
    return;
  }
  run.pooled = pooledWith(run.pooled, startMs, n, bad);
  if (run.alarm === undefined && run.level < chart.threshold) return;
  run.recovery = run.alarm && recoveryWith(run.recovery, run.end!, pane);
  if (run.recovery === undefined) isUp(run, chart, endMs);
  else if (run.recovery.level >= run.end!.threshold || run.level <= 0) end(run, endMs);
}

/** Returns whether a run is as it was before the first pane. */
export function isFresh({ level, alarm, over }: Run): boolean {
  return level === 0 && alarm === undefined && over.length === 0;
}

/**
 * The alarms as people see them: what fires again within half an hour of an end is the same incident. Its cases are those of its alarms, without
 * the time between.
 */
export function joinedAlarms({ over, alarm }: Pick<Run, 'over' | 'alarm'>): WatchIncident[] {
  const incidents: WatchIncident[] = [];
  for (const next of alarm === undefined ? over : [...over, alarm]) {
    const last = incidents.at(-1);
    if (last === undefined || !isSameIncident(last.endMs!, next.beginMs)) incidents.push(next);
    else {
      const { sinceMs, beginMs, n, bad } = last;
      incidents[incidents.length - 1] = { ...next, sinceMs, beginMs, n: n + next.n, bad: bad + next.bad };
    }
  }
  return incidents;
}

/** Returns whether an alarm that begins so long after the end of another is the same incident. */
export function isSameIncident(endMs: number, beginMs: number): boolean {
  return beginMs - endMs <= sameIncidentMs;
}

const sameIncidentMs = 30 * 60_000;

function isUp(run: Run, chart: Chart, endMs: number): void {
  const beginMs = run.alarm?.beginMs ?? endMs;
  run.alarm = { ...risenSince(run.pooled!, chart.baseline), untilMs: endMs, beginMs, endMs: undefined };
  run.end = chart.endFor(run.alarm);
}

function end(run: Run, endMs: number): void {
  const over = [...run.over, { ...run.alarm!, endMs }];
  Object.assign(run, newRun(), { over });
}

/** Cases since the chart of the other direction began last, and its level, above 0. */
interface Recovery extends Span {
  readonly level: number;
}

function recoveryWith(before: Recovery | undefined, { weights }: Bound, pane: Pane): Recovery | undefined {
  const { sinceMs, n, bad, level } = before ?? { sinceMs: pane.startMs, n: 0, bad: 0, level: 0 };
  const next = level - scoreOf(weights, pane.bad, pane.n);
  return next > 0 ? { sinceMs, n: n + pane.n, bad: bad + pane.bad, level: next } : undefined;
}

/**
 * Panes as they follow one another, each pooled with those before it while its rate is not above theirs (pool adjacent violators, Ayer et al. 1955): rates
 * rise from one to the next. Where the likelihood of a change is greatest, whatever the rate after it, one of them begins. Values, shared by the charts that
 * go on from one.
 */
export interface Pooled extends Span {
  readonly before: Pooled | undefined;
}

function pooledWith(before: Pooled | undefined, startMs: number, n: number, bad: number): Pooled {
  let pooled: Pooled = { sinceMs: startMs, n, bad, before };
  for (let last = before; last !== undefined && pooled.bad * last.n <= last.bad * pooled.n; last = last.before)
    pooled = { sinceMs: last.sinceMs, n: pooled.n + last.n, bad: pooled.bad + last.bad, before: last.before };
  return pooled;
}

/** Where the likelihood that the rate has risen from the baseline is greatest, by the rate since then. Calm panes before lower it, so that none are in. */
function risenSince(pooled: Pooled, baseline: number): Span {
  let found: Span = pooled;
  let greatest = Number.NEGATIVE_INFINITY;
  let [n, bad] = [0, 0];
  for (let from: Pooled | undefined = pooled; from !== undefined; from = from.before) {
    n += from.n;
    bad += from.bad;
    const likelihood = bad > baseline * n ? logLikelihoodRatio(n, bad, baseline) : 0;
    if (likelihood <= greatest) continue;
    greatest = likelihood;
    found = { sinceMs: from.sinceMs, n, bad };
  }
  return found;
}

/** Log likelihood ratio of the rate of n cases, of which some are bad, to a rate p. */
function logLikelihoodRatio(n: number, bad: number, p: number): number {
  const term = (cases: number, chance: number): number => (cases === 0 ? 0 : cases * Math.log(cases / n / chance));
  return term(bad, p) + term(n - bad, 1 - p);
}
