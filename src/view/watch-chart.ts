import { wilson } from '../scoring/reading.ts';
import type { WindowPlan } from '../state/windows.ts';
import { zOfLevel } from '../scoring/quantile.ts';
import type { WatchDesign } from '../statistics/watch-design.ts';
import type { createEndDesigns } from '../statistics/watch-end.ts';
import { type Chart, isFresh, newRun, type Run, readPane } from '../statistics/watch-run.ts';
import { cellAt, cellsOf, type WatchedGroup, type WatchPanes } from './watch-panes.ts';
import { commonMs, type Segment, segmentsAt } from './watch-segments.ts';

/** The chart of a design over the panes of segments that end until `endMs`: those that will hardly change. */
export interface ChartCache {
  run: Run;
  endMs: number;
  /** The last ends of panes, of any and of those that end with one of each segment, where it was as before the first pane. */
  freshMs: number;
  freshOfAllMs: number;
  of:
    | { readonly design: WatchDesign; readonly effect: number; readonly borders: string; readonly by: Chart }
    | undefined;
}

/** A chart that is of no design yet. */
export function noChart(): ChartCache {
  const never = Number.NEGATIVE_INFINITY;
  return { run: newRun(), endMs: never, freshMs: never, freshOfAllMs: never, of: undefined };
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
    weights,
    baseline,
    threshold: threshold * effect,
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
  /** So often a pane of each segment ends. */
  readonly everyMs: number;
  readonly asOfMs: number;
}

/** The panes that charts read at T. */
export function chartMoment(windows: WindowPlan, asOfMs: number): ChartMoment {
  const segments = segmentsAt(windows, asOfMs);
  const borders = segments.map(({ first }) => first).join();
  return { segments, borders, everyMs: segments.reduce((ms, { paneMs }) => commonMs(ms, paneMs), 1), asOfMs };
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
  given: { readonly design: WatchDesign; readonly effect: number; readonly ends: EndDesigns },
  { segments, borders, everyMs, asOfMs }: ChartMoment,
): Run {
  const by = keep(chart, given, { borders, segments, changedMs: changedMs(group, segments) });
  // The panes after this are read each time: events in any usual order still change them.
  const settledMs = asOfMs - panes.settings.outOfOrdernessMs - segments.at(-1)!.paneMs;
  const width = cellsOf(panes);
  let run = chart.run;
  for (const { tier, paneMs, first, last } of segments) {
    const counts = group.counts[tier]!;
    const every = everyMs / paneMs;
    const from = Math.max(first, Math.ceil(chart.endMs / paneMs));
    let at = cellAt(panes, tier, from, rate);
    for (let pane = from; pane <= last; pane++) {
      const n = counts[at]!;
      const endMs = (pane + 1) * paneMs;
      if (n > 0) {
        if (endMs > settledMs && run === chart.run) run = { ...run };
        readPane(run, by, { startMs: pane * paneMs, endMs, n, bad: counts[at + 1]! });
      }
      if (endMs <= settledMs) noteEnd(chart, endMs, (pane + 1) % every === 0);
      at += width;
      if (at >= counts.length) at -= counts.length;
    }
  }
  return run;
}

/** Keeps of a chart what still holds, and returns what it reads by. */
function keep(
  chart: ChartCache,
  { design, effect, ends }: Parameters<typeof chartAt>[2],
  { borders, segments, changedMs }: Pick<ChartMoment, 'borders' | 'segments'> & { readonly changedMs: number },
): Chart {
  const { of } = chart;
  if (of?.design !== design || of.effect !== effect) {
    const by = chartOf(design, effect, ends);
    Object.assign(chart, noChart(), { of: { design, effect, borders, by } });
    return by;
  }
  if (of.borders === borders && changedMs >= chart.endMs) return of.by;
  chart.of = { ...of, borders };
  const fromMs = freshIn(chart, segments);
  // Panes of the finest segment are what they were.
  if (fromMs >= startOf(segments.at(-1)!) && changedMs >= chart.endMs) return of.by;
  const isKept = changedMs >= fromMs && fromMs > Number.NEGATIVE_INFINITY;
  const kept = isKept ? { endMs: fromMs, freshMs: fromMs, freshOfAllMs: chart.freshOfAllMs } : {};
  Object.assign(chart, noChart(), { of: chart.of, ...kept });
  return of.by;
}

/**
 * Where a chart that was read over other segments is as before the first pane in these too: never is a sum over fewer panes greater, nor one over wider panes. Hence
 * where it has been so without an alarm before, it is so wherever the segments begin, and however wide their panes are.
 */
function freshIn({ freshMs, freshOfAllMs }: ChartCache, segments: readonly Segment[]): number {
  const found = freshMs >= startOf(segments.at(-1)!) ? freshMs : freshOfAllMs;
  return found >= startOf(segments[0]!) ? found : Number.NEGATIVE_INFINITY;
}

function startOf({ first, paneMs }: Segment): number {
  return first * paneMs;
}

function noteEnd(chart: ChartCache, endMs: number, isEndOfAll: boolean): void {
  chart.endMs = endMs;
  if (!isFresh(chart.run)) return;
  chart.freshMs = endMs;
  if (isEndOfAll) chart.freshOfAllMs = endMs;
}

/** Start of the earliest pane of the segments that may have changed. */
function changedMs({ changed }: WatchedGroup, segments: readonly Segment[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { tier, paneMs, first, last } of segments)
    if (changed[tier]! <= last) earliest = Math.min(earliest, Math.max(first, changed[tier]!) * paneMs);
  return earliest;
}
