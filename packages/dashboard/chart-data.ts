import type { HistoryMetric, HistoryValue } from '../../src/formats/summary/history.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { nameOf, type Picture } from './state.ts';

/** One line of a chart. */
export interface Line {
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
  /** Times in seconds; a column a line; then the upper and the lower end of the focus's interval. */
  readonly columns: [number[], ...(number | null)[][]];
  /** Spans of time, ms, in which the rate of a group shown was up so that it alarmed. */
  readonly spans: readonly (readonly [fromMs: number, untilMs: number])[];
  /** Charts of equal signature differ in their numbers only. */
  readonly signature: string;
}

/** The data of a metric's chart: the group in focus with its interval, and the others of its set. */
export function chartData(picture: Picture, metric: HistoryMetric): ChartData {
  const { history, focus, groups, firing } = picture;
  const { at, groups: byGroup } = history!;
  const valuesOf = (id: string): readonly HistoryValue[] | undefined => {
    const values = byGroup.get(id)?.get(metric.path);
    return values?.some(({ value }) => value !== null) ? values : undefined;
  };
  const isAlarm = (id: string): boolean => firing.paths.get(id)?.has(metric.path) ?? false;
  const others = groups.flatMap((group): Line[] => {
    const values = group.id === focus!.id ? undefined : valuesOf(group.id);
    return values === undefined ? [] : [{ name: nameOf(group), isFocus: false, isAlarm: isAlarm(group.id), values }];
  });
  const focused = valuesOf(focus!.id) ?? at.map(() => ({ value: null, lower: null, upper: null, counts: undefined }));
  const lines: readonly Line[] = [
    ...others.filter((line) => !line.isAlarm),
    ...others.filter((line) => line.isAlarm),
    { name: nameOf(focus!), isFocus: true, isAlarm: isAlarm(focus!.id), values: focused },
  ];
  return {
    at,
    lines,
    range: rangeOf(metric, lines),
    spans: spansOf(picture, metric),
    columns: [
      at.map((ms) => ms / 1000),
      ...lines.map(({ values }) => values.map(({ value }) => value)),
      focused.map(({ upper }) => upper),
      focused.map(({ lower }) => lower),
    ],
    signature: JSON.stringify(lines.map(({ values: _, ...line }) => line)),
  };
}

/** The alarms of the group in focus; of the total those of every group shown. */
function spansOf({ document, focus, groups, total }: Picture, { path }: HistoryMetric): ChartData['spans'] {
  const ids = new Set((focus!.id === total?.id ? [...groups, focus!] : [focus!]).map(({ id }) => id));
  return document.incidents
    .flatMap(({ slice, rates, also }) => [{ slice, rates }, ...also])
    .filter(({ slice }) => ids.has(sliceId(slice)))
    .flatMap(({ rates }) => rates.filter(({ watch }) => watch === path))
    .map(({ since, until, end }) => [Date.parse(since), Date.parse(end === null ? document.at : until)]);
}

/** Rates of errors begin at 0, as their size matters; what should be high is shown closely. Intervals may leave the frame. */
function rangeOf({ better }: HistoryMetric, lines: readonly Line[]): readonly [number, number] {
  const values = lines.flatMap((line) => line.values.flatMap(({ value }) => (value === null ? [] : [value])));
  const greatest = Math.max(0, ...values);
  if (better === 'lower') return [0, Math.min(1, Math.max(0.1, greatest * 1.15))];
  const least = Math.min(1, ...values);
  return [Math.max(0, Math.floor(20 * (least - 0.05)) / 20), Math.min(1, Math.ceil(20 * (greatest + 0.03)) / 20)];
}
