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
 * Label sets of the points of a group, in their order, by the labels that they share: as the last page had them. A page shows what the
 * one before it did, with other values, and making these texts takes longer than all else of a page.
 */
export type PointLabels = Map<string, PointLabel[]>;

interface PointLabel extends Pick<MetricPoint, 'family' | 'metric' | 'label'> {
  /** In braces, with a space behind. */
  readonly text: string;
}

/** Sections of the gauges; a group is a step. `last` are the label sets of the last page, and of this one then. */
export function* viewSections({ view, windows }: ExportedView, last: PointLabels): Steps<Section[]> {
  const lines = newLines();
  const shown = new Set<string>();
  for (const counts of windows) addPredictions(lines, counts);
  for (const group of view.groups) {
    shown.add(addGroup(lines, group, last));
    yield;
  }
  for (const labels of last.keys()) if (!shown.has(labels)) last.delete(labels);
  return (Object.keys(viewGauges) as Gauge[]).flatMap((gauge) => {
    const families = [...lines[gauge].values()];
    const parts = [...families.map(({ plain }) => plain), ...families.map(({ labelled }) => labelled)];
    return parts.map((part) => ({ metric: viewGauges[gauge], lines: part, firstShown: [] }));
  });
}

/** Lines of each gauge by scoring family; those by label (`per_class`, `per_label`) matter less and come after all others. */
type Lines = Readonly<Record<Gauge, Map<string, { readonly plain: string[]; readonly labelled: string[] }>>>;

function newLines(): Lines {
  return Object.fromEntries(Object.keys(viewGauges).map((gauge) => [gauge, new Map()])) as unknown as Lines;
}

/** Adds a line: `labels` in braces, with a space behind. */
function add(
  lines: Lines,
  gauge: Gauge,
  { family, label }: Pick<MetricPoint, 'family' | 'label'>,
  labels: string,
  value: number | null,
): void {
  if (value === null) return;
  const { plain, labelled } = getOrPut(lines[gauge], family, () => ({ plain: [], labelled: [] }));
  (label === undefined ? plain : labelled).push(viewGauges[gauge].name + labels + numberText(value));
}

function addPredictions(lines: Lines, counts: ExportedView['windows'][number]): void {
  for (const state of ['scored', 'pending', 'expired'] as const) {
    const labels = labelPairs([
      ['window', counts.window],
      ['state', state],
    ]);
    add(lines, 'predictions', { family: '', label: undefined }, `{${labels}} `, counts[state]);
  }
}

/** Adds what a group shows; gives the labels that its series share. */
function addGroup(lines: Lines, { dimensions, values, window, blocks }: Group, last: PointLabels): string {
  const own = dimensions.map((dimension, index) => [dimensionLabel(dimension), values[index]!] as const);
  const slice = labelPairs([['slice', dimensions.join(',')], ...own]);
  const inWindow = `window="${escapeLabelValue(window)}"`;
  const shared = `${slice},${inWindow}`;
  const texts = getOrPut(last, shared, () => []);
  for (const [place, point] of metricPoints(blocks).entries()) {
    const { family, metric, label, predicted, value } = point;
    if (value === null) continue;
    if (metric === 'confusion') {
      if (dimensions.join() !== 'model') continue;
      add(
        lines,
        'outcomes',
        point,
        `{${labelPairs(own)},${inWindow},gold="${label}",predicted="${predicted}"} `,
        value,
      );
    } else if (family === 'stability') {
      const state = groupStates.get(summaryPath(point));
      if (state !== undefined) add(lines, 'stabilityGroups', point, `{${slice},state="${state}"} `, value);
      else add(lines, 'stability', point, labelsOf(texts, place, point, slice), value);
    } else {
      const labels = labelsOf(texts, place, point, shared);
      add(lines, 'value', point, labels, value);
      add(lines, 'support', point, labels, point.denominator);
      add(lines, 'lower', point, labels, point.lower);
      add(lines, 'upper', point, labels, point.upper);
    }
  }
  return shared;
}

/** Counts of groups have a metric of their own. */
const groupStates: ReadonlyMap<string, string> = new Map([
  ['groups_seen', 'seen'],
  ['groups_complete', 'complete'],
]);

/** The label set of the point at a place of a group; that of another point, which stood there on the last page, gives way. */
function labelsOf(texts: PointLabel[], place: number, point: MetricPoint, shared: string): string {
  const { family, metric, label } = point;
  const known = texts[place];
  if (known?.metric === metric && known.label === label && known.family === family) return known.text;
  // Joined, not added up: a text of added pieces would be put together again on each page.
  const text = ['{', shared, ',metric="', metricLabel(point), '"} '].join('');
  texts[place] = { family, metric, label, text };
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
