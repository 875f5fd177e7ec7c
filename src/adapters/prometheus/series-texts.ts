import { type MetricPoint, summaryPath } from '../../view/metric-points.ts';
import type { MetricName } from './metric-list.ts';

/**
 * Names and label sets of the series of window gauges, as the last page had them. A page shows what the one before it did, with other
 * values: making these texts takes longer than all else of a page.
 */
export interface SeriesTexts {
  /** By the labels that all series of a group share. */
  groups: Map<string, GroupTexts>;
}

/** Texts of a group's points, in their order. */
export type GroupTexts = PointTexts[];

/** Texts of the series that one point gives, each with a space after it. */
export interface PointTexts extends Pick<MetricPoint, 'family' | 'metric' | 'label'> {
  /** Value of the label `metric`. */
  readonly metricLabel: string;
  readonly series: Partial<Record<MetricName, string>>;
}

/** None yet. */
export function createSeriesTexts(): SeriesTexts {
  return { groups: new Map() };
}

/** The texts of the point at a place of a group; those of another point, which stood there on the last page, give way. */
export function textsOf(group: GroupTexts, place: number, point: MetricPoint): PointTexts {
  const known = group[place];
  if (known !== undefined && isOf(known, point)) return known;
  const { family, metric, label } = point;
  const made = { family, metric, label, metricLabel: metricLabel(point), series: {} };
  group[place] = made;
  return made;
}

/** Name and labels of one of a point's series; `labels` is what stands before the label `metric`. */
export function seriesText({ series, metricLabel: metric }: PointTexts, name: MetricName, labels: string): string {
  // Joined, not added up: a text of added pieces would be put together again on each page.
  return (series[name] ??= [name, '{', labels, ',metric="', metric, '"} '].join(''));
}

/**
 * Value of the label `metric` of a point: its path in the summary with `_`; metrics of family `decision` have no
 * prefix, those of `stability` have a metric of their own and none either. Example: `tool_hall`,
 * `per_class_direct_f1`, `tool_calls_strict_f1`.
 */
export function metricLabel(point: Pick<MetricPoint, 'family' | 'metric' | 'label' | 'predicted'>): string {
  const path = summaryPath(point).replaceAll('.', '_');
  return point.family === 'decision' || point.family === 'stability' ? path : `${point.family}_${path}`;
}

function isOf(texts: PointTexts, { family, metric, label }: MetricPoint): boolean {
  return texts.metric === metric && texts.label === label && texts.family === family;
}
