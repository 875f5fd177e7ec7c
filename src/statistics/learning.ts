import { type Chart, newRun, readPane } from './watch-run.ts';

/** Counts of cases by pane, oldest first; `[2 i]` are the cases of pane i, `[2 i + 1]` the bad ones. */
export type PaneCounts = Float64Array;

export interface Learning {
  readonly panes: number;
  readonly paneMs: number;
  /** The chart for what was learned up to now; undefined while that is too little. */
  chartFor(n: number, bad: number): Chart | undefined;
}

/** The reference span: panes from the first up to, and without, `end`, but for those that `fired`. Where there are too few, `end` is below 0. */
export interface Reference {
  readonly n: number;
  readonly bad: number;
  readonly end: number;
  readonly fired: readonly number[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The pane that will be the newest when the reference has so many cases, if they go on to come as they did; undefined where there are none.
 * What fires until then is not foreseen.
 */
export function referencePane(
  counts: PaneCounts,
  { panes, paneMs }: Pick<Learning, 'panes' | 'paneMs'>,
  cases: number,
): number | undefined {
  const { first } = knownPanes(counts);
  let sum = 0;
  let end = first;
  while (end < panes && sum < cases) sum += counts[2 * end++]!;
  if (sum === 0) return undefined;
  if (sum < cases) end += Math.ceil(((cases - sum) * (panes - first)) / sum);
  const soon = end + Math.ceil(hourMs / paneMs);
  return (soon - first) * paneMs < 2 * dayMs ? soon : end + Math.ceil(dayMs / paneMs);
}

/**
 * The reference of a baseline: cases and bad cases of the panes before the last 24 hours, or with less than 48 hours of data before the
 * last one, but for those in which the watch fired. For that the panes are read in their order, each hour with the chart for what was
 * learned until then: a spike that lasts is not taken for the way things are, however much of the window it has come to fill.
 */
export function referenceOf(counts: PaneCounts, { panes, paneMs, chartFor }: Learning): Reference {
  const known = knownPanes(counts);
  const { first } = known;
  const lagAt = (pane: number): number => Math.ceil(((pane - first) * paneMs >= 2 * dayMs ? dayMs : hourMs) / paneMs);
  const every = Math.max(1, Math.floor(hourMs / paneMs));
  const run = newRun();
  let chart: Chart | undefined;
  for (let pane = first; pane < panes; pane++) {
    if ((pane - first) % every === 0) {
      reach(known, pane - lagAt(pane));
      chart = chartFor(known.n, known.bad) ?? chart;
    }
    const n = counts[2 * pane]!;
    // The chart counts panes where others count time.
    if (chart !== undefined && n > 0)
      readPane(run, chart, { startMs: pane, endMs: pane + 1, n, bad: counts[2 * pane + 1]! });
    if (run.alarm !== undefined) leaveOut(known, run.alarm.sinceMs, pane);
  }
  const end = panes - lagAt(panes);
  reach(known, end);
  const { n, bad, fired } = known;
  return { n, bad, end, fired: markedPanes(fired.subarray(0, Math.max(0, end))) };
}

function markedPanes(fired: Uint8Array): number[] {
  const panes: number[] = [];
  for (let pane = fired.indexOf(1); pane >= 0; pane = fired.indexOf(1, pane + 1)) panes.push(pane);
  return panes;
}

/** Sums of the panes from the first up to, and without, `end` in which nothing fired. */
interface KnownPanes {
  readonly counts: PaneCounts;
  readonly first: number;
  readonly fired: Uint8Array;
  n: number;
  bad: number;
  end: number;
}

function knownPanes(counts: PaneCounts): KnownPanes {
  let first = 0;
  while (2 * first < counts.length && counts[2 * first] === 0) first++;
  return { counts, first, fired: new Uint8Array(counts.length / 2), n: 0, bad: 0, end: first };
}

/** Moves the end to a pane, not before the first. */
function reach(known: KnownPanes, pane: number): void {
  const end = Math.max(known.first, pane);
  for (; known.end < end; known.end++) if (known.fired[known.end] === 0) add(known, known.end, 1);
  for (; known.end > end; known.end--) if (known.fired[known.end - 1] === 0) add(known, known.end - 1, -1);
}

/** Leaves out the panes from `since`, which may be earlier than it was for the pane before, to `last`. */
function leaveOut(known: KnownPanes, since: number, last: number): void {
  for (let pane = last; pane >= since; pane--) {
    if (known.fired[pane] === 1) continue;
    known.fired[pane] = 1;
    if (pane < known.end) add(known, pane, -1);
  }
}

function add(known: KnownPanes, pane: number, sign: 1 | -1): void {
  known.n += sign * known.counts[2 * pane]!;
  known.bad += sign * known.counts[2 * pane + 1]!;
}
