import { getOrPut } from '../../state/containers/get-or-put.ts';
import { dimensionLabel } from '../../state/dimension.ts';
import type { Steps } from '../../state/steps.ts';
import type { ExportedView } from '../../telemetry.ts';
import { type MetricPoint, metricPoints, summaryPath } from '../../view/metric-points.ts';
import type { Group } from '../../view/summary.ts';
import { escapeLabelValue, labelPairs, type Metric, numberText, type Section } from './text.ts';

const gauge = (name: string, unit: string, help: string, labels: readonly string[]): Metric => ({
  name: `assay_${name}`,
  type: 'gauge',
  unit,
  help,
  labels,
});
const ofPoint = ['slice', '<dimensions>', 'window', 'metric'];

/** Gauges of the view, in the order of the page. */
export const viewGauges = {
  predictions: gauge('window_predictions', 'events', 'Predictions with event time in the window, by state.', [
    'window',
    'state',
  ]),
  value: gauge('window_value', '1', 'Value of a metric over an event-time window.', ofPoint),
  support: gauge('window_support', '1', 'Denominator of the rate or mean in assay_window_value.', ofPoint),
  stability: gauge('stability_value', '1', 'Value of a stability metric since the beginning.', [
    'slice',
    '<dimensions>',
    'metric',
  ]),
  stabilityGroups: gauge(
    'stability_groups',
    'groups',
    'Groups of runs since the beginning: seen, and complete with all k runs.',
    ['slice', '<dimensions>', 'state'],
  ),
  outcomes: gauge(
    'window_outcomes',
    'events',
    'Predictions with event time in the window by gold and predicted label; adds up across instances.',
    ['model', 'window', 'gold', 'predicted'],
  ),
  lower: gauge(
    'window_lower',
    '1',
    'Lower end of the Wilson interval of a rate in assay_window_value; too high where examples repeat.',
    ofPoint,
  ),
  upper: gauge(
    'window_upper',
    '1',
    'Upper end of the Wilson interval of a rate in assay_window_value; too low where examples repeat.',
    ofPoint,
  ),
};

type Gauge = keyof typeof viewGauges;

/**
 * Cache of the last page: label sets of the points of each group, in their order, by the labels that the group's series share. Most pages
 * show the series of the page before with other values, and formatting label sets takes longer than the rest of a page.
 */
export type PointLabels = Map<string, PointLabel[]>;

interface PointLabel extends Pick<MetricPoint, 'family' | 'metric' | 'label'> {
  /** In braces, with a space behind. */
  readonly text: string;
}

/** Sections of the gauges; a group is a step. Leaves the label sets of this page in `cache`. */
export function* viewSections({ view, windows }: ExportedView, cache: PointLabels): Steps<Section[]> {
  const families: Families = new Map();
  const shown = new Set<string>();
  for (const counts of windows) addPredictions(families, counts);
  for (const group of view.groups) {
    shown.add(addGroup(families, group, cache));
    yield;
  }
  for (const labels of cache.keys()) if (!shown.has(labels)) cache.delete(labels);
  const all = [...families.values()];
  const parts = [...all.map(({ plain }) => plain), ...all.map(({ labelled }) => labelled)];
  return gaugeNames.flatMap((gauge) =>
    parts.map((lines) => ({ metric: viewGauges[gauge], lines: lines[gauge], firstShown: [] })),
  );
}

/** Lines by scoring family; those by label (`per_class`, `per_label`) matter less and come after all others of their gauge. */
type Families = Map<string, { readonly plain: Lines; readonly labelled: Lines }>;
type Lines = Readonly<Record<Gauge, string[]>>;

const gaugeNames = Object.keys(viewGauges) as Gauge[];
const noLines = (): Lines => Object.fromEntries(gaugeNames.map((gauge) => [gauge, [] as string[]])) as Lines;

function linesOf(families: Families, { family, label }: Pick<MetricPoint, 'family' | 'label'>): Lines {
  const { plain, labelled } = getOrPut(families, family, () => ({ plain: noLines(), labelled: noLines() }));
  return label === undefined ? plain : labelled;
}

/** Adds a line: `labels` in braces, with a space behind. */
function add(lines: Lines, gauge: Gauge, labels: string, value: number | null): void {
  if (value !== null) lines[gauge].push(viewGauges[gauge].name + labels + numberText(value));
}

function addPredictions(families: Families, counts: ExportedView['windows'][number]): void {
  const window = `window="${escapeLabelValue(counts.window)}"`;
  const lines = linesOf(families, { family: '', label: undefined });
  for (const state of ['scored', 'pending', 'expired'] as const)
    add(lines, 'predictions', `{${window},state="${state}"} `, counts[state]);
}

/** Adds the lines of a group; returns the labels that its series share. */
function addGroup(families: Families, { dimensions, values, window, blocks }: Group, cache: PointLabels): string {
  const own = dimensions.map((dimension, index) => [dimensionLabel(dimension), values[index]!] as const);
  const slice = labelPairs([['slice', dimensions.join(',')], ...own]);
  const inWindow = `window="${escapeLabelValue(window)}"`;
  const shared = `${slice},${inWindow}`;
  const ofModel = dimensions.join() === 'model' ? labelPairs(own) : undefined;
  const texts = getOrPut(cache, shared, () => []);
  for (const [index, point] of metricPoints(blocks).entries()) {
    const { family, metric, label, predicted, value } = point;
    if (value === null) continue;
    const lines = linesOf(families, point);
    if (metric === 'confusion') {
      const cell = `gold="${label}",predicted="${predicted}"`;
      if (ofModel !== undefined) add(lines, 'outcomes', `{${ofModel},${inWindow},${cell}} `, value);
    } else if (family === 'stability') {
      const state = groupStates.get(summaryPath(point));
      if (state !== undefined) add(lines, 'stabilityGroups', `{${slice},state="${state}"} `, value);
      else add(lines, 'stability', labelsOf(texts, index, point, slice), value);
    } else {
      const labels = labelsOf(texts, index, point, shared);
      add(lines, 'value', labels, value);
      add(lines, 'support', labels, point.denominator);
      add(lines, 'lower', labels, point.lower);
      add(lines, 'upper', labels, point.upper);
    }
  }
  return shared;
}

/** Counts of groups have a metric of their own. */
const groupStates: ReadonlyMap<string, string> = new Map([
  ['groups_seen', 'seen'],
  ['groups_complete', 'complete'],
]);

/** The label set of a point; an entry that the last page left there for another point is replaced. */
function labelsOf(texts: PointLabel[], index: number, point: MetricPoint, shared: string): string {
  const { family, metric, label } = point;
  const known = texts[index];
  if (known?.metric === metric && known.label === label && known.family === family) return known.text;
  // join makes a flat string; a concatenation would be flattened again on each page.
  const text = ['{', shared, ',metric="', metricLabel(point), '"} '].join('');
  texts[index] = { family, metric, label, text };
  return text;
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
