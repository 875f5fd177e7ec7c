import { type HistoryMetric, type HistoryValue, historyValue } from '../../src/formats/summary/history.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { type ReadHistory, sumOf } from './history.ts';
import { type Choices, nameOf, type Picture } from './state.ts';

/** One line of a chart. */
export interface Line {
  readonly id: string;
  readonly name: string;
  readonly isFocus: boolean;
  readonly isAlarm: boolean;
  readonly values: readonly HistoryValue[];
}

export interface ChartData {
  /** Wall clock, ms. */
  readonly at: readonly number[];
  /** The group in focus last: it is drawn over the others. */
  readonly lines: readonly Line[];
  /** Ends of the vertical axis. */
  readonly range: readonly [low: number, high: number];
  /** Ends of the horizontal axis, ms. */
  readonly shown: readonly [fromMs: number, untilMs: number];
  /** Spans of time, ms, in which the rate of a group shown was up so that it alarmed. */
  readonly spans: readonly (readonly [fromMs: number, untilMs: number])[];
  readonly marks: ReadHistory['marks'];
  /** The value of the group in focus over the chosen time range; undefined where none is chosen, or its counts are not known. */
  readonly inRange: HistoryValue | undefined;
}

/** The pointer over the charts: all show the same time. Shares of the width and the height, from the left and the top. */
export interface Pointer {
  readonly path: string;
  readonly x: number;
  readonly y: number;
  /** Where the pointer was pressed, while it is. */
  readonly dragFrom: number | undefined;
}

/** The chosen time range, ms. */
export type TimeRange = Pick<Choices, 'from' | 'until'>;

/** The data of a metric's chart: the group in focus with its interval, and the others of its set. */
export function chartData(picture: Picture, metric: HistoryMetric, range: TimeRange): ChartData {
  const { history, focus, groups, firing } = picture;
  const { at, groups: byGroup, marks } = history!;
  const shown = shownSpan(at, range);
  const lineOf = (group: Picture['groups'][number]): Line => ({
    id: group.id,
    name: nameOf(group),
    isFocus: group.id === focus!.id,
    isAlarm: firing.paths.get(group.id)?.has(metric.path) ?? false,
    values: byGroup.get(group.id)?.get(metric.path) ?? [],
  });
  const others = groups
    .filter(({ id }) => id !== focus!.id)
    .map(lineOf)
    .filter(({ values }) => values.some(({ value }) => value !== null));
  const lines = [...others.filter((line) => !line.isAlarm), ...others.filter((line) => line.isAlarm), lineOf(focus!)];
  const isRange = (range.from ?? range.until) !== undefined;
  return {
    at,
    lines,
    range: valuesRange(metric, lines, at, shown),
    shown,
    spans: spansOf(picture, metric),
    marks,
    inRange: isRange ? valueIn(picture, metric, shown) : undefined,
  };
}

/** The chosen time range, as far as there is a history; all of it where nothing of the range lies in it. */
export function shownSpan(at: readonly number[], { from, until }: TimeRange): ChartData['shown'] {
  const [first, last] = [at[0]!, at.at(-1)!];
  const [low, high] = [Math.max(first, from ?? first), Math.min(last, until ?? last)];
  return low < high ? [low, high] : [first, last];
}

/** The counts between the ends added up, and read. */
function valueIn(
  { counts, focus, document: { z } }: Picture,
  metric: HistoryMetric,
  [fromMs, untilMs]: ChartData['shown'],
): HistoryValue | undefined {
  const points = counts?.groups[focus!.id];
  if (points === undefined) return undefined;
  const isIn = (ms: number): boolean => ms > fromMs && ms <= untilMs;
  return historyValue(metric, sumOf(points.filter((_, at) => isIn(counts!.at[at]!))), z);
}

/** The alarms of the group in focus; of the total those of every group shown. */
function spansOf({ document, focus, groups, total }: Picture, { path }: HistoryMetric): ChartData['spans'] {
  const ids = new Set((focus!.id === total?.id ? [...groups, focus!] : [focus!]).map(({ id }) => id));
  const spans = document.incidents
    .flatMap(({ slice, rates, also }) => [{ slice, rates }, ...also])
    .filter(({ slice }) => ids.has(sliceId(slice)))
    .flatMap(({ rates }) => rates.filter(({ watch }) => watch === path))
    .map(({ since, until, end }) => [Date.parse(since), Date.parse(end === null ? document.at : until)] as const);
  return joined(spans);
}

/** Spans of time as those that lie apart, so that none is drawn over another. */
function joined(spans: ChartData['spans']): ChartData['spans'] {
  const apart: (readonly [number, number])[] = [];
  for (const [from, until] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last === undefined || from > last[1]) apart.push([from, until]);
    else apart[apart.length - 1] = [last[0], Math.max(last[1], until)];
  }
  return apart;
}

/** Rates of errors begin at 0, as their size matters; what should be high is shown closely. Intervals may leave the frame. */
function valuesRange(
  { better }: HistoryMetric,
  lines: readonly Line[],
  at: readonly number[],
  [fromMs, untilMs]: ChartData['shown'],
): readonly [number, number] {
  const values = lines.flatMap((line) =>
    line.values.flatMap(({ value }, point) =>
      value === null || at[point]! < fromMs || at[point]! > untilMs ? [] : [value],
    ),
  );
  const greatest = Math.max(0, ...values);
  if (better === 'lower') return [0, Math.min(1, Math.max(0.05, greatest * 1.15))];
  const least = Math.min(1, ...values);
  return [Math.max(0, Math.floor(20 * (least - 0.02)) / 20), Math.min(1, Math.ceil(20 * (greatest + 0.02)) / 20)];
}
