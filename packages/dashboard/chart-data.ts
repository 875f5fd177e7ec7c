import type { HistoryMetric, HistoryValue } from '../../src/formats/summary/history.ts';
import { nameOf, type Picture } from './state.ts';

/** One line of a chart. */
export interface Line {
  readonly name: string;
  readonly kind: 'other' | 'alarm' | 'focus';
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
  /** Charts of equal signature differ in their numbers only. */
  readonly signature: string;
}

/** What the chart of a metric shows: the group in focus with its interval, and the others of its set. */
export function chartData({ history, focus, groups, alarms }: Picture, metric: HistoryMetric): ChartData {
  const { at, groups: byGroup } = history!;
  const valuesOf = (id: string): readonly HistoryValue[] | undefined => {
    const values = byGroup.get(id)?.get(metric.path);
    return values?.some(({ value }) => value !== null) ? values : undefined;
  };
  const worse = new Set(alarms.changes.filter((change) => change.metric.path === metric.path).map(({ id }) => id));
  const others = groups.flatMap((group): Line[] => {
    const values = group.id === focus!.id ? undefined : valuesOf(group.id);
    return values === undefined ? [] : [{ name: nameOf(group), kind: worse.has(group.id) ? 'alarm' : 'other', values }];
  });
  const focused = valuesOf(focus!.id) ?? at.map(() => ({ value: null, lower: null, upper: null, counts: undefined }));
  const lines: readonly Line[] = [
    ...others.filter(({ kind }) => kind === 'other'),
    ...others.filter(({ kind }) => kind === 'alarm'),
    { name: nameOf(focus!), kind: 'focus', values: focused },
  ];
  return {
    at,
    lines,
    range: rangeOf(metric, lines),
    columns: [
      at.map((ms) => ms / 1000),
      ...lines.map(({ values }) => values.map(({ value }) => value)),
      focused.map(({ upper }) => upper),
      focused.map(({ lower }) => lower),
    ],
    signature: JSON.stringify(lines.map(({ name, kind }) => [name, kind])),
  };
}

/** Rates of errors begin at 0, as their size matters; what should be high is shown closely. Intervals may leave the frame. */
function rangeOf({ better }: HistoryMetric, lines: readonly Line[]): readonly [number, number] {
  const values = lines.flatMap((line) => line.values.flatMap(({ value }) => (value === null ? [] : [value])));
  const greatest = Math.max(0, ...values);
  if (better === 'lower') return [0, Math.min(1, Math.max(0.1, greatest * 1.15))];
  const least = Math.min(1, ...values);
  return [Math.max(0, Math.floor(20 * (least - 0.05)) / 20), Math.min(1, Math.ceil(20 * (greatest + 0.03)) / 20)];
}
