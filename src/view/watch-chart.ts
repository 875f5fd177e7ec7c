import { wilson } from '../scoring/reading.ts';
import { zOfLevel } from '../scoring/quantile.ts';
import type { WatchDesign } from '../statistics/watch-design.ts';
import type { createEndDesigns } from '../statistics/watch-end.ts';
import { type Chart, newRun, type Run, readPane } from '../statistics/watch-run.ts';
import { cellAt, type WatchedGroup, type WatchPanes } from './watch-panes.ts';
import type { Segment } from './watch-segments.ts';

/** The chart of a design over the panes of segments that end until `endMs`: those that will hardly change. */
export interface ChartCache {
  run: Run;
  endMs: number;
  of:
    | { readonly design: WatchDesign; readonly effect: number; readonly borders: string; readonly by: Chart }
    | undefined;
}

/** A chart that is of no design yet. */
export function noChart(): ChartCache {
  return { run: newRun(), endMs: Number.NEGATIVE_INFINITY, of: undefined };
}

/** Designs of ends by their rates. */
export type EndDesigns = ReturnType<typeof createEndDesigns>;

const z90 = zOfLevel(0.9);

/**
 * The chart of a design whose cases are alike by some effect. An alarm ends by the lower end of the 90 % Wilson interval of its rate: few cases
 * tell a low one.
 */
export function chartOf({ weights, threshold, baseline, worst }: WatchDesign, effect: number, ends: EndDesigns): Chart {
  return {
    ...{ weights, baseline, threshold: threshold * effect },
    endFor({ n, bad }) {
      const [lower] = wilson(bad / effect, n / effect, z90);
      const end = ends(baseline, worst, lower);
      return { weights: end.weights, threshold: end.threshold * effect };
    },
  };
}

/** Which panes are read. */
export interface ChartMoment {
  readonly segments: readonly Segment[];
  /** Where the segments begin, as text. */
  readonly borders: string;
  readonly asOfMs: number;
}

/** A rate of a group, and what is kept of its chart. */
export interface ChartOf {
  readonly group: WatchedGroup;
  readonly rate: number;
  readonly chart: ChartCache;
}

/** The chart over the segments at T: from where it was kept, if nothing before has changed. */
export function chartAt(
  panes: WatchPanes,
  { group, rate, chart }: ChartOf,
  { design, effect, ends }: { readonly design: WatchDesign; readonly effect: number; readonly ends: EndDesigns },
  { segments, borders, asOfMs }: ChartMoment,
): Run {
  const { of } = chart;
  const isSame = of?.design === design && of.effect === effect && of.borders === borders;
  const by = isSame ? of.by : chartOf(design, effect, ends);
  if (!isSame || changedMs(group, segments) < chart.endMs)
    Object.assign(chart, noChart(), { of: { design, effect, borders, by } });
  // The panes after this are read each time: events in any usual order still change them.
  const settledMs = asOfMs - panes.settings.outOfOrdernessMs - segments.at(-1)!.paneMs;
  let run = chart.run;
  for (const { tier, paneMs, first, last } of segments) {
    const counts = group.counts[tier]!;
    for (let pane = Math.max(first, Math.ceil(chart.endMs / paneMs)); pane <= last; pane++) {
      const endMs = (pane + 1) * paneMs;
      if (endMs > settledMs && run === chart.run) run = { ...chart.run };
      const at = cellAt(panes, tier, pane, rate);
      const cases = { startMs: pane * paneMs, endMs, n: counts[at]!, bad: counts[at + 1]! };
      readPane(run, by, cases);
      if (run === chart.run) chart.endMs = endMs;
    }
  }
  return run;
}

/** Start of the earliest pane of the segments that may have changed. */
function changedMs({ changed }: WatchedGroup, segments: readonly Segment[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { tier, paneMs, first, last } of segments)
    if (changed[tier]! <= last) earliest = Math.min(earliest, Math.max(first, changed[tier]!) * paneMs);
  return earliest;
}
