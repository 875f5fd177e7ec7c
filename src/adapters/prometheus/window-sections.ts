import { dimensionLabel } from '../../state/dimension.ts';
import { metricPoints, type MetricPoint, summaryPath } from '../../view/metric-points.ts';
import type { Steps } from '../../state/steps.ts';
import type { Group } from '../../view/summary.ts';
import type { ExportedView } from '../../telemetry.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { metricOf, type MetricName } from './metric-list.ts';
import { type GroupTexts, type PointTexts, type SeriesTexts, seriesText, textsOf } from './series-texts.ts';
import { escapeLabelValue, labelPairs, numberText, type Section } from './text.ts';

/** Gauges of the view, in the order of the metric list; a group is a step. `texts` are those of the last page, and of this one then. */
export function* windowSections({ view, windows }: ExportedView, texts: SeriesTexts): Steps<Section[]> {
  const lines = newLines();
  const shown = new Map<string, GroupTexts>();
  for (const group of view.groups) yield addGroup(lines, group, texts.groups, shown);
  texts.groups = shown;
  return [
    section('assay_window_predictions', windows.flatMap(predictionLines)),
    ...partSections('assay_window_value', lines.value),
    ...partSections('assay_window_support', lines.support),
    ...partSections('assay_stability_value', lines.stability),
    section('assay_stability_groups', lines.stabilityGroups),
    section('assay_window_outcomes', lines.outcomes),
    ...partSections('assay_window_lower', lines.lower),
    ...partSections('assay_window_upper', lines.upper),
  ];
}

/**
 * Lines of one metric by scoring family; those by label (`per_class`, `per_label`) matter less and come after all
 * others.
 */
interface Parts {
  readonly plain: Map<string, string[]>;
  readonly labelled: Map<string, string[]>;
}

interface Lines {
  readonly value: Parts;
  readonly support: Parts;
  readonly lower: Parts;
  readonly upper: Parts;
  readonly stability: Parts;
  readonly stabilityGroups: string[];
  readonly outcomes: string[];
}

function newLines(): Lines {
  const parts = (): Parts => ({ plain: new Map(), labelled: new Map() });
  return {
    value: parts(),
    support: parts(),
    lower: parts(),
    upper: parts(),
    stability: parts(),
    stabilityGroups: [],
    outcomes: [],
  };
}

function addGroup(
  lines: Lines,
  group: Group,
  last: ReadonlyMap<string, GroupTexts>,
  shown: Map<string, GroupTexts>,
): void {
  const { dimensions, values } = group;
  const own = dimensions.map((dimension, index) => [dimensionLabel(dimension), values[index]!] as const);
  const slice = labelPairs([['slice', dimensions.join(',')], ...own]);
  const window = `window="${escapeLabelValue(group.window)}"`;
  const labels = `${slice},${window}`;
  const ofModel = dimensions.length === 1 && dimensions[0] === 'model' ? labelPairs(own) : undefined;
  const texts = getOrPut(shown, labels, () => last.get(labels) ?? []);
  for (const [place, point] of metricPoints(group.blocks).entries()) {
    if (point.value === null) continue;
    if (point.family === 'stability') addStability(lines, slice, point, textsOf(texts, place, point));
    else if (point.metric !== 'confusion') addWindow(lines, labels, point, textsOf(texts, place, point));
    else if (ofModel !== undefined) {
      const cell = `gold="${point.label}",predicted="${point.predicted}"`;
      lines.outcomes.push(`assay_window_outcomes{${ofModel},${window},${cell}} ${numberText(point.value)}`);
    }
  }
}

function addWindow(lines: Lines, labels: string, point: MetricPoint, texts: PointTexts): void {
  const add = (parts: Parts, name: MetricName, value: number | null): void => {
    if (value !== null) partOf(parts, point).push(seriesText(texts, name, labels) + numberText(value));
  };
  add(lines.value, 'assay_window_value', point.value);
  add(lines.support, 'assay_window_support', point.denominator);
  add(lines.lower, 'assay_window_lower', point.lower);
  add(lines.upper, 'assay_window_upper', point.upper);
}

function addStability(lines: Lines, slice: string, point: MetricPoint, texts: PointTexts): void {
  const value = numberText(point.value!);
  const state = groupStates.get(summaryPath(point));
  if (state !== undefined) lines.stabilityGroups.push(`assay_stability_groups{${slice},state="${state}"} ${value}`);
  else partOf(lines.stability, point).push(seriesText(texts, 'assay_stability_value', slice) + value);
}

/** Counts of groups have a metric of their own. */
const groupStates: ReadonlyMap<string, string> = new Map([
  ['groups_seen', 'seen'],
  ['groups_complete', 'complete'],
]);

function partOf(parts: Parts, point: MetricPoint): string[] {
  const families = point.label === undefined ? parts.plain : parts.labelled;
  const known = families.get(point.family);
  if (known !== undefined) return known;
  const created: string[] = [];
  families.set(point.family, created);
  return created;
}

function predictionLines(counts: ExportedView['windows'][number]): string[] {
  const window = escapeLabelValue(counts.window);
  return (['scored', 'pending', 'expired'] as const).map(
    (state) => `assay_window_predictions{window="${window}",state="${state}"} ${numberText(counts[state])}`,
  );
}

function partSections(name: MetricName, { plain, labelled }: Parts): Section[] {
  return [...plain.values(), ...labelled.values()].map((lines) => section(name, lines));
}

function section(name: MetricName, lines: readonly string[]): Section {
  return { metric: metricOf(name), lines, firstShown: [] };
}
