import type { Weights } from './cusum.ts';
import { newRun, readPane } from './watch-run.ts';

/** Counts of cases by pane, oldest first; `[2 i]` are the cases of pane i, `[2 i + 1]` the bad ones. */
export type PaneCounts = Float64Array;

/** A chart with its threshold in cases as they are counted. */
export interface Chart {
  readonly weights: Weights;
  readonly threshold: number;
}

export interface Learning {
  readonly panes: number;
  readonly paneMs: number;
  /** The chart for what was learned up to now; undefined while that is too little. */
  chartFor(n: number, bad: number): Chart | undefined;
}

/** The reference span: panes from the first up to, and without, `end`, but for those that `fired`. */
export interface Reference {
  readonly n: number;
  readonly bad: number;
  readonly end: number;
  readonly fired: readonly number[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * What a baseline is learned from: cases and bad cases of the panes before the last 24 hours, or with less than 48 hours of data before the last
 * one, but for those in which the watch fired. For that the panes are read in their order, each hour with the chart for what was learned until
 * then: a spike that lasts is not taken for the way things are, however much of the window it has come to fill.
 */
export function referenceOf(counts: PaneCounts, { panes, paneMs, chartFor }: Learning): Reference {
  let first = 0;
  while (first < panes && counts[2 * first] === 0) first++;
  const lagAt = (pane: number): number => Math.ceil(((pane - first) * paneMs >= 2 * dayMs ? dayMs : hourMs) / paneMs);
  const fired = new Uint8Array(panes);
  const every = Math.max(1, Math.floor(hourMs / paneMs));
  const run = newRun();
  let chart: Chart | undefined;
  for (let pane = first; pane < panes; pane++) {
    if ((pane - first) % every === 0) chart = chartFor(...sumOf(counts, fired, first, pane - lagAt(pane))) ?? chart;
    if (chart === undefined) continue;
    // The chart counts panes where others count time.
    const cases = { startMs: pane, endMs: pane + 1, n: counts[2 * pane]!, bad: counts[2 * pane + 1]! };
    readPane(run, chart.weights, chart.threshold, cases);
    if (run.firing) fired.fill(1, run.sinceMs, pane + 1);
  }
  const end = Math.max(0, panes - lagAt(panes));
  const [n, bad] = sumOf(counts, fired, first, end);
  return { n, bad, end, fired: Array.from(fired.keys()).filter((pane) => pane < end && fired[pane] === 1) };
}

/** Sums of the panes from first up to, and without, `end` in which nothing fired. */
function sumOf(counts: PaneCounts, fired: Uint8Array, first: number, end: number): [n: number, bad: number] {
  let n = 0;
  let bad = 0;
  for (let pane = first; pane < end; pane++) {
    if (fired[pane] === 1) continue;
    n += counts[2 * pane]!;
    bad += counts[2 * pane + 1]!;
  }
  return [n, bad];
}
